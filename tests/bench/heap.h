/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the event queue is measured against: two heaps as one writes them,
 * used by the benchmarks only. Both keep events of one cycle in order by a
 * sequence number; neither can cancel, so they do less than the queue does.
 */
#ifndef HVSIM_BENCH_HEAP_H
#define HVSIM_BENCH_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct heap_event {
	uint64_t time, seq;
	uint32_t owner, kind;
};

struct heap {
	struct heap_event *e;
	uint32_t n;
	uint64_t seq;
};

static inline bool heap_before(const struct heap_event *a, const struct heap_event *b)
{
	return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

/* The binary heap of the textbook. */
static inline void heap2_push(struct heap *h, uint64_t time, uint32_t owner, uint32_t kind)
{
	struct heap_event e = { time, h->seq++, owner, kind };
	uint32_t i = h->n++;

	for (; i && heap_before(&e, &h->e[(i - 1) / 2]); i = (i - 1) / 2)
		h->e[i] = h->e[(i - 1) / 2];
	h->e[i] = e;
}

static inline struct heap_event heap2_pop(struct heap *h)
{
	struct heap_event top = h->e[0], last = h->e[--h->n];
	uint32_t i = 0, c;

	while ((c = 2 * i + 1) < h->n) {
		if (c + 1 < h->n && heap_before(&h->e[c + 1], &h->e[c]))
			c++;
		if (!heap_before(&h->e[c], &last))
			break;
		h->e[i] = h->e[c];
		i = c;
	}
	h->e[i] = last;
	return top;
}

/*
 * A 4-ary heap of 128-bit keys (time, sequence, slot) that replaces its root:
 * pop and push cost one sift, and the smallest of four children is chosen
 * without branches. Children of i are 4 i + 1 to 4 i + 4; k[0] is the last of a
 * cache line, so that siblings share one; what is behind the last is all ones.
 */
__extension__ typedef unsigned __int128 heap4_key;

struct heap4 {
	heap4_key *k;
	uint32_t n;
	uint64_t seq;
};

static inline heap4_key heap4_make(struct heap4 *h, uint64_t time, uint32_t slot)
{
	return (heap4_key)time << 64 | h->seq++ << 24 | slot;
}

static inline void heap4_replace(struct heap4 *h, heap4_key key)
{
	heap4_key *k = h->k;
	uint32_t i = 0, c;

	while ((c = 4 * i + 1) < h->n) {
		uint32_t a = c + (k[c + 1] < k[c]), b = c + 2 + (k[c + 3] < k[c + 2]);

		c = k[b] < k[a] ? b : a;
		if (key < k[c])
			break;
		k[i] = k[c];
		i = c;
	}
	k[i] = key;
}

#endif
