/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HVSIM_REPORT_TRACE_HIST_H
#define HVSIM_REPORT_TRACE_HIST_H

#include <stdbool.h>

#include "report/sheet.h"
#include "trace/stats.h"

/*
 * Append one distribution as bars, at most `width` columns wide. A row is a
 * factor of two, or a quarter of it when `fine`; rows between others are kept
 * when empty. utf8 allows blocks, else bars are '#'.
 */
void rep_trace_hist(const struct hist *h, enum trace_dist d, bool fine, unsigned width, bool utf8,
		    struct text *out);

/* dist[TRACE_DISTS] as data, those that aren't empty: REP_CSV or REP_JSON, [from, count] a row. */
void rep_trace_hists(const struct hist *dist, bool fine, enum rep_format format, struct text *out);

#endif
