/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random operations for property tests: SplitMix64 (Steele, Lea, Flood 2014),
 * and so not the generator that is itself under test. Zero is a fine start.
 */
#ifndef HVSIM_TESTS_RANDOM_H
#define HVSIM_TESTS_RANDOM_H

#include <stdint.h>

static inline uint64_t next(uint64_t *s)
{
	uint64_t z = (*s += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
