/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plots as gnuplot scripts that hold their data. What is drawn depends on
 * tables only, never on the kind of scenario; every plot carries title, units,
 * model, seed and version.
 */
#ifndef HVSIM_REPORT_PLOT_H
#define HVSIM_REPORT_PLOT_H

#include "base/err.h"
#include "base/text.h"
#include "scenario/table.h"

enum rep_plot_kind {
	REP_PLOT_BARS,      /* "metrics": a panel a row, variants beside published, intervals */
	REP_PLOT_BREAKDOWN, /* "time": variants as stacked bars */
	REP_PLOT_EXITS,     /* "exits": groups of bars by row */
	REP_PLOT_LADDER,    /* "ladder": running total over rows, beside the one given */
	REP_PLOT_SWEEP,     /* "sweep": rows are numbers; a line a column, crossings marked */
	REP_PLOT_HIST,      /* "hist": rows are the lower ends of buckets */
	REP_PLOT_KINDS,
};

enum rep_plot_format { REP_PLOT_SVG, REP_PLOT_PNG, REP_PLOT_PDF, REP_PLOT_TEXT };

/* NULL-terminated. */
extern const char *const rep_plot_kind_names[];
extern const char *const rep_plot_format_names[];

struct rep_plot {
	unsigned kind, format;
	const char *table;                /* NULL: the kind's own */
	const struct scn_result *result;  /* several are drawn beside each other */
	unsigned results;
	const char *const *name;          /* of each, for series of several results */
};

/* The kind that suits a result best, by the tables it has. */
unsigned rep_plot_kind_of(const struct scn_result *r);

/* Append the script; it writes the picture to its standard output. -1 with an error. */
int rep_plot_script(struct text *out, const struct rep_plot *p, struct err *err);

#endif
