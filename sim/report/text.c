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

void rep_table_text(struct text *out, const struct scn_table *t)
{
	struct rep_grid g;
	unsigned *width;

	rep_grid_make(&g, t);
	width = mem_zalloc(g.columns, sizeof(*width));
	for (unsigned r = 0; r < g.rows; r++)
		for (unsigned c = 0; c < g.columns; c++)
			if (text_columns(g.cell[r][c]) > width[c])
				width[c] = text_columns(g.cell[r][c]);
	for (unsigned r = 0; r < g.rows; r++) {
		size_t start = out->len;

		for (unsigned c = 0; c < g.columns; c++) {
			if (c)
				text_add(out, "  ");
			add_padded(out, g.cell[r][c], width[c], g.right[c], c + 1 == g.columns);
		}
		while (out->len > start && out->s[out->len - 1] == ' ')
			out->s[--out->len] = '\0';
		text_add(out, "\n");
	}
	free(width);
	rep_grid_free(&g);
}

/* Words of a note, broken at 78 columns with a hanging indent. */
static void add_wrapped(struct text *out, const char *bullet, const char *s)
{
	unsigned column = text_columns(bullet);
	const char *p = s;

	text_add(out, "%s", bullet);
	while (*p) {
		size_t len = strcspn(p, " ");

		if (column + 1 + len > 78 && column > 2) {
			text_add(out, "\n ");
			column = 1;
		}
		text_add(out, " %.*s", (int)len, p);
		column += 1 + (unsigned)len;
		p += len;
		p += strspn(p, " ");
	}
	text_add(out, "\n");
}

static void add_provenance(struct text *out, const struct scn_result *r)
{
	text_add(out, "hvsim %s, seed %llu%s%s", HVSIM_VERSION, (unsigned long long)r->seed,
		 r->cpu ? ", model " : "", r->cpu ? r->cpu : "");
	for (size_t i = 0; i < r->sets; i++)
		text_add(out, "%s%s=%s", i ? ", " : ", set ", r->set[i].key, r->set[i].value);
	text_add(out, ". Predicted by simulation, not measured.\n");
}

void rep_result_text(struct text *out, const struct scn_result *r, const struct rep_options *o)
{
	text_add(out, "%s\n", r->title);
	text_add(out, "%s; ", r->scenario);
	add_provenance(out, r);
	for (unsigned i = 0; i < r->tables; i++) {
		const struct scn_table *t = r->table[i];

		if (t->detail && !o->details)
			continue;
		text_add(out, "\n");
		if (t->title)
			text_add(out, "%s\n", t->title);
		rep_table_text(out, t);
	}
	if (r->notes)
		text_add(out, "\nAssumptions\n");
	for (unsigned i = 0; i < r->notes; i++)
		add_wrapped(out, "-", r->note[i]);
}
