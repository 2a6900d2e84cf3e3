// SPDX-License-Identifier: GPL-2.0-or-later
/* Cycles, the nearest order without back edges, and what one move costs. */
#include <string.h>

#include "base/text.h"
#include "hv/x86_order.h"

#define BIT(i) (UINT64_C(1) << (i))

/* Who comes before whom: succ[a] has a bit for each request that must be later than a. */
struct graph {
	unsigned n;
	uint64_t succ[X86_REQUESTS_MAX];
};

static void closure(const struct graph *g, uint64_t *reach)
{
	memcpy(reach, g->succ, sizeof(g->succ));
	for (unsigned k = 0; k < g->n; k++)
		for (unsigned i = 0; i < g->n; i++)
			if (reach[i] & BIT(k))
				reach[i] |= reach[k];
}

/* The shortest way from a node on a cycle back to itself, as text. */
static const char *cycle_text(struct mem *mem, const struct x86_model *m, const struct graph *g,
			      unsigned start, unsigned *last)
{
	unsigned queue[X86_REQUESTS_MAX], parent[X86_REQUESTS_MAX], way[X86_REQUESTS_MAX];
	unsigned head = 0, tail = 0, node, len = 0;
	uint64_t seen = BIT(start);
	struct text t = { 0 };
	const char *copy;

	queue[tail++] = start;
	for (node = start; !(g->succ[node] & BIT(start)); node = queue[head]) {
		for (uint64_t next = g->succ[node] & ~seen; next; next &= next - 1) {
			unsigned i = (unsigned)__builtin_ctzll(next);

			parent[i] = node;
			queue[tail++] = i;
			seen |= BIT(i);
		}
		head++;
	}
	*last = node;
	for (; node != start; node = parent[node])
		way[len++] = node;
	text_add(&t, "%s", m->request[start].name);
	while (len--)
		text_add(&t, " -> %s", m->request[way[len]].name);
	text_add(&t, " -> %s", m->request[start].name);
	copy = mem_strdup(mem, t.s);
	text_free(&t);
	return copy;
}

static const char *find_cycle(struct mem *mem, const struct x86_model *m, const struct graph *g,
			      unsigned *from, unsigned *to)
{
	uint64_t reach[X86_REQUESTS_MAX];

	closure(g, reach);
	for (unsigned i = 0; i < g->n; i++) {
		if (!(reach[i] & BIT(i)))
			continue;
		*to = i;
		return cycle_text(mem, m, g, i, from);
	}
	return NULL;
}

const char *x86_cycle(struct mem *mem, const struct x86_model *m, const struct x86_set *in,
		      bool always, unsigned *edge)
{
	struct graph g = { .n = m->requests };
	unsigned from, to;
	const char *text;

	for (unsigned i = 0; i < m->edges; i++) {
		const struct x86_edge *e = &m->edge[i];

		if (!x86_set_meet(m, &e->when, in, NULL) || (always && !x86_edge_always(m, e)) ||
		    (!always && e->from == e->to))
			continue;
		g.succ[e->from] |= BIT(e->to);
	}
	text = find_cycle(mem, m, &g, &from, &to);
	for (unsigned i = 0; text && i < m->edges; i++)
		if (m->edge[i].from == from && m->edge[i].to == to)
			*edge = i;
	return text;
}

/* Edges of the set, what has to come after what, and the last request after all. */
static void constraints(const struct x86_model *m, const struct x86_set *in, struct graph *g)
{
	*g = (struct graph){ .n = m->requests };
	for (unsigned i = 0; i < m->edges; i++) {
		const struct x86_edge *e = &m->edge[i];

		if (e->from != e->to && x86_set_meet(m, &e->when, in, NULL))
			g->succ[e->from] |= BIT(e->to);
	}
	for (unsigned r = 0; r < m->requests; r++)
		for (unsigned i = 0; i < m->requests; i++)
			if (m->request[r].after & BIT(i) || (m->request[r].last && i != r))
				g->succ[i] |= BIT(r);
}

/*
 * Two requests disagree when one must come before the other but comes after
 * it in the order. That is a partial order itself (the meeting of two), so
 * the most requests that can keep their order is a largest antichain: all
 * requests less a largest matching of disagreeing pairs (Dilworth).
 */
struct matching {
	const uint64_t *disagree; /* disagree[a] has b: a must come before b and doesn't */
	uint64_t members, tried;
	int partner[X86_REQUESTS_MAX];
};

static bool augment(struct matching *k, unsigned a)
{
	for (uint64_t bs = k->disagree[a] & k->members & ~k->tried; bs; bs &= bs - 1) {
		unsigned b = (unsigned)__builtin_ctzll(bs);

		if (k->tried & BIT(b))
			continue;
		k->tried |= BIT(b);
		if (k->partner[b] < 0 || augment(k, (unsigned)k->partner[b])) {
			k->partner[b] = (int)a;
			return true;
		}
	}
	return false;
}

static unsigned largest_antichain(const uint64_t *disagree, uint64_t members)
{
	struct matching k = { .disagree = disagree, .members = members };
	unsigned size = (unsigned)__builtin_popcountll(members);

	memset(k.partner, -1, sizeof(k.partner));
	for (uint64_t as = members; as; as &= as - 1) {
		k.tried = 0;
		if (augment(&k, (unsigned)__builtin_ctzll(as)))
			size--;
	}
	return size;
}

