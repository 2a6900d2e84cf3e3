/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of cells, printed as an aligned table, as Markdown or as CSV. */
#ifndef HVSIM_REPORT_GRID_H
#define HVSIM_REPORT_GRID_H

#include <stdint.h>

#include "base/text.h"

enum rep_format { REP_TABLE, REP_MARKDOWN, REP_CSV, REP_JSON };

/* The names for --format, in the order of enum rep_format, NULL-terminated. */
extern const char *const rep_format_names[];

struct rep_grid {
	unsigned columns;
	size_t n, cap;      /* cells; the first `columns` are the heading */
	char **cells;
};

void rep_grid_init(struct rep_grid *g, unsigned columns);
void rep_grid_done(struct rep_grid *g);

/* The next cell, row by row. */
void rep_grid_text(struct rep_grid *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A count with a comma between thousands in tables; plain digits otherwise. */
void rep_grid_count(struct rep_grid *g, enum rep_format format, uint64_t v);

/*
 * Append the grid to out. The first `left` columns are aligned left, the others
 * right. REP_JSON is not a grid's: assert.
 */
void rep_grid_print(const struct rep_grid *g, enum rep_format format, unsigned left,
		    struct text *out);

/* Append a string as JSON, with its quotes; bytes that aren't ASCII become '?'. */
void rep_json_text(struct text *out, const char *s);

#endif
