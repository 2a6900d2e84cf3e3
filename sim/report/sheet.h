/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of cells, printed as an aligned table, as Markdown or as CSV. */
#ifndef HVSIM_REPORT_SHEET_H
#define HVSIM_REPORT_SHEET_H

#include <stdint.h>

#include "base/text.h"
#include "report/report.h"

struct rep_sheet {
	unsigned columns;
	size_t n, cap;      /* cells; the first `columns` are the heading */
	char **cells;
};

void rep_sheet_init(struct rep_sheet *g, unsigned columns);
void rep_sheet_done(struct rep_sheet *g);

/* The next cell, row by row. */
void rep_sheet_text(struct rep_sheet *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A count with a comma between thousands in tables; plain digits otherwise. */
void rep_sheet_count(struct rep_sheet *g, enum rep_format format, uint64_t v);

/*
 * Append the sheet to out. The first `left` columns are aligned left, the others
 * right. REP_JSON is not a sheet's: assert.
 */
void rep_sheet_print(const struct rep_sheet *g, enum rep_format format, unsigned left,
		    struct text *out);

/* Append a string as JSON, with its quotes; bytes that aren't ASCII become '?'. */
void rep_json_text(struct text *out, const char *s);

#endif
