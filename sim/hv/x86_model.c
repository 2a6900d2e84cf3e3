// SPDX-License-Identifier: GPL-2.0-or-later
/* Loading the x86 request model. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "hv/x86_model.h"
#include "hv/x86_order.h"

static const char *const kinds[] = { "doc", "meas", "derived", "fitted", "assumed", NULL };

struct cycles_file {
	struct x86_cycles c;
	const struct jnode *range;
	unsigned kind;
};

static const struct jfield cycles_fields[] = {
	{ "value", JK_INT, offsetof(struct cycles_file, c.value), true },
	{ "unit", JK_TEXT, offsetof(struct cycles_file, c.unit) },
	{ "range", JK_ARRAY, offsetof(struct cycles_file, range) },
	{ "kind", JK_NAME, offsetof(struct cycles_file, kind), true, .names = kinds },
	{ "source", JK_TEXT, offsetof(struct cycles_file, c.source), true },
};

int x86_cycles_from(const struct jnode *obj, int64_t max, struct x86_cycles *out,
		    struct err *err)
{
	struct cycles_file f = { .c.unit = "cycles" };
	const struct jnode *r;

	if (JFIELDS(obj, cycles_fields, &f, err) < 0)
		return -1;
	*out = f.c;
	out->kind = kinds[f.kind];
	out->lo = out->hi = out->value;
	r = f.range;
	if (r && (r->n != 2 || !jnode_whole(r->child, &out->lo) ||
		  !jnode_whole(r->child->next, &out->hi)))
		return jnode_err(r, err, "must be two whole numbers");
	if (out->lo > out->value || out->value > out->hi || out->lo < 0)
		return jnode_err(obj, err, "must have a value within its range");
	if (out->hi > max)
		return jnode_err(obj, err, "must be at most %lld", (long long)max);
	return 0;
}

int x86_request_find(const struct x86_model *m, const char *name, const struct jnode *node,
		     struct err *err)
{
	const char *names[X86_REQUESTS_MAX], *near;
	char hint[128] = "";

	for (unsigned i = 0; i < m->requests; i++) {
		names[i] = m->request[i].name;
		if (!strcmp(name, names[i]))
			return (int)i;
	}
	near = text_nearest(name, names, m->requests);
	if (near)
		snprintf(hint, sizeof(hint), " (did you mean '%.80s'?)", near);
	if (node)
		return jnode_err(node, err, "names '%.80s', which is no request%s", name, hint);
	return err_set(err, "no request '%.80s'%s", name, hint);
}

/* Names go into tables, lists and dot files: keep them plain. */
static int plain_name(const struct jnode *node, const char *name, struct err *err)
{
	size_t len = strlen(name);

	if (!len || len > 48 ||
	    strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ" "abcdefghijklmnopqrstuvwxyz"
			 "0123456789_-.") != len)
		return jnode_err(node, err, "needs a name of 1 to 48 letters, digits, '_', '-' "
				 "and '.'");
	return 0;
}

/* Bounds a list and checks that it is one of objects or what the caller takes. */
static int list_size(const struct jnode *list, size_t max, struct err *err)
{
	if (list->n < 1 || list->n > max)
		return jnode_err(list, err, "must have 1 to %zu entries, not %zu", max, list->n);
	return 0;
}

struct axis_file {
	const char *name, *note, *fallback;
	const struct jnode *values;
};

static const struct jfield axis_fields[] = {
	{ "name", JK_TEXT, offsetof(struct axis_file, name), true },
	{ "values", JK_ARRAY, offsetof(struct axis_file, values), true },
	{ "default", JK_TEXT, offsetof(struct axis_file, fallback), true },
	{ "note", JK_TEXT, offsetof(struct axis_file, note) },
};

static int load_axis(struct x86_model *m, const struct jnode *node, struct err *err)
{
	struct x86_axis *axis = &m->axis[m->axes];
	struct axis_file f = { 0 };
	bool found = false;

	if (JFIELDS(node, axis_fields, &f, err) < 0 || plain_name(node, f.name, err) < 0 ||
	    list_size(f.values, X86_VALUES_MAX, err) < 0)
		return -1;
	for (unsigned a = 0; a < m->axes; a++)
		if (!strcmp(m->axis[a].name, f.name))
			return jnode_err(node, err, "repeats the name '%s'", f.name);
	axis->name = f.name;
	axis->note = f.note;
	for (const struct jnode *c = f.values->child; c; c = c->next) {
		if (jnode_is(c, J_STRING, err) < 0 || plain_name(c, c->text, err) < 0)
			return -1;
		for (unsigned v = 0; v < axis->n; v++)
			if (!strcmp(axis->value[v], c->text))
				return jnode_err(c, err, "repeats the value '%s'", c->text);
		if (!strcmp(c->text, f.fallback)) {
			axis->fallback = axis->n;
			found = true;
		}
		axis->value[axis->n++] = c->text;
	}
	if (!found)
		return jnode_err(node, err, "has the default '%.80s', which is not in its values",
				 f.fallback);
	m->axes++;
	return 0;
}

