// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "engine/clk.h"
#include "random.h"

static const uint64_t core[] = {
	3800000000, 2000000000, 4000000000, 3999999937, 512000000, 511999999, 1, UINT64_MAX,
};
#define CORES (sizeof(core) / sizeof(core[0]))

/* By hand: 3.8 GHz / 512 MHz = 7.421875 cycles a tick; 2 GHz: 3.90625; 4 GHz: 7.8125. */
static void by_hand(void **state)
{
	struct clk c;

	clk_init(&c, 3800000000, CLK_TB_HZ);
	assert_int_equal(clk_ticks(&c, 0), 0);
	assert_int_equal(clk_ticks(&c, 7), 0);
	assert_int_equal(clk_ticks(&c, 8), 1);
	assert_int_equal(clk_cycles(&c, 0), 0);
	assert_int_equal(clk_cycles(&c, 1), 8);
	assert_int_equal(clk_cycles(&c, 2), 15);           /* 14.84375 */
	assert_int_equal(clk_cycles(&c, 64), 475);         /* exactly */
	assert_int_equal(clk_ticks(&c, 474), 63);
	assert_int_equal(clk_ticks(&c, 3800000000), 512000000);
	assert_int_equal(clk_ns(&c, 3800000000), 1000000000);
	assert_int_equal(clk_ns(&c, 3), 0);
	assert_int_equal(clk_ns(&c, 4), 1);
	assert_int_equal(clk_ns_cycles(&c, 1), 4);         /* 3.8 */
	assert_int_equal(clk_ns_cycles(&c, 5), 19);
	clk_init(&c, 2000000000, CLK_TB_HZ);
	assert_int_equal(clk_cycles(&c, 1), 4);
	assert_int_equal(clk_cycles(&c, 32), 125);
	clk_init(&c, 4000000000, CLK_TB_HZ);
	assert_int_equal(clk_cycles(&c, 16), 125);
	assert_int_equal(clk_ticks(&c, 124), 15);
	clk_init(&c, 512000000, CLK_TB_HZ);
	assert_int_equal(clk_ticks(&c, UINT64_MAX), UINT64_MAX);
	assert_int_equal(clk_cycles(&c, UINT64_MAX), UINT64_MAX);
}

/* Computed with Python's integers: (2^64 - 1) * 512e6 // 3999999937 and so on. */
static void near_the_end_of_64_bits(void **state)
{
	struct clk c;

	clk_init(&c, 3999999937, CLK_TB_HZ);
	assert_int_equal(clk_ticks(&c, UINT64_MAX), UINT64_C(2361183278623459245));
	assert_int_equal(clk_cycles(&c, UINT64_C(2361183278623459245)), UINT64_C(18446744073709551615));
	assert_int_equal(clk_cycles(&c, UINT64_C(2361183278623459245) + 1), UINT64_MAX);
	clk_init(&c, 3800000000, CLK_TB_HZ);
	assert_int_equal(clk_ticks(&c, UINT64_MAX), UINT64_C(2485456043615602743));
	assert_int_equal(clk_ns(&c, UINT64_MAX), UINT64_C(4854406335186724109));
	assert_int_equal(clk_cycles(&c, UINT64_MAX), UINT64_MAX);
	assert_int_equal(clk_ns_cycles(&c, UINT64_MAX), UINT64_MAX);
}

/* The first cycle by which t ticks have passed: there they have, one cycle before not. */
static void check_first(const struct clk *c, uint64_t t)
{
	uint64_t cycle = clk_cycles(c, t), ns = clk_ns_cycles(c, t);

	if (cycle != UINT64_MAX) {
		assert_true(clk_ticks(c, cycle) >= t);
		if (cycle)
			assert_true(clk_ticks(c, cycle - 1) < t);
		if (c->core_hz >= c->tb_hz)
			assert_int_equal(clk_ticks(c, cycle), t);
	}
	if (ns != UINT64_MAX) {
		assert_true(clk_ns(c, ns) >= t);
		if (ns)
			assert_true(clk_ns(c, ns - 1) < t);
	}
}

static void round_trips(void **state)
{
	uint64_t rs = 4;

	for (size_t i = 0; i < CORES; i++) {
		struct clk c;

		clk_init(&c, core[i], CLK_TB_HZ);
		for (uint64_t t = 0; t < 2000; t++) {
			check_first(&c, t);
			check_first(&c, UINT64_MAX - t);
		}
		for (unsigned n = 0; n < 20000; n++)
			check_first(&c, next(&rs) >> (next(&rs) % 64));
	}
}

/* Around every size at which the way to compute changes, against plain 128-bit arithmetic. */
static void same_as_long_arithmetic(void **state)
{
	__extension__ typedef unsigned __int128 u128;
	uint64_t rs = 6;

	for (size_t i = 0; i < CORES; i++) {
		struct clk c;

		clk_init(&c, core[i], CLK_TB_HZ);
		for (unsigned n = 0; n < 20000; n++) {
			uint64_t t = next(&rs) >> (next(&rs) % 64);
			u128 ticks = (u128)t * CLK_TB_HZ / core[i];
			u128 cycles = ((u128)t * core[i] + CLK_TB_HZ - 1) / CLK_TB_HZ;

			if (ticks > UINT64_MAX)
				ticks = UINT64_MAX;
			assert_int_equal(clk_ticks(&c, t), (uint64_t)ticks);
			if (cycles > UINT64_MAX)
				cycles = UINT64_MAX;
			assert_int_equal(clk_cycles(&c, t), (uint64_t)cycles);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(near_the_end_of_64_bits),
		cmocka_unit_test(round_trips),
		cmocka_unit_test(same_as_long_arithmetic),
	};

	return cmocka_run_group_tests_name("clk", tests, NULL, NULL);
}