/* The largest set that can keep its order; of several the one that keeps later requests. */
static uint64_t keepers(const struct x86_model *m, const struct x86_order *o,
			const uint64_t *disagree)
{
	uint64_t open = m->requests == 64 ? UINT64_MAX : BIT(m->requests) - 1, kept = 0;
	unsigned best = largest_antichain(disagree, open);

	for (unsigned i = m->requests; i-- > 0;) {
		unsigned r = o->at[i];
		uint64_t rest = open & ~disagree[r];

		if (!(open & BIT(r)))
			continue;
		for (unsigned a = 0; a < m->requests; a++)
			if (disagree[a] & BIT(r))
				rest &= ~BIT(a);
		if (largest_antichain(disagree, rest) == best) {
			open = rest;
			kept |= BIT(r);
		} else {
			open &= ~BIT(r);
		}
	}
	return kept;
}

/* Take requests first come first served, each once all that must be before it are out. */
static void emit(const struct x86_model *m, const struct x86_order *o, const struct graph *g,
		 struct x86_order *sorted)
{
	uint64_t left = m->requests == 64 ? UINT64_MAX : BIT(m->requests) - 1;

	for (unsigned n = 0; n < m->requests; n++) {
		uint64_t blocked = 0;
		unsigned i = 0;

		for (uint64_t as = left; as; as &= as - 1)
			blocked |= g->succ[__builtin_ctzll(as)];
		while (!(left & ~blocked & BIT(o->at[i])))
			i++;
		sorted->at[n] = o->at[i];
		sorted->pos[o->at[i]] = n;
		left &= ~BIT(o->at[i]);
	}
}

int x86_sort(struct mem *mem, const struct x86_model *m, const struct x86_order *o,
	     const struct x86_set *in, struct x86_order *sorted, uint64_t *moved,
	     const char **cycle)
{
	uint64_t reach[X86_REQUESTS_MAX], disagree[X86_REQUESTS_MAX] = { 0 }, kept;
	unsigned from, to, before = X86_REQUESTS_MAX;
	struct graph g;

	constraints(m, in, &g);
	*cycle = find_cycle(mem, m, &g, &from, &to);
	if (*cycle)
		return -1;
	closure(&g, reach);
	for (unsigned a = 0; a < m->requests; a++)
		for (unsigned b = 0; b < m->requests; b++)
			if (reach[a] & BIT(b) && o->pos[a] > o->pos[b])
				disagree[a] |= BIT(b);
	kept = keepers(m, o, disagree);
	for (unsigned i = 0; i < m->requests; i++) {
		if (!(kept & BIT(o->at[i])))
			continue;
		if (before < X86_REQUESTS_MAX)
			g.succ[before] |= BIT(o->at[i]);
		before = o->at[i];
	}
	*sorted = *o;
	emit(m, o, &g, sorted);
	*moved = (m->requests == 64 ? UINT64_MAX : BIT(m->requests) - 1) & ~kept;
	return 0;
}

static void move_to(const struct x86_model *m, const struct x86_order *o, unsigned request,
		    unsigned place, struct x86_order *out)
{
	unsigned n = 0;

	*out = *o;
	for (unsigned i = 0; i < m->requests; i++) {
		if (n == place)
			n++;
		if (o->at[i] != request)
			out->at[n++] = o->at[i];
	}
	out->at[place] = request;
	for (unsigned i = 0; i < m->requests; i++)
		out->pos[out->at[i]] = i;
}

/* Whether one request has to be checked before another in some configuration of the set. */
static bool must_precede(const struct x86_model *m, const struct x86_set *in, unsigned a,
			 unsigned b)
{
	const struct x86_request *r = &m->request[a];

	for (unsigned i = r->edge; i < r->edge + r->edges; i++)
		if (m->edge[i].to == b && x86_set_meet(m, &m->edge[i].when, in, NULL))
			return true;
	return m->request[b].after & BIT(a) || m->request[b].last;
}

static int price(struct mem *mem, const struct x86_model *m, const struct x86_order *was,
		 const struct x86_order *is, const struct x86_set *in, struct x86_limit *limit,
		 struct err *err)
{
	for (unsigned i = 0; i < m->events; i++) {
		const struct x86_event *e = &m->event[i];
		struct x86_walk before, after;
		struct x86_set *cases;
		size_t n;

		cases = x86_cases(mem, m, in, e, &n, err);
		if (!cases)
			return -1;
		for (size_t c = 0; c < n; c++) {
			x86_walk(m, was, &cases[c], e->raises, &before);
			x86_walk(m, is, &cases[c], e->raises, &after);
			if (after.scans <= before.scans)
				continue;
			limit->events |= BIT(i);
			if (after.scans - before.scans > limit->cost)
				limit->cost = after.scans - before.scans;
		}
	}
	return 0;
}

static int find_limit(struct mem *mem, const struct x86_model *m, const struct x86_order *o,
		      const struct x86_set *in, unsigned request, int step,
		      struct x86_limit *limit, struct err *err)
{
	int n = (int)m->requests, place = (int)o->pos[request] + step;
	struct x86_order moved;

	*limit = (struct x86_limit){ 0 };
	for (; place >= 0 && place < n; place += step) {
		unsigned other = o->at[place];
		unsigned first = step < 0 ? other : request, then = step < 0 ? request : other;

		if (m->request[other].last)
			return 0;
		if (!must_precede(m, in, first, then))
			continue;
		limit->limited = true;
		limit->past = other;
		limit->wrong = (m->request[then].after & BIT(first)) != 0;
		move_to(m, o, request, (unsigned)place, &moved);
		return price(mem, m, o, &moved, in, limit, err);
	}
	return 0;
}

int x86_moves(struct mem *mem, const struct x86_model *m, const struct x86_order *o,
	      const struct x86_set *in, unsigned request, struct x86_move *out, struct err *err)
{
	*out = (struct x86_move){ 0 };
	if (m->request[request].last)
		return 0;
	if (find_limit(mem, m, o, in, request, -1, &out->up, err) < 0)
		return -1;
	return find_limit(mem, m, o, in, request, 1, &out->down, err);
}
