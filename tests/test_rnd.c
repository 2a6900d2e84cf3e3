// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random draws. Known answers are those published with the generators; laws
 * are those of the distributions, with bounds of four standard errors (the
 * draws are fixed by the seed: a test that passes once passes always).
 */
#include "check.h"

#include <math.h>

#include "engine/rnd.h"

#define N 1000000

/* Random123's kat_vectors, lines "philox4x32 10". */
static void philox_known_answers(void **state)
{
	static const struct { uint32_t ctr[4], key[2], out[4]; } kat[] = {
		{ { 0, 0, 0, 0 }, { 0, 0 },
		  { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
		{ { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff }, { 0xffffffff, 0xffffffff },
		  { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
		{ { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 },
		  { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
	};
	uint32_t ctr[4];

	for (size_t i = 0; i < 3; i++) {
		memcpy(ctr, kat[i].ctr, sizeof(ctr));
		rnd_philox(ctr, kat[i].key);
		assert_memory_equal(ctr, kat[i].out, sizeof(ctr));
	}
}

/* Where seed, index, stream and purpose go never changes: computed apart in Python. */
static void key_layout_is_fixed(void **state)
{
	struct rnd r = { UINT64_C(0x299f31d0a4093822), 0x13198a2e, 0x03707344 };

	assert_int_equal(rnd_u64(&r, UINT64_C(0x00a308d3243f6a88)), UINT64_C(0x4acecbc7f9969f3a));
}

/* FNV-1a test vectors of draft-eastlake-fnv. */
static void purposes_by_name(void **state)
{
	assert_int_equal(rnd_purpose(""), 0x811c9dc5);
	assert_int_equal(rnd_purpose("a"), 0xe40c292c);
	assert_int_equal(rnd_purpose("foobar"), 0xbf9cf968);
}

/* Values of -ln computed with 60 decimals (Python's decimal), units of 2^-58. */
static void minus_ln_is_exact_enough(void **state)
{
	static const struct { uint64_t u, ln; } known[] = {
		{ UINT64_C(0x0000000000000000), UINT64_C(12986094717783947154) },
		{ UINT64_C(0x0000000000000001), UINT64_C(12669441284576244973) },
		{ UINT64_C(0x0000000000000002), UINT64_C(12522205822890240696) },
		{ UINT64_C(0x002bdc545d6b4b87), UINT64_C(2106772966077574632) },
		{ UINT64_C(0x123456789abcdef0), UINT64_C(761940365877651306) },
		{ UINT64_C(0x4000000000000000), UINT64_C(399572145162582989) },
		{ UINT64_C(0x5a827999fcef3242), UINT64_C(299679108871937242) },
		{ UINT64_C(0x7fffffffffffffff), UINT64_C(199786072581291495) },
		{ UINT64_C(0x8000000000000000), UINT64_C(199786072581291495) },
		{ UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(116867360626410687) },
		{ UINT64_C(0xb504f333f9de6484), UINT64_C(99893036290645747) },
		{ UINT64_C(0xb504f333f9de6485), UINT64_C(99893036290645747) },
		{ UINT64_C(0xc000000000000000), UINT64_C(82918711954880808) },
		{ UINT64_C(0xffffffffffffffff), 0 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint64_t ln = rnd_minus_ln(known[i].u);
		uint64_t off = ln > known[i].ln ? ln - known[i].ln : known[i].ln - ln;

		if (off >= 4) /* 2^-56 */
			fail_msg("-ln(0x%llx) is off by %llu * 2^-58",
				 (unsigned long long)known[i].u, (unsigned long long)off);
	}
}

/* It falls as its argument rises, also where the way to compute it changes. */
static void minus_ln_never_rises(void **state)
{
	static const uint64_t around[] = {
		UINT64_C(0xb504f333f9de6484), UINT64_C(0x5a827999fcef3242), UINT64_C(1) << 63,
		UINT64_C(1) << 62, UINT64_C(1) << 20,
	};

	for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++)
		for (int64_t d = -2000; d < 2000; d++) {
			uint64_t u = around[i] + (uint64_t)(d * (INT64_C(1) << (i < 4 ? 20 : 0)));
			uint64_t v = u + (UINT64_C(1) << (i < 4 ? 20 : 0));

			assert_true(rnd_minus_ln(u) >= rnd_minus_ln(v));
		}
}

struct moments {
	double mean, variance;
};

static struct moments exp_moments(uint64_t mean)
{
	struct rnd r = { 1, 2, 3 };
	double sum = 0, squares = 0;

	for (uint64_t i = 0; i < N; i++) {
		double x = (double)rnd_exp(&r, i, mean);

		sum += x;
		squares += x * x;
	}
	return (struct moments){ sum / N, squares / N - sum / N * (sum / N) };
}

/*
 * Mean m, standard error m / sqrt(N); variance m^2, standard error of it
 * m^2 sqrt(8 / N). Rounding adds at most 1/4 to the variance, nothing to the
 * mean, and for m = 1 exactly: with f the fraction of X, E f(1-f).
 */
static void exponential_has_its_mean_and_variance(void **state)
{
	static const uint64_t means[] = { 1, 2, 10, 1000, 38000000, UINT64_C(1) << 40 };

	assert_int_equal(rnd_exp(&(struct rnd){ 1, 2, 3 }, 4, 0), 0);
	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++) {
		double m = (double)means[i];
		struct moments got = exp_moments(means[i]);

		assert_true(got.mean > m * (1 - 0.004) - 0.002);
		assert_true(got.mean < m * (1 + 0.004) + 0.002);
		assert_true(got.variance > m * m * (1 - 0.0114));
		assert_true(got.variance < m * m * (1 + 0.0114) + 0.25);
	}
}

/*
 * The share of draws not above -m ln(1 - p) is p: for m = 10^9 and the p
 * below, -m ln(1 - p) from a table of logarithms. Four standard errors.
 */
static void exponential_has_its_quantiles(void **state)
{
	static const struct { uint64_t at; double expect, error; } q[] = {
		{ 10050336, 0.01 * N, 398 },    { 105360516, 0.1 * N, 1200 },
		{ 693147181, 0.5 * N, 2000 },   { 2302585093, 0.9 * N, 1200 },
		{ 4605170186, 0.99 * N, 398 },  { 9210340372, 0.9999 * N, 40 },
	};
	struct rnd r = { 7, 0, rnd_purpose("test") };
	unsigned below[6] = { 0 };

	for (uint64_t i = 0; i < N; i++) {
		uint64_t x = rnd_exp(&r, i, 1000000000);

		for (size_t k = 0; k < 6; k++)
			below[k] += x <= q[k].at;
	}
	for (size_t k = 0; k < 6; k++) {
		assert_true(below[k] > q[k].expect - q[k].error);
		assert_true(below[k] < q[k].expect + q[k].error);
	}
}

static void exponential_takes_the_largest_mean(void **state)
{
	struct rnd r = { 1, 1, 1 };
	uint64_t above = 0;

	for (uint64_t i = 0; i < 10000; i++)
		above += rnd_exp(&r, i, RND_MEAN_MAX) > RND_MEAN_MAX;
	assert_in_range(above, 3679 - 193, 3679 + 193); /* 10000 / e, four standard errors */
}

/* Chi squared with 9 degrees of freedom is below 27.88 in 99.9 % of cases. */
static void below_is_uniform(void **state)
{
	struct rnd r = { 9, 9, 9 };
	double chi = 0;
	unsigned count[10] = { 0 };

	for (uint64_t i = 0; i < N; i++) {
		uint64_t x = rnd_below(&r, i, 10);

		assert_true(x < 10);
		count[x]++;
	}
	for (int i = 0; i < 10; i++)
		chi += (count[i] - N / 10.) * (count[i] - N / 10.) / (N / 10.);
	assert_true(chi < 27.88);
	assert_int_equal(rnd_below(&r, 5, 1), 0);
	assert_int_equal(rnd_between(&r, 5, 0, UINT64_MAX), rnd_u64(&r, 5));
	assert_in_range(rnd_between(&r, 5, 100, 103), 100, 103);
}

/*
 * Among 3 * 2^62 values, plain multiplication would give half of all draws
 * the remainder 0 by 3. A third each, four standard errors.
 */
static void below_has_no_bias(void **state)
{
	struct rnd r = { 9, 9, 10 };
	unsigned count[3] = { 0 };

	for (uint64_t i = 0; i < N; i++)
		count[rnd_below(&r, i, UINT64_C(3) << 62) % 3]++;
	for (int i = 0; i < 3; i++)
		assert_in_range(count[i], N / 3 - 1886, N / 3 + 1886);
}

/* Mean 0, variance 1, fourth moment 3 - 12 / 120 = 2.9 of twelve uniform numbers; four standard
 * errors: of the mean 1, of the square sqrt(2.9 - 1) = 1.38, over the root of N. */
static void normal_has_its_moments(void **state)
{
	const struct rnd r = { 3, 0, rnd_purpose("test") };
	double sum = 0, squares = 0, fourth = 0;
	unsigned outer = 0;

	for (uint64_t i = 0; i < N; i++) {
		double x = (double)rnd_normal(&r, i) / 1e6;

		assert_true(x >= -6 && x <= 6);
		sum += x;
		squares += x * x;
		fourth += x * x * x * x;
		outer += x < -1.6449 || x > 1.6449;
	}
	assert_true(fabs(sum / N) < 4 / sqrt(N));
	assert_true(fabs(squares / N - 1) < 4 * 1.38 / sqrt(N));
	assert_true(fabs(fourth / N - 2.9) < 0.2);
	/* of a normal number a tenth; the tails are a little lighter */
	assert_true(outer > 0.096 * N && outer < 0.104 * N);
}

static void chance_is_per_million(void **state)
{
	struct rnd r = { 4, 5, 6 };
	unsigned yes = 0;

	for (uint64_t i = 0; i < N; i++) {
		yes += rnd_chance(&r, i, 250000);
		assert_false(rnd_chance(&r, i, 0));
		assert_true(rnd_chance(&r, i, 1000000));
	}
	assert_in_range(yes, 250000 - 1733, 250000 + 1733);
}

/* Draws under keys that differ in one bit anywhere differ in half their bits. */
static void neighbouring_keys_are_unrelated(void **state)
{
	struct rnd r = { 11, 12, 13 };
	unsigned bits = 0, pairs = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t base = rnd_u64(&r, i);

		for (unsigned b = 0; b < 64; b++, pairs += 2) {
			struct rnd s = { r.seed ^ UINT64_C(1) << b, r.stream, r.purpose };
			struct rnd t = r;

			if (b < 32)
				t.stream ^= UINT32_C(1) << b;
			else
				t.purpose ^= UINT32_C(1) << (b - 32);
			bits += (unsigned)__builtin_popcountll(base ^ rnd_u64(&s, i));
			bits += (unsigned)__builtin_popcountll(base ^ rnd_u64(&t, i));
		}
	}
	/* 128,000 pairs of 64 bits: mean 32 each, standard error 4 sqrt(pairs) */
	assert_in_range(bits, 32 * pairs - 4 * 1432, 32 * pairs + 4 * 1432);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(philox_known_answers),
		cmocka_unit_test(key_layout_is_fixed),
		cmocka_unit_test(purposes_by_name),
		cmocka_unit_test(minus_ln_is_exact_enough),
		cmocka_unit_test(minus_ln_never_rises),
		cmocka_unit_test(exponential_has_its_mean_and_variance),
		cmocka_unit_test(exponential_has_its_quantiles),
		cmocka_unit_test(exponential_takes_the_largest_mean),
		cmocka_unit_test(below_is_uniform),
		cmocka_unit_test(below_has_no_bias),
		cmocka_unit_test(normal_has_its_moments),
		cmocka_unit_test(chance_is_per_million),
		cmocka_unit_test(neighbouring_keys_are_unrelated),
	};

	return cmocka_run_group_tests_name("rnd", tests, NULL, NULL);
}
