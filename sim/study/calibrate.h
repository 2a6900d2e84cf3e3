/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calibration: a scenario's "calibrate" list names a parameter, a metric and a
 * variant; the parameter is searched until the metric meets its published
 * value. What was set so is a calibration and is called that wherever it is
 * printed. An item's "also" are keys that get the same value.
 */
#ifndef HVSIM_STUDY_CALIBRATE_H
#define HVSIM_STUDY_CALIBRATE_H

#include "scenario/calibrated.h"

#define STUDY_CALIBRATE_MAX 8
#define STUDY_ALSO_MAX SCN_ALSO_MAX
#define STUDY_CALIBRATE_SETS (STUDY_CALIBRATE_MAX * (1 + STUDY_ALSO_MAX)) /* keys they may set */

struct study_calibration {
	const char *key, *metric, *variant;
	const struct jnode *also; /* list of keys that have the same value; or NULL */
	int64_t lo, hi;        /* range of the parameter, millionths */
	int64_t value;         /* found, millionths */
	int64_t target, got;   /* of the metric, millionths */
	unsigned runs;
	bool reached;          /* got is as near target as was asked for */
};

/* What to search, and how near. */
struct study_search {
	const char *only;      /* a metric to solve alone, or NULL */
	bool grid;             /* only items marked "grid": true */
	const struct study_calibration *near; /* found for something alike: begin there; or NULL */
	unsigned nears;
	int64_t tolerance;     /* millionths of the target: STUDY_CLOSE, or less close for many points */
	/*
	 * Search for a target drawn from what the published figure may be off (study/target.h)
	 * rather than for the figure, to a small part of that: `tolerance` counts only where
	 * nothing is off.
	 */
	bool draw;
	uint64_t seed, member; /* of the draw */
};

#define STUDY_CLOSE 1000
#define STUDY_GRID_CLOSE 5000 /* half a per cent */

/*
 * Solve the list in order, each with those before it set. out has room for
 * STUDY_CALIBRATE_MAX; *n gets how many. Owned by the pool. A target out of
 * reach is no error: `reached` says.
 */
int study_calibrate(struct mem *mem, const struct scn_options *options,
		    const struct study_search *search, struct study_calibration *out, unsigned *n,
		    struct err *err);

/* Set what was found: its key and those that go with it. set has room; returns the new count. */
size_t study_calibrated(struct mem *mem, const struct study_calibration *c, struct scn_set *set,
			size_t sets);

/* Millionths as a decimal, for --set. Owned by the pool. */
const char *study_decimal(struct mem *mem, int64_t micro);

#endif
