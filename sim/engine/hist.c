// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/hist.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SUB_BITS 6
#define SUB (1u << SUB_BITS)

/*
 * Below 2 * SUB the value itself. Above, with the value's leading bit at e:
 * the SUB_BITS bits after it say which bucket of that power of two.
 */
static size_t bucket_of(uint64_t v)
{
	unsigned shift;

	if (v < 2 * SUB)
		return (size_t)v;
	shift = 63 - SUB_BITS - (unsigned)__builtin_clzll(v);
	return (size_t)shift * SUB + (size_t)(v >> shift);
}

static uint64_t bucket_low(size_t i)
{
	unsigned shift = i < 2 * SUB ? 0 : (unsigned)(i / SUB) - 1;

	return (uint64_t)(i - (size_t)shift * SUB) << shift;
}

static uint64_t bucket_high(size_t i)
{
	unsigned shift = i < 2 * SUB ? 0 : (unsigned)(i / SUB) - 1;

	return bucket_low(i) + ((UINT64_C(1) << shift) - 1);
}

void hist_init(struct hist *h)
{
	*h = (struct hist){ .min = UINT64_MAX };
}

void hist_done(struct hist *h)
{
	free(h->bucket);
	hist_init(h);
}

static void make_room(struct hist *h, size_t need)
{
	size_t old = h->buckets;

	if (need <= old)
		return;
	h->bucket = mem_grow(h->bucket, &h->buckets, need, sizeof(*h->bucket));
	memset(h->bucket + old, 0, (h->buckets - old) * sizeof(*h->bucket));
}

void hist_add(struct hist *h, uint64_t value, uint64_t n)
{
	size_t i = bucket_of(value);

	if (!n)
		return;
	make_room(h, i + 1);
	h->bucket[i] += n;
	h->count += n;
	h->sum += (hist_sum)value * n;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

void hist_merge(struct hist *h, const struct hist *from)
{
	if (!from->count)
		return;
	make_room(h, bucket_of(from->max) + 1);
	for (size_t i = 0; i < from->buckets && i < h->buckets; i++)
		h->bucket[i] += from->bucket[i];
	h->count += from->count;
	h->sum += from->sum;
	if (from->min < h->min)
		h->min = from->min;
	if (from->max > h->max)
		h->max = from->max;
}

uint64_t hist_quantile(const struct hist *h, uint64_t num, uint64_t den)
{
	hist_sum rank;
	uint64_t seen = 0;
	size_t i = 0;

	assert(den && num <= den);
	if (!h->count)
		return 0;
	rank = ((hist_sum)h->count * num + den - 1) / den;
	if (!rank)
		rank = 1;
	while ((seen += h->bucket[i]) < rank)
		i++;
	return bucket_high(i) < h->max ? bucket_high(i) : h->max;
}

uint64_t hist_mean(const struct hist *h)
{
	return h->count ? (uint64_t)(h->sum / h->count) : 0;
}

uint64_t hist_next(const struct hist *h, size_t *i, uint64_t *low, uint64_t *high)
{
	while (*i < h->buckets && !h->bucket[*i])
		++*i;
	if (*i >= h->buckets)
		return 0;
	*low = bucket_low(*i);
	*high = bucket_high(*i);
	return h->bucket[(*i)++];
}
