// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The menu governor against its rules, worked out by hand from the kernel's
 * (drivers/cpuidle/governors/menu.c): the expected values are arithmetic.
 */
#include "check.h"

#include "guest/idle.h"

static const struct idle_model pseries = {
	.state = {
		{ .name = "snooze", .timeout_ns = 100000 },
		{ .name = "Shared Cede", .exit_latency_ns = 10000, .target_residency_ns = 100000,
		  .cede = true },
	},
	.n = 2,
	.rules = { .tick_stopped_rule = true },
	.tick_ns = 4000000,
};

static void fill(struct idle_governor *g, const uint32_t us[IDLE_INTERVALS])
{
	idle_init(g);
	for (unsigned i = 0; i < IDLE_INTERVALS; i++)
		g->interval_us[i] = us[i];
}

static void typical_interval_drops_outliers(void **state)
{
	static const struct { uint32_t us[8], typical; } cases[] = {
		{ { 100, 100, 100, 100, 100, 100, 100, 100 }, 100 },
		/* variance 25: under 400, whatever the average */
		{ { 10, 20, 10, 20, 10, 20, 10, 20 }, 15 },
		/* the one long sleep goes, seven of 5 us are left */
		{ { 5, 5, 5, 5, 5, 5, 5, 5000 }, 5 },
		/* average 1500, variance 250000: 2250000 < 36 * 250000; six of 1000 are not left */
		{ { 1000, 2000, 1000, 2000, 1000, 2000, 1000, 2000 }, 1000 },
		/* variance 625 is over 400, 35^2 under 36 times it: without the 60s the 10s agree */
		{ { 10, 60, 10, 60, 10, 60, 10, 60 }, 10 },
		/* average 1100, variance 40000: 1210000 < 1440000; the 900s agree */
		{ { 900, 1300, 900, 1300, 900, 1300, 900, 1300 }, 900 },
		/* six are left that don't agree: no pattern, though five would be one */
		{ { 10, 10, 10, 10, 10, 500, 5000, 50000 }, UINT32_MAX },
		/* nothing agrees: 8, then 7, then 6 samples are no pattern, and 6 end the search */
		{ { 100, 200, 400, 800, 1600, 3200, 6400, 12800 }, UINT32_MAX },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct idle_governor g;

		fill(&g, cases[i].us);
		assert_int_equal(idle_typical_interval(&g), cases[i].typical);
	}
}

static void short_sleeps_lead_to_polling(void **state)
{
	static const uint32_t spun[8] = { 5, 5, 5, 5, 5, 5, 5, 5 };
	static const uint32_t slept[8] = { 900, 900, 900, 900, 900, 900, 900, 900 };
	struct idle_choice c;
	struct idle_governor g;

	fill(&g, spun);
	c = idle_select(&g, &pseries, 10000000, 3000000, false);
	assert_int_equal(c.state, 0);
	assert_false(c.stop_tick);
	/* 900 us: the deep state, but the tick (4 ms) stays, as the prediction is shorter */
	fill(&g, slept);
	c = idle_select(&g, &pseries, 10000000, 3000000, false);
	assert_int_equal(c.state, 1);
	assert_false(c.stop_tick);
	/* the tick is due in 50 us: not worth the deep state */
	c = idle_select(&g, &pseries, 10000000, 50000, false);
	assert_int_equal(c.state, 0);
}

static void a_stopped_tick_believes_the_timer(void **state)
{
	static const uint32_t spun[8] = { 5, 5, 5, 5, 5, 5, 5, 5 };
	struct idle_model without = pseries;
	struct idle_governor g;

	fill(&g, spun);
	assert_int_equal(idle_select(&g, &pseries, 10000000, 0, true).state, 1);
	without.rules.tick_stopped_rule = false;
	assert_int_equal(idle_select(&g, &without, 10000000, 0, true).state, 0);
	/* a timer nearer than the deep state's residency: polling, whatever the history */
	assert_int_equal(idle_select(&g, &pseries, 99999, 0, true).state, 0);
}