struct request_file {
	struct x86_request r;
	const struct jnode *cycles, *raises, *after, *gate;
};

static const struct jfield request_fields[] = {
	{ "name", JK_TEXT, offsetof(struct request_file, r.name), true },
	{ "note", JK_TEXT, offsetof(struct request_file, r.note) },
	{ "last", JK_TRUTH, offsetof(struct request_file, r.last) },
	{ "cycles", JK_OBJECT, offsetof(struct request_file, cycles), true },
	{ "raises", JK_ARRAY, offsetof(struct request_file, raises) },
	{ "after", JK_ARRAY, offsetof(struct request_file, after) },
	{ "gate", JK_OBJECT, offsetof(struct request_file, gate) },
};

struct gate_file {
	const char *name;
	const struct jnode *closes;
};

static const struct jfield gate_fields[] = {
	{ "name", JK_TEXT, offsetof(struct gate_file, name), true },
	{ "closes", JK_OBJECT, offsetof(struct gate_file, closes), true },
	{ "note", JK_NOTE, 0 },
};

static int load_gate(struct x86_model *m, const struct jnode *node, struct x86_request *r,
		     struct err *err)
{
	struct gate_file f = { 0 };

	if (JFIELDS(node, gate_fields, &f, err) < 0 || plain_name(node, f.name, err) < 0)
		return -1;
	r->gate = f.name;
	r->closes = x86_set_all(m);
	return x86_set_from(m, f.closes, &r->closes, err);
}

static int load_request(struct x86_model *m, const struct jnode *node, struct err *err)
{
	struct request_file f = { 0 };

	if (JFIELDS(node, request_fields, &f, err) < 0 || plain_name(node, f.r.name, err) < 0 ||
	    x86_cycles_from(f.cycles, INT32_MAX, &f.r.cycles, err) < 0)
		return -1;
	f.r.node = node;
	for (unsigned i = 0; i < m->requests; i++) {
		if (!strcmp(m->request[i].name, f.r.name))
			return jnode_err(node, err, "repeats the name '%s'", f.r.name);
		if (f.r.last && m->request[i].last)
			return jnode_err(node, err, "is last, but so is '%s': one can be",
					 m->request[i].name);
	}
	if (f.gate && load_gate(m, f.gate, &f.r, err) < 0)
		return -1;
	m->request[m->requests++] = f.r;
	return 0;
}

struct edge_file {
	const char *request, *note;
	const struct jnode *when;
	int64_t chance;
};

static const struct jfield edge_fields[] = {
	{ "request", JK_TEXT, offsetof(struct edge_file, request), true },
	{ "when", JK_OBJECT, offsetof(struct edge_file, when) },
	{ "chance", JK_MICRO, offsetof(struct edge_file, chance), false, 1, X86_MICRO },
	{ "note", JK_TEXT, offsetof(struct edge_file, note) },
};

static int load_edge(struct x86_model *m, unsigned from, const struct jnode *node,
		     struct err *err)
{
	struct edge_file f = { .chance = X86_MICRO };
	struct x86_edge *e = &m->edge[m->edges];
	int to;

	if (node->type == J_STRING)
		f.request = node->text;
	else if (JFIELDS(node, edge_fields, &f, err) < 0)
		return -1;
	to = x86_request_find(m, f.request, node, err);
	if (to < 0)
		return -1;
	*e = (struct x86_edge){ .from = from, .to = (unsigned)to, .when = x86_set_all(m),
				.chance = f.chance, .note = f.note, .node = node };
	if (f.when && x86_set_from(m, f.when, &e->when, err) < 0)
		return -1;
	for (unsigned i = m->request[from].edge; i < m->edges; i++)
		if (m->edge[i].to == e->to)
			return jnode_err(node, err, "repeats '%s': join the two in one 'when'",
					 f.request);
	m->edges++;
	return 0;
}

static int load_edges(struct x86_model *m, unsigned from, struct err *err)
{
	struct x86_request *r = &m->request[from];
	const struct jnode *raises = jnode_get(r->node, "raises");
	const struct jnode *after = jnode_get(r->node, "after");

	r->edge = m->edges;
	for (const struct jnode *c = raises ? raises->child : NULL; c; c = c->next)
		if (load_edge(m, from, c, err) < 0)
			return -1;
	r->edges = m->edges - r->edge;
	for (const struct jnode *c = after ? after->child : NULL; c; c = c->next) {
		int to = jnode_is(c, J_STRING, err) < 0 ? -1 :
			 x86_request_find(m, c->text, c, err);

		if (to < 0)
			return -1;
		if ((unsigned)to == from)
			return jnode_err(c, err, "puts '%s' after itself", r->name);
		r->after |= UINT64_C(1) << to;
	}
	return 0;
}

