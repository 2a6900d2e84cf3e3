/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grid: what a publication left out, as axes with values fixed before any
 * result was seen ("grid" in a scenario file). At each point of the product of
 * the axes the calibrations marked for it are searched, the two variants run,
 * and the difference of each metric is compared with the published one. The
 * share of points that agree says how much a prediction rests on the choice.
 */
#ifndef HVSIM_STUDY_GRID_H
#define HVSIM_STUDY_GRID_H

#include "scenario/published.h"
#include "scenario/scenario.h"

#define STUDY_AXES_MAX 16
#define STUDY_GRID_POINTS_MAX 100000
#define STUDY_GRID_GROUP_MAX 16 /* points a worker takes at once: calibrations begin at a neighbour's */

struct study_axis {
	const char *key, *why;
	const char **also;        /* further keys that get the same value */
	const char **value;
	unsigned alsos, values;
};

struct study_grid_metric {
	struct scn_metric m;
	int64_t published;        /* difference, millionths of a per cent */
};

/* What a point's record holds, in words; then GRID_METRIC_WORDS a metric, GRID_ITEM_WORDS a
 * calibration. */
enum { GRID_CALIBRATED, GRID_AGREES, GRID_RUNS, GRID_HEAD_WORDS };
enum { GRID_SHAPE, GRID_A, GRID_B, GRID_DIFFERENCE, GRID_METRIC_AGREES, GRID_METRIC_WORDS };
enum { GRID_VALUE, GRID_GOT, GRID_ITEM_WORDS };

struct study_grid {
	const struct scn_options *options;
	struct scenario *scn;
	struct study_axis axis[STUDY_AXES_MAX];
	struct study_grid_metric *metric; /* those with two published figures */
	unsigned axes, metrics, items;
	const char **item;        /* keys of the calibrations */
	size_t points, group, words; /* group: the last axes' points, a task */
	int64_t *record;          /* one a point, owned by the pool of scn */
};

/*
 * Run a scenario's grid over `jobs` workers (0: one an online CPU) and fill the
 * result with its tables: "grid", "metrics", "values" and, as a detail, "points".
 */
int study_grid(struct mem *mem, const struct scn_options *options, unsigned jobs,
	       struct scn_result *result, struct err *err);

/* The value an axis has at a point. */
const char *study_grid_value(const struct study_grid *g, unsigned axis, size_t point);

/* Parts of a point's record. */
const int64_t *study_grid_metric_of(const struct study_grid *g, size_t point, unsigned metric);
const int64_t *study_grid_item_of(const struct study_grid *g, size_t point, unsigned item);

/* The tables, from the records. */
void study_grid_tables(const struct study_grid *g, struct scn_result *result);

#endif
