/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Deadlines: each of n owners has at most one, and the earliest is always at
 * hand. This is what a vCPU needs of a simulator: its next event moves all the
 * time, but there is only one of it. The general event queue (engine/evq.h)
 * is built on it, an owner being one of its events.
 *
 * Inside is a tournament: of two deadlines the earlier goes up. Setting one
 * replays the way from its leaf to the root, and which way that is depends on
 * the owner alone: no branch depends on times, and the loads of all rounds
 * can start at once. A heap asks fewer questions but each where the answer of
 * the one before leads (docs/performance.md has the figures).
 *
 * Deadlines at the same cycle fire in the order they were set, whatever the
 * owner. Nothing allocates but dlq_init() and dlq_resize().
 */
#ifndef HVSIM_ENGINE_DLQ_H
#define HVSIM_ENGINE_DLQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DLQ_NEVER UINT64_MAX        /* the time of no deadline */
#define DLQ_OWNER_BITS 24
#define DLQ_OWNERS_MAX (1u << DLQ_OWNER_BITS)

/* time << 64 | order of setting << DLQ_OWNER_BITS | owner: one comparison decides all. */
__extension__ typedef unsigned __int128 dlq_key;

struct dlq {
	dlq_key *node;     /* owner i is at owners + i; at n is the earlier of 2 n and 2 n + 1 */
	uint32_t owners, len;
	uint32_t hole;     /* fired owner whose way up is not replayed yet, or UINT32_MAX */
	uint64_t order;    /* how many deadlines were set */
	uint64_t now;      /* time of the last one fired, core cycles */
	void *memory;
};

/* No owner (0 to n - 1, n at most DLQ_OWNERS_MAX) has a deadline and it is cycle 0. */
void dlq_init(struct dlq *q, uint32_t n);
void dlq_done(struct dlq *q);

/* More owners; deadlines stay. n is at least the number there are. */
void dlq_resize(struct dlq *q, uint32_t n);

/*
 * The owner's deadline is at this time (core cycles), whatever it was. A time
 * before q->now is a broken model: assertion. DLQ_NEVER clears.
 */
void dlq_set(struct dlq *q, uint32_t owner, uint64_t time);

/* The owner has no deadline. Fine when it had none. */
void dlq_clear(struct dlq *q, uint32_t owner);

/* The owner's deadline, DLQ_NEVER for none. */
uint64_t dlq_time(const struct dlq *q, uint32_t owner);

/* The earliest deadline of all, DLQ_NEVER for none. */
uint64_t dlq_next(struct dlq *q);

/*
 * Take the earliest deadline if it is at `last` (below DLQ_NEVER) or before, as
 * dlq_fire() does without that bound.
 */
bool dlq_fire_by(struct dlq *q, uint64_t last, uint32_t *owner);

/*
 * Take the earliest deadline: q->now moves to it and its owner has none any
 * more. False when no owner has one. Setting the same owner next is the
 * cheapest thing to do: both cost one replay together.
 */
static inline bool dlq_fire(struct dlq *q, uint32_t *owner)
{
	return dlq_fire_by(q, DLQ_NEVER - 1, owner);
}

/* How many owners have a deadline. */
static inline uint32_t dlq_len(const struct dlq *q)
{
	return q->len;
}

#endif
