// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replay: exits a second of processor time, best of several runs, of plans in
 * memory: one vCPU that leaves with an hcall every 2,000 cycles, and one that
 * spins in a recorded idle period. Loading a trace isn't part of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../v2_fixture.h"
#include "base/mem.h"

#define REPEATS 5
#define HCALLS 2000000

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(const char *what, const struct v2_setup *s)
{
	uint64_t exits = 0;
	double best = 0;

	for (unsigned i = 0; i < REPEATS; i++) {
		double start = seconds(), took;
		struct v2_result r;

		v2_run(s, &r);
		took = seconds() - start;
		if (!best || took < best)
			best = took;
		exits = 0;
		for (unsigned t = 0; t < V2_TRAPS; t++)
			exits += r.total.exits[t];
		v2_result_done(&r);
	}
	printf("%-28s %12llu %9.3f %8.2f\n", what, (unsigned long long)exits, best,
	       (double)exits / best / 1e6);
}

int main(void)
{
	static const struct guest_intent idle[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 1000 * FX_SECOND }, { .kind = GUEST_I_IDLE },
	};
	struct guest_intent *intent = mem_zalloc(2 * HCALLS, sizeof(*intent));
	struct guest_plan calls = { intent, 2 * HCALLS }, sleep = { idle, 2 };
	struct v2_arrivals none = { 0 };
	struct guest_load load = { .plan = &calls };
	struct v2_setup s;

	for (unsigned i = 0; i < HCALLS; i++) {
		intent[2 * i] = (struct guest_intent){ .kind = GUEST_I_COMPUTE, .cycles = 2000 };
		intent[2 * i + 1].kind = GUEST_I_HCALL;
	}
	printf("%-28s %12s %9s %8s\n", "", "exits", "seconds", "M exits/s");
	fx_setup(&s, &load, 1, 1, 1);
	s.arrivals = &none;
	s.duration = 20 * FX_SECOND;
	measure("an hcall every 2,000 cycles", &s);
	load.plan = &sleep;
	s.ext_pending = V2_EXT_STUCK;
	s.guest.costs.respin = 2000;
	s.guest.recorded = true;
	measure("a recorded spin", &s);
	free(intent);
	return 0;
}
