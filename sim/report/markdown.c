// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report.h"

/* A bar would end the cell. */
static void add_escaped(struct text *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '|')
			text_add(out, "\\");
		text_add(out, "%c", *s);
	}
}

void rep_table_markdown(struct text *out, const struct scn_table *t)
{
	struct rep_grid g;

	rep_grid_make(&g, t);
	for (unsigned r = 0; r < g.rows; r++) {
		text_add(out, "|");
		for (unsigned c = 0; c < g.columns; c++) {
			text_add(out, " ");
			add_escaped(out, g.cell[r][c]);
			text_add(out, " |");
		}
		text_add(out, "\n");
		for (unsigned c = 0; !r && c < g.columns; c++)
			text_add(out, "%s%s", c ? "|" : "|", g.right[c] ? "---:" : "---");
		if (!r)
			text_add(out, "|\n");
	}
	rep_grid_free(&g);
}

void rep_result_markdown(struct text *out, const struct scn_result *r, const struct rep_options *o)
{
	text_add(out, "## %s\n\n`%s`, hvsim %s, seed %llu", r->title, r->scenario, HVSIM_VERSION,
		 (unsigned long long)r->seed);
	if (r->cpu)
		text_add(out, ", model %s", r->cpu);
	for (size_t i = 0; i < r->sets; i++)
		text_add(out, ", `%s=%s`", r->set[i].key, r->set[i].value);
	text_add(out, ". Predicted by simulation, not measured.\n");
	for (unsigned i = 0; i < r->tables; i++) {
		const struct scn_table *t = r->table[i];

		if (t->detail && !o->details)
			continue;
		text_add(out, "\n");
		if (t->title)
			text_add(out, "### %s\n\n", t->title);
		rep_table_markdown(out, t);
	}
	if (r->notes)
		text_add(out, "\n### Assumptions\n\n");
	for (unsigned i = 0; i < r->notes; i++)
		text_add(out, "- %s\n", r->note[i]);
}
