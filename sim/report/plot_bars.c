// SPDX-License-Identifier: GPL-2.0-or-later
/* Bars: metrics beside what was published, breakdowns, exits by cause. */
#include "report/plot_part.h"

#include <string.h>

/* Row, then predicted, low, high, published of each series. */
static void add_panel_data(struct plot *p, unsigned row, bool *published, bool *interval)
{
	const char *name = p->table->row[row].name;

	plot_data(p, "panel", row);
	for (unsigned i = 0; i < p->n; i++) {
		const struct scn_cell *low = plot_beside(&p->series[i], "5 %", name);
		const struct scn_cell *high = plot_beside(&p->series[i], "95 %", name);
		const struct scn_cell *pub = plot_beside(&p->series[i], "published", name);

		text_add(p->out, "%u", i);
		plot_number(p->out, plot_cell(&p->series[i], name));
		plot_number(p->out, low);
		plot_number(p->out, high);
		plot_number(p->out, pub);
		text_add(p->out, "\n");
		*interval |= low && low->kind != SCN_EMPTY;
		*published |= pub && pub->kind != SCN_EMPTY;
	}
	plot_data_end(p);
}

static void add_panel(struct plot *p, unsigned row, bool published, bool interval, bool key)
{
	plot_panel_title(p, p->table->row[row].name, p->p->format == REP_PLOT_TEXT ? 30 : 34);
	if (p->p->format != REP_PLOT_TEXT)
		text_add(p->out, key ? "set key at screen 0.5, screen 0.01 center bottom "
				       "horizontal\n"
				     : "unset key\n");
	text_add(p->out, "plot $panel%u using ($1-%s):2 with boxes lc rgb '%s' title 'predicted'",
		 row, published ? "0.2" : "0", plot_colour(0));
	if (published)
		text_add(p->out, ", \\\n  $panel%u using ($1+0.2):5 with boxes fs pattern 5 lc rgb "
			 "'%s' title 'published'", row, plot_colour(1));
	if (interval)
		text_add(p->out,
			 ", \\\n  $panel%u using ($1-%s):2:3:4 with yerrorbars lc rgb 'black' "
			 "pt 0 title '5 to 95 %%'",
			 row, published ? "0.2" : "0");
	text_add(p->out, "\n");
}

/* A row whose numbers are all empty is not drawn. */
static bool drawable(const struct plot *p, unsigned row)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct scn_cell *c = plot_cell(&p->series[i], p->table->row[row].name);

		if (c && c->kind != SCN_EMPTY)
			return true;
	}
	return false;
}

#define PANEL_COLUMNS 28 /* of the axis alone */

/* Columns and lines of a panel: names that don't fit below it are drawn aslant. */
struct panels {
	unsigned n, across, down, slant; /* slant: columns of the longest name, or 0 */
};

static void size_panels(const struct plot *p, struct panels *k)
{
	unsigned most = p->p->format == REP_PLOT_TEXT ? 2 : 3, longest = 0;

	for (unsigned i = 0; i < p->n; i++)
		if (text_columns(p->series[i].name) > longest)
			longest = text_columns(p->series[i].name);
	if (longest > 40)
		longest = 40;
	k->slant = p->p->format != REP_PLOT_TEXT && p->n > 1 && longest >= PANEL_COLUMNS / p->n ?
		   longest : 0;
	k->across = k->n < most ? k->n : most;
	k->down = k->n ? (k->n + k->across - 1) / k->across : 1;
}

static void begin_panels(struct plot *p, const struct panels *k)
{
	static const char *const legend[] = { "predicted", "published", "5 to 95 %" };
	const char **name = mem_alloc(p->mem, p->n, sizeof(*name));
	bool text = p->p->format == REP_PLOT_TEXT;

	for (unsigned i = 0; i < p->n; i++)
		name[i] = p->series[i].name;
	if (text)
		plot_title(p, "");
	plot_legend(p, legend, 3);
	plot_name_tics(p, name, p->n, text ? 24 : PANEL_COLUMNS);
	text_add(p->out, "set boxwidth 0.36\nset yrange [0:*]\nset offsets 0, 0, graph 0.05, 0\n");
	if (!text)
		text_add(p->out, "set lmargin %u\nset rmargin 1\nset bmargin %u\n",
			 9 + k->slant / 2, 5 + k->slant * 2 / 5);
	if (text)
		text_add(p->out, "set multiplot layout %u,%u\n", k->down, k->across);
	else
		plot_title(p, mem_printf(p->mem, "set multiplot layout %u,%u title ", k->down,
					 k->across));
}

