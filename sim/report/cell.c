// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/report.h"

#define MICRO INT64_C(1000000)
#define PUBLISHED "published "

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

static bool is_published(const char *column)
{
	return !strncmp(column, PUBLISHED, strlen(PUBLISHED));
}

/* The column a published figure belongs under, or the number of columns. */
static unsigned stands_under(const struct scn_table *t, unsigned column)
{
	const char *name = t->column[column] + strlen(PUBLISHED);
	unsigned i = 0;

	while (i < t->columns && strcmp(t->column[i], name))
		i++;
	return i;
}

static bool has_published(const struct scn_table *t, const struct scn_row *row)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (is_published(t->column[c]) && row->cell[c].kind != SCN_EMPTY)
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

void rep_grid_make(struct rep_grid *g, const struct scn_table *t)
{
	unsigned *to = mem_zalloc(t->columns, sizeof(*to));
	char **row;

	*g = (struct rep_grid){ .columns = 1 };
	for (unsigned c = 0; c < t->columns; c++)
		if (!is_published(t->column[c]))
			to[c] = g->columns++;
	g->cell = mem_zalloc(2 * (size_t)t->rows + 1, sizeof(*g->cell));
	g->right = mem_zalloc(g->columns, sizeof(*g->right));
	row = new_row(g);
	row[0] = copy(t->corner);
	for (unsigned c = 0; c < t->columns; c++)
		if (to[c])
			row[to[c]] = copy(t->column[c]);
	for (unsigned r = 0; r < t->rows; r++) {
		row = new_row(g);
		row[0] = copy(t->row[r].name);
		for (unsigned c = 0; c < t->columns; c++) {
			if (!to[c])
				continue;
			row[to[c]] = cell_text(&t->row[r].cell[c]);
			g->right[to[c]] |= t->row[r].cell[c].kind != SCN_EMPTY &&
					   t->row[r].cell[c].kind != SCN_TEXT;
		}
		if (!has_published(t, &t->row[r]))
			continue;
		row = new_row(g);
		row[0] = copy("  published");
		for (unsigned c = 0; c < t->columns; c++) {
			unsigned under = is_published(t->column[c]) ? stands_under(t, c) : t->columns;

			if (under < t->columns)
				row[to[under]] = cell_text(&t->row[r].cell[c]);
		}
		fill_blanks(row, g->columns);
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
