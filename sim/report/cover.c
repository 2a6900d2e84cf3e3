// SPDX-License-Identifier: GPL-2.0-or-later
/* What is pasted into a patch mail: plain text, 72 columns, footnotes. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/report.h"

#define WIDTH REP_COVER_COLUMNS
#define LONG_TEXT 9 /* cells longer than this become a letter */

struct legend {
	const char *text[26];
	unsigned n;
};

/* The index of a text in the legend, added when new; 26 when the alphabet is used up. */
static unsigned letter_of(struct legend *l, const char *text)
{
	unsigned i = 0;

	while (i < l->n && strcmp(l->text[i], text))
		i++;
	if (i == l->n && l->n < 26)
		l->text[l->n++] = text;
	return i;
}

static bool long_texts(const struct scn_table *t, unsigned column)
{
	bool any = false;

	for (unsigned r = 0; r < t->rows; r++) {
		const struct scn_cell *c = &t->row[r].cell[column];

		if (c->kind != SCN_TEXT && c->kind != SCN_EMPTY)
			return false;
		any |= c->kind == SCN_TEXT && text_columns(c->text) > LONG_TEXT;
	}
	return any;
}

/* The table with long texts replaced by letters. */
static struct scn_table *shorten(const struct scn_table *t, struct mem *mem, struct legend *l)
{
	struct scn_table *copy = mem_alloc(mem, 1, sizeof(*copy));

	*copy = *t;
	copy->row = mem_alloc(mem, t->rows, sizeof(*copy->row));
	for (unsigned r = 0; r < t->rows; r++) {
		copy->row[r] = t->row[r];
		copy->row[r].cell = mem_alloc(mem, t->columns, sizeof(*copy->row[r].cell));
		memcpy(copy->row[r].cell, t->row[r].cell, t->columns * sizeof(*t->row[r].cell));
	}
	for (unsigned c = 0; c < t->columns; c++) {
		if (!long_texts(t, c))
			continue;
		for (unsigned r = 0; r < t->rows; r++) {
			struct scn_cell *cell = &copy->row[r].cell[c];
			unsigned i = cell->kind == SCN_TEXT ? letter_of(l, cell->text) : 26;

			if (i < 26)
				cell->text = mem_printf(mem, "[%c]", 'a' + (int)i);
		}
	}
	return copy;
}

/* A row's columns one below the other: for names that leave no room beside them. */
static void add_listed(struct text *out, const struct rep_grid *g)
{
	for (unsigned r = 1; r < g->rows; r++) {
		rep_wrap(out, "", 2, WIDTH, g->cell[r][0]);
		for (unsigned c = 1; c < g->columns; c++) {
			struct text head = { 0 };

			if (!*g->cell[r][c])
				continue;
			text_add(&head, "%s: %s", g->cell[0][c], g->cell[r][c]);
			rep_wrap(out, "    ", 6, WIDTH, head.s);
			text_free(&head);
		}
	}
}

static void add_table(struct text *out, const struct scn_table *t, struct mem *mem,
		      struct legend *l)
{
	struct rep_grid g;

	text_add(out, "\n");
	if (t->title)
		rep_wrap(out, "", 0, WIDTH, t->title);
	rep_grid_make(&g, shorten(t, mem, l));
	if (!rep_grid_fit(out, &g, WIDTH))
		add_listed(out, &g);
	rep_grid_free(&g);
}

/* "scenarios/x.json" -> "x" */
const char *rep_short_name(struct mem *mem, const char *file)
{
	const char *slash = strrchr(file, '/');
	char *name = mem_strdup(mem, slash ? slash + 1 : file);
	size_t len = strlen(name);

	if (len > 5 && !strcmp(name + len - 5, ".json"))
		name[len - 5] = '\0';
	return name;
}

static void add_provenance(struct text *out, const struct scn_result *r, struct mem *mem)
{
	struct text line = { 0 };

	text_add(&line, "scenario %s, ", rep_short_name(mem, r->scenario));
	if (r->cpu)
		text_add(&line, "model %s, ", rep_short_name(mem, r->cpu));
	text_add(&line, "seed %llu, hvsim %s", (unsigned long long)r->seed,
		 r->version ? r->version : HVSIM_VERSION);
	for (size_t i = 0; i < r->sets; i++)
		text_add(&line, ", %s=%s", r->set[i].key, r->set[i].value);
	rep_wrap(out, "", 0, WIDTH, line.s);
	text_free(&line);
}

void rep_result_cover(struct text *out, const struct scn_result *r, const struct rep_options *o)
{
	struct mem *mem = mem_new();
	struct legend legend = { .n = 0 };
	struct text head = { 0 };

	rep_wrap(out, "", 0, WIDTH, r->title);
	for (unsigned i = 0; i < r->tables && (!i || o->details); i++)
		add_table(out, r->table[i], mem, &legend);
	text_add(out, "\n");
	add_provenance(out, r, mem);
	text_add(out, "%s", "Predicted by simulation, not measured on hardware.\n");
	if (legend.n || r->notes)
		text_add(out, "\n");
	for (unsigned i = 0; i < legend.n; i++) {
		head.len = 0;
		text_add(&head, "[%c] ", 'a' + (int)i);
		rep_wrap(out, head.s, 4, WIDTH, legend.text[i]);
	}
	for (unsigned i = 0; i < r->notes; i++) {
		head.len = 0;
		text_add(&head, "[%u] ", i + 1);
		rep_wrap(out, head.s, text_columns(head.s), WIDTH, r->note[i]);
	}
	text_free(&head);
	mem_free(mem);
}
