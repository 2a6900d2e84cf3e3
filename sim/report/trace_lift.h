/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HVSIM_REPORT_TRACE_LIFT_H
#define HVSIM_REPORT_TRACE_LIFT_H

#include "report/sheet.h"
#include "trace/lift.h"

/* Append what the importer decided and how sure it is. */
void rep_trace_lift(const struct trace_lifted *l, const struct trace_facts *f,
		    const struct trace_problems *p, enum rep_format format, struct text *out);

#endif