/* A long history and no timer: sleep deep and stop the tick. */
static void an_idle_cpu_stops_its_tick(void **state)
{
	static const uint32_t slept[8] = { 20000, 20000, 20000, 20000, 20000, 20000, 20000, 20000 };
	struct idle_governor g;
	struct idle_choice c;

	fill(&g, slept);
	c = idle_select(&g, &pseries, IDLE_NEVER_NS, 1000000, false);
	assert_int_equal(c.state, 1);
	assert_true(c.stop_tick);
}

/*
 * Reflection takes the exit latency off (10 us of the deep state, more than half
 * of a sleep under 20 us), never more than the timer, and moves the correction
 * of the timer's decade by an eighth: 8192 - 1024 + 1024 * 5000/10000 = 7680.
 */
static void reflection_learns(void **state)
{
	static const uint32_t slept[8] = { 900, 900, 900, 900, 900, 900, 900, 900 };
	struct idle_governor g;

	fill(&g, slept);
	assert_int_equal(idle_select(&g, &pseries, 10000000, 3000000, false).state, 1);
	idle_reflect(&g, &pseries, 5010000);
	assert_int_equal(g.interval_us[0], 5000);
	assert_int_equal(g.correction[g.bucket], 7680);
	idle_reflect(&g, &pseries, 12000);
	assert_int_equal(g.interval_us[1], 6);
	idle_reflect(&g, &pseries, 99000000);
	assert_int_equal(g.interval_us[2], 10000);
}

/* which_bucket(): a decade each from 10 us to 100 ms. */
static void timers_fall_into_decades(void **state)
{
	static const struct { int64_t ns; unsigned bucket; } cases[] = {
		{ 9999, 0 }, { 10000, 1 }, { 99999, 1 }, { 100000, 2 }, { 1000000, 3 },
		{ 9999999, 3 }, { 10000000, 4 }, { 100000000, 5 }, { IDLE_NEVER_NS, 5 },
	};
	struct idle_governor g;

	idle_init(&g);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		idle_select(&g, &pseries, cases[i].ns, 0, true);
		assert_int_equal(g.bucket, cases[i].bucket);
	}
}

/* Half of a timer in 180 us is 90: under the residency, whatever the 900 us of history. */
static void the_timer_is_corrected_by_experience(void **state)
{
	static const uint32_t slept[8] = { 900, 900, 900, 900, 900, 900, 900, 900 };
	struct idle_governor g;

	fill(&g, slept);
	assert_int_equal(idle_select(&g, &pseries, 180000, 3000000, false).state, 1);
	g.correction[2] /= 2;
	assert_int_equal(idle_select(&g, &pseries, 180000, 3000000, false).state, 0);
}

/* A state that takes 200 us to leave is not for a sleep of 150. */
static void leaving_must_not_take_longer_than_the_sleep(void **state)
{
	static const uint32_t slept[8] = { 150, 150, 150, 150, 150, 150, 150, 150 };
	struct idle_model slow = pseries;
	struct idle_governor g;

	fill(&g, slept);
	assert_int_equal(idle_select(&g, &slow, 10000000, 3000000, false).state, 1);
	slow.state[1].exit_latency_ns = 200000;
	assert_int_equal(idle_select(&g, &slow, 10000000, 3000000, false).state, 0);
}

/* From 50 ms on a sleep counts as right (MAX_INTERESTING): 8192 - 1024 + 1024. */
static void long_sleeps_teach_nothing(void **state)
{
	struct idle_governor g;

	idle_init(&g);
	idle_select(&g, &pseries, 200000000, 3000000, false);
	idle_reflect(&g, &pseries, 100000000);
	assert_int_equal(g.correction[5], 8192);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typical_interval_drops_outliers),
		cmocka_unit_test(short_sleeps_lead_to_polling),
		cmocka_unit_test(a_stopped_tick_believes_the_timer),
		cmocka_unit_test(an_idle_cpu_stops_its_tick),
		cmocka_unit_test(reflection_learns),
		cmocka_unit_test(timers_fall_into_decades),
		cmocka_unit_test(the_timer_is_corrected_by_experience),
		cmocka_unit_test(leaving_must_not_take_longer_than_the_sleep),
		cmocka_unit_test(long_sleeps_teach_nothing),
	};

	return cmocka_run_group_tests_name("idle", tests, NULL, NULL);
}
