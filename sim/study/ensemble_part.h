/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the ensemble share. */
#ifndef HVSIM_STUDY_ENSEMBLE_PART_H
#define HVSIM_STUDY_ENSEMBLE_PART_H

#include "study/ensemble.h"

/* A table of the result whose numbers get intervals: the metrics, and those that stand against
 * "given". */
struct ensemble_table {
	unsigned index;           /* in the result */
	unsigned rows, columns;
	unsigned *output;         /* its columns of predicted numbers */
	unsigned outputs;
	size_t at;                /* of its cells in a record, in words */
};

struct ensemble {
	const struct scn_options *options;
	struct study_param *param;
	unsigned params, members;
	bool calibrate;
	uint64_t seed;
	struct ensemble_table *table;
	unsigned tables;
	size_t words;             /* of a member's record: two a cell */
	int64_t *record;
};

/* A cell of a table as a member had it; empty when it was no number. */
struct scn_cell study_member_cell(const struct ensemble *e, size_t member, unsigned table,
				  unsigned row, unsigned column);

/* Widen the tables, add the others. */
void study_ensemble_tables(const struct ensemble *e, struct scn_result *r);

#endif
