// SPDX-License-Identifier: GPL-2.0-or-later
/* What a gate found, and what else changed where it failed. */
#include <string.h>

#include "study/change.h"
#include "study/gate.h"

#define WHY_ROWS 5 /* of each table and column, the largest changes */

static void add_gate(const struct study_gate *g, struct scn_result *out)
{
	static const char *const column[] = { "column", "stored", "now", "difference", "tolerance",
					      "verdict" };
	struct scn_table *t = scn_table_new(out, "gate", NULL, "row", column, 6);

	for (unsigned i = 0; i < g->n; i++) {
		const struct study_gated *c = &g->cell[i];
		struct scn_cell *cell = scn_table_row(t, c->row);

		cell[0] = scn_text(c->column);
		cell[1] = c->stored;
		cell[2] = study_shown(&c->now);
		cell[3] = study_change(&c->stored, &c->now);
		cell[4] = scn_text(study_tolerance_text(out->mem, c->tolerance));
		cell[5] = scn_text(study_verdict_name(c->verdict));
	}
}

struct why {
	const struct scn_result *stored, *now;
	struct scn_result *out;
	struct scn_table *table;
};

struct changed {
	const struct scn_row *a, *b;
	int64_t size;
};

/* Keep the largest, in order; equal ones in the order of the table. */
static unsigned insert(struct changed *top, unsigned n, struct changed c)
{
	unsigned at = n;

	while (at > 0 && top[at - 1].size < c.size)
		at--;
	if (at == WHY_ROWS)
		return n;
	if (n == WHY_ROWS)
		n--;
	memmove(&top[at + 1], &top[at], (n - at) * sizeof(*top));
	top[at] = c;
	return n + 1;
}

static void add_row(struct why *w, const struct scn_table *t, const char *column,
		    const struct changed *c, unsigned ca, unsigned cb)
{
	static const char *const columns[] = { "column", "table", "stored", "now", "difference" };
	struct scn_cell *cell;

	if (!w->table)
		w->table = scn_table_new(w->out, "why", "What moved with it", "row", columns, 5);
	cell = scn_table_row(w->table, c->a->name);
	cell[0] = scn_text(column);
	cell[1] = scn_text(t->name);
	cell[2] = c->a->cell[ca];
	cell[3] = c->b->cell[cb];
	cell[4] = study_change(&cell[2], &cell[3]);
}

static void explain_table(struct why *w, const struct scn_table *a, const char *column)
{
	const struct scn_table *b = scn_result_table(w->now, a->name);
	unsigned ca = scn_table_column(a, column);
	unsigned cb = b ? scn_table_column(b, column) : 0, n = 0;
	struct changed top[WHY_ROWS];

	if (!b || ca == a->columns || cb == b->columns)
		return;
	for (unsigned r = 0; r < a->rows; r++) {
		struct changed c = { &a->row[r], study_row(b, a->row[r].name, r), 0 };
		int64_t moved;

		if (!c.b || !study_numeric(&c.a->cell[ca]) || !study_numeric(&c.b->cell[cb]))
			continue;
		moved = study_moved(&c.a->cell[ca], &c.b->cell[cb]);
		c.size = moved < 0 ? -(moved + (moved == INT64_MIN)) : moved;
		if (c.size)
			n = insert(top, n, c);
	}
	for (unsigned i = 0; i < n; i++)
		add_row(w, a, column, &top[i], ca, cb);
}

/* Each column that failed once, in all tables but the one where it did. */
static void add_why(const struct study_gate *g, struct why *w)
{
	for (unsigned i = 0; i < g->n; i++) {
		bool before = false;

		if (g->cell[i].verdict != STUDY_MOVED)
			continue;
		for (unsigned j = 0; j < i; j++)
			before |= g->cell[j].verdict == STUDY_MOVED &&
				  !strcmp(g->cell[j].column, g->cell[i].column);
		for (unsigned t = 0; !before && t < w->stored->tables; t++)
			if (strcmp(w->stored->table[t]->name, g->cell[i].table))
				explain_table(w, w->stored->table[t], g->cell[i].column);
	}
}

void study_gate_report(const struct study_gate *g, const struct scn_result *stored,
		       const struct scn_result *now, struct scn_result *out)
{
	struct why why = { stored, now, out, NULL };

	add_gate(g, out);
	if (!g->failed)
		return;
	add_why(g, &why);
	study_diff_inputs(stored, now, out);
}
