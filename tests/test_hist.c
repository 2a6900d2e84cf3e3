// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <stdlib.h>

#include "engine/hist.h"
#include "random.h"

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void an_empty_one(void **state)
{
	struct hist h;
	uint64_t low, high;
	size_t i = 0;

	hist_init(&h);
	assert_int_equal(h.count, 0);
	assert_int_equal(hist_quantile(&h, 1, 2), 0);
	assert_int_equal(hist_mean(&h), 0);
	assert_int_equal(hist_next(&h, &i, &low, &high), 0);
	hist_add(&h, 5, 0);
	assert_int_equal(h.max, 0);
	hist_done(&h);
}

/* Nearest rank by hand: of 10, 20, … 100 the median is the 5th, 95 % the 10th, 0 the 1st. */
static void ranks_by_hand(void **state)
{
	struct hist h;

	hist_init(&h);
	for (uint64_t v = 100; v; v -= 10)
		hist_add(&h, v, 1);
	assert_int_equal(hist_quantile(&h, 0, 1), 10);
	assert_int_equal(hist_quantile(&h, 1, 10), 10);
	assert_int_equal(hist_quantile(&h, 11, 100), 20);
	assert_int_equal(hist_quantile(&h, 1, 2), 50);
	assert_int_equal(hist_quantile(&h, 95, 100), 100);
	assert_int_equal(hist_quantile(&h, 1, 1), 100);
	assert_int_equal(hist_mean(&h), 55);
	assert_true(h.sum == 550);
	hist_done(&h);
}

/* Buckets follow each other without gap or overlap and are narrow enough, up to 2^64 - 1. */
static void buckets_tile_all_values(void **state)
{
	struct hist h;
	uint64_t low, high, end = 0;
	size_t i = 0;

	hist_init(&h);
	for (uint64_t v = 0; v < 128; v++)
		hist_add(&h, v, 1);
	for (unsigned e = 7; e < 64; e++)
		for (uint64_t s = 64; s < 128; s++)
			hist_add(&h, s << (e - 6), 1);
	while (hist_next(&h, &i, &low, &high)) {
		assert_int_equal(low, end);
		assert_true(high - low <= low / 64);
		end = high + 1;
	}
	assert_int_equal(end, 0); /* the last one ended at UINT64_MAX */
	assert_true(h.buckets * sizeof(*h.bucket) <= 32768);
	hist_add(&h, UINT64_MAX, 1);
	assert_int_equal(h.max, UINT64_MAX);
	assert_int_equal(hist_quantile(&h, 1, 1), UINT64_MAX);
	hist_done(&h);
}

#define VALUES 5001

/* Against the sorted values: never below the exact quantile, less than 1/64 above it. */
static void quantiles_of_sorted_values(void **state)
{
	static uint64_t v[VALUES];
	struct hist h;
	uint64_t rs = 1;

	hist_init(&h);
	for (unsigned i = 0; i < VALUES; i++) {
		v[i] = next(&rs) >> (next(&rs) % 64);
		hist_add(&h, v[i], 1);
	}
	qsort(v, VALUES, sizeof(v[0]), by_value);
	assert_int_equal(h.min, v[0]);
	assert_int_equal(h.max, v[VALUES - 1]);
	for (uint64_t num = 0; num <= 1000; num++) {
		uint64_t rank = (VALUES * num + 999) / 1000;
		uint64_t exact = v[rank ? rank - 1 : 0], got = hist_quantile(&h, num, 1000);

		assert_true(got >= exact && got - exact <= exact / 64);
	}
	hist_done(&h);
}

static void merging_is_adding(void **state)
{
	struct hist all, part[3];
	uint64_t rs = 8;

	hist_init(&all);
	for (int p = 0; p < 3; p++) {
		hist_init(&part[p]);
		for (unsigned i = 0; i < 1000u * p; i++) {
			uint64_t v = next(&rs) >> (20 * p), n = next(&rs) % 5;

			hist_add(&part[p], v, n);
			hist_add(&all, v, n);
		}
	}
	hist_merge(&part[0], &part[1]); /* into an empty one */
	hist_merge(&part[2], &part[0]); /* the other has larger values */
	hist_done(&part[1]);
	hist_merge(&part[2], &part[1]); /* an empty one: nothing */
	assert_int_equal(part[2].count, all.count);
	assert_true(part[2].sum == all.sum);
	assert_int_equal(part[2].min, all.min);
	assert_int_equal(part[2].max, all.max);
	for (size_t i = 0; i < all.buckets; i++)
		assert_int_equal(part[2].bucket[i], all.bucket[i]);
	hist_done(&all);
	hist_done(&part[0]);
	hist_done(&part[2]);
}

/* (2^64 - 1) * 2^40 does not fit 64 bits. */
static void sums_have_128_bits(void **state)
{
	struct hist h;

	hist_init(&h);
	hist_add(&h, UINT64_MAX, UINT64_C(1) << 40);
	assert_int_equal((uint64_t)(h.sum >> 64), (UINT64_C(1) << 40) - 1);
	assert_int_equal((uint64_t)h.sum, -(UINT64_C(1) << 40));
	assert_int_equal(hist_mean(&h), UINT64_MAX);
	hist_done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_one),
		cmocka_unit_test(ranks_by_hand),
		cmocka_unit_test(buckets_tile_all_values),
		cmocka_unit_test(quantiles_of_sorted_values),
		cmocka_unit_test(merging_is_adding),
		cmocka_unit_test(sums_have_128_bits),
	};

	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}
