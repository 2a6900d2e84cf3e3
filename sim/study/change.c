// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/change.h"

#include <string.h>

#define MICRO 1000000

bool study_numeric(const struct scn_cell *c)
{
	return c->kind == SCN_COUNT || c->kind == SCN_DECIMAL || c->kind == SCN_PERCENT;
}

static __int128 micro(const struct scn_cell *c)
{
	return c->kind == SCN_COUNT ? (__int128)c->v * MICRO : c->v;
}

static int64_t saturated(__int128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

int64_t study_moved(const struct scn_cell *a, const struct scn_cell *b)
{
	return saturated(micro(b) - micro(a));
}

struct scn_cell study_change(const struct scn_cell *a, const struct scn_cell *b)
{
	__int128 base = micro(a), num = (micro(b) - base) * 100 * MICRO;

	if (!study_numeric(a) || !study_numeric(b) || (!base && a->kind != SCN_PERCENT))
		return (struct scn_cell){ 0 };
	if (a->kind == SCN_PERCENT || b->kind == SCN_PERCENT)
		return scn_decimal(study_moved(a, b), 2);
	if (base < 0)
		base = -base;
	num = (2 * num + (num < 0 ? -base : base)) / (2 * base); /* halves away from zero */
	return (struct scn_cell){ .kind = SCN_PERCENT, .v = saturated(num) };
}

/* Both hold the same. */
static bool same(const struct scn_cell *a, const struct scn_cell *b)
{
	if (study_numeric(a) && study_numeric(b))
		return micro(a) == micro(b);
	if (a->kind != b->kind)
		return false;
	return a->kind != SCN_TEXT || !strcmp(a->text, b->text);
}

const struct scn_row *study_row(const struct scn_table *t, const char *name, unsigned hint)
{
	if (hint < t->rows && !strcmp(t->row[hint].name, name))
		return &t->row[hint];
	for (unsigned r = 0; r < t->rows; r++)
		if (!strcmp(t->row[r].name, name))
			return &t->row[r];
	return NULL;
}

struct scn_cell study_shown(const struct scn_cell *c)
{
	if (!c || c->kind == SCN_EMPTY)
		return scn_text("absent");
	return *c;
}

struct inputs {
	struct scn_result *out;
	struct scn_table *table;
};

/* A row, when they differ. NULL is absent. */
static void compare(struct inputs *in, const char *what, const char *a, const char *b)
{
	static const char *const column[] = { "before", "after" };
	struct scn_cell *cell;

	if ((!a && !b) || (a && b && !strcmp(a, b)))
		return;
	if (!in->table)
		in->table = scn_table_new(in->out, "inputs", "What went in differently", "input",
					  column, 2);
	cell = scn_table_row(in->table, what);
	cell[0] = scn_text(a ? a : "absent");
	cell[1] = scn_text(b ? b : "absent");
}

static const char *set_value(const struct scn_result *r, const char *key)
{
	const char *value = NULL;

	for (size_t i = 0; i < r->sets; i++)
		if (!strcmp(r->set[i].key, key))
			value = r->set[i].value;
	return value;
}

static void compare_sets(struct inputs *in, const struct scn_result *a, const struct scn_result *b)
{
	struct mem *mem = in->out->mem;

	for (size_t i = 0; i < a->sets; i++)
		compare(in, mem_printf(mem, "--set %s", a->set[i].key), set_value(a, a->set[i].key),
			set_value(b, a->set[i].key));
	for (size_t i = 0; i < b->sets; i++)
		if (!set_value(a, b->set[i].key))
			compare(in, mem_printf(mem, "--set %s", b->set[i].key), NULL,
				set_value(b, b->set[i].key));
}

static const char *digest(const struct scn_result *r, const char *file, struct mem *mem)
{
	for (unsigned i = 0; i < r->digests; i++)
		if (!strcmp(r->digest[i].file, file))
			return mem_printf(mem, "%016llx", (unsigned long long)r->digest[i].fnv1a);
	return NULL;
}

static void compare_files(struct inputs *in, const struct scn_result *a,
			  const struct scn_result *b)
{
	struct mem *mem = in->out->mem;

	for (unsigned i = 0; i < a->digests; i++)
		compare(in, a->digest[i].file, digest(a, a->digest[i].file, mem),
			digest(b, a->digest[i].file, mem));
	for (unsigned i = 0; i < b->digests; i++)
		if (!digest(a, b->digest[i].file, mem))
			compare(in, b->digest[i].file, NULL, digest(b, b->digest[i].file, mem));
}

static bool has_note(const struct scn_result *r, const char *note)
{
	for (unsigned i = 0; i < r->notes; i++)
		if (!strcmp(r->note[i], note))
			return true;
	return false;
}

static void compare_notes(struct inputs *in, const struct scn_result *a,
			  const struct scn_result *b)
{
	for (unsigned i = 0; i < a->notes; i++)
		if (!has_note(b, a->note[i]))
			compare(in, "assumption", a->note[i], NULL);
	for (unsigned i = 0; i < b->notes; i++)
		if (!has_note(a, b->note[i]))
			compare(in, "assumption", NULL, b->note[i]);
}

static const char *joined(struct mem *mem, const struct scn_result *r)
{
	const char *s = "";

	for (unsigned i = 0; i < r->variants; i++)
		s = mem_printf(mem, "%s%s%s", s, i ? ", " : "", r->variant[i]);
	return s;
}

static const char *version(const struct scn_result *r)
{
	return r->version ? r->version : HVSIM_VERSION;
}

unsigned study_diff_inputs(const struct scn_result *a, const struct scn_result *b,
			   struct scn_result *out)
{
	struct inputs in = { out, NULL };
	struct mem *mem = out->mem;

	compare(&in, "hvsim", version(a), version(b));
	compare(&in, "scenario", a->scenario, b->scenario);
	compare(&in, "kind", a->kind, b->kind);
	compare(&in, "model", a->cpu, b->cpu);
	compare(&in, "seed", mem_printf(mem, "%llu", (unsigned long long)a->seed),
		mem_printf(mem, "%llu", (unsigned long long)b->seed));
	compare_sets(&in, a, b);
	compare(&in, "variants", joined(mem, a), joined(mem, b));
	compare_files(&in, a, b);
	compare_notes(&in, a, b);
	return in.table ? in.table->rows : 0;
}

struct pair {
	struct scn_result *out;
	struct scn_table *table;  /* made with its first row */
	const struct scn_table *of;
	unsigned differ;
};

static void add_cell(struct pair *p, const char *row, const char *column,
		     const struct scn_cell *a, const struct scn_cell *b)
{
	static const char *const columns[] = { "column", "before", "after", "difference" };
	struct scn_cell none = { 0 }, *cell;

	a = a ? a : &none;
	b = b ? b : &none;
	if (same(a, b))
		return;
	if (!p->table)
		p->table = scn_table_new(p->out, p->of->name,
					 p->of->title ? p->of->title : p->of->name, p->of->corner,
					 columns, 4);
	cell = scn_table_row(p->table, row);
	cell[0] = scn_text(column);
	cell[1] = study_shown(a);
	cell[2] = study_shown(b);
	cell[3] = study_change(a, b);
	p->differ++;
}

static const struct scn_cell *cell_of(const struct scn_table *t, const struct scn_row *row,
				      const char *column)
{
	unsigned c = t && row ? scn_table_column(t, column) : 0;

	return t && row && c < t->columns ? &row->cell[c] : NULL;
}

/* Rows and columns of the first table, then those that only the second has. */
static void compare_table(struct pair *p, const struct scn_table *a, const struct scn_table *b)
{
	for (unsigned r = 0; a && r < a->rows; r++) {
		const struct scn_row *row = b ? study_row(b, a->row[r].name, r) : NULL;

		for (unsigned c = 0; c < a->columns; c++)
			add_cell(p, a->row[r].name, a->column[c], &a->row[r].cell[c],
				 cell_of(b, row, a->column[c]));
	}
	for (unsigned r = 0; b && r < b->rows; r++) {
		const struct scn_row *row = a ? study_row(a, b->row[r].name, r) : NULL;

		for (unsigned c = 0; c < b->columns; c++)
			if (!cell_of(a, row, b->column[c]))
				add_cell(p, b->row[r].name, b->column[c], NULL, &b->row[r].cell[c]);
	}
}

unsigned study_diff_tables(const struct scn_result *a, const struct scn_result *b,
			   struct scn_result *out)
{
	unsigned differ = 0;

	for (unsigned i = 0; i < a->tables; i++) {
		struct pair p = { out, NULL, a->table[i], 0 };

		compare_table(&p, a->table[i], scn_result_table(b, a->table[i]->name));
		differ += p.differ;
	}
	for (unsigned i = 0; i < b->tables; i++) {
		struct pair p = { out, NULL, b->table[i], 0 };

		if (scn_result_table(a, b->table[i]->name))
			continue;
		compare_table(&p, NULL, b->table[i]);
		differ += p.differ;
	}
	return differ;
}
