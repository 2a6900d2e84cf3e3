// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/report.h"

static void add_padded(struct text *out, const char *s, unsigned width, bool right, bool last)
{
	unsigned used = text_columns(s);
	int pad = (int)(used < width ? width - used : 0);

	if (right)
		text_add(out, "%*s%s", pad, "", s);
	else
		text_add(out, "%s%*s", s, last ? 0 : pad, "");
}

static unsigned column_width(const struct rep_grid *g, unsigned c)
{
	unsigned width = 0;

	for (unsigned r = 0; r < g->rows; r++) {
		unsigned w = text_columns(g->cell[r][c]);

		width = w > width ? w : width;
	}
	return width;
}

unsigned rep_grid_width(const struct rep_grid *g, unsigned from, unsigned to)
{
	unsigned sum = column_width(g, 0);

	for (unsigned c = 1; c < g->keys; c++)
		sum += 2 + column_width(g, c);
	for (unsigned c = from; c < to; c++)
		sum += 2 + column_width(g, c);
	return sum;
}

void rep_grid_text(struct text *out, const struct rep_grid *g, unsigned from, unsigned to)
{
	unsigned *width = mem_zalloc(g->columns, sizeof(*width));

	for (unsigned c = 0; c < g->columns; c++)
		width[c] = column_width(g, c);
	for (unsigned r = 0; r < g->rows; r++) {
		size_t start = out->len;

		add_padded(out, g->cell[r][0], width[0], g->right[0], false);
		for (unsigned c = 1; c < to; c++) {
			if (c >= g->keys && c < from)
				continue;
			text_add(out, "  ");
			add_padded(out, g->cell[r][c], width[c], g->right[c], c + 1 == to);
		}
		while (out->len > start && out->s[out->len - 1] == ' ')
			out->s[--out->len] = '\0';
		text_add(out, "\n");
	}
	free(width);
}

static bool fits(const struct rep_grid *g, unsigned width)
{
	for (unsigned c = g->keys; c < g->columns; c++)
		if (rep_grid_width(g, c, c + 1) > width)
			return false;
	return true;
}

bool rep_grid_fit(struct text *out, const struct rep_grid *g, unsigned width)
{
	struct rep_grid fold = *g;
	unsigned from;

	if (fold.keys >= fold.columns || !fits(&fold, width))
		fold.keys = 1;
	if (!fits(&fold, width))
		return false;
	for (from = fold.keys; from < fold.columns;) {
		unsigned to = from + 1;

		while (to < fold.columns && rep_grid_width(&fold, from, to + 1) <= width)
			to++;
		if (from > fold.keys)
			text_add(out, "\n");
		rep_grid_text(out, &fold, from, to);
		from = to;
	}
	return true;
}

void rep_table_text(struct text *out, const struct scn_table *t)
{
	struct rep_grid g;

	rep_grid_make(&g, t);
	if (!rep_grid_fit(out, &g, REP_TABLE_COLUMNS))
		rep_grid_text(out, &g, g.keys, g.columns);
	rep_grid_free(&g);
}

#define PREDICTED "Predicted by simulation, not measured."

/* One line when it fits; else what it comes from, wrapped, and what it is. */
static void add_provenance(struct text *out, const struct scn_result *r)
{
	struct text line = { 0 };

	text_add(&line, "%s; hvsim %s, seed %llu%s%s", r->scenario,
		 r->version ? r->version : HVSIM_VERSION, (unsigned long long)r->seed,
		 r->cpu ? ", model " : "", r->cpu ? r->cpu : "");
	for (size_t i = 0; i < r->sets; i++)
		text_add(&line, "%s%s=%s", i ? ", " : ", set ", r->set[i].key, r->set[i].value);
	text_add(&line, ".");
	if (text_columns(line.s) + strlen(" " PREDICTED) <= REP_TABLE_COLUMNS) {
		text_add(out, "%s %s\n", line.s, PREDICTED);
	} else {
		rep_wrap(out, "", 2, REP_TABLE_COLUMNS, line.s);
		text_add(out, "%s\n", PREDICTED);
	}
	text_free(&line);
}

void rep_result_text(struct text *out, const struct scn_result *r, const struct rep_options *o)
{
	text_add(out, "%s\n", r->title);
	add_provenance(out, r);
	for (unsigned i = 0; i < r->tables; i++) {
		const struct scn_table *t = r->table[i];

		if (t->detail && !o->details)
			continue;
		text_add(out, "\n");
		if (t->title)
			rep_wrap(out, "", 0, REP_TABLE_COLUMNS, t->title);
		rep_table_text(out, t);
	}
	if (r->notes)
		text_add(out, "\nAssumptions\n");
	for (unsigned i = 0; i < r->notes; i++)
		rep_wrap(out, "- ", 2, 78, r->note[i]);
}
