// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/dlq.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NOBODY UINT32_MAX
#define NO_KEY (~(dlq_key)0)
#define ORDER_MAX (UINT64_C(1) << (64 - DLQ_OWNER_BITS))
#define LINE 64 /* two that play each other lie in one cache line */

/*
 * The smaller one, without a branch: which it is cannot be predicted. gcc makes
 * conditional moves; clang would make branches of those in this loop, unless it
 * does not see that mask is all or nothing.
 */
static inline dlq_key earlier(dlq_key a, dlq_key b)
{
#ifdef __clang__
	uint64_t mask = -(uint64_t)(a < b);

	__asm__("" : "+r"(mask));
	return b ^ ((a ^ b) & ((dlq_key)mask << 64 | mask));
#else
	return a < b ? a : b;
#endif
}

static inline dlq_key *leaf(const struct dlq *q, uint32_t owner)
{
	return q->node + q->owners + owner;
}

/* The owner's leaf changes to k: replay its way up. */
static inline void replay(struct dlq *q, uint32_t owner, dlq_key k)
{
	dlq_key *node = q->node;
	size_t i = (size_t)q->owners + owner;

	node[i] = k;
	while (i > 1) {
		k = earlier(k, node[i ^ 1]);
		i /= 2;
		node[i] = k;
	}
}

/* All play, from the leaves up. */
static void play_all(struct dlq *q)
{
	for (size_t i = q->owners - 1; i; i--)
		q->node[i] = earlier(q->node[2 * i], q->node[2 * i + 1]);
}

static inline uint64_t key_time(dlq_key k)
{
	return (uint64_t)(k >> 64);
}

/* The time alone says so. A whole key is read as one after it was written as two halves: slow. */
static inline bool is_set(dlq_key k)
{
	return key_time(k) != DLQ_NEVER;
}

static inline uint32_t key_owner(dlq_key k)
{
	return (uint32_t)k & (DLQ_OWNERS_MAX - 1);
}

/* What happens seldom stays out of the functions that are called all the time. */
#define SELDOM __attribute__((noinline))

static SELDOM void fill(struct dlq *q)
{
	replay(q, q->hole, NO_KEY);
	q->hole = NOBODY;
}

static inline void fill_hole(struct dlq *q)
{
	if (q->hole != NOBODY)
		fill(q);
}

static void build(struct dlq *q, uint32_t n, const dlq_key *leaves, uint32_t nleaves)
{
	size_t bytes = 2 * (size_t)n * sizeof(dlq_key);

	q->memory = mem_zalloc(bytes + LINE, 1);
	q->node = (dlq_key *)(((uintptr_t)q->memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
	memset(q->node, 0xff, bytes);
	q->owners = n;
	if (nleaves)
		memcpy(leaf(q, 0), leaves, nleaves * sizeof(dlq_key));
	play_all(q);
}

void dlq_init(struct dlq *q, uint32_t n)
{
	assert(n <= DLQ_OWNERS_MAX);
	*q = (struct dlq){ .hole = NOBODY };
	build(q, n ? n : 1, NULL, 0);
}

void dlq_done(struct dlq *q)
{
	free(q->memory);
	q->memory = NULL;
	q->node = NULL;
}

void dlq_resize(struct dlq *q, uint32_t n)
{
	void *old = q->memory;

	assert(n >= q->owners && n <= DLQ_OWNERS_MAX);
	q->hole = NOBODY; /* playing everything anew fills it */
	build(q, n, leaf(q, 0), q->owners);
	free(old);
}

static int by_key(const void *a, const void *b)
{
	const dlq_key *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The order does not fit its bits any more: number the deadlines that are left from 0. */
static SELDOM void renumber(struct dlq *q)
{
	dlq_key *sorted = mem_zalloc(q->owners, sizeof(*sorted));
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->owners; i++)
		if (is_set(*leaf(q, i)))
			sorted[n++] = *leaf(q, i);
	qsort(sorted, n, sizeof(*sorted), by_key);
	for (q->order = 0; q->order < n; q->order++) {
		dlq_key k = sorted[q->order];

		*leaf(q, key_owner(k)) = (dlq_key)key_time(k) << 64 |
					 q->order << DLQ_OWNER_BITS | key_owner(k);
	}
	free(sorted);
	q->hole = NOBODY;
	play_all(q);
}

static SELDOM void clear(struct dlq *q, uint32_t owner)
{
	if (!is_set(*leaf(q, owner)))
		return;
	q->len--;
	replay(q, owner, NO_KEY);
}

void dlq_set(struct dlq *q, uint32_t owner, uint64_t time)
{
	assert(owner < q->owners);
	assert(time >= q->now);
	if (time == DLQ_NEVER) {
		clear(q, owner);
		return;
	}
	if (q->hole == owner)
		q->hole = NOBODY;
	if (__builtin_expect(q->order == ORDER_MAX, 0))
		renumber(q);
	q->len += !is_set(*leaf(q, owner));
	replay(q, owner, (dlq_key)time << 64 | q->order++ << DLQ_OWNER_BITS | owner);
}

void dlq_clear(struct dlq *q, uint32_t owner)
{
	assert(owner < q->owners);
	clear(q, owner);
}

uint64_t dlq_time(const struct dlq *q, uint32_t owner)
{
	assert(owner < q->owners);
	return key_time(*leaf(q, owner));
}

uint64_t dlq_next(struct dlq *q)
{
	fill_hole(q);
	return key_time(q->node[1]);
}

bool dlq_fire_by(struct dlq *q, uint64_t last, uint32_t *owner)
{
	dlq_key k;

	fill_hole(q);
	k = q->node[1];
	if (key_time(k) > last)
		return false;
	*owner = key_owner(k);
	q->now = key_time(k);
	q->hole = *owner;
	*leaf(q, *owner) = NO_KEY;
	q->len--;
	return true;
}
