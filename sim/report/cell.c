// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/report.h"

#define MICRO INT64_C(1000000)
#define AS_FACTOR (1000 * MICRO) /* growth from here on is shown as a factor */

/* A decimal rounded half away from zero; no minus sign before a zero. */
static void add_decimal(struct text *out, int64_t micro, unsigned digits, const char *plus)
{
	int64_t unit = MICRO, v;
	bool neg = micro < 0;

	for (unsigned i = 0; i < digits; i++)
		unit /= 10;
	v = neg ? -micro : micro;
	v = (v + unit / 2) / unit;
	unit = MICRO / unit;
	text_add(out, "%s%lld", neg && v ? "-" : plus, (long long)(v / unit));
	if (digits)
		text_add(out, ".%0*lld", (int)digits, (long long)(v % unit));
}

void rep_cell(struct text *out, const struct scn_cell *c)
{
	switch (c->kind) {
	case SCN_COUNT:
		text_add(out, "%lld", (long long)c->v);
		break;
	case SCN_DECIMAL:
		add_decimal(out, c->v, c->digits, "");
		break;
	case SCN_PERCENT:
		if (c->v >= AS_FACTOR) { /* "+1722500.00 %" says less than "x 17226" */
			text_add(out, "x ");
			add_decimal(out, c->v / 100 + MICRO, 0, "");
			break;
		}
		add_decimal(out, c->v, 2, "+");
		text_add(out, " %%");
		break;
	case SCN_TEXT:
		text_add(out, "%s", c->text);
		break;
	default:
		break;
	}
}

/*
 * Columns that stand under another one: "published keep" under "keep". Each of
 * these gets a row of its own below the row it belongs to.
 */
static const char *const under[] = { "published ", "median ", "5 % ", "95 % " };

#define UNDER (sizeof(under) / sizeof(under[0]))

/* Which of them a column's name begins with, or UNDER. */
static size_t under_kind(const char *column)
{
	size_t i = 0;

	while (i < UNDER && strncmp(column, under[i], strlen(under[i])))
		i++;
	return i;
}

static bool has_under(const struct scn_table *t, const struct scn_row *row, size_t kind)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (under_kind(t->column[c]) == kind && row->cell[c].kind != SCN_EMPTY)
			return true;
	return false;
}

static char *cell_text(const struct scn_cell *c)
{
	struct text t = { 0 };

	text_add(&t, "%s", "");
	rep_cell(&t, c);
	return t.s;
}

static char *copy(const char *s)
{
	struct text t = { 0 };

	text_add(&t, "%s", s);
	return t.s;
}

static char **new_row(struct rep_grid *g)
{
	char **row = mem_zalloc(g->columns, sizeof(*row));

	g->cell[g->rows++] = row;
	return row;
}

static void fill_blanks(char **row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!row[i])
			row[i] = copy("");
}

static void add_row(struct rep_grid *g, const struct scn_table *t, const struct scn_row *r,
		    const unsigned *to)
{
	char **row = new_row(g);

	row[0] = copy(r->name);
	for (unsigned c = 0; c < t->columns; c++) {
		if (!to[c])
			continue;
		row[to[c]] = cell_text(&r->cell[c]);
		g->right[to[c]] |= r->cell[c].kind != SCN_EMPTY && r->cell[c].kind != SCN_TEXT;
	}
}

static void add_under(struct rep_grid *g, const struct scn_table *t, const struct scn_row *r,
		      const unsigned *to, size_t kind)
{
	char **row = new_row(g);
	struct text name = { 0 };

	text_add(&name, "  %.*s", (int)strlen(under[kind]) - 1, under[kind]);
	row[0] = name.s;
	for (unsigned c = 0; c < t->columns; c++) {
		unsigned over;

		if (under_kind(t->column[c]) != kind)
			continue;
		over = scn_table_column(t, t->column[c] + strlen(under[kind]));
		if (over < t->columns && to[over])
			row[to[over]] = cell_text(&r->cell[c]);
	}
	fill_blanks(row, g->columns);
}

void rep_grid_make(struct rep_grid *g, const struct scn_table *t)
{
	unsigned *to = mem_zalloc(t->columns, sizeof(*to));
	char **row;

	*g = (struct rep_grid){ .columns = 1, .keys = 1 + t->keys };
	for (unsigned c = 0; c < t->columns; c++)
		if (under_kind(t->column[c]) == UNDER)
			to[c] = g->columns++;
	g->cell = mem_zalloc((1 + UNDER) * (size_t)t->rows + 1, sizeof(*g->cell));
	g->right = mem_zalloc(g->columns, sizeof(*g->right));
	row = new_row(g);
	row[0] = copy(t->corner);
	for (unsigned c = 0; c < t->columns; c++)
		if (to[c])
			row[to[c]] = copy(t->column[c]);
	for (unsigned r = 0; r < t->rows; r++) {
		add_row(g, t, &t->row[r], to);
		for (size_t kind = 0; kind < UNDER; kind++)
			if (has_under(t, &t->row[r], kind))
				add_under(g, t, &t->row[r], to, kind);
	}
	free(to);
}

void rep_grid_free(struct rep_grid *g)
{
	for (unsigned r = 0; r < g->rows; r++) {
		for (unsigned c = 0; c < g->columns; c++)
			free(g->cell[r][c]);
		free(g->cell[r]);
	}
	free(g->cell);
	free(g->right);
}
