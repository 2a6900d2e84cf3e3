/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `hvsim requests` prints: the static analysis of a request model. */
#ifndef HVSIM_REPORT_REP_REQUESTS_H
#define HVSIM_REPORT_REP_REQUESTS_H

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "hv/x86_model.h"
#include "report/report.h"

/* What to show. */
struct rep_requests {
	const struct x86_model *model;
	struct x86_set in;                              /* configurations */
	const struct x86_order *order[X86_ORDERS_MAX];  /* which orders, as columns */
	unsigned orders;
	bool picked;                                    /* asked for: show moves for each */
};

/* Append the report: REP_TABLE, REP_MARKDOWN, REP_CSV. -1 on error (too many configurations). */
int rep_requests_table(struct mem *mem, const struct rep_requests *r, enum rep_format format,
		       struct text *out, struct err *err);
int rep_requests_json(struct mem *mem, const struct rep_requests *r, struct text *out,
		      struct err *err);

/* The graph in the language of Graphviz; back edges of the first shown order are red. */
void rep_requests_dot(const struct rep_requests *r, struct text *out);

/* Append the axes in which the set is narrower than `whole` as "a=x|y, b=z". */
void rep_requests_set(const struct x86_model *m, const struct x86_set *set,
		      const struct x86_set *whole, struct text *out);

/* Whether the moves of this order are shown. */
bool rep_requests_moves(const struct rep_requests *r, const struct x86_order *o);

/* The stretch in which two orders differ, as a list for --order; "" when they don't. */
const char *rep_requests_stretch(struct mem *mem, const struct x86_model *m,
				 const struct x86_order *was, const struct x86_order *is);

#endif
