/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a member of an ensemble is calibrated to. A published figure is one
 * observation with noise, not the truth: a member's target is the figure plus a
 * normal draw with the row's noise as its standard deviation, plus an even one
 * within half a unit of the last printed digit.
 */
#ifndef HVSIM_STUDY_TARGET_H
#define HVSIM_STUDY_TARGET_H

#include "scenario/published.h"

struct study_target {
	int64_t figure;   /* as published, millionths */
	int64_t noise;    /* its standard deviation, millionths */
	int64_t half;     /* half a unit of its last digit, millionths */
	uint32_t purpose; /* of its random stream */
};

/* Of a row and a variant that it publishes. count: whether the metric is a count. */
struct study_target study_target(struct mem *mem, const struct scn_metric *m, const char *variant,
				 bool count);

/* A member's target, millionths, at least 0. It depends on seed, row, variant and member only. */
int64_t study_target_draw(const struct study_target *t, uint64_t seed, uint64_t member);

/* How near a search must come, so that it adds little to the spread; 0 when nothing is off. */
int64_t study_target_close(const struct study_target *t, bool count);

#endif
