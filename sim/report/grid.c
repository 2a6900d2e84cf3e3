// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "report/grid.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *const rep_format_names[] = { "table", "markdown", "csv", "json", NULL };

void rep_grid_init(struct rep_grid *g, unsigned columns)
{
	*g = (struct rep_grid){ .columns = columns };
}

void rep_grid_done(struct rep_grid *g)
{
	for (size_t i = 0; i < g->n; i++)
		free(g->cells[i]);
	free(g->cells);
	*g = (struct rep_grid){ 0 };
}

void rep_grid_text(struct rep_grid *g, const char *fmt, ...)
{
	va_list ap;

	g->cells = mem_grow(g->cells, &g->cap, g->n + 1, sizeof(*g->cells));
	va_start(ap, fmt);
	if (vasprintf(&g->cells[g->n], fmt, ap) < 0)
		abort();
	va_end(ap);
	g->n++;
}

void rep_grid_count(struct rep_grid *g, enum rep_format format, uint64_t v)
{
	char digits[24], out[32];
	size_t n = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v), o = 0;

	if (format != REP_TABLE && format != REP_MARKDOWN) {
		rep_grid_text(g, "%s", digits);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			out[o++] = ',';
		out[o++] = digits[i];
	}
	out[o] = '\0';
	rep_grid_text(g, "%s", out);
}

static void csv_cell(struct text *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		text_add(out, "%s", s);
		return;
	}
	text_add(out, "\"");
	for (; *s; s++)
		text_add(out, *s == '"' ? "\"\"" : "%c", *s);
	text_add(out, "\"");
}

static void pad(struct text *out, unsigned n)
{
	text_add(out, "%*s", (int)n, "");
}

static unsigned *widths(const struct rep_grid *g)
{
	unsigned *w = mem_zalloc(g->columns, sizeof(*w));

	for (size_t i = 0; i < g->n; i++) {
		unsigned c = text_columns(g->cells[i]);

		if (c > w[i % g->columns])
			w[i % g->columns] = c;
	}
	return w;
}

static void rule(struct text *out, const unsigned *w, unsigned columns, unsigned left)
{
	text_add(out, "|");
	for (unsigned c = 0; c < columns; c++) {
		for (unsigned i = 0; i < w[c] + 1; i++)
			text_add(out, "-");
		text_add(out, c < left ? "-|" : ":|");
	}
	text_add(out, "\n");
}

static void aligned_cell(struct text *out, const char *s, unsigned width, bool left, bool last)
{
	unsigned space = width - text_columns(s);

	if (!left)
		pad(out, space);
	text_add(out, "%s", s);
	if (left && !last)
		pad(out, space);
}

void rep_grid_print(const struct rep_grid *g, enum rep_format format, unsigned left,
		    struct text *out)
{
	unsigned *w = widths(g);
	bool md = format == REP_MARKDOWN;

	assert(format != REP_JSON && g->n % g->columns == 0);
	for (size_t i = 0; i < g->n; i++) {
		unsigned c = (unsigned)(i % g->columns);
		bool last = c == g->columns - 1;

		if (format == REP_CSV) {
			csv_cell(out, g->cells[i]);
			text_add(out, last ? "\n" : ",");
			continue;
		}
		text_add(out, md ? c ? " " : "| " : c ? "  " : "");
		aligned_cell(out, g->cells[i], w[c], c < left, last && !md);
		text_add(out, "%s%s", md ? " |" : "", last ? "\n" : "");
		if (md && last && i + 1 == g->columns)
			rule(out, w, g->columns, left);
	}
	free(w);
}

void rep_json_text(struct text *out, const char *s)
{
	text_add(out, "\"");
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			text_add(out, "\\%c", c);
		else if (c < ' ')
			text_add(out, "\\u%04x", c);
		else
			text_add(out, "%c", c < 0x7f ? c : '?');
	}
	text_add(out, "\"");
}
