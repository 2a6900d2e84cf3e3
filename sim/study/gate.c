// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/gate.h"

#include <string.h>

#include "study/change.h"

#define MICRO INT64_C(1000000)
#define PUBLISHED "published "

static const char *const side_names[] = { "both", "up", "down", NULL };
static const char *const verdict_names[] = { "within", "MOVED", "GONE" };

const char *study_side_name(unsigned side)
{
	return side_names[side];
}

const char *study_verdict_name(enum study_verdict v)
{
	return verdict_names[v];
}

static const struct jfield fields[] = {
	{ "table", JK_TEXT, offsetof(struct study_tolerance, table) },
	{ "row", JK_TEXT, offsetof(struct study_tolerance, row) },
	{ "column", JK_TEXT, offsetof(struct study_tolerance, column) },
	{ "percent", JK_MICRO, offsetof(struct study_tolerance, percent), .lo = 0,
	  .hi = 1000000 * MICRO },
	{ "absolute", JK_MICRO, offsetof(struct study_tolerance, absolute), .lo = 0,
	  .hi = INT64_MAX },
	{ "side", JK_NAME, offsetof(struct study_tolerance, side), .names = side_names },
	{ "note", JK_TEXT, offsetof(struct study_tolerance, note) },
};

int study_tolerances(struct mem *mem, const struct jnode *list, struct study_tolerance **out,
		     unsigned *n, struct err *err)
{
	struct study_tolerance *t = mem_alloc(mem, list->n, sizeof(*t));

	*out = t;
	*n = (unsigned)list->n;
	for (const struct jnode *c = list->child; c; c = c->next, t++) {
		*t = (struct study_tolerance){ .table = "metrics", .percent = -1, .absolute = -1 };
		if (JFIELDS(c, fields, t, err) < 0)
			return -1;
		if ((t->percent < 0) == (t->absolute < 0))
			return jnode_err(c, err, "needs either 'percent' or 'absolute'");
	}
	return 0;
}

static void add_micro(struct mem *mem, const char **s, int64_t v)
{
	int64_t part = v % MICRO;
	int digits = 6;

	*s = mem_printf(mem, "%lld", (long long)(v / MICRO));
	if (!part)
		return;
	while (part % 10 == 0) {
		part /= 10;
		digits--;
	}
	*s = mem_printf(mem, "%s.%0*lld", *s, digits, (long long)part);
}

const char *study_tolerance_text(struct mem *mem, const struct study_tolerance *t)
{
	const char *s;

	add_micro(mem, &s, t->percent >= 0 ? t->percent : t->absolute);
	return mem_printf(mem, "%s%s%s%s%s", s, t->percent >= 0 ? " %" : "",
			  t->side ? ", " : "", t->side ? side_names[t->side] : "",
			  t->side ? " only" : "");
}

static bool applies(const struct study_tolerance *t, const struct scn_table *table,
		    const struct scn_row *row, unsigned c)
{
	const char *column = table->column[c];
	bool derived = !strncmp(column, PUBLISHED, strlen(PUBLISHED)) ||
		       row->cell[c].kind == SCN_PERCENT;

	if (!study_numeric(&row->cell[c]) || strcmp(t->table, table->name) ||
	    (t->row && strcmp(t->row, row->name)))
		return false;
	return t->column ? !strcmp(t->column, column) : !derived;
}

/* |moved| is over what is allowed of the stored value, in the direction that counts. */
static bool over(const struct study_tolerance *t, const struct scn_cell *stored,
		 const struct scn_cell *now)
{
	int64_t moved = study_moved(stored, now);
	__int128 size = moved < 0 ? -(__int128)moved : moved;
	__int128 base = stored->kind == SCN_COUNT ? (__int128)stored->v * MICRO : stored->v;

	if ((t->side == STUDY_UP && moved < 0) || (t->side == STUDY_DOWN && moved > 0))
		return false;
	if (t->absolute >= 0)
		return size > t->absolute;
	if (base < 0)
		base = -base;
	return size * 100 * MICRO > base * t->percent;
}

