// SPDX-License-Identifier: GPL-2.0-or-later
/* Orders of x86 requests: loading them, and following an event through one. */
#include <string.h>

#include "base/text.h"
#include "hv/x86_order.h"

static void set_positions(const struct x86_model *m, struct x86_order *o)
{
	for (unsigned i = 0; i < m->requests; i++)
		o->pos[o->at[i]] = i;
}

/* As the file lists the requests, except that the last one is last. */
static void base_order(const struct x86_model *m, struct x86_order *o)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->requests; i++)
		if (!m->request[i].last)
			o->at[n++] = i;
	for (unsigned i = 0; i < m->requests; i++)
		if (m->request[i].last)
			o->at[n++] = i;
	set_positions(m, o);
}

/* The requests in list[] share out the places they have in the order. */
static void permute(const struct x86_model *m, struct x86_order *o, const unsigned *list,
		    uint64_t members)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->requests; i++)
		if (members >> o->at[i] & 1)
			o->at[i] = list[n++];
	set_positions(m, o);
}

/* Add a name to a list being read. -1 with the error at the node, or without a position. */
static int add_member(const struct x86_model *m, const char *name, const struct jnode *node,
		      unsigned *list, unsigned *n, uint64_t *members, struct err *err)
{
	int r = x86_request_find(m, name, node, err);
	const char *wrong = NULL;

	if (r < 0)
		return -1;
	if (m->request[r].last)
		wrong = "is checked last in every order: leave it out";
	else if (*members >> r & 1)
		wrong = "is in the order twice";
	if (wrong && node)
		return jnode_err(node, err, "%s: %s", name, wrong);
	if (wrong)
		return err_set(err, "'%s' %s", name, wrong);
	list[(*n)++] = (unsigned)r;
	*members |= UINT64_C(1) << r;
	return 0;
}

struct order_file {
	const char *name, *note;
	const struct jnode *list;
	bool rescan, current;
};

static const struct jfield order_fields[] = {
	{ "name", JK_TEXT, offsetof(struct order_file, name), true },
	{ "note", JK_TEXT, offsetof(struct order_file, note) },
	{ "list", JK_ARRAY, offsetof(struct order_file, list) },
	{ "rescan", JK_TRUTH, offsetof(struct order_file, rescan) },
	{ "current", JK_TRUTH, offsetof(struct order_file, current) },
};

static int load_order(struct x86_model *m, const struct jnode *node, struct err *err)
{
	struct x86_order *o = &m->order[m->orders];
	unsigned list[X86_REQUESTS_MAX], n = 0;
	struct order_file f = { 0 };
	uint64_t members = 0;

	if (JFIELDS(node, order_fields, &f, err) < 0)
		return -1;
	if (!*f.name || strlen(f.name) > 48 || strchr(f.name, ','))
		return jnode_err(node, err, "needs a name of 1 to 48 characters without commas");
	if (x86_order_find(m, f.name))
		return jnode_err(node, err, "repeats the name '%s'", f.name);
	base_order(m, o);
	for (const struct jnode *c = f.list ? f.list->child : NULL; c; c = c->next)
		if (jnode_is(c, J_STRING, err) < 0 ||
		    add_member(m, c->text, c, list, &n, &members, err) < 0)
			return -1;
	permute(m, o, list, members);
	o->name = f.name;
	o->note = f.note;
	o->rescan = f.rescan;
	o->current = f.current;
	m->orders++;
	return 0;
}

int x86_orders_from(struct x86_model *m, const struct jnode *list, struct err *err)
{
	if (list->n < 1 || list->n > X86_ORDERS_MAX)
		return jnode_err(list, err, "must have 1 to %d entries, not %zu", X86_ORDERS_MAX,
				 list->n);
	for (const struct jnode *c = list->child; c; c = c->next)
		if (load_order(m, c, err) < 0)
			return -1;
	return 0;
}

const struct x86_order *x86_order_find(const struct x86_model *m, const char *name)
{
	for (unsigned i = 0; i < m->orders; i++)
		if (!strcmp(m->order[i].name, name))
			return &m->order[i];
	return NULL;
}

static int no_order(const struct x86_model *m, const char *name, struct err *err)
{
	struct text t = { 0 };

	text_add(&t, "no order '%.80s': give a list of requests like A,B, or one of", name);
	for (unsigned i = 0; i < m->orders; i++)
		text_add(&t, "%s %s", i ? "," : "", m->order[i].name);
	err_set(err, "%s", t.s);
	text_free(&t);
	return -1;
}