int plot_bars(struct plot *p)
{
	bool *published = mem_alloc(p->mem, p->table->rows, sizeof(bool));
	bool *interval = mem_alloc(p->mem, p->table->rows, sizeof(bool));
	struct panels k = { 0 };
	unsigned key = 0;

	for (unsigned r = 0; r < p->table->rows; r++)
		k.n += drawable(p, r);
	size_panels(p, &k);
	plot_head(p, 2 + (38 + k.slant / 2) * k.across, 6 + (14 + k.slant * 2 / 5) * k.down);
	for (unsigned r = 0; r < p->table->rows; r++) {
		if (!drawable(p, r))
			continue;
		add_panel_data(p, r, &published[r], &interval[r]);
		if (published[r] + interval[r] >= published[key] + interval[key])
			key = r;
	}
	begin_panels(p, &k);
	for (unsigned r = 0; r < p->table->rows; r++)
		if (drawable(p, r))
			add_panel(p, r, published[r], interval[r],
				  r == key && published[r] + interval[r]);
	text_add(p->out, "unset multiplot\n");
	return 0;
}

/* A line a series (a bar), a column a row of the table. */
static void add_transposed(struct plot *p, const char *data)
{
	plot_data(p, data, 0);
	for (unsigned i = 0; i < p->n; i++) {
		text_add(p->out, "%u", i);
		for (unsigned r = 0; r < p->table->rows; r++)
			plot_number(p->out, plot_cell(&p->series[i], p->table->row[r].name));
		text_add(p->out, "\n");
	}
	plot_data_end(p);
}

static void add_axes(struct plot *p, const char *x)
{
	plot_title(p, "set title ");
	plot_label(p, "ylabel", p->table->title ? p->table->title : p->table->name);
	plot_label(p, "xlabel", x);
}

static bool all_zero(const struct plot *p, unsigned row)
{
	for (unsigned i = 0; i < p->n; i++) {
		const struct scn_cell *c = plot_cell(&p->series[i], p->table->row[row].name);

		if (c && c->kind != SCN_EMPTY && c->v)
			return false;
	}
	return true;
}

int plot_breakdown(struct plot *p)
{
	const char **name = mem_alloc(p->mem, p->n, sizeof(*name));
	const char **legend = mem_alloc(p->mem, p->table->rows, sizeof(*legend));
	const char *sep = "plot ";
	unsigned k = 0;

	for (unsigned i = 0; i < p->n; i++)
		name[i] = p->series[i].name;
	plot_head(p, 72 + 8 * p->n, 28);
	add_transposed(p, "bars");
	add_axes(p, "variant");
	for (unsigned r = 0; r < p->table->rows; r++)
		if (!all_zero(p, r))
			legend[k++] = p->table->row[r].name;
	text_add(p->out,
		 "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.6\n"
		 "set yrange [0:*]\nset key outside right top reverse Left invert\n%s",
		 !strcmp(p->table->name, "time") ? "set format y '%g'\n" : "");
	plot_name_tics(p, name, p->n, 44 + 8 * p->n);
	plot_legend(p, legend, k);
	k = 0;
	for (unsigned r = 0; r < p->table->rows; r++) {
		if (all_zero(p, r))
			continue;
		text_add(p->out, "%s$bars0 using %u lc rgb '%s' fs %s title ", sep, r + 2,
			 plot_colour(k),
			 k < PLOT_COLOURS	? "solid 0.9"
			 : k < 2 * PLOT_COLOURS ? "pattern 1"
						: "pattern 2");
		plot_quote(p->out, p->table->row[r].name);
		sep = ", \\\n  ";
		k++;
	}
	text_add(p->out, "%s\n", k ? "" : "plot 0 notitle");
	return 0;
}

int plot_exits_totals(struct plot *p)
{
	const char **name = mem_alloc(p->mem, p->table->rows, sizeof(*name));
	const char **legend = mem_alloc(p->mem, p->n, sizeof(*legend));
	unsigned n = 0;

	plot_head(p, 110, 30);
	plot_data(p, "rows", 0);
	for (unsigned r = 0; r < p->table->rows; r++) {
		if (all_zero(p, r))
			continue;
		name[n] = p->table->row[r].name;
		text_add(p->out, "%u", n++);
		for (unsigned i = 0; i < p->n; i++)
			plot_number(p->out, plot_cell(&p->series[i], p->table->row[r].name));
		text_add(p->out, "\n");
	}
	plot_data_end(p);
	for (unsigned i = 0; i < p->n; i++)
		legend[i] = p->series[i].name;
	add_axes(p, p->table->corner);
	plot_name_tics(p, name, n, p->p->format == REP_PLOT_TEXT ? 56 : 94);
	plot_legend(p, legend, p->n);
	text_add(p->out,
		 "set yrange [0:*]\n%sset style data boxes\nw = 0.8 / %u\n"
		 "set boxwidth w\nplot ",
		 p->p->format == REP_PLOT_TEXT ? "" : "set key outside right top\n", p->n);
	for (unsigned i = 0; i < p->n; i++) {
		text_add(p->out, "%s$rows0 using ($1+w*(%u-%u*0.5+0.5)):%u lc rgb '%s' title ",
			 i ? ", \\\n  " : "", i, p->n, i + 2, plot_colour(i));
		plot_quote(p->out, p->series[i].name);
	}
	text_add(p->out, "\n");
	return 0;
}
