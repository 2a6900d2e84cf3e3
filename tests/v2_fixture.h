/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small nestedv2 machine with round numbers, for tests that calculate by hand. */
#ifndef HVSIM_TESTS_V2_FIXTURE_H
#define HVSIM_TESTS_V2_FIXTURE_H

#include "hv/v2.h"

#define FX_HZ UINT64_C(2048000000) /* four cycles a timebase tick, 2,048 a microsecond */
#define FX_US UINT64_C(2048)
#define FX_MS (1000 * FX_US)
#define FX_SECOND FX_HZ
#define FX_DEC_EXPIRY UINT64_C(1)
#define FX_GPR UINT64_C(2)
#define FX_FAULT UINT64_C(4)

enum {
	FX_ENTER = 1000, FX_NOT_ENTERED = 500, FX_FLUSH = 400, FX_L0_ENTER = 1500, FX_L0_EXIT = 1600,
	FX_EXIT = 900, FX_HCALL = 800, FX_FAULT_COST = 2000, FX_BLOCK = 2100, FX_WAKE = 3000,
	FX_TICK = 2200, FX_GET = 2500, FX_SET = 2600,
};

static inline void fx_setup(struct v2_setup *s, const struct guest_load *load, uint32_t vcpus,
			    uint32_t l1_cpus, uint32_t smt)
{
	const uint64_t cost[V2_PATHS] = {
		[V2_L1_ENTER] = FX_ENTER,   [V2_L1_NOT_ENTERED] = FX_NOT_ENTERED,
		[V2_L1_FLUSH] = FX_FLUSH,   [V2_L0_ENTER] = FX_L0_ENTER,
		[V2_L0_EXIT] = FX_L0_EXIT,
		[V2_L1_EXIT] = FX_EXIT,     [V2_L1_HCALL] = FX_HCALL,
		[V2_L1_FAULT] = FX_FAULT_COST, [V2_L1_BLOCK] = FX_BLOCK,
		[V2_L1_WAKE] = FX_WAKE,     [V2_L1_TICK] = FX_TICK,
		[V2_GSB_GET] = FX_GET,      [V2_GSB_SET] = FX_SET,
	};

	*s = (struct v2_setup){
		.duration = FX_SECOND, .vcpus = vcpus, .l1_cpus = l1_cpus, .smt = smt,
		.l1_tick_period = FX_SECOND / 250,
		.slice = 3 * FX_MS, .wake_granularity = FX_MS,
		.dec_cancel = V2_CANCEL, .dec_expiry = V2_RETURNED,
		.elements = {
			.read = { [V2_STEP_CANCEL] = FX_DEC_EXPIRY, [V2_STEP_BLOCK] = FX_DEC_EXPIRY,
				  [V2_STEP_HCALL] = FX_GPR, [V2_STEP_FAULT] = FX_FAULT },
			.returned = { [V2_TRAP_HCALL] = FX_GPR },
			.dec_expiry = FX_DEC_EXPIRY,
		},
		.guest = {
			.idle = {
				.state = {
					{ .name = "snooze", .timeout_ns = 100000 },
					{ .name = "Shared Cede", .exit_latency_ns = 10000,
					  .target_residency_ns = 100000, .cede = true },
				},
				.n = 2,
				.rules = { .tick_stopped_rule = true },
				.tick_ns = 4000000,
			},
			.costs = { 1000, 300, 200, 700 },
			.tick_period = FX_SECOND / 250,
			.seed = 1,
		},
		.load = load,
	};
	clk_init(&s->clock, FX_HZ, FX_HZ / 4);
	s->guest.clock = s->clock;
	smt_fill(&s->smt_rule, 600, 400, 250);
	s->smt_rule.weight[SMT_ACTIVE] = 1000;
	s->smt_rule.weight[SMT_POLL] = 200;
	for (unsigned i = 0; i < V2_PATHS; i++)
		s->cost[i] = cost[i];
}

#endif
