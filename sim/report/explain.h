/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The teaching view: one exit of one vCPU, from the guest that left to the guest
 * that goes on, slice by slice, and each path in it op by op.
 */
#ifndef HVSIM_REPORT_EXPLAIN_H
#define HVSIM_REPORT_EXPLAIN_H

#include "base/err.h"
#include "report/timeline.h"

struct rep_explain_op {
	const char *op, *in;             /* its text; the function it is in, or NULL */
	uint64_t start, cycles;          /* since the path began, what it added */
	uint64_t by_class[PIPE_CLASSES];
};

/* A slice of time in one state. */
struct rep_explain_step {
	const char *level, *state, *path, *summary; /* path and summary: NULL for none */
	uint64_t start, cycles;          /* since the walk began; what it took */
	uint64_t price;                  /* of the path alone */
	struct rep_explain_op *op;
	size_t ops;
	const char **note;               /* what changed at its end */
	unsigned notes;
};

struct rep_explain {
	const struct rep_timeline *t;
	uint32_t vcpu;
	const char *trap;
	uint64_t at;                     /* cycles: of the exit */
	struct rep_explain_step *step;
	size_t steps;
};

/* Which exit. */
struct rep_explain_which {
	const char *trap;                /* a name or its beginning, any case; NULL: any */
	int64_t vcpu;                    /* -1: any */
	uint64_t nth;                    /* from 1 */
};

/* Find it in a recorded timeline and price its paths. All of it is the pool's. */
int rep_explain(struct mem *mem, const struct rep_timeline *t,
		const struct rep_explain_which *which, struct rep_explain *e, struct err *err);

/* Every op a line, or every function. */
void rep_explain_text(struct text *out, const struct rep_explain *e, bool every);

/* One page that needs nothing else: the page's frame is DATA/docs/explain.html. */
int rep_explain_html(struct mem *mem, struct text *out, const struct rep_explain *e,
		     struct err *err);

/* What waiting of a class is, in a sentence. */
const char *rep_explain_class(enum pipe_class c);

#endif
