// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "report/plot_part.h"

#include <string.h>

#include "report/report.h"

const char *const rep_plot_kind_names[] = { "bars", "breakdown", "exits", "ladder", "sweep",
					    "hist", NULL };
const char *const rep_plot_format_names[] = { "svg", "png", "pdf", "text", NULL };

static const struct {
	const char *table;
	int (*draw)(struct plot *p);
} kinds[] = {
	[REP_PLOT_BARS] = { "metrics", plot_bars },
	[REP_PLOT_BREAKDOWN] = { "time", plot_breakdown },
	[REP_PLOT_EXITS] = { "exits", plot_exits },
	[REP_PLOT_LADDER] = { "ladder", plot_ladder },
	[REP_PLOT_SWEEP] = { "points", plot_sweep },
	[REP_PLOT_HIST] = { "hist", plot_hist },
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == REP_PLOT_KINDS, "one a kind");

unsigned rep_plot_kind_of(const struct scn_result *r)
{
	static const unsigned order[] = { REP_PLOT_LADDER, REP_PLOT_BARS, REP_PLOT_SWEEP,
					  REP_PLOT_HIST, REP_PLOT_EXITS };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (scn_result_table(r, kinds[order[i]].table))
			return order[i];
	return REP_PLOT_BARS;
}

/*
 * Alternately dark and light, so that neighbours differ in grey; no pair is told
 * apart by red against green alone.
 */
const char *plot_colour(unsigned i)
{
	static const char *const colour[PLOT_COLOURS] = { "#1f3b73", "#e69f00", "#7a1f5c",
							  "#9ecbec", "#0f6b5a", "#c9c9c9" };

	return colour[i % PLOT_COLOURS];
}

void plot_quote(struct text *out, const char *s)
{
	text_add(out, "'");
	for (; *s; s++)
		text_add(out, *s == '\'' ? "''" : (unsigned char)*s < ' ' ? " " : "%c", *s);
	text_add(out, "'");
}

void plot_number(struct text *out, const struct scn_cell *c)
{
	if (c && c->kind == SCN_COUNT)
		text_add(out, " %lld", (long long)c->v);
	else if (c && (c->kind == SCN_DECIMAL || c->kind == SCN_PERCENT))
		text_add(out, " "), rep_json_decimal(out, c->v);
	else
		text_add(out, " NaN");
}

/* What made the result, in a line. */
static void add_provenance(struct plot *p, struct text *s)
{
	const struct scn_result *r = p->p->result;

	for (unsigned i = 0; i < p->p->results; i++)
		text_add(s, "%s%s", i ? " and " : "", rep_short_name(p->mem, r[i].scenario));
	if (r->cpu)
		text_add(s, ", model %s", rep_short_name(p->mem, r->cpu));
	text_add(s, ", seed %llu, hvsim %s; %s", (unsigned long long)r->seed,
		 r->version ? r->version : HVSIM_VERSION,
		 strcmp(r->kind, "measured") ? "predicted" : "measured");
	for (size_t i = 0; i < r->sets; i++)
		text_add(s, ", %s=%s", r->set[i].key, r->set[i].value);
}

/* Text wrapped, as a gnuplot string of lines. */
static void quote_wrapped(struct text *out, const char *s, unsigned width)
{
	struct text t = { 0 };
	char *line, *rest;

	rep_wrap(&t, "", 0, width, s);
	rest = t.s;
	for (bool first = true; (line = strsep(&rest, "\n")); first = false) {
		if (!*line)
			continue;
		text_add(out, "%s", first ? "" : ".\"\\n\".");
		plot_quote(out, line);
	}
	if (!*s)
		plot_quote(out, "");
	text_free(&t);
}

void plot_title(struct plot *p, const char *command)
{
	unsigned width = p->p->format == REP_PLOT_TEXT ? 72 : p->columns;
	struct text s = { 0 };

	add_provenance(p, &s);
	text_add(p->out, "%s", p->p->format == REP_PLOT_TEXT ? "print " : command);
	quote_wrapped(p->out, p->p->result->title, width);
	text_add(p->out, ".\"\\n\".");
	quote_wrapped(p->out, s.s, width);
	text_add(p->out, "\n");
	text_free(&s);
}

void plot_label(struct plot *p, const char *axis, const char *s)
{
	text_add(p->out, "set %s ", axis);
	quote_wrapped(p->out, s, !strcmp(axis, "ylabel") ? p->lines * 2 : p->columns - 20);
	text_add(p->out, "\n");
}