const struct x86_order *x86_order_parse(struct mem *mem, const struct x86_model *m,
					const char *text, struct err *err)
{
	const struct x86_order *known = x86_order_find(m, text);
	unsigned list[X86_REQUESTS_MAX], n = 0;
	char *copy = mem_strdup(mem, text), *save = NULL;
	uint64_t members = 0;
	struct x86_order *o;

	if (known)
		return known;
	if (!strchr(text, ',')) {
		no_order(m, text, err);
		return NULL;
	}
	for (char *s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save))
		if (add_member(m, s, NULL, list, &n, &members, err) < 0)
			return NULL;
	o = mem_alloc(mem, 1, sizeof(*o));
	*o = m->order[0];
	o->name = mem_strdup(mem, text);
	o->note = NULL;
	o->rescan = o->current = false;
	permute(m, o, list, members);
	return o;
}

bool x86_edge_always(const struct x86_model *m, const struct x86_edge *e)
{
	struct x86_set all = x86_set_all(m);

	return e->chance == X86_MICRO && !memcmp(&all, &e->when, sizeof(all));
}

/* The requests reachable from these over edges that exist in the set, themselves included. */
static uint64_t reach(const struct x86_model *m, const struct x86_set *in, uint64_t from)
{
	uint64_t seen = 0, left = from;

	while (left) {
		const struct x86_request *r = &m->request[__builtin_ctzll(left)];

		seen |= left & -left;
		left &= left - 1;
		for (unsigned i = r->edge; i < r->edge + r->edges; i++)
			if (x86_set_meet(m, &m->edge[i].when, in, NULL))
				left |= (UINT64_C(1) << m->edge[i].to) & ~seen;
	}
	return seen;
}

/* Handle one request: what it raises joins the bits. */
static void handle(const struct x86_model *m, const struct x86_set *in, unsigned request,
		   uint64_t *bits, struct x86_walk *out)
{
	const struct x86_request *r = &m->request[request];

	*bits &= ~(UINT64_C(1) << request);
	out->handled++;
	if (!(out->seen >> request & 1))
		out->way[out->length++] = request;
	out->seen |= UINT64_C(1) << request;
	for (unsigned i = r->edge; i < r->edge + r->edges; i++) {
		const struct x86_edge *e = &m->edge[i];

		if (!x86_set_meet(m, &e->when, in, NULL))
			continue;
		if (e->to == request)
			out->retries = true;
		else
			*bits |= UINT64_C(1) << e->to;
	}
}

void x86_walk(const struct x86_model *m, const struct x86_order *o, const struct x86_set *in,
	      uint64_t raised, struct x86_walk *out)
{
	uint64_t bits = raised;

	*out = (struct x86_walk){ 0 };
	do {
		out->scans++;
		for (unsigned i = 0; i < m->requests; i++)
			if (bits >> o->at[i] & 1)
				handle(m, in, o->at[i], &bits, out);
		/* No chain without a cycle is longer than there are requests. */
		out->endless = out->scans > m->requests;
	} while (bits && !out->endless);
	out->attempts = o->rescan ? 1 : out->scans;
	out->cancels = out->attempts - 1;
}

/* The axes that conditions on the event's way depend on. */
static unsigned axes_of(const struct x86_model *m, const struct x86_set *in,
			const struct x86_event *e)
{
	uint64_t seen = reach(m, in, e->raises);
	struct x86_set all = x86_set_all(m);
	unsigned axes = 0;

	for (unsigned i = 0; i < m->edges; i++)
		for (unsigned a = 0; seen >> m->edge[i].from & 1 && a < m->axes; a++)
			if (m->edge[i].when.allow[a] != all.allow[a])
				axes |= 1u << a;
	return axes;
}

struct x86_set *x86_cases(struct mem *mem, const struct x86_model *m, const struct x86_set *in,
			  const struct x86_event *e, size_t *n, struct err *err)
{
	struct x86_set set, *cases;
	unsigned axes;
	size_t count = 1;

	*n = 0;
	if (!x86_set_meet(m, in, &e->when, &set))
		return mem_alloc(mem, 1, sizeof(*cases));
	axes = axes_of(m, &set, e);
	for (unsigned a = 0; a < m->axes; a++)
		if (axes >> a & 1)
			count *= (size_t)__builtin_popcount(set.allow[a]);
	if (count > X86_CASES_MAX) {
		err_set(err, "event '%s' has %zu configurations, over the %d that can be shown: "
			"narrow them with --config", e->name, count, X86_CASES_MAX);
		return NULL;
	}
	cases = mem_alloc(mem, count, sizeof(*cases));
	for (size_t i = 0; i < count; i++) {
		size_t rest = i;

		cases[i] = set;
		for (unsigned a = m->axes; a-- > 0;) {
			unsigned allow = set.allow[a], which;

			if (!(axes >> a & 1))
				continue;
			which = (unsigned)(rest % (size_t)__builtin_popcount(allow));
			rest /= (size_t)__builtin_popcount(allow);
			while (which--)
				allow &= allow - 1;
			cases[i].allow[a] = (uint8_t)(allow & -allow);
		}
	}
	*n = count;
	return cases;
}
