/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's cpuidle: its idle states and the menu governor that chooses
 * among them (kernel: drivers/cpuidle/governors/menu.c, drivers/cpuidle/
 * cpuidle-pseries.c). The governor is what damps a spinning guest: after
 * sleeps that end at once it polls instead of ceding.
 */
#ifndef HVSIM_GUEST_IDLE_H
#define HVSIM_GUEST_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#define IDLE_STATES_MAX 8
#define IDLE_INTERVALS 8
#define IDLE_BUCKETS 6
#define IDLE_NEVER_NS INT64_MAX

struct idle_state {
	const char *name;
	int64_t exit_latency_ns;
	int64_t target_residency_ns;
	bool cede;           /* gives the CPU back with H_CEDE; otherwise the guest polls */
	bool polling;        /* CPUIDLE_FLAG_POLLING: never stops the tick */
	int64_t timeout_ns;  /* polling states: leave after this long; IDLE_NEVER_NS for never */
};

/* Which rules the governor follows: all on is the kernel's. */
struct idle_rules {
	/* a stopped tick and a short prediction: believe the next timer instead of the history */
	bool tick_stopped_rule;
};

struct idle_model {
	struct idle_state state[IDLE_STATES_MAX];
	unsigned n;
	struct idle_rules rules;
	int64_t tick_ns;
};

/* What the governor remembers of one CPU. Zeroed at start; idle_init() fills the corrections. */
struct idle_governor {
	uint32_t interval_us[IDLE_INTERVALS];
	unsigned at;
	uint32_t correction[IDLE_BUCKETS];
	unsigned bucket, last;
	int64_t next_timer_ns;
};

struct idle_choice {
	unsigned state;
	bool stop_tick;
};

void idle_init(struct idle_governor *g);

/* As if the last sleeps had all lasted so many microseconds: a CPU that has been up for long. */
void idle_settle(struct idle_governor *g, uint32_t us);

/*
 * Choose a state. next_timer_ns: until the next timer other than the tick;
 * next_tick_ns: until the tick, unused when it is stopped.
 */
struct idle_choice idle_select(struct idle_governor *g, const struct idle_model *m,
			       int64_t next_timer_ns, int64_t next_tick_ns, bool tick_stopped);

/* The sleep chosen last took this long: learn from it. */
void idle_reflect(struct idle_governor *g, const struct idle_model *m, int64_t measured_ns);

/* The governor's guess from the last eight sleeps, in us; UINT32_MAX when they show no pattern. */
uint32_t idle_typical_interval(const struct idle_governor *g);

#endif
