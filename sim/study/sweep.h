/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sweeps: a scenario at every point of a grid of values, all variants, one row
 * a point, and the points where two variants break even. Points can be saved as
 * they finish, made by parts on different machines, and joined.
 */
#ifndef HVSIM_STUDY_SWEEP_H
#define HVSIM_STUDY_SWEEP_H

#include <stdio.h>

#include "base/text.h"

#include "scenario/published.h"
#include "scenario/scenario.h"

#define STUDY_OVER_MAX 8
#define STUDY_SWEEP_POINTS_MAX 1000000
#define STUDY_SHARDS_MAX 100000

/* KEY=A:B:STEP or KEY=V1,V2,… */
struct study_over {
	const char *spec, *key;
	const char **value;
	unsigned values;
	bool numbers;         /* all values are; micro[] holds them */
	int64_t *micro;
};

struct study_sweep {
	const struct scn_options *options;
	struct study_over over[STUDY_OVER_MAX];
	unsigned overs;
	unsigned jobs;
	bool coarse;          /* no refinement of break-even points */

	/* filled by study_sweep_open() */
	struct scenario *scn;
	struct scn_metric *metric;
	unsigned metrics, cells;   /* cells of a record: a metric's variants, and their difference */
	uint64_t inputs;           /* digest of the scenario file and all of models/ */
	size_t points, words;
	int64_t *record;           /* all points */
	unsigned char *have;       /* one a point */
};

/* Read one --over. The text must outlive the sweep. */
int study_over_parse(struct mem *mem, const char *spec, struct study_over *over, struct err *err);

/* Load the scenario and check all that can be checked before running. */
int study_sweep_open(struct mem *mem, struct study_sweep *s, struct err *err);

/*
 * Run the points of a shard (1 to shards; points i with i % shards == shard - 1)
 * that s->have lacks. file: points are appended to it as they finish; NULL for
 * none.
 */
int study_sweep_run(struct study_sweep *s, unsigned shard, unsigned shards, FILE *file,
		    struct err *err);

/*
 * The table "points" and, unless coarse, "break-even", refined by further runs.
 * All points must be there.
 */
int study_sweep_result(struct study_sweep *s, struct scn_result *result, struct err *err);

/* The value of an axis at a point; a metric's cell at a point (cell: variant, or variants for the
 * difference). */
const char *study_sweep_value(const struct study_sweep *s, unsigned over, size_t point);
struct scn_cell study_sweep_cell(const struct study_sweep *s, size_t point, unsigned metric,
				 unsigned cell);

/* Run one point with one axis at another value (NULL: as it is) into a record. */
int study_sweep_point(const struct study_sweep *s, size_t point, unsigned over, const char *value,
		      int64_t *record, struct err *err);

/* Cells of an axis' neighbours: how far apart two points of it are. */
size_t study_sweep_stride(const struct study_sweep *s, unsigned over);

/* The table of break-even points. */
int study_sweep_even(struct study_sweep *s, struct scn_result *result, struct err *err);

/*
 * Points files: text. The head says what makes the points what they are; then a
 * line a point. A torn last line is what a kill leaves: it is dropped.
 */
struct study_points {
	const char *name;            /* of the file */
	const char *version, *scenario;
	struct scn_set *set;
	size_t sets;
	const char **variant;
	size_t variants;
	bool has_seed;
	uint64_t seed;
	const char **over;
	unsigned overs;
	uint64_t inputs;
	size_t points, words;
	unsigned shard, shards;
	const char *lines;           /* the first point's line */
	size_t lines_len;            /* whole lines only */
	size_t good_len;             /* of the file, from its start */
	unsigned first_line;         /* number of the first point's line */
};

/* Read the head of a points file's bytes. */
int study_points_parse(struct mem *mem, const char *name, const char *bytes, size_t len,
		       struct study_points *out, struct err *err);

/* Put its points into s->record; a point that s has, or that isn't of the file's shard, is an error. */
int study_points_take(const struct study_points *p, struct study_sweep *s, struct err *err);

/* The head for a sweep; whether a file's head is that of this sweep (and of this hvsim). */
void study_points_head(struct text *out, const struct study_sweep *s, unsigned shard,
		       unsigned shards);
int study_points_match(const struct study_points *p, const struct study_sweep *s,
		       struct err *err);

/* A point's line. */
void study_points_line(struct text *out, const struct study_sweep *s, size_t point,
		       const int64_t *record);

#endif
