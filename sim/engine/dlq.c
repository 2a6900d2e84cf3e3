// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/dlq.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NOBODY UINT32_MAX
#define NO_KEY (~(dlq_key)0)
#define ORDER_MAX (UINT64_C(1) << (64 - DLQ_OWNER_BITS))
#define LINE 64 /* a group of four keys fills one cache line */

/* Compilers make conditional moves of it: which is smaller cannot be guessed. */
static inline dlq_key earlier(dlq_key a, dlq_key b)
{
	return a < b ? a : b;
}

/* The owner's leaf changes to k: replay its way up. */
static inline void replay(struct dlq *q, uint32_t owner, dlq_key k)
{
	dlq_key *node = q->node;
	size_t i = owner;

	node[i] = k;
	for (unsigned l = 0; l < q->levels; l++) {
		const dlq_key *group = node + q->at[l] + (i & ~(size_t)3);
		size_t c = i & 3;
		/* The other three don't wait for the level below. */
		dlq_key others = earlier(earlier(group[c ^ 1], group[c ^ 2]), group[c ^ 3]);

		k = earlier(k, others);
		i >>= 2;
		node[q->at[l + 1] + i] = k;
	}
}

static inline dlq_key root(const struct dlq *q)
{
	return q->node[q->at[q->levels]];
}

static inline uint64_t key_time(dlq_key k)
{
	return (uint64_t)(k >> 64);
}

static inline uint32_t key_owner(dlq_key k)
{
	return (uint32_t)k & (DLQ_OWNERS_MAX - 1);
}

static inline void fill_hole(struct dlq *q)
{
	if (q->hole == NOBODY)
		return;
	replay(q, q->hole, NO_KEY);
	q->hole = NOBODY;
}

/* All groups play, from the leaves up. */
static void play_all(struct dlq *q)
{
	for (unsigned l = 0; l < q->levels; l++) {
		size_t groups = (q->at[l + 1] - q->at[l]) / 4;

		for (size_t g = 0; g < groups; g++) {
			const dlq_key *k = q->node + q->at[l] + 4 * g;

			q->node[q->at[l + 1] + g] = earlier(earlier(k[0], k[1]),
							    earlier(k[2], k[3]));
		}
	}
}

static size_t lay_out(struct dlq *q, uint32_t n)
{
	size_t width = n, total = 0;

	q->levels = 0;
	q->at[0] = 0;
	do {
		width = (width + 3) / 4;
		total += 4 * width;
		q->at[++q->levels] = total;
	} while (width > 1);
	return total + 1;
}

static void build(struct dlq *q, uint32_t n, const dlq_key *leaves, uint32_t nleaves)
{
	size_t total = lay_out(q, n);

	q->memory = mem_zalloc(total * sizeof(dlq_key) + LINE, 1);
	q->node = (dlq_key *)(((uintptr_t)q->memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
	memset(q->node, 0xff, total * sizeof(dlq_key));
	if (nleaves)
		memcpy(q->node, leaves, nleaves * sizeof(dlq_key));
	q->owners = n;
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
	build(q, n, q->node, q->owners);
	free(old);
}

static int by_key(const void *a, const void *b)
{
	const dlq_key *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The order does not fit its bits any more: number the deadlines that are left from 0. */
static void renumber(struct dlq *q)
{
	dlq_key *sorted = mem_zalloc(q->owners, sizeof(*sorted));
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->owners; i++)
		if (q->node[i] != NO_KEY)
			sorted[n++] = q->node[i];
	qsort(sorted, n, sizeof(*sorted), by_key);
	for (q->order = 0; q->order < n; q->order++) {
		dlq_key k = sorted[q->order];

		q->node[key_owner(k)] = (dlq_key)key_time(k) << 64 |
					q->order << DLQ_OWNER_BITS | key_owner(k);
	}
	free(sorted);
	q->hole = NOBODY;
	play_all(q);
}

void dlq_set(struct dlq *q, uint32_t owner, uint64_t time)
{
	assert(owner < q->owners);
	assert(time >= q->now);
	if (time == DLQ_NEVER) {
		dlq_clear(q, owner);
		return;
	}
	if (q->hole == owner)
		q->hole = NOBODY;
	if (__builtin_expect(q->order == ORDER_MAX, 0))
		renumber(q);
	q->len += q->node[owner] == NO_KEY;
	replay(q, owner, (dlq_key)time << 64 | q->order++ << DLQ_OWNER_BITS | owner);
}

void dlq_clear(struct dlq *q, uint32_t owner)
{
	assert(owner < q->owners);
	if (q->node[owner] == NO_KEY)
		return;
	q->len--;
	replay(q, owner, NO_KEY);
}

uint64_t dlq_time(const struct dlq *q, uint32_t owner)
{
	assert(owner < q->owners);
	return key_time(q->node[owner]);
}

uint64_t dlq_next(struct dlq *q)
{
	fill_hole(q);
	return key_time(root(q));
}

bool dlq_fire(struct dlq *q, uint32_t *owner)
{
	dlq_key k;

	fill_hole(q);
	k = root(q);
	if (k == NO_KEY)
		return false;
	*owner = key_owner(k);
	q->now = key_time(k);
	q->hole = *owner;
	q->node[*owner] = NO_KEY;
	q->len--;
	return true;
}
