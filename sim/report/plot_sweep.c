// SPDX-License-Identifier: GPL-2.0-or-later
/* A metric over a parameter: a line a variant, break-even marked. */
#include "report/plot_part.h"

#include <stdlib.h>
#include <string.h>

#include "report/report.h"

bool plot_numbered(const struct scn_table *t)
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
	const struct scn_cell *a0 = plot_at(t, i, ca), *a1 = plot_at(t, i + 1, ca);
	const struct scn_cell *b0 = plot_at(t, i, cb), *b1 = plot_at(t, i + 1, cb);
	int64_t x0, x1;
	__int128 d0, d1;
	double at;

	if (!a0 || !a1 || !b0 || !b1)
		return false;
	d0 = (__int128)plot_micro(b0) - plot_micro(a0);
	d1 = (__int128)plot_micro(b1) - plot_micro(a1);
	if (!d0 || !d1 || (d0 > 0) == (d1 > 0))
		return false;
	text_to_micro(t->row[i].name, &x0);
	text_to_micro(t->row[i + 1].name, &x1);
	at = (double)x0 + ((double)x1 - (double)x0) * (double)d0 / (double)(d0 - d1);
	if (at < -9e18 || at > 9e18)
		return false;
	*x = (int64_t)at;
	return true;
}

/* Break-even: where the second line crosses the first. */
static void mark_crossings(struct plot *p)
{
	unsigned n = 1;

	text_add(p->out, "unset arrow\nunset label\nset format y '%%.2s%%c'\n");
	if (p->n != 2 || p->series[0].table != p->series[1].table)
		return;
	for (unsigned i = 0; i + 1 < p->table->rows; i++) {
		struct text x = { 0 };
		int64_t micro;

		if (!crosses(p->table, i, p->series[0].column, p->series[1].column, &micro))
			continue;
		rep_json_decimal(&x, micro);
		text_add(p->out,
			 "set arrow %u from %s, graph 0 to %s, graph 1 nohead dt 3 lw 2 lc rgb "
			 "'black'\nset label %u 'break-even %.4g' at %s, graph 0.96 right offset "
			 "-1,0\n",
			 n, x.s, x.s, n, strtod(x.s, NULL), x.s);
		text_free(&x);
		n++;
	}
}

void plot_rows(struct plot *p, const char *data, unsigned n)
{
	plot_data(p, data, n);
	for (unsigned r = 0; r < p->table->rows; r++) {
		text_add(p->out, "%s", p->table->row[r].name);
		for (unsigned i = 0; i < p->n; i++)
			plot_number(p->out, plot_cell(&p->series[i], p->table->row[r].name));
		text_add(p->out, "\n");
	}
	plot_data_end(p);
}

static void legend_of_series(struct plot *p)
{
	const char **name = mem_alloc(p->mem, p->n, sizeof(*name));

	for (unsigned i = 0; i < p->n; i++)
		name[i] = p->series[i].name;
	plot_legend(p, name, p->n);
}

void plot_axes(struct plot *p)
{
	plot_title(p, "set title ");
	plot_label(p, "ylabel", p->table->title ? p->table->title : p->table->name);
	plot_label(p, "xlabel", p->table->corner);
	text_add(p->out, "set key outside right top\n");
	legend_of_series(p);
}

static void add_lines(struct plot *p, unsigned data)
{
	text_add(p->out, "plot ");
	for (unsigned i = 0; i < p->n; i++) {
		text_add(p->out,
			 "%s$sweep%u using 1:%u with %s lw 2 dt %u pt %u ps 0.8 lc rgb '%s' title ",
			 i ? ", \\\n  " : "", data, i + 2,
			 p->p->format == REP_PLOT_TEXT ? "lines" : "linespoints", i + 1, 4 + i,
			 plot_colour(i));
		plot_quote(p->out, p->series[i].name);
	}
	text_add(p->out, "\n");
}

/* Exits by cause over the time of the run, or their totals where a result has no such table. */
int plot_exits(struct plot *p)
{
	const struct scn_table *t = scn_result_table(p->p->result, "exits_time");

	if (!t || p->p->results > 1 || !plot_numbered(t))
		return plot_exits_totals(p);
	p->tables[0] = p->table = t;
	p->n = 0;
	plot_series(p);
	plot_head(p, 110, 30);
	plot_rows(p, "sweep", 0);
	plot_axes(p);
	text_add(p->out, "set yrange [0:*]\nset format y '%%.2s%%c'\n");
	add_lines(p, 0);
	return 0;
}

