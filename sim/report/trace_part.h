/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/report: what the outputs of `hvsim trace info` share. */
#ifndef HVSIM_REPORT_TRACE_PART_H
#define HVSIM_REPORT_TRACE_PART_H

#include "report/trace_info.h"

/* "3", or "all" for what stands for all vCPUs. */
const char *rep_trace_vcpu(const struct trace_vstats *v, char *buf, size_t n);

const char *rep_trace_cause(const struct trace_stats *s, unsigned cause);

/* All turns that ended with a cause. */
uint64_t rep_trace_cause_total(const struct trace_vstats *v, size_t cause);

/* The causes of v in falling order of their turns; *n of them, malloc'ed. */
unsigned *rep_trace_cause_order(const struct trace_vstats *v, size_t *n);

/* The lines kept of a kind of problem. */
void rep_trace_lines(const struct trace_problems *p, enum trace_problem k, const char *sep,
		     struct text *out);

void rep_trace_info_csv(const struct trace_stats *s, const struct trace_vstats *all,
			struct text *out);
void rep_trace_info_json(const struct trace_stats *s, const struct trace_vstats *all,
			 struct text *out);

#endif
