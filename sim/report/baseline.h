/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "hvsim-baseline/1": a stored result and how far its numbers may move. */
#ifndef HVSIM_REPORT_BASELINE_H
#define HVSIM_REPORT_BASELINE_H

#include "base/text.h"
#include "study/gate.h"

struct rep_baseline {
	struct study_tolerance *tolerance;
	unsigned tolerances;
	struct scn_result result;
};

/* Read one; all of it is the pool's. */
int rep_baseline_read(struct mem *mem, const char *file, struct rep_baseline *b, struct err *err);

/* Append it as its file's text. */
void rep_baseline_json(struct text *out, const struct rep_baseline *b);

/* A gate for CI systems: JUnit XML, TAP, and a list for benchmark-tracking actions. */
void rep_gate_junit(struct text *out, const struct study_gate *g, const struct scn_result *now,
		    const struct scn_result *report);
void rep_gate_tap(struct text *out, const struct study_gate *g, const struct scn_result *report);
void rep_gate_bench(struct text *out, const struct study_gate *g, const struct scn_result *now);

#endif
