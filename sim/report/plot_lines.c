// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines: a running total over patches, a metric over a parameter, a distribution. */
#include "report/plot_part.h"

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define MICRO INT64_C(1000000)

static int64_t cell_micro(const struct scn_cell *c)
{
	return c->kind == SCN_COUNT ? c->v * MICRO : c->v;
}

static const struct scn_cell *at(const struct scn_table *t, unsigned r, unsigned c)
{
	return c < t->columns && t->row[r].cell[c].kind != SCN_EMPTY &&
	       t->row[r].cell[c].kind != SCN_TEXT ? &t->row[r].cell[c] : NULL;
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
		const struct scn_cell *c = at(t, r, total), *g = at(t, r, given);

		name[r] = t->row[r].name;
		if (!r && c)
			sum = cell_micro(c);
		else if (g || at(t, r, change))
			sum += cell_micro(g ? g : at(t, r, change));
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
		return err_set(p->err, "table '%s' has no column 'total': a ladder needs it", t->name);
	for (unsigned r = 0; r < t->rows; r++)
		given |= at(t, r, scn_table_column(t, "given")) != NULL;
	plot_head(p, 130, 36);
	add_ladder_data(p, name);
	plot_title(p, "set title ");
	plot_name_tics(p, name, t->rows, p->p->format == REP_PLOT_TEXT ? 56 : 110);
	text_add(p->out, "set yrange [0:*]\nset key bottom left reverse Left\nset format y '%%g'\n");
	plot_legend(p, legend, given ? 2 : 1);
	plot_label(p, "ylabel", "cycles, running total");
	plot_label(p, "xlabel", t->corner);
	text_add(p->out, "plot $ladder0 using 1:2 with steps lw 3 lc rgb '%s' title 'predicted'",
		 plot_colour(0));
	if (given)
		text_add(p->out, ", \\\n  $ladder0 using 1:3 with steps lw 2 dt 2 lc rgb '%s' title "
			 "'published (predicted change where none is)'", plot_colour(1));
	if (given && p->p->format != REP_PLOT_TEXT)
		text_add(p->out, ", \\\n  $ladder0 using 1:4 with points pt 7 ps 0.9 lc rgb '%s' title "
			 "'a published figure'", plot_colour(1));
	text_add(p->out, "\n");
	return 0;
}

/* Every row's name is a number. */
static bool numbered(const struct scn_table *t)
{
	int64_t unused;

	for (unsigned r = 0; r < t->rows; r++)
		if (!text_to_micro(t->row[r].name, &unused))
			return false;
	return t->rows > 0;
}

/*
 * Where b crosses a between rows i and i+1, in millionths of x, by straight
 * lines; false when it doesn't.
 */
static bool crosses(const struct scn_table *t, unsigned i, unsigned ca, unsigned cb, int64_t *x)
{
	const struct scn_cell *a0 = at(t, i, ca), *a1 = at(t, i + 1, ca);
	const struct scn_cell *b0 = at(t, i, cb), *b1 = at(t, i + 1, cb);
	int64_t x0, x1;
	__int128 d0, d1;

	if (!a0 || !a1 || !b0 || !b1)
		return false;
	d0 = (__int128)cell_micro(b0) - cell_micro(a0);
	d1 = (__int128)cell_micro(b1) - cell_micro(a1);
	if (d0 == d1 || (d0 > 0) == (d1 > 0) || !d0)
		return false;
	text_to_micro(t->row[i].name, &x0);
	text_to_micro(t->row[i + 1].name, &x1);
	*x = x0 + (int64_t)((__int128)(x1 - x0) * (d0 / 1000) / ((d0 - d1) / 1000 ? (d0 - d1) / 1000 : 1));
	return true;
}

/* Break-even: where the second line crosses the first. */
static void mark_crossings(struct plot *p)
{
	unsigned n = 1;

	if (p->n != 2 || p->series[0].table != p->series[1].table)
		return;
	for (unsigned i = 0; i + 1 < p->table->rows; i++) {
		struct text x = { 0 };
		int64_t micro;

		if (!crosses(p->table, i, p->series[0].column, p->series[1].column, &micro))
			continue;
		rep_json_decimal(&x, micro);
		text_add(p->out, "set arrow %u from %s, graph 0 to %s, graph 1 nohead dt 3 lw 2 lc rgb "
			 "'black'\nset label %u 'break-even %.4g' at %s, graph 0.96 right offset -1,0\n", n,
			 x.s, x.s, n, strtod(x.s, NULL), x.s);
		text_free(&x);
		n++;
	}
}

static void add_row_data(struct plot *p, const char *data)
{
	plot_data(p, data, 0);
	for (unsigned r = 0; r < p->table->rows; r++) {
		text_add(p->out, "%s", p->table->row[r].name);
		for (unsigned i = 0; i < p->n; i++)
			plot_number(p->out, plot_cell(&p->series[i], p->table->row[r].name));
		text_add(p->out, "\n");
	}
	plot_data_end(p);
}

static void add_labels(struct plot *p)
{
	const char **name = mem_alloc(p->mem, p->n, sizeof(*name));

	for (unsigned i = 0; i < p->n; i++)
		name[i] = p->series[i].name;
	plot_title(p, "set title ");
	plot_label(p, "ylabel", p->table->title ? p->table->title : p->table->name);
	plot_label(p, "xlabel", p->table->corner);
	text_add(p->out, "set key outside right top\n");
	plot_legend(p, name, p->n);
}

int plot_sweep(struct plot *p)
{
	if (!numbered(p->table))
		return err_set(p->err, "table '%s': a sweep's rows must be numbers; row '%s' is not",
			       p->table->name, p->table->rows ? p->table->row[0].name : "");
	plot_head(p, 100, 30);
	add_row_data(p, "sweep");
	add_labels(p);
	mark_crossings(p);
	text_add(p->out, "plot ");
	for (unsigned i = 0; i < p->n; i++) {
		text_add(p->out, "%s$sweep0 using 1:%u with %s lw 2 dt %u pt %u ps 0.8 lc rgb '%s' "
			 "title ", i ? ", \\\n  " : "", i + 2,
			 p->p->format == REP_PLOT_TEXT ? "lines" : "linespoints", i + 1, 4 + i,
			 plot_colour(i));
		plot_quote(p->out, p->series[i].name);
	}
	text_add(p->out, "\n");
	return 0;
}

int plot_hist(struct plot *p)
{
	if (!numbered(p->table))
		return err_set(p->err, "table '%s': a histogram's rows must be numbers; row '%s' is not",
			       p->table->name, p->table->rows ? p->table->row[0].name : "");
	plot_head(p, 100, 30);
	add_row_data(p, "hist");
	add_labels(p);
	text_add(p->out, "set logscale x 10\nset format x '%%g'\nset yrange [0:*]\nplot ");
	for (unsigned i = 0; i < p->n; i++) {
		text_add(p->out, "%s$hist0 using 1:%u with fillsteps fs transparent solid 0.35 lc rgb '%s' "
			 "title ", i ? ", \\\n  " : "", i + 2, plot_colour(i));
		plot_quote(p->out, p->series[i].name);
		text_add(p->out, ", \\\n  $hist0 using 1:%u with steps lw 2 dt %u lc rgb '%s' notitle",
			 i + 2, i + 1, plot_colour(i));
	}
	text_add(p->out, "\n");
	return 0;
}
