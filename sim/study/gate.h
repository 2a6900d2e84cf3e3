/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gates: the numbers of a result held against those of a stored one, each with
 * a tolerance.
 */
#ifndef HVSIM_STUDY_GATE_H
#define HVSIM_STUDY_GATE_H

#include "base/jdoc.h"
#include "scenario/table.h"

enum study_side { STUDY_BOTH, STUDY_UP, STUDY_DOWN };

/*
 * How far cells may move. It applies to cells of its table whose row and column
 * it names (NULL: any). Of several that apply the first counts. Published
 * figures and percentages are gated only by one that names their column.
 */
struct study_tolerance {
	const char *table, *row, *column;
	int64_t percent;    /* millionths of a per cent of the stored value; -1: none */
	int64_t absolute;   /* millionths of what is counted; -1: none */
	unsigned side;      /* enum study_side: which moves fail */
	const char *note;   /* for readers, or NULL */
};

enum study_verdict { STUDY_WITHIN, STUDY_MOVED, STUDY_GONE };

struct study_gated {
	const char *table, *row, *column;
	struct scn_cell stored, now; /* now is empty when it is gone */
	const struct study_tolerance *tolerance;
	enum study_verdict verdict;
};

struct study_gate {
	struct study_gated *cell;
	unsigned n, failed;
	unsigned fresh;     /* numbers of gated tables that the stored result has not */
};

/* Read a list of tolerances; *out and their texts are the pool's. */
int study_tolerances(struct mem *mem, const struct jnode *list, struct study_tolerance **out,
		     unsigned *n, struct err *err);

/*
 * Hold `now` against `stored`. partial: cells that `now` has not are left out
 * (some variants were not run). A tolerance that applies to no cell of `stored`
 * is an error at `where`. The cells are the pool's.
 */
int study_gate(struct mem *mem, const struct scn_result *stored, const struct scn_result *now,
	       const struct study_tolerance *tolerance, unsigned n, bool partial,
	       const char *where, struct study_gate *out, struct err *err);

/* "1 %", "100, up only": for people. The pool's. */
const char *study_tolerance_text(struct mem *mem, const struct study_tolerance *t);
const char *study_side_name(unsigned side);
const char *study_verdict_name(enum study_verdict v);

/*
 * Add to out the tables "gate" (every gated cell), and when any failed "why":
 * what else changed most in the columns that failed, table by table; and
 * "inputs" (study_diff_inputs()).
 */
void study_gate_report(const struct study_gate *g, const struct scn_result *stored,
		       const struct scn_result *now, struct scn_result *out);

#endif
