/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event queue: events at simulated times in core cycles, popped in order
 * of time, and in order of scheduling at the same cycle.
 *
 * An event is a kind at an owner; what they mean is the model's business: it
 * pops events and dispatches them itself. A model whose owners each have one
 * next event uses engine/dlq.h directly, which is faster.
 *
 * Nothing is allocated per event: the queue grows to the most events that
 * were ever pending (at most EVQ_LEN_MAX) and stays there. An event costs
 * the same at any time, with 48 bytes an event there is room for.
 */
#ifndef HVSIM_ENGINE_EVQ_H
#define HVSIM_ENGINE_EVQ_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/dlq.h"

#define EVQ_NEVER DLQ_NEVER
#define EVQ_LEN_MAX DLQ_OWNERS_MAX
#define EVQ_NO_ID UINT64_C(0)

/* Names one scheduling of one event. Once that fired or was cancelled the id is stale for good. */
typedef uint64_t evq_id;

struct evq_event {
	uint64_t time;          /* core cycles */
	uint32_t owner, kind;
};

struct evq_slot {
	uint64_t use;           /* odd while an event is pending in it */
	uint32_t owner, kind;   /* owner is the next free slot while none is */
};

struct evq {
	struct dlq times;       /* an owner in it is a slot */
	struct evq_slot *slot;
	uint32_t slots, free;   /* first free slot, UINT32_MAX for none */
};

/* Empty, at cycle 0. room: events to make room for at once (0 leaves it to growth). */
void evq_init(struct evq *q, uint32_t room);
void evq_done(struct evq *q);

/*
 * Schedule an event at a time from now (evq_now()) on; a time in the past, or
 * EVQ_NEVER, is a broken model: assertion. The id is never EVQ_NO_ID.
 */
evq_id evq_schedule(struct evq *q, uint64_t time, uint32_t owner, uint32_t kind);

/* Take a pending event out. False, and nothing done, when the id is stale or EVQ_NO_ID. */
bool evq_cancel(struct evq *q, evq_id id);

/*
 * Move a pending event to another time. Among events at that cycle it comes
 * last, as if scheduled anew; its id stays. False, and nothing done, when the
 * id is stale or EVQ_NO_ID.
 */
bool evq_reschedule(struct evq *q, evq_id id, uint64_t time);

/* The time of a pending event, EVQ_NEVER when the id is stale or EVQ_NO_ID. */
uint64_t evq_time(const struct evq *q, evq_id id);

/* Take the next event; now moves to its time. False when there is none. */
bool evq_pop(struct evq *q, struct evq_event *event);

/* The time of the next event, EVQ_NEVER when there is none. */
static inline uint64_t evq_peek_time(struct evq *q)
{
	return dlq_next(&q->times);
}

/* How many events are pending. */
static inline uint32_t evq_len(const struct evq *q)
{
	return dlq_len(&q->times);
}

/* The time of the last event popped. */
static inline uint64_t evq_now(const struct evq *q)
{
	return q->times.now;
}

#endif
