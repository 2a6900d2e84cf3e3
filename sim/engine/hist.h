/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms of 64-bit values with a bounded relative error, all in integers.
 *
 * Values below 128 have a bucket each. Above, every power of two is cut into
 * 64 buckets of equal width: a bucket is no wider than 1/64 of any value in
 * it. Memory grows with the largest value seen, to at most 32 KiB.
 */
#ifndef HVSIM_ENGINE_HIST_H
#define HVSIM_ENGINE_HIST_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 hist_sum;

struct hist {
	uint64_t *bucket;
	size_t buckets;
	uint64_t count;        /* values added */
	hist_sum sum;          /* of them, exact */
	uint64_t min, max;     /* exact; UINT64_MAX and 0 while count is 0 */
};

/* Empty. Owns memory once values were added, until hist_done(). */
void hist_init(struct hist *h);
void hist_done(struct hist *h);

/* Add a value n times. */
void hist_add(struct hist *h, uint64_t value, uint64_t n);

/* Add all that another histogram holds: as if its values had been added one by one. */
void hist_merge(struct hist *h, const struct hist *from);

/*
 * The num/den quantile (0 <= num <= den, den > 0), by nearest rank: of the
 * values in order it is number ceil(count * num / den), counted from 1 (number
 * 1 for num 0). Returned is the largest value of that one's bucket, or max
 * when that is smaller: never below the exact quantile, and above it by less
 * than 1/64 of it. 0 for an empty histogram.
 */
uint64_t hist_quantile(const struct hist *h, uint64_t num, uint64_t den);

/* The sum divided by the count, rounded down. 0 for an empty histogram. */
uint64_t hist_mean(const struct hist *h);

/*
 * Walk the buckets that hold something, in order of value: start with *i = 0,
 * stops by returning the count 0. *low and *high get its first and last value.
 */
uint64_t hist_next(const struct hist *h, size_t *i, uint64_t *low, uint64_t *high);

#endif
