/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facilities that a guest gets on demand: switched off until first used, which
 * costs a fault, then switched with the guest for so many turns, then off again
 * (Linux counts in a u8: 256 exits for EBB and TM; the PMU goes off at the next
 * exit). With 0 turns every event is paid and nothing stays on.
 */
#ifndef HVSIM_HV_P9_LIVE_H
#define HVSIM_HV_P9_LIVE_H

#include <stdint.h>

#include "engine/rnd.h"

/* Cycles. */
struct p9_live_costs {
	uint64_t idle;  /* a turn while the facility is off */
	uint64_t live;  /* a turn while it is on */
	uint64_t event; /* what the event costs while it is off */
	uint32_t turns; /* it stays on for */
};

struct p9_live_result {
	uint64_t cycles;
	uint64_t paid;  /* events that were paid for */
	uint64_t live;  /* turns with the facility on */
};

/*
 * Run so many turns; in each the event happens with a chance of per_million in a
 * million. Draws are keyed by turn, so that at a higher chance the same turns
 * have the event and more.
 */
struct p9_live_result p9_live_run(const struct p9_live_costs *costs, const struct rnd *rnd,
				  uint64_t turns, uint32_t per_million);

#endif
