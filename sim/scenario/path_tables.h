/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A path priced, as tables: the listing, what differs between two policies, the summary. */
#ifndef HVSIM_SCENARIO_PATH_TABLES_H
#define HVSIM_SCENARIO_PATH_TABLES_H

#include "base/err.h"
#include "base/mem.h"
#include "path/price.h"
#include "scenario/table.h"

struct scn_path_request {
	const char *path;          /* a name in models/paths, or a file */
	const char *cpu;           /* a name in models, or a file */
	const struct scn_set *set; /* policies, states, model.NAME; in order */
	size_t sets;
	const struct scn_set *diff; /* what the other side has set besides; none: no comparison */
	size_t diffs;
	bool summary;
	bool for_people;           /* functions as lines of their own: narrower */
};

/* What pricing needs, loaded and set. Owned by the pool but for the pricer. */
struct scn_priced {
	const struct path *path;
	struct cpu_model *model;
	struct policy_set policy;
	struct cond_bits bits;
	struct pricer *pricer; /* price_free() */
};

/*
 * Load a path and a CPU model, apply what the processor implies and then each set.
 * Digests of the files are noted in result when it isn't NULL.
 */
int scn_priced_load(struct mem *mem, const char *path, const char *cpu, const struct scn_set *set,
		    size_t sets, struct scn_priced *out, struct err *err);

/* Fill the result; the request must outlive it. */
int scn_path_run(struct mem *mem, const struct scn_path_request *request,
		 struct scn_result *result, struct err *err);

#endif