static int one_panel(struct plot *p)
{
	plot_head(p, 100, 30);
	plot_rows(p, "sweep", 0);
	plot_axes(p);
	mark_crossings(p);
	add_lines(p, 0);
	return 0;
}

/* "METRIC VARIANT": the length of METRIC, or 0. */
static size_t metric_length(const char *column, const char *variant)
{
	size_t len = strlen(column), part = strlen(variant);

	return len > part + 1 && column[len - part - 1] == ' ' &&
			       !strcmp(column + len - part, variant)
		       ? len - part - 1
		       : 0;
}

/* Columns of axes: those before the first metric. */
static unsigned axes_of(const struct plot *p)
{
	const struct scn_result *r = p->p->result;

	for (unsigned c = 0; c < p->table->columns; c++)
		for (unsigned v = 0; v < r->variants; v++)
			if (metric_length(p->table->column[c], r->variant[v]))
				return c;
	return p->table->columns;
}

/* One metric of a table of points: a row a value of the axis, a column a variant. */
static const struct scn_table *metric_table(struct plot *p, unsigned column, size_t len)
{
	const struct scn_table *t = p->table;
	const struct scn_result *from = p->p->result;
	struct scn_result r = { .mem = p->mem };
	const char *metric = mem_printf(p->mem, "%.*s", (int)len, t->column[column]);
	struct scn_table *out = scn_table_new(&r, "sweep", metric, t->column[0], from->variant,
					      from->variants);

	for (unsigned i = 0; i < t->rows; i++) {
		const struct scn_cell *x = &t->row[i].cell[0];
		struct scn_cell *cell;

		cell = scn_table_row(out, x->kind == SCN_TEXT ? x->text : t->row[i].name);
		for (unsigned v = 0; v < from->variants; v++) {
			unsigned c = scn_table_column(t, mem_printf(p->mem, "%s %s", metric,
								    from->variant[v]));

			if (c < t->columns)
				cell[v] = t->row[i].cell[c];
		}
	}
	return out;
}

/* A panel a metric, what `hvsim sweep` prints for one axis. */
static int panels(struct plot *p, unsigned axes)
{
	const struct scn_result *r = p->p->result;
	const struct scn_table **panel = mem_alloc(p->mem, p->table->columns, sizeof(*panel));
	unsigned n = 0;

	if (axes != 1)
		return err_set(p->err, "a sweep over %u axes can't be drawn: over one it can",
			       axes);
	for (unsigned c = axes; c < p->table->columns; c++) {
		size_t len = metric_length(p->table->column[c], r->variant[0]);

		if (len)
			panel[n++] = metric_table(p, c, len);
	}
	if (!n || !plot_numbered(panel[0]))
		return err_set(p->err, "the axis '%s' is not of numbers", p->table->column[0]);
	plot_head(p, 90, 8 + 16 * n);
	for (unsigned i = 0; i < n; i++) {
		p->tables[0] = p->table = panel[i];
		p->n = 0;
		plot_series(p);
		plot_rows(p, "sweep", i);
	}
	if (p->p->format == REP_PLOT_TEXT)
		plot_title(p, "");
	legend_of_series(p);
	if (p->p->format == REP_PLOT_TEXT)
		text_add(p->out, "set multiplot layout %u,1\n", n);
	else
		plot_title(p, mem_printf(p->mem, "set multiplot layout %u,1 title ", n));
	text_add(p->out, "%s", p->p->format == REP_PLOT_TEXT ? "" : "set key outside right top\n");
	plot_label(p, "xlabel", panel[0]->corner);
	for (unsigned i = 0; i < n; i++) {
		p->tables[0] = p->table = panel[i];
		p->n = 0;
		plot_series(p);
		plot_panel_title(p, panel[i]->title, 60);
		mark_crossings(p);
		add_lines(p, i);
	}
	text_add(p->out, "unset multiplot\n");
	return 0;
}

int plot_sweep(struct plot *p)
{
	unsigned axes = axes_of(p);

	if (!strcmp(p->table->corner, "point") && axes < p->table->columns) {
		if (p->p->results > 1)
			return err_set(p->err, "sweeps are drawn one at a time");
		return panels(p, axes);
	}
	if (!plot_numbered(p->table))
		return err_set(p->err,
			       "table '%s': a sweep's rows must be numbers; row '%s' is not",
			       p->table->name, p->table->rows ? p->table->row[0].name : "");
	return one_panel(p);
}
