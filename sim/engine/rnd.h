/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers without state: a draw is a function of what it is for.
 *
 * A draw is keyed by the run's seed, the stream (say, a vCPU), the purpose
 * (say, the length of a burst of work) and the index of the guest's intent.
 * Whether or how often a policy asks for one draw cannot shift another, so
 * variants of a scenario see the same guest.
 *
 * The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel
 * random numbers: as easy as 1, 2, 3", SC11), the seed being its key and the
 * rest its counter. All arithmetic is on integers: the same draws come out
 * of every compiler and machine.
 */
#ifndef HVSIM_ENGINE_RND_H
#define HVSIM_ENGINE_RND_H

#include <stdbool.h>
#include <stdint.h>

#define RND_INDEX_BITS 56
#define RND_MILLION 1000000
#define RND_MEAN_MAX (UINT64_MAX >> 6)

/* One stream for one purpose. A plain value: copy it, build it in place. */
struct rnd {
	uint64_t seed;
	uint32_t stream, purpose;
};

/* Philox4x32-10: the bijection itself; ctr is replaced by its image under the key. */
void rnd_philox(uint32_t ctr[4], const uint32_t key[2]);

/*
 * A purpose by name: 32-bit FNV-1a of the name. Who names purposes makes sure
 * in a test that the names it uses differ in it.
 */
uint32_t rnd_purpose(const char *name);

/* 64 random bits. index is below 2^RND_INDEX_BITS, here and in all that follow. */
uint64_t rnd_u64(const struct rnd *r, uint64_t index);

/*
 * Uniform among 0 … n - 1, without bias: Lemire's multiplication method
 * ("Fast random integer generation in an interval", ACM TOMACS 29, 2019),
 * which throws away the draws that would favour some values and draws again
 * under the same index. n is at least 1.
 */
uint64_t rnd_below(const struct rnd *r, uint64_t index, uint64_t n);

/* Uniform among lo … hi, both included, lo at most hi. */
uint64_t rnd_between(const struct rnd *r, uint64_t index, uint64_t lo, uint64_t hi);

/*
 * Exponential with this mean (cycles, at most RND_MEAN_MAX), 0 for a mean of 0.
 * -ln of a uniform number with 64 random bits, in fixed point with an error
 * below 2^-56, times the mean; the fraction that is left is rounded up with
 * its own value as the chance, so that the mean is met at any size of it.
 * At most 45 times the mean.
 */
uint64_t rnd_exp(const struct rnd *r, uint64_t index, uint64_t mean);

/*
 * About normal with mean 0 and standard deviation 1, in millionths: the sum of
 * twelve uniform numbers of 32 bits less its mean. Never beyond 6; its fourth
 * moment is 2.9 where a normal number has 3.
 */
int64_t rnd_normal(const struct rnd *r, uint64_t index);

/* True with a chance of so many in a million (exact, through rnd_below()). */
bool rnd_chance(const struct rnd *r, uint64_t index, uint32_t per_million);

/*
 * -ln((u + 1/2) / 2^64) in units of 2^-58, absolute error below 2^-56. Here
 * for its test.
 */
uint64_t rnd_minus_ln(uint64_t u);

#endif