void plot_panel_title(struct plot *p, const char *s, unsigned columns)
{
	text_add(p->out, "set title ");
	quote_wrapped(p->out, s, columns);
	text_add(p->out, "\n");
}

void plot_legend(struct plot *p, const char *const *name, unsigned n)
{
	static const char mark[] = "*#$%@&=";
	struct text t = { 0 };

	if (p->p->format != REP_PLOT_TEXT)
		return;
	for (unsigned i = 0; i < n; i++)
		text_add(&t, "%c %s%s", mark[i % 7], name[i], i + 1 < n ? ", " : "");
	text_add(p->out, "print ");
	quote_wrapped(p->out, t.s ? t.s : "", 72);
	text_add(p->out, "\nunset key\n");
	text_free(&t);
}

/* A text column is about 8 pixels wide and a line 20 high. */
void plot_head(struct plot *p, unsigned columns, unsigned lines)
{
	struct text *out = p->out;

	p->columns = columns;
	p->lines = lines;
	text_add(out, "# Made by hvsim %s: gnuplot THIS > PICTURE\n", HVSIM_VERSION);
	switch (p->p->format) {
	case REP_PLOT_PNG:
		text_add(out, "set terminal pngcairo noenhanced size %u,%u font 'Sans,11'\n",
			 columns * 8, lines * 20);
		break;
	case REP_PLOT_PDF:
		text_add(out,
			 "set terminal pdfcairo noenhanced size %u.%02uin,%u.%02uin font "
			 "'Sans,10'\n",
			 columns / 12, columns % 12 * 100 / 12, lines / 5, lines % 5 * 20);
		break;
	case REP_PLOT_TEXT:
		text_add(out, "set print '-'\nset terminal dumb mono noenhanced size %u,%u\n",
			 columns < 72 ? columns : 72, lines * 4 / 5);
		break;
	default:
		text_add(out, "set terminal svg noenhanced size %u,%u font 'sans-serif,13' "
			 "background rgb 'white'\n", columns * 8, lines * 20);
	}
	text_add(out, "set encoding utf8\nset datafile missing 'NaN'\nset style fill solid 0.9 "
		      "border lt -1\n"
		      "set border 3 lw 1\nset tics nomirror out\nset format y '%%.1s%%c'\n"
		      "set grid ytics lw 0.5 lc rgb '#d0d0d0'\nset key top left\n");
}

void plot_data(struct plot *p, const char *name, unsigned i)
{
	text_add(p->out, "$%s%u << EOD\n", name, i);
}

void plot_data_end(struct plot *p)
{
	text_add(p->out, "EOD\n");
}

/* Names too long for a terminal: numbers there, and what they stand for above the plot. */
static void number_names(struct plot *p, const char *const *name, unsigned n)
{
	struct text t = { 0 };

	text_add(p->out, "set xtics 0,%u\nprint ", n > 16 ? 5 : 1);
	for (unsigned i = 0; i < n; i++)
		text_add(&t, "%u: %s%s", i, name[i], i + 1 < n ? ", " : "");
	quote_wrapped(p->out, t.s, 72);
	text_add(p->out, "\n");
	text_free(&t);
}

void plot_name_tics(struct plot *p, const char *const *name, unsigned n, unsigned columns)
{
	unsigned room = n ? columns / n : columns, longest = 0;
	bool rotate;

	for (unsigned i = 0; i < n; i++)
		longest = text_columns(name[i]) > longest ? text_columns(name[i]) : longest;
	text_add(p->out, "set xrange [-0.6:%u.6]\n", n ? n - 1 : 0);
	if (p->p->format == REP_PLOT_TEXT && longest >= room) {
		number_names(p, name, n);
		return;
	}
	rotate = longest >= room && room < 20;
	text_add(p->out, "set xtics %s(", rotate ? "rotate by 40 right " : "");
	for (unsigned i = 0; i < n; i++) {
		text_add(p->out, "%s", i ? ", " : "");
		quote_wrapped(p->out, name[i], rotate ? 40 : room - 1);
		text_add(p->out, " %u", i);
	}
	text_add(p->out, ")\n%s", rotate && columns > 40 ? "set lmargin 18\n" : "");
}

static bool numeric(const struct scn_table *t, unsigned c, enum scn_cell_kind but)
{
	bool any = false;

	for (unsigned r = 0; r < t->rows; r++) {
		enum scn_cell_kind kind = t->row[r].cell[c].kind;

		if (kind == SCN_TEXT || kind == but)
			return false;
		any |= kind != SCN_EMPTY;
	}
	return any;
}

