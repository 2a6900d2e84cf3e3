/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the ensemble share. */
#ifndef HVSIM_STUDY_ENSEMBLE_PART_H
#define HVSIM_STUDY_ENSEMBLE_PART_H

#include "study/ensemble.h"

struct ensemble {
	const struct scn_options *options;
	struct study_param *param;
	unsigned params, members;
	bool calibrate;
	uint64_t seed;
	unsigned rows, columns;   /* of the table of metrics */
	unsigned *output;         /* its columns of numbers */
	unsigned outputs;
	size_t words;             /* of a member's record: two a cell */
	int64_t *record;
};

/* A cell of the table of metrics as a member had it; empty when it was no number. */
struct scn_cell study_member_cell(const struct ensemble *e, size_t member, unsigned row,
				  unsigned column);

/* Widen the table of metrics, add the others. */
void study_ensemble_tables(const struct ensemble *e, struct scn_table *metrics,
			   struct scn_result *r);

#endif
