// SPDX-License-Identifier: GPL-2.0-or-later
#include "hv/p9_live.h"

struct p9_live_result p9_live_run(const struct p9_live_costs *costs, const struct rnd *rnd,
				  uint64_t turns, uint32_t per_million)
{
	struct p9_live_result r = { 0 };
	uint32_t left = 0;

	for (uint64_t i = 0; i < turns; i++) {
		if (left) {
			r.cycles += costs->live;
			r.live++;
			left--;
			continue;
		}
		r.cycles += costs->idle;
		if (rnd_below(rnd, i, RND_MILLION) >= per_million)
			continue;
		r.cycles += costs->event;
		r.paid++;
		left = costs->turns;
	}
	return r;
}
