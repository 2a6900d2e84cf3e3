/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of a scenario's "calibrate": {"set": key, "metric", "variant", "lo", "hi",
 * "also": [key …], "grid", "note"}: the key was chosen so that the metric of the variant
 * meets its published value. sim/study/calibrate.h searches it anew.
 */
#ifndef HVSIM_SCENARIO_CALIBRATED_H
#define HVSIM_SCENARIO_CALIBRATED_H

#include "scenario/scenario.h"

#define SCN_ALSO_MAX 8

struct scn_calibrated_key {
	const char *set, *metric, *variant;
	const struct jnode *also; /* list of at most SCN_ALSO_MAX keys (strings), or NULL */
	int64_t lo, hi;           /* lo < hi, millionths */
	bool grid;                /* also searched at every point of a grid */
};

/* Read one entry. Errors at its line. */
int scn_calibrated_read(const struct jnode *node, struct scn_calibrated_key *k, struct err *err);

/*
 * Check all entries of a scenario whose variants and policies are loaded: that they can be
 * read, that the variant is one of the file's, and that "set" and "also" are keys of
 * numbers in the file or of its CPU model, which no variant sets. Entries of a variant that --variant leaves out are only read.
 */
int scn_calibrated_check(const struct scenario *scn, struct err *err);

#endif
