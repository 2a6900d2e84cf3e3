// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines: a running total over patches, a metric over a parameter, a distribution. */
#include "report/plot_part.h"

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define MICRO INT64_C(1000000)

int64_t plot_micro(const struct scn_cell *c)
{
	__int128 v = c->kind == SCN_COUNT ? (__int128)c->v * MICRO : c->v;

	return v > INT64_MAX / 2 ? INT64_MAX / 2 : v < INT64_MIN / 2 ? INT64_MIN / 2 : (int64_t)v;
}

const struct scn_cell *plot_at(const struct scn_table *t, unsigned r, unsigned c)
{
	return c < t->columns && t->row[r].cell[c].kind != SCN_EMPTY &&
	       t->row[r].cell[c].kind != SCN_TEXT ? &t->row[r].cell[c] : NULL;
}

/* Stays where it is rather than overflow. */
static int64_t added(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? a : sum;
}

/*
 * The running total that the figures given imply: each of them where there is
 * one, the predicted change elsewhere.
 */
static void add_ladder_data(struct plot *p, const char **name)
{
	const struct scn_table *t = p->table;
	unsigned total = scn_table_column(t, "total"), given = scn_table_column(t, "given");
	unsigned change = scn_table_column(t, "change");
	int64_t sum = 0;

	plot_data(p, "ladder", 0);
	for (unsigned r = 0; r < t->rows; r++) {
		const struct scn_cell *c = plot_at(t, r, total), *g = plot_at(t, r, given);

		name[r] = t->row[r].name;
		if (!r && c)
			sum = plot_micro(c);
		else if (g || plot_at(t, r, change))
			sum = added(sum, plot_micro(g ? g : plot_at(t, r, change)));
		text_add(p->out, "%u", r);
		plot_number(p->out, c);
		text_add(p->out, " ");
		rep_json_decimal(p->out, sum);
		text_add(p->out, " %s", g || !r ? "" : "NaN");
		if (g || !r)
			rep_json_decimal(p->out, sum);
		text_add(p->out, "\n");
	}
	plot_data_end(p);
}

int plot_ladder(struct plot *p)
{
	static const char *const legend[] = { "predicted",
					      "published (predicted change where none is)" };
	const struct scn_table *t = p->table;
	const char **name = mem_alloc(p->mem, t->rows, sizeof(*name));
	bool given = false;

	if (scn_table_column(t, "total") == t->columns)
		return err_set(p->err, "table '%s' has no column 'total': a ladder needs it",
			       t->name);
	for (unsigned r = 0; r < t->rows; r++)
		given |= plot_at(t, r, scn_table_column(t, "given")) != NULL;
	plot_head(p, 130, 36);
	add_ladder_data(p, name);
	plot_title(p, "set title ");
	plot_name_tics(p, name, t->rows, p->p->format == REP_PLOT_TEXT ? 56 : 110);
	text_add(p->out, "set yrange [0:*]\nset key bottom left reverse Left\nset format y "
			 "'%%g'\n");
	plot_legend(p, legend, given ? 2 : 1);
	plot_label(p, "ylabel", "cycles, running total");
	plot_label(p, "xlabel", t->corner);
	text_add(p->out, "plot $ladder0 using 1:2 with steps lw 3 lc rgb '%s' title 'predicted'",
		 plot_colour(0));
	if (given)
		text_add(p->out,
			 ", \\\n  $ladder0 using 1:3 with steps lw 2 dt 2 lc rgb '%s' title "
			 "'published (predicted change where none is)'",
			 plot_colour(1));
	if (given && p->p->format != REP_PLOT_TEXT)
		text_add(p->out,
			 ", \\\n  $ladder0 using 1:4 with points pt 7 ps 0.9 lc rgb '%s' title "
			 "'a published figure'",
			 plot_colour(1));
	text_add(p->out, "\n");
	return 0;
}

int plot_hist(struct plot *p)
{
	if (!plot_numbered(p->table))
		return err_set(p->err,
			       "table '%s': a histogram's rows must be numbers; row '%s' is not",
			       p->table->name, p->table->rows ? p->table->row[0].name : "");
	plot_head(p, 100, 30);
	plot_rows(p, "hist", 0);
	plot_axes(p);
	text_add(p->out, "set logscale x 10\nset format x '%%g'\nset yrange [0:*]\nplot ");
	for (unsigned i = 0; i < p->n; i++) {
		text_add(p->out,
			 "%s$hist0 using 1:%u with fillsteps fs transparent solid 0.35 lc rgb '%s' "
			 "title ",
			 i ? ", \\\n  " : "", i + 2, plot_colour(i));
		plot_quote(p->out, p->series[i].name);
		text_add(p->out,
			 ", \\\n  $hist0 using 1:%u with steps lw 2 dt %u lc rgb '%s' notitle",
			 i + 2, i + 1, plot_colour(i));
	}
	text_add(p->out, "\n");
	return 0;
}
