/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scenarios of kind "x86": from the file to the loop's setup, and what came out. */
#ifndef HVSIM_SCENARIO_X86_H
#define HVSIM_SCENARIO_X86_H

#include "hv/x86_loop.h"
#include "scenario/scenario.h"

/* A variant, ready to run. */
struct scn_x86 {
	struct scn_common common;
	const char *requests, *order;
	int64_t duration_ms, interval_ms, reload_failures;
	const struct jnode *topology, *config, *sources, *reactions, *halt;
	struct x86_setup setup;
};

/* Read a view into a setup. Owned by the scenario's pool. */
int scn_x86_load(const struct scenario *scn, const struct scn_view *view, struct scn_x86 *out,
		 struct err *err);

/* The part of it that reads "sources" and "reactions". */
int scn_x86_sources(const struct scenario *scn, const struct scn_view *view, struct scn_x86 *x,
		    struct err *err);

/* Read "all", "0", "1-7", "1-" or "0,2-3" into a bit for each vCPU. */
int scn_x86_vcpus(const struct jnode *node, const char *text, unsigned vcpus, uint64_t *mask,
		  struct err *err);

/* Run all variants of a scenario. */
int scn_x86_run(const struct scenario *scn, struct scn_result *result, struct err *err);

/* --set model.NAME=VALUE on a model of kind hvsim-x86-cpu. */
int scn_x86_set_model(struct mem *mem, struct jnode *root, const char *name, const char *value,
		      struct err *err);

/* Totals over the vCPUs of a run. */
struct scn_x86_total {
	uint64_t cycles[X86_STATES], cancels[X86_REASONS], exits[X86_CAUSES_MAX];
	uint64_t all_cancels, all_exits, entries, attempts, window;
};
void scn_x86_sum(const struct x86_setup *s, const struct x86_result *r,
		 struct scn_x86_total *total);

/* The names of the metrics a scenario has (they depend on its sources, causes and intervals). */
const char *const *scn_x86_metrics(struct mem *mem, const struct x86_setup *s, size_t *n);

/* One metric of one run by name. */
bool scn_x86_value(const struct x86_setup *s, const struct x86_result *r, const char *metric,
		   struct scn_cell *out);

#endif
