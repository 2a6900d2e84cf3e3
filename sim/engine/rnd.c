// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rnd.h"

#include <assert.h>
#include <stddef.h>

__extension__ typedef unsigned __int128 u128;

/* Multipliers and Weyl constants of Philox4x32, from the paper. */
#define PHILOX_M0 UINT32_C(0xd2511f53)
#define PHILOX_M1 UINT32_C(0xcd9e8d57)
#define PHILOX_W0 UINT32_C(0x9e3779b9)
#define PHILOX_W1 UINT32_C(0xbb67ae85)
#define PHILOX_ROUNDS 10

void rnd_philox(uint32_t ctr[4], const uint32_t key[2])
{
	uint32_t c0 = ctr[0], c1 = ctr[1], c2 = ctr[2], c3 = ctr[3], k0 = key[0], k1 = key[1];

	for (int i = 0; i < PHILOX_ROUNDS; i++) {
		uint64_t p0 = (uint64_t)PHILOX_M0 * c0, p1 = (uint64_t)PHILOX_M1 * c2;

		c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
		c1 = (uint32_t)p1;
		c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
		c3 = (uint32_t)p0;
		k0 += PHILOX_W0;
		k1 += PHILOX_W1;
	}
	ctr[0] = c0;
	ctr[1] = c1;
	ctr[2] = c2;
	ctr[3] = c3;
}

uint32_t rnd_purpose(const char *name)
{
	uint32_t h = UINT32_C(2166136261);

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * UINT32_C(16777619);
	return h;
}

/* The block of an index: two numbers of 64 bits. Each attempt at one has a block of its own. */
static void block(const struct rnd *r, uint64_t index, unsigned attempt, uint64_t out[2])
{
	const uint32_t key[2] = { (uint32_t)r->seed, (uint32_t)(r->seed >> 32) };
	uint32_t ctr[4] = { (uint32_t)index, (uint32_t)(index >> 32) | attempt << 24, r->stream,
			    r->purpose };

	assert(index >> RND_INDEX_BITS == 0 && attempt < 256);
	rnd_philox(ctr, key);
	out[0] = (uint64_t)ctr[1] << 32 | ctr[0];
	out[1] = (uint64_t)ctr[3] << 32 | ctr[2];
}

uint64_t rnd_u64(const struct rnd *r, uint64_t index)
{
	uint64_t w[2];

	block(r, index, 0, w);
	return w[0];
}

uint64_t rnd_below(const struct rnd *r, uint64_t index, uint64_t n)
{
	u128 product = (u128)rnd_u64(r, index) * n;
	uint64_t w[2], unfair;

	assert(n);
	if ((uint64_t)product >= n) /* most often: no division needed */
		return (uint64_t)(product >> 64);
	unfair = -n % n;
	/* Each attempt is refused with a chance below a half: 255 in a row don't happen. */
	for (unsigned attempt = 1; (uint64_t)product < unfair; attempt++) {
		block(r, index, attempt, w);
		product = (u128)w[0] * n;
	}
	return (uint64_t)(product >> 64);
}

uint64_t rnd_between(const struct rnd *r, uint64_t index, uint64_t lo, uint64_t hi)
{
	assert(lo <= hi);
	if (hi - lo == UINT64_MAX)
		return rnd_u64(r, index);
	return lo + rnd_below(r, index, hi - lo + 1);
}

int64_t rnd_normal(const struct rnd *r, uint64_t index)
{
	const int64_t mean = 6 * INT64_C(0xffffffff), half = INT64_C(1) << 31;
	uint64_t sum = 0, w[2];
	int64_t off;

	for (unsigned attempt = 0; attempt < 3; attempt++) {
		block(r, index, attempt, w);
		sum += (w[0] & UINT32_MAX) + (w[0] >> 32) + (w[1] & UINT32_MAX) + (w[1] >> 32);
	}
	off = ((int64_t)sum - mean) * RND_MILLION; /* below 2^35 times 2^20 */
	return (off + (off < 0 ? -half : half)) / (2 * half);
}

bool rnd_chance(const struct rnd *r, uint64_t index, uint32_t per_million)
{
	return rnd_below(r, index, RND_MILLION) < per_million;
}

static inline uint64_t mul_high(uint64_t a, uint64_t b)
{
	return (uint64_t)((u128)a * b >> 64);
}

/* atanh(z) for z in units of 2^-64, z below 0.18, in units of 2^-64. */
static uint64_t atanh64(uint64_t z)
{
#define OVER(odd) (UINT64_MAX / (odd))
	static const uint64_t over[] = {
		OVER(27), OVER(25), OVER(23), OVER(21), OVER(19), OVER(17), OVER(15), OVER(13),
		OVER(11), OVER(9), OVER(7), OVER(5), OVER(3),
	};
#undef OVER
	uint64_t z2 = mul_high(z, z), sum = 0;

	/* z (1 + z^2/3 + z^4/5 + …): the first term left out is below 2^-70 of the sum. */
	for (size_t i = 0; i < sizeof(over) / sizeof(over[0]); i++)
		sum = mul_high(sum, z2) + over[i];
	return z + mul_high(z, mul_high(sum, z2));
}

uint64_t rnd_minus_ln(uint64_t u)
{
	const uint64_t one = UINT64_C(1) << 62, sqrt2 = UINT64_C(0x5a827999fcef3242);
	const uint64_t ln2 = UINT64_C(0xb17217f7d1cf79ab); /* units of 2^-64 */
	u128 x = ((u128)u << 1) + 1; /* the number is x / 2^65 */
	unsigned halvings, up;
	uint64_t m, d, ln;

	/* x / 2^65 = m 2^-halvings with m in [1, 2), units of 2^-62 */
	halvings = u >> 63 ? 1 : 2 + (unsigned)__builtin_clzll(u << 1 | 1);
	x <<= halvings - 1; /* the leading bit is now bit 64 */
	m = (uint64_t)(x >> 2); /* what is cut off is below 2^-62 of it */
	up = m > sqrt2; /* rather twice a number a little below one */
	d = up ? 2 * one - m : m - one;
	/* (m - 1) / (m + 1), and with m halved (m - 2) / (m + 2) */
	ln = 2 * atanh64((uint64_t)(((u128)d << 64) / (m + (up ? 2 * one : one))));
	halvings -= up;
	/* -ln = halvings ln 2 -+ ln, to units of 2^-58 */
	x = (u128)halvings * ln2;
	x = up ? x + ln : x - ln;
	return (uint64_t)(x >> 6);
}

uint64_t rnd_exp(const struct rnd *r, uint64_t index, uint64_t mean)
{
	uint64_t w[2];

	assert(mean <= RND_MEAN_MAX);
	block(r, index, 0, w);
	return (uint64_t)(((u128)rnd_minus_ln(w[0]) * mean + (w[1] >> 6)) >> 58);
}
