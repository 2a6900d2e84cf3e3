/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an order of x86 requests means, without running anything.
 *
 * An edge whose target is checked no later than its source is a back edge:
 * the bit it raises is still set at the final check before the entry, which
 * is cancelled. Chains of edges cost as many cancelled entries as they have
 * back edges; forward edges cost none.
 */
#ifndef HVSIM_HV_X86_ORDER_H
#define HVSIM_HV_X86_ORDER_H

#include "hv/x86_model.h"

#define X86_CASES_MAX 512

/* Fill m->order from the file's list; for x86_model_from(). */
int x86_orders_from(struct x86_model *m, const struct jnode *list, struct err *err);

static inline bool x86_edge_back(const struct x86_order *o, const struct x86_edge *e)
{
	return o->pos[e->to] <= o->pos[e->from];
}

/* What one event costs. Edges that may or may not be taken are taken once. */
struct x86_walk {
	unsigned scans;    /* passes over all requests */
	unsigned attempts; /* entries tried: cancelled ones and the one that succeeds */
	unsigned cancels;
	unsigned handled;  /* handlers run */
	uint64_t seen;     /* which */
	unsigned way[X86_REQUESTS_MAX]; /* the same in the order they were first handled */
	unsigned length;                /* of way[] */
	bool retries;      /* a handler may raise itself: one more pass each time it does */
	bool endless;      /* edges of this case form a cycle: it never enters */
};

/* Follow the requests raised in one case (a set in which every edge they reach is decided). */
void x86_walk(const struct x86_model *m, const struct x86_order *o, const struct x86_set *in,
	      uint64_t raised, struct x86_walk *out);

/*
 * The configurations of the set that make a difference to the event: axes no
 * edge on its way depends on stay as the set has them. *n gets how many, 0
 * when the event can't happen in the set. NULL on error: over X86_CASES_MAX.
 */
struct x86_set *x86_cases(struct mem *mem, const struct x86_model *m, const struct x86_set *in,
			  const struct x86_event *e, size_t *n, struct err *err);

/*
 * A cycle of edges that exist in the set, as "A -> B -> A", or NULL. With
 * `always` only edges that exist in all configurations count, and then one
 * that leads back to itself is a cycle too. *edge gets the one that closes it.
 */
const char *x86_cycle(struct mem *mem, const struct x86_model *m, const struct x86_set *in,
		      bool always, unsigned *edge);

/*
 * The order nearest to this one that has no back edges in any configuration
 * of the set and keeps each request later than those it has to come after:
 * the fewest requests are moved. *moved gets them. -1 when there is none;
 * *cycle then says why.
 */
int x86_sort(struct mem *mem, const struct x86_model *m, const struct x86_order *o,
	     const struct x86_set *in, struct x86_order *sorted, uint64_t *moved,
	     const char **cycle);

/* What stands in the way of moving a request past another. */
struct x86_limit {
	bool limited;
	unsigned past;     /* the first request it can't pass for free */
	unsigned cost;     /* most cancelled entries (rescan: scans) more for any event */
	uint64_t events;   /* the events that pay, by index */
	bool wrong;        /* passing it breaks an "after" */
};

struct x86_move {
	struct x86_limit up, down; /* towards the first and the last check */
};

/* What it costs to move one request, all others staying in order. -1 on error. */
int x86_moves(struct mem *mem, const struct x86_model *m, const struct x86_order *o,
	      const struct x86_set *in, unsigned request, struct x86_move *out, struct err *err);

#endif