/* "published keep" belongs to "keep". */
static bool belongs_to_another(const struct scn_table *t, unsigned c)
{
	size_t len = strlen(t->column[c]);

	for (unsigned i = 0; i < t->columns; i++) {
		size_t part = strlen(t->column[i]);

		if (part < len && !strcmp(t->column[c] + len - part, t->column[i]) &&
		    t->column[c][len - part - 1] == ' ')
			return true;
	}
	return false;
}

static void add_series(struct plot *p, const struct scn_table *t, unsigned result,
		       enum scn_cell_kind but)
{
	for (unsigned c = 0; c < t->columns; c++) {
		if (belongs_to_another(t, c) || !numeric(t, c, but))
			continue;
		p->series[p->n++] = (struct plot_series){
			t, c, p->p->results < 2 ? t->column[c] :
			mem_printf(p->mem, "%s: %s",
				   rep_short_name(p->mem, p->p->name[result]), t->column[c]) };
	}
}

int plot_series(struct plot *p)
{
	size_t room = 0;

	for (unsigned i = 0; i < p->p->results; i++)
		room += p->tables[i] ? p->tables[i]->columns : 0;
	p->series = mem_alloc(p->mem, room, sizeof(*p->series));
	for (unsigned all = 0; all < 2 && !p->n; all++)
		for (unsigned i = 0; i < p->p->results; i++)
			if (p->tables[i])
				add_series(p, p->tables[i], i, all ? SCN_TEXT : SCN_PERCENT);
	if (!p->n)
		return err_set(p->err, "%s: table '%s' has no numbers to draw",
			       p->p->result->scenario, p->table->name);
	return 0;
}

const struct scn_cell *plot_cell(const struct plot_series *s, const char *row)
{
	for (unsigned r = 0; r < s->table->rows; r++)
		if (!strcmp(s->table->row[r].name, row))
			return &s->table->row[r].cell[s->column];
	return NULL;
}

const struct scn_cell *plot_beside(const struct plot_series *s, const char *prefix, const char *row)
{
	struct plot_series beside = *s;
	size_t len = strlen(prefix);

	for (unsigned c = 0; c < s->table->columns; c++) {
		const char *name = s->table->column[c];

		if (strncmp(name, prefix, len) || name[len] != ' ' ||
		    strcmp(name + len + 1, s->table->column[s->column]))
			continue;
		beside.column = c;
		return plot_cell(&beside, row);
	}
	return NULL;
}

/* Many variants are a row each: bars want a column each. */
static const struct scn_table *upright(struct mem *mem, const struct scn_table *t)
{
	struct scn_result r = { .mem = mem };
	const char **name = mem_alloc(mem, t->rows, sizeof(*name));
	struct scn_table *out;

	for (unsigned i = 0; i < t->rows; i++)
		name[i] = t->row[i].name;
	out = scn_table_new(&r, t->name, t->title, "metric", name, t->rows);
	for (unsigned c = 0; c < t->columns; c++) {
		struct scn_cell *cell = scn_table_row(out, t->column[c]);

		for (unsigned i = 0; i < t->rows; i++)
			cell[i] = t->row[i].cell[c];
	}
	return out;
}

static int no_table(const struct rep_plot *how, const char *name, struct err *err)
{
	struct text has = { 0 };

	for (unsigned i = 0; i < how->result->tables; i++)
		text_add(&has, "%s%s", i ? ", " : "", how->result->table[i]->name);
	err_set(err, "%s has no table '%s' to draw as %s; it has %s (--table)",
		how->result->scenario, name, rep_plot_kind_names[how->kind],
		has.s ? has.s : "none");
	text_free(&has);
	return -1;
}

int rep_plot_script(struct text *out, const struct rep_plot *how, struct err *err)
{
	const char *name = how->table ? how->table : kinds[how->kind].table;
	struct plot p = { .p = how, .out = out, .mem = mem_new(), .err = err };
	int rc;

	p.tables = mem_alloc(p.mem, how->results, sizeof(*p.tables));
	for (unsigned i = 0; i < how->results; i++) {
		const struct scn_table *t = scn_result_table(&how->result[i], name);

		if (t && how->kind == REP_PLOT_BARS && !strcmp(t->corner, "variant"))
			t = upright(p.mem, t);
		p.tables[i] = t;
	}
	p.table = p.tables[0];
	rc = p.table ? plot_series(&p) : no_table(how, name, err);
	if (!rc)
		rc = kinds[how->kind].draw(&p);
	mem_free(p.mem);
	return rc;
}
