// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/table.h"

#include <string.h>

#include "base/file.h"

/* Arrays in a pool grow by moving: a few dozen elements, so what is left behind is little. */
static void *grown(struct mem *mem, void *old, unsigned n, unsigned *room, size_t size)
{
	void *p;

	if (n < *room)
		return old;
	*room = *room ? *room * 2 : 8;
	p = mem_alloc(mem, *room, size);
	if (n)
		memcpy(p, old, n * size);
	return p;
}

struct scn_table *scn_table_new(struct scn_result *r, const char *name, const char *title,
				const char *corner, const char *const *column, unsigned columns)
{
	struct scn_table *t = mem_alloc(r->mem, 1, sizeof(*t));
	const char **copy = mem_alloc(r->mem, columns, sizeof(*copy));

	for (unsigned i = 0; i < columns; i++)
		copy[i] = mem_strdup(r->mem, column[i]);
	*t = (struct scn_table){ .name = name, .title = title, .corner = corner, .column = copy,
				 .columns = columns, .mem = r->mem };
	r->table = grown(r->mem, r->table, r->tables, &r->table_room, sizeof(*r->table));
	r->table[r->tables++] = t;
	return t;
}

struct scn_cell *scn_table_row(struct scn_table *t, const char *name)
{
	struct scn_row *row;

	t->row = grown(t->mem, t->row, t->rows, &t->room, sizeof(*t->row));
	row = &t->row[t->rows++];
	row->name = mem_strdup(t->mem, name);
	row->cell = mem_alloc(t->mem, t->columns, sizeof(*row->cell));
	return row->cell;
}

void scn_table_widen(struct scn_table *t, const char *const *column, unsigned columns)
{
	unsigned n = t->columns + columns;
	const char **name = mem_alloc(t->mem, n, sizeof(*name));

	for (unsigned i = 0; i < n; i++)
		name[i] = i < t->columns ? t->column[i] :
			mem_strdup(t->mem, column[i - t->columns]);
	for (unsigned r = 0; r < t->rows; r++) {
		struct scn_cell *cell = mem_alloc(t->mem, n, sizeof(*cell));

		memcpy(cell, t->row[r].cell, t->columns * sizeof(*cell));
		t->row[r].cell = cell;
	}
	t->column = name;
	t->columns = n;
}

void scn_result_note(struct scn_result *r, const char *text)
{
	r->note = grown(r->mem, r->note, r->notes, &r->note_room, sizeof(*r->note));
	r->note[r->notes++] = mem_strdup(r->mem, text);
}

void scn_result_digest(struct scn_result *r, const char *file, uint64_t fnv1a)
{
	r->digest = grown(r->mem, r->digest, r->digests, &r->digest_room, sizeof(*r->digest));
	r->digest[r->digests++] = (struct scn_digest){ file, fnv1a };
}

void scn_result_inputs(struct scn_result *r)
{
	for (const struct mem_input *i = mem_inputs(r->mem); i; i = i->next)
		scn_result_digest(r, file_shown(r->mem, i->name), i->fnv1a);
}

struct scn_table *scn_result_table(const struct scn_result *r, const char *name)
{
	for (unsigned i = 0; i < r->tables; i++)
		if (!strcmp(r->table[i]->name, name))
			return r->table[i];
	return NULL;
}

unsigned scn_table_column(const struct scn_table *t, const char *name)
{
	unsigned c = 0;

	while (c < t->columns && strcmp(t->column[c], name))
		c++;
	return c;
}

struct scn_cell scn_count(uint64_t v)
{
	return (struct scn_cell){ .kind = SCN_COUNT, .v = (int64_t)v };
}

struct scn_cell scn_decimal(int64_t micro, unsigned digits)
{
	return (struct scn_cell){ .kind = SCN_DECIMAL, .v = micro, .digits = digits };
}

struct scn_cell scn_text(const char *text)
{
	return (struct scn_cell){ .kind = SCN_TEXT, .text = text };
}

static int64_t ratio(__int128 num, __int128 den)
{
	__int128 twice = 2 * num + (num < 0 ? -den : den);

	return (int64_t)(twice / (2 * den));
}

struct scn_cell scn_difference(uint64_t a, uint64_t b)
{
	if (!a)
		return (struct scn_cell){ 0 };
	return (struct scn_cell){ .kind = SCN_PERCENT,
				  .v = ratio(((__int128)b - a) * 100 * 1000000, a) };
}

struct scn_cell scn_share(uint64_t part, uint64_t whole, unsigned digits)
{
	if (!whole)
		return (struct scn_cell){ 0 };
	return scn_decimal(ratio((__int128)part * 100 * 1000000, whole), digits);
}
