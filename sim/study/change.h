/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What changed between two results, whatever kind of scenario made them. */
#ifndef HVSIM_STUDY_CHANGE_H
#define HVSIM_STUDY_CHANGE_H

#include "scenario/table.h"

/* A cell that holds a number. */
bool study_numeric(const struct scn_cell *c);

/* b - a in millionths of what they count; both are numbers. Saturates. */
int64_t study_moved(const struct scn_cell *a, const struct scn_cell *b);

/*
 * The same for people: per cent of a, points between two percentages, empty
 * where neither says anything (a is zero, or one is no number).
 */
struct scn_cell study_change(const struct scn_cell *a, const struct scn_cell *b);

/* The row of this name, at index `hint` if it is there; NULL when there is none. */
const struct scn_row *study_row(const struct scn_table *t, const char *name, unsigned hint);

/* The text of a cell of a result, for a table that compares: "absent" when NULL or empty. */
struct scn_cell study_shown(const struct scn_cell *c);

/*
 * Add to `out` a table "inputs" with what went in differently (scenario,
 * model, seed, version, --set, files, variants, assumptions). Returns the
 * number of its rows; without any there is no table.
 */
unsigned study_diff_inputs(const struct scn_result *a, const struct scn_result *b,
			   struct scn_result *out);

/*
 * Add to `out` a table for each table of a or b with the cells that differ.
 * Returns how many cells differ in all.
 */
unsigned study_diff_tables(const struct scn_result *a, const struct scn_result *b,
			   struct scn_result *out);

#endif
