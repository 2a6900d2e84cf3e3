/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios of kind "nestedv2": from the file to the model's setup, and what came out. */
#ifndef HVSIM_SCENARIO_V2_H
#define HVSIM_SCENARIO_V2_H

#include "hv/v2.h"
#include "path/price.h"
#include "scenario/scenario.h"
#include "scenario/v2_trace.h"

/* A variant, ready to run, with the prices its costs came from. */
struct scn_v2 {
	struct scn_common common;
	int64_t duration_ms;
	const struct jnode *topology, *guest, *workload;
	const char *elements, *trace;
	struct v2_setup setup;
	struct price price[V2_PATHS];
};

/* Read a view into a setup. Owned by the scenario's pool, as what *traces gets is. */
int scn_v2_load(const struct scenario *scn, const struct scn_view *view,
		struct scn_v2_traces *traces, struct scn_v2 *out, struct err *err);

/* Run all variants of a scenario. */
int scn_v2_run(const struct scenario *scn, struct scn_result *result, struct err *err);

/* Add the tables "wake" and "hist": wake-up latency and use of L1's CPUs. One v and r a variant. */
void scn_v2_wake(const struct scenario *scn, const struct scn_v2 *v, const struct v2_result *r,
		 struct scn_result *result);

/* One metric of one run by name; scn_v2_metric() names them. */
bool scn_v2_value(const struct v2_result *r, const struct v2_setup *setup, const char *metric,
		  struct scn_cell *out);
const char *scn_v2_metric(size_t i, const char **about);

#endif
