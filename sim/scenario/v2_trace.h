/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Native traces as workloads of the nestedv2 model: intents and arrivals in
 * cycles of the model's clock. docs/native-trace.md says what each means,
 * docs/lifting.md what a replay gives back.
 */
#ifndef HVSIM_SCENARIO_V2_TRACE_H
#define HVSIM_SCENARIO_V2_TRACE_H

#include "base/err.h"
#include "base/mem.h"
#include "hv/v2.h"

struct scn_v2_trace {
	const char *name;
	uint64_t core_hz;                  /* of the clock it was made for */
	uint32_t vcpus;                    /* highest number declared + 1 */
	uint64_t end;                      /* its length, cycles; 0: the file doesn't say */
	uint64_t spin;                     /* cycles; 0: likewise */
	int64_t l1_hz;                     /* 0: likewise */
	uint64_t *l1_tick_at;              /* [vcpus]: when the CPU of each ticks, cycles; 0: likewise */
	bool host_recorded;                /* arrivals hold what its host did */
	struct guest_plan *plan;           /* one a vCPU */
	struct v2_arrivals *arrivals;      /* likewise */
	struct scn_v2_trace *next;
};

/* Those loaded so far: variants that run the same trace share it. */
struct scn_v2_traces {
	struct scn_v2_trace *first;
};

/*
 * Load a trace, or find it loaded. The name is a file as given, or one in the
 * data folder ("traces/lifted/NAME.hvt"). Owned by the pool, where it is noted
 * as an input. NULL with *err set.
 */
const struct scn_v2_trace *scn_v2_trace(struct scn_v2_traces *all, struct mem *mem,
					const char *name, const struct clk *clock,
					struct err *err);

#endif