struct event_file {
	struct x86_event e;
	const struct jnode *raises, *when;
};

static const struct jfield event_fields[] = {
	{ "name", JK_TEXT, offsetof(struct event_file, e.name), true },
	{ "note", JK_TEXT, offsetof(struct event_file, e.note) },
	{ "raises", JK_ARRAY, offsetof(struct event_file, raises), true },
	{ "when", JK_OBJECT, offsetof(struct event_file, when) },
};

static int load_event(struct x86_model *m, const struct jnode *node, struct err *err)
{
	struct event_file f = { 0 };

	if (JFIELDS(node, event_fields, &f, err) < 0 || plain_name(node, f.e.name, err) < 0 ||
	    list_size(f.raises, X86_REQUESTS_MAX, err) < 0)
		return -1;
	for (unsigned i = 0; i < m->events; i++)
		if (!strcmp(m->event[i].name, f.e.name))
			return jnode_err(node, err, "repeats the name '%s'", f.e.name);
	for (const struct jnode *c = f.raises->child; c; c = c->next) {
		int r = jnode_is(c, J_STRING, err) < 0 ? -1 : x86_request_find(m, c->text, c, err);

		if (r < 0)
			return -1;
		f.e.raises |= UINT64_C(1) << r;
	}
	f.e.when = x86_set_all(m);
	if (f.when && x86_set_from(m, f.when, &f.e.when, err) < 0)
		return -1;
	m->event[m->events++] = f.e;
	return 0;
}

typedef int load_one(struct x86_model *m, const struct jnode *node, struct err *err);

static int load_list(struct x86_model *m, const struct jnode *list, size_t max, load_one *one,
		     struct err *err)
{
	if (!list)
		return 0;
	if (list_size(list, max, err) < 0)
		return -1;
	for (const struct jnode *c = list->child; c; c = c->next)
		if (one(m, c, err) < 0)
			return -1;
	return 0;
}

static size_t count_edges(const struct jnode *requests)
{
	size_t n = 0;

	for (const struct jnode *c = requests->child; c; c = c->next) {
		const struct jnode *raises = jnode_get(c, "raises");

		n += raises ? raises->n : 0;
	}
	return n;
}

struct model_file {
	const char *name, *note;
	const struct jnode *config, *requests, *orders, *events;
};

static const struct jfield model_fields[] = {
	{ "schema", JK_NOTE, 0, true },
	{ "name", JK_TEXT, offsetof(struct model_file, name), true },
	{ "note", JK_TEXT, offsetof(struct model_file, note) },
	{ "config", JK_ARRAY, offsetof(struct model_file, config) },
	{ "requests", JK_ARRAY, offsetof(struct model_file, requests), true },
	{ "orders", JK_ARRAY, offsetof(struct model_file, orders), true },
	{ "events", JK_ARRAY, offsetof(struct model_file, events), true },
};

static int load_graph(struct mem *mem, struct x86_model *m, const struct model_file *f,
		      struct err *err)
{
	struct x86_set all;
	unsigned edge;

	if (load_list(m, f->config, X86_AXES_MAX, load_axis, err) < 0 ||
	    load_list(m, f->requests, X86_REQUESTS_MAX, load_request, err) < 0)
		return -1;
	m->edge = mem_alloc(mem, count_edges(f->requests), sizeof(*m->edge));
	for (unsigned i = 0; i < m->requests; i++)
		if (load_edges(m, i, err) < 0)
			return -1;
	all = x86_set_all(m);
	const char *cycle = x86_cycle(mem, m, &all, true, &edge);

	if (cycle)
		return jnode_err(m->edge[edge].node, err, "closes the cycle %s, which never ends: "
				 "give one of its edges a 'when' or take it out", cycle);
	return 0;
}

struct x86_model *x86_model_from(struct mem *mem, const struct jnode *root, struct err *err)
{
	struct x86_model *m = mem_alloc(mem, 1, sizeof(*m));
	struct model_file f = { 0 };

	if (jdoc_schema(root, "requests", 1, err) < 0 || JFIELDS(root, model_fields, &f, err) < 0)
		return NULL;
	m->file = root->file;
	m->name = f.name;
	m->note = f.note;
	if (load_graph(mem, m, &f, err) < 0 || x86_orders_from(m, f.orders, err) < 0 ||
	    load_list(m, f.events, X86_EVENTS_MAX, load_event, err) < 0)
		return NULL;
	return m;
}

struct x86_model *x86_model_load(struct mem *mem, const char *file, struct err *err)
{
	struct jnode *root = jdoc_load(mem, file, err);

	return root ? x86_model_from(mem, root, err) : NULL;
}
