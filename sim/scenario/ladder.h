/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenario kind "ladder": one path priced before and after each patch of a
 * series, in order, beside the published difference of each and the published
 * totals. A rung only sets policies: its effect comes from the ops they change.
 *
 *   "path": "p9-roundtrip",
 *   "policies": state before the first rung,
 *   "rungs": [ {"name", "set": {…}, "published": -78, "role": "fit", "note"} … ],
 *   "totals": [ {"name", "after": rung name or "" for the start, "published", "role", "tolerance"} … ],
 *   "ipc": [0.8, 1, …]   totals are shown for each of these
 *   "fit": {"absolute": 10, "percent": 10}  how far off a row may be: weights of the fit
 */
#ifndef HVSIM_SCENARIO_LADDER_H
#define HVSIM_SCENARIO_LADDER_H

#include "path/price.h"
#include "scenario/scenario.h"

/* What a published row is used for. */
enum ladder_role {
	LADDER_FIT,         /* fitted to; leave-one-out predicts it */
	LADDER_CALIBRATION, /* alone sets a parameter */
	LADDER_PREDICTION,  /* compared, nothing set from it */
	LADDER_SIGN,        /* too small to compare but by sign */
	LADDER_STRUCTURE,   /* the mechanism only */
	LADDER_EXCLUDED,    /* unexplained by its author: never fitted */
	LADDER_ROLES,
};

/* As files and tables call it: "sign". */
const char *ladder_role_name(enum ladder_role role);

struct ladder_rung {
	const char *name;
	const struct jnode *set;       /* object, or NULL */
	const struct jnode *published; /* number, or NULL */
	int64_t delta;                 /* published, cycles */
	unsigned role;                 /* enum ladder_role */
	const char *note;
	struct cond_bits bits;         /* after this rung */
	uint64_t ops;                  /* ops on the path after it, work left out */
};

struct ladder_total {
	const char *name, *after;
	const struct jnode *published;
	int64_t cycles;
	int64_t tolerance; /* per cent of it, millionths; 0: not stated */
	unsigned role;
	size_t rung; /* index of the state: 0 before the first rung, i after the i-th */
};

struct ladder {
	const struct scenario *scn;
	struct scn_view view;
	const struct path *path;
	struct cond_bits start;
	uint64_t start_ops;
	struct ladder_rung *rung;
	size_t n;
	struct ladder_total *total;
	size_t totals;
	const struct jnode *ipc;
	int64_t absolute, percent; /* of "fit", millionths */
	bool has_fit;
};

/* Load a ladder scenario. Owned by the scenario's pool. */
int ladder_load(const struct scenario *scn, struct ladder *l, struct scn_result *result,
		struct err *err);

/* Cycles of the n + 1 states on a model: [0] before the first rung, [i] after the i-th. */
void ladder_price(const struct ladder *l, const struct cpu_model *model, uint64_t *cycles);

/*
 * The null model: every op costs the same, the cost that fits the rows used (role
 * fit) best. Millionths of a cycle an op; skip leaves one rung out (SIZE_MAX: none).
 */
int64_t ladder_null(const struct ladder *l, size_t skip);

/* Change in the number of ops at rung i, work left out. */
int64_t ladder_ops(const struct ladder *l, size_t i);

/* The kind's run: tables "ladder", "totals" and "ipc". */
int ladder_run(const struct scenario *scn, struct scn_result *result, struct err *err);

#endif