static const struct scn_cell *find_cell(const struct scn_result *r, const char *table,
					const char *row, unsigned hint, const char *column)
{
	const struct scn_table *t = scn_result_table(r, table);
	const struct scn_row *found = t ? study_row(t, row, hint) : NULL;
	unsigned c = found ? scn_table_column(t, column) : 0;

	if (!found || c == t->columns || !study_numeric(&found->cell[c]))
		return NULL;
	return &found->cell[c];
}

static void gate_cell(struct study_gate *g, const struct scn_result *now, bool partial,
		      const struct scn_table *table, unsigned r, unsigned c,
		      const struct study_tolerance *tolerance)
{
	const struct scn_row *row = &table->row[r];
	const struct scn_cell *found = find_cell(now, table->name, row->name, r, table->column[c]);
	struct study_gated *cell = &g->cell[g->n];

	if (!found && partial)
		return;
	*cell = (struct study_gated){ table->name, row->name, table->column[c], row->cell[c],
				      .tolerance = tolerance, .verdict = STUDY_GONE };
	if (found) {
		cell->now = *found;
		cell->verdict = over(tolerance, &cell->stored, found) ? STUDY_MOVED : STUDY_WITHIN;
	}
	g->n++;
	g->failed += cell->verdict != STUDY_WITHIN;
}

struct gating {
	const struct study_tolerance *tolerance;
	unsigned n;
	bool *used;
};

static const struct study_tolerance *which(struct gating *k, const struct scn_table *table,
					   unsigned r, unsigned c)
{
	const struct study_tolerance *first = NULL;

	for (unsigned i = 0; i < k->n; i++) {
		if (!applies(&k->tolerance[i], table, &table->row[r], c))
			continue;
		k->used[i] = true;
		if (!first)
			first = &k->tolerance[i];
	}
	return first;
}

/* Numbers that a tolerance would apply to and that were not stored. */
static unsigned count_fresh(const struct scn_result *stored, const struct scn_result *now,
			    struct gating *k)
{
	unsigned fresh = 0;

	for (unsigned i = 0; i < now->tables; i++) {
		const struct scn_table *t = now->table[i];

		for (unsigned r = 0; r < t->rows; r++)
			for (unsigned c = 0; c < t->columns; c++)
				fresh += which(k, t, r, c) &&
					 !find_cell(stored, t->name, t->row[r].name, r,
						    t->column[c]);
	}
	return fresh;
}

int study_gate(struct mem *mem, const struct scn_result *stored, const struct scn_result *now,
	       const struct study_tolerance *tolerance, unsigned n, bool partial,
	       const char *where, struct study_gate *out, struct err *err)
{
	struct gating k = { tolerance, n, mem_alloc(mem, n, sizeof(bool)) };
	size_t cells = 0;

	for (unsigned i = 0; i < stored->tables; i++)
		cells += (size_t)stored->table[i]->rows * stored->table[i]->columns;
	*out = (struct study_gate){ .cell = mem_alloc(mem, cells, sizeof(*out->cell)) };
	for (unsigned i = 0; i < stored->tables; i++) {
		const struct scn_table *t = stored->table[i];

		for (unsigned r = 0; r < t->rows; r++) {
			for (unsigned c = 0; c < t->columns; c++) {
				const struct study_tolerance *first = which(&k, t, r, c);

				if (first)
					gate_cell(out, now, partial, t, r, c, first);
			}
		}
	}
	for (unsigned i = 0; i < n; i++)
		if (!k.used[i])
			return err_at(err, where, 0,
				      "tolerance %u applies to no number of the stored "
				      "result (table '%s', row '%s', column '%s')",
				      i + 1, tolerance[i].table,
				      tolerance[i].row ? tolerance[i].row : "any",
				      tolerance[i].column ? tolerance[i].column : "any");
	out->fresh = count_fresh(stored, now, &k);
	return 0;
}
