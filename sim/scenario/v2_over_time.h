/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exits by cause over the time of a run: what an observer of the nestedv2 model counts. */
#ifndef HVSIM_SCENARIO_V2_OVER_TIME_H
#define HVSIM_SCENARIO_V2_OVER_TIME_H

#include "scenario/v2.h"

#define SCN_V2_BINS 50

/* One run's counts. Put `observer` into its setup; it has to stay where it is. */
struct scn_v2_over_time {
	struct hv_observer observer;
	uint64_t width;                        /* cycles of a bin */
	unsigned bin;                          /* the one being filled, */
	uint64_t next;                         /* and when it ends */
	uint64_t exits[SCN_V2_BINS][V2_TRAPS];
};

void scn_v2_over_time_init(struct scn_v2_over_time *o, const struct v2_setup *setup);

/* Add the table "exits_time": a row a bin, a column for each cause that a variant has. */
void scn_v2_over_time_add(const struct scenario *scn, const struct scn_v2 *v,
			  const struct scn_v2_over_time *o, struct scn_result *result);

#endif
