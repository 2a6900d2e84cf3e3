/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HVSIM_REPORT_TRACE_INFO_H
#define HVSIM_REPORT_TRACE_INFO_H

#include "report/sheet.h"
#include "trace/stats.h"

/* Append what `hvsim trace info` prints. */
void rep_trace_info(const struct trace_stats *s, enum rep_format format, struct text *out);

#endif
