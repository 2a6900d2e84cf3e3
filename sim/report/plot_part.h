/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files behind rep_plot_script() share. */
#ifndef HVSIM_REPORT_PLOT_PART_H
#define HVSIM_REPORT_PLOT_PART_H

#include "report/plot.h"

#define PLOT_COLOURS 6

/* A column of a table of one of the results, and its name on the plot. */
struct plot_series {
	const struct scn_table *table;
	unsigned column;
	const char *name;
};

struct plot {
	const struct rep_plot *p;
	struct text *out;
	struct mem *mem;
	struct err *err;
	const struct scn_table **tables; /* one a result, NULL where it has none */
	const struct scn_table *table; /* of the first result */
	struct plot_series *series;
	unsigned n;
	unsigned columns, lines;       /* of the picture, as plot_head() was told */
};

/*
 * Every numeric column that stands for itself, of all results: not percentages
 * (unless all are), and not those that belong to another column ("published x").
 */
int plot_series(struct plot *p);

/* The column "PREFIX name" that belongs to a series, or NULL. */
const struct scn_cell *plot_beside(const struct plot_series *s, const char *prefix,
				   const char *row);
const struct scn_cell *plot_cell(const struct plot_series *s, const char *row);

/* In single quotes, in which gnuplot expands nothing; control characters become spaces. */
void plot_quote(struct text *out, const char *s);

/* A number, or NaN when the cell has none. */
void plot_number(struct text *out, const struct scn_cell *c);

/*
 * The title with the provenance below it: COMMAND 'title'; in text printed above
 * the plot. Long ones are broken into lines, as are labels and titles of panels.
 */
void plot_title(struct plot *p, const char *command);
void plot_label(struct plot *p, const char *axis, const char *s);
void plot_panel_title(struct plot *p, const char *s, unsigned columns);

/* In text, where keys don't fit: what stands for what, in the order of plotting. */
void plot_legend(struct plot *p, const char *const *name, unsigned n);

/* The i-th colour, fill pattern and line style tell apart in grey too. */
const char *plot_colour(unsigned i);

/* Terminal of this size in units of a text column and line, and what all plots set. */
void plot_head(struct plot *p, unsigned columns, unsigned lines);

/* "$name << EOD" and its end. */
void plot_data(struct plot *p, const char *name, unsigned i);
void plot_data_end(struct plot *p);

/* Names along the x axis at 0, 1, 2 …, which has so many text columns. */
void plot_name_tics(struct plot *p, const char *const *name, unsigned n, unsigned columns);

/* A cell's number, NULL when it has none; and that in millionths. */
const struct scn_cell *plot_at(const struct scn_table *t, unsigned row, unsigned column);
int64_t plot_micro(const struct scn_cell *c);

/* Whether every row's name is a number; those rows as data; title and labels of such a plot. */
bool plot_numbered(const struct scn_table *t);
void plot_rows(struct plot *p, const char *data, unsigned n);
void plot_axes(struct plot *p);

/* The kinds. */
int plot_bars(struct plot *p);
int plot_breakdown(struct plot *p);
int plot_exits(struct plot *p);
int plot_exits_totals(struct plot *p); /* where a result has none over time */
int plot_ladder(struct plot *p);
int plot_sweep(struct plot *p);
int plot_hist(struct plot *p);

#endif
