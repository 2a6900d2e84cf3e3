// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/evq.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

#define NONE UINT32_MAX
#define SLOT(id) ((uint32_t)(id) & (EVQ_LEN_MAX - 1))
#define USE(id) ((id) >> DLQ_OWNER_BITS)

static void grow(struct evq *q, uint32_t slots)
{
	size_t cap = q->slots;

	assert(slots > q->slots && slots <= EVQ_LEN_MAX);
	q->slot = mem_grow(q->slot, &cap, slots, sizeof(*q->slot));
	/* The lowest is used first: few events stay close together. */
	for (uint32_t i = slots; i-- > q->slots;) {
		q->slot[i] = (struct evq_slot){ .owner = q->free };
		q->free = i;
	}
	q->slots = slots;
	dlq_resize(&q->times, slots);
}

void evq_init(struct evq *q, uint32_t room)
{
	*q = (struct evq){ .free = NONE };
	dlq_init(&q->times, 1);
	grow(q, room > 16 ? room : 16);
}

void evq_done(struct evq *q)
{
	dlq_done(&q->times);
	free(q->slot);
	q->slot = NULL;
}

evq_id evq_schedule(struct evq *q, uint64_t time, uint32_t owner, uint32_t kind)
{
	struct evq_slot *s;
	uint32_t i;

	assert(time < EVQ_NEVER);
	if (__builtin_expect(q->free == NONE, 0))
		grow(q, q->slots < EVQ_LEN_MAX / 2 ? q->slots * 2 : EVQ_LEN_MAX);
	i = q->free;
	s = &q->slot[i];
	q->free = s->owner;
	*s = (struct evq_slot){ .use = s->use + 1, .owner = owner, .kind = kind };
	dlq_set(&q->times, i, time);
	return s->use << DLQ_OWNER_BITS | i;
}

/* Uses of a slot are 40 bits of the id: over 5e11 events through one slot before one repeats. */
static struct evq_slot *pending(const struct evq *q, evq_id id)
{
	struct evq_slot *s;

	if (SLOT(id) >= q->slots)
		return NULL;
	s = &q->slot[SLOT(id)];
	return (s->use & 1) && (s->use << DLQ_OWNER_BITS) >> DLQ_OWNER_BITS == USE(id) ? s : NULL;
}

static inline void release(struct evq *q, uint32_t i)
{
	q->slot[i].use++;
	q->slot[i].owner = q->free;
	q->free = i;
}

bool evq_cancel(struct evq *q, evq_id id)
{
	if (!pending(q, id))
		return false;
	dlq_clear(&q->times, SLOT(id));
	release(q, SLOT(id));
	return true;
}

bool evq_reschedule(struct evq *q, evq_id id, uint64_t time)
{
	assert(time < EVQ_NEVER);
	if (!pending(q, id))
		return false;
	dlq_set(&q->times, SLOT(id), time);
	return true;
}

uint64_t evq_time(const struct evq *q, evq_id id)
{
	return pending(q, id) ? dlq_time(&q->times, SLOT(id)) : EVQ_NEVER;
}

bool evq_pop(struct evq *q, struct evq_event *event)
{
	uint32_t i;

	if (!dlq_fire(&q->times, &i))
		return false;
	/* What was popped last is scheduled into first: dlq_set() finds its hole. */
	*event = (struct evq_event){ q->times.now, q->slot[i].owner, q->slot[i].kind };
	release(q, i);
	return true;
}
