/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run produced, as tables of typed cells: sim/report prints them in any
 * format without knowing how the numbers came to be.
 */
#ifndef HVSIM_SCENARIO_TABLE_H
#define HVSIM_SCENARIO_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum scn_cell_kind {
	SCN_EMPTY,
	SCN_COUNT,   /* v: a whole number */
	SCN_DECIMAL, /* v: millionths, printed with `digits` decimals */
	SCN_PERCENT, /* v: millionths of a per cent, printed signed with two decimals */
	SCN_TEXT,
};

struct scn_cell {
	enum scn_cell_kind kind;
	unsigned digits;
	int64_t v;
	const char *text;
};

struct scn_row {
	const char *name;       /* first column */
	struct scn_cell *cell;  /* one a column of the table */
};

/* A table for people and for programs. All memory is the pool's. */
struct scn_table {
	const char *name;       /* for programs: "metrics" */
	const char *title;      /* for people; NULL for none */
	const char *corner;     /* heading of the first column */
	const char *const *column;
	unsigned columns;
	unsigned keys;          /* of them, the first that say which row it is: shown in each fold */
	struct scn_row *row;
	unsigned rows, room;
	bool detail;            /* shown to people only when they ask for details */
	const char *predicted;  /* its column that stands against the column "given"; NULL for none */
	struct mem *mem;
};

struct scn_set {
	const char *key, *value;
};

struct scn_digest {
	const char *file;
	uint64_t fnv1a;         /* of its bytes, as in struct mem_input */
};

/* A result with its provenance. Owned by its pool. */
struct scn_result {
	const char *scenario, *title, *kind, *cpu;
	const char *version;    /* of hvsim that made it; NULL: this one */
	uint64_t seed;
	struct scn_table **table;
	unsigned tables, table_room;
	const char **note;      /* assumptions, one a line */
	unsigned notes, note_room;
	const struct scn_set *set;
	size_t sets;
	struct scn_digest *digest;
	unsigned digests, digest_room;
	uint64_t events;        /* deadlines fired, all variants */
	const char *event_is;   /* what an event is, for --stats */
	const char *const *variant;
	unsigned variants;
	struct mem *mem;
};

/* An empty table added to the result; columns (and their names) are copied. */
struct scn_table *scn_table_new(struct scn_result *r, const char *name, const char *title,
				const char *corner, const char *const *column, unsigned columns);

/* A row whose cells are empty. The pointer is valid until the next row is added. */
struct scn_cell *scn_table_row(struct scn_table *t, const char *name);

/* More columns, empty in all rows; names are copied. */
void scn_table_widen(struct scn_table *t, const char *const *column, unsigned columns);

/* Add a note (an assumption); the text is copied. */
void scn_result_note(struct scn_result *r, const char *text);

/* Add an input file's digest; the name is kept, not copied. */
void scn_result_digest(struct scn_result *r, const char *file, uint64_t fnv1a);

/* Add all files that were read into the result's pool. */
void scn_result_inputs(struct scn_result *r);

/* A table by name, and a column's index; NULL and t->columns when there is none. */
struct scn_table *scn_result_table(const struct scn_result *r, const char *name);
unsigned scn_table_column(const struct scn_table *t, const char *name);

struct scn_cell scn_count(uint64_t v);
struct scn_cell scn_decimal(int64_t micro, unsigned digits);
struct scn_cell scn_text(const char *text);

/* (b - a) / a in per cent, exact to the millionth, halves away from zero; empty when a is 0. */
struct scn_cell scn_difference(uint64_t a, uint64_t b);

/* part / whole in per cent with this many digits; empty when whole is 0. */
struct scn_cell scn_share(uint64_t part, uint64_t whole, unsigned digits);

#endif
