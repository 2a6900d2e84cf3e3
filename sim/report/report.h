/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as text: one function a format, one file each. Each appends to a
 * growing string, so that nothing is written before all of it is known.
 */
#ifndef HVSIM_REPORT_REPORT_H
#define HVSIM_REPORT_REPORT_H

#include "base/text.h"
#include "scenario/table.h"

enum rep_format {
	REP_TABLE, REP_MARKDOWN, REP_CSV, REP_JSON,
	REP_FORMATS,              /* those that fit anything; below: only for a whole result */
	REP_COVER = REP_FORMATS,  /* plain text for a patch mail */
	REP_PERF_STAT,            /* counts by interval, where a result has them */
};

/* Names of the formats for --format, NULL-terminated, and the index of one or -1. */
extern const char *const rep_format_names[];
int rep_format_find(const char *name);

struct rep_options {
	bool details; /* tables marked as detail too */
};

/* Append a whole result: heading, tables, assumptions, provenance. */
void rep_result(struct text *out, const struct scn_result *r, enum rep_format format,
		const struct rep_options *o);

/* One table alone; in JSON `indent` begins each line. */
void rep_table_text(struct text *out, const struct scn_table *t);
void rep_table_markdown(struct text *out, const struct scn_table *t);
void rep_table_csv(struct text *out, const struct scn_table *t);
void rep_table_json(struct text *out, const struct scn_table *t, const char *indent);

/* The tables of a result alone: for commands that run no scenario. */
void rep_tables(struct text *out, const struct scn_result *r, enum rep_format format);
void rep_tables_json(struct text *out, const struct scn_result *r);

/* A whole result in one format (the files behind rep_result()). */
void rep_result_text(struct text *out, const struct scn_result *r, const struct rep_options *o);
void rep_result_markdown(struct text *out, const struct scn_result *r,
			 const struct rep_options *o);
void rep_result_csv(struct text *out, const struct scn_result *r);
void rep_result_json(struct text *out, const struct scn_result *r);

/* Counts by interval as `perf stat -I` prints them, and whether a result has any. */
void rep_result_perf_stat(struct text *out, const struct scn_result *r);
bool rep_has_intervals(const struct scn_result *r);

/*
 * For a patch mail, at most REP_COVER_COLUMNS wide: the first table (with
 * details all), what made it in one line, assumptions as numbered footnotes.
 * Long texts in cells (the roles of rows) become lettered footnotes.
 */
#define REP_COVER_COLUMNS 72
void rep_result_cover(struct text *out, const struct scn_result *r, const struct rep_options *o);

/*
 * A table laid out for people: published figures stand under the predicted
 * ones instead of beside them, so that a row fits a screen. Free with
 * rep_grid_free().
 */
struct rep_grid {
	char ***cell;     /* rows of columns; row 0 is the heading */
	unsigned rows, columns;
	unsigned keys;    /* columns that stand in each fold: the first, and the table's keys */
	bool *right;      /* numbers: aligned right */
};
void rep_grid_make(struct rep_grid *g, const struct scn_table *t);
void rep_grid_free(struct rep_grid *g);

/* A grid's columns from `from` to before `to` beside its keys, aligned. */
void rep_grid_text(struct text *out, const struct rep_grid *g, unsigned from, unsigned to);
unsigned rep_grid_width(const struct rep_grid *g, unsigned from, unsigned to);

/*
 * As many columns side by side as fit, the rest below, the keys repeated (the first column alone
 * where there is no room for them). False, with nothing appended, when a column doesn't fit
 * beside the first.
 */
bool rep_grid_fit(struct text *out, const struct rep_grid *g, unsigned width);

/* Tables for a terminal are folded when wider, unless one column alone is. */
#define REP_TABLE_COLUMNS 100

/*
 * Words of s broken so that lines take at most `width` columns (unless a word
 * is longer); lines after the first begin with `indent` spaces.
 */
void rep_wrap(struct text *out, const char *first, unsigned indent, unsigned width, const char *s);

/* The name of a data file without folder and ".json". The pool's. */
const char *rep_short_name(struct mem *mem, const char *file);

/* Strings and millionths as JSON, appended. Decimals always have a point. */
void rep_json_string(struct text *out, const char *s);
void rep_json_decimal(struct text *out, int64_t micro);

/* A cell as people read it, appended. */
void rep_cell(struct text *out, const struct scn_cell *c);

#endif
