/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running one variant of a scenario under the eyes of an observer. */
#ifndef HVSIM_SCENARIO_WATCH_H
#define HVSIM_SCENARIO_WATCH_H

#include "engine/clk.h"
#include "hv/observer.h"
#include "path/price.h"
#include "scenario/scenario.h"

#define SCN_LEVELS_MAX 4

/* A state of a vCPU, for people. */
struct scn_state {
	const char *name;
	unsigned level;   /* index into scn_watch.level */
	char mark;        /* one letter for drawing */
};

/* What is watched. The caller fills the first part, the kind the second before anything runs. */
struct scn_watch {
	const struct hv_observer *observer;
	uint64_t until_ns;             /* the run need not go on after this */

	const char *scenario, *title, *cpu, *variant;
	uint64_t seed;
	struct clk clock;
	uint32_t vcpus;
	uint64_t end;                  /* cycles: of the run, as cut */
	const char *level[SCN_LEVELS_MAX];
	unsigned levels;
	const struct scn_state *state; /* by the observer's state */
	unsigned states;
	const char *const *trap;       /* by the observer's trap */
	unsigned traps;
	/* What the paths that the observer hears of are priced with; model NULL when there are
	 * none. */
	const struct cpu_model *model;
	struct cond_bits bits;
	struct path_lib *paths;
};

/*
 * Load a scenario and run its variant (NULL: the first) while it is watched. An
 * error for a kind that can't be watched. Owned by the pool.
 */
int scn_watch(struct mem *mem, const struct scn_options *options, const char *variant,
	      struct scn_watch *watch, struct err *err);

/* The kinds' own. */
int scn_v2_watch(const struct scenario *scn, const struct scn_variant *variant,
		 struct scn_watch *watch, struct err *err);
int scn_x86_watch(const struct scenario *scn, const struct scn_variant *variant,
		  struct scn_watch *watch, struct err *err);

#endif
