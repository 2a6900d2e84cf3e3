// SPDX-License-Identifier: GPL-2.0-or-later
/* The request model's analysis as JSON and as a Graphviz graph. */
#include <stdlib.h>

#include <jansson.h>

#include "hv/x86_order.h"
#include "report/rep_requests.h"

static json_t *names_json(const struct x86_model *m, uint64_t set)
{
	json_t *list = json_array();

	for (; set; set &= set - 1)
		json_array_append_new(list, json_string(m->request[__builtin_ctzll(set)].name));
	return list;
}

static json_t *way_json(const struct x86_model *m, const struct x86_walk *w)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < w->length; i++)
		json_array_append_new(list, json_string(m->request[w->way[i]].name));
	return list;
}

static json_t *set_json(const struct x86_model *m, const struct x86_set *set)
{
	struct x86_set all = x86_set_all(m);
	json_t *obj = json_object();

	for (unsigned a = 0; a < m->axes; a++) {
		json_t *list;

		if (set->allow[a] == all.allow[a])
			continue;
		list = json_array();
		for (unsigned v = 0; v < m->axis[a].n; v++)
			if (set->allow[a] >> v & 1)
				json_array_append_new(list, json_string(m->axis[a].value[v]));
		json_object_set_new(obj, m->axis[a].name, list);
	}
	return obj;
}

static json_t *event_json(const struct rep_requests *r, const struct x86_order *o,
			  const struct x86_event *e, const struct x86_set *in)
{
	struct x86_walk w;

	x86_walk(r->model, o, in, e->raises, &w);
	return json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:b, s:b}", "event", e->name,
			 "config", set_json(r->model, in), "handled", way_json(r->model, &w),
			 "handlers", (int)w.handled, "cancels", (int)w.cancels, "attempts",
			 (int)w.attempts, "scans", (int)w.scans, "retries", (int)w.retries,
			 "endless", (int)w.endless);
}

static json_t *events_json(struct mem *mem, const struct rep_requests *r,
			   const struct x86_order *o, struct err *err)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < r->model->events; i++) {
		const struct x86_event *e = &r->model->event[i];
		struct x86_set *cases;
		size_t n;

		cases = x86_cases(mem, r->model, &r->in, e, &n, err);
		if (!cases) {
			json_decref(list);
			return NULL;
		}
		for (size_t c = 0; c < n; c++)
			json_array_append_new(list, event_json(r, o, e, &cases[c]));
	}
	return list;
}

static json_t *back_json(const struct rep_requests *r, const struct x86_order *o)
{
	const struct x86_model *m = r->model;
	json_t *list = json_array();

	for (unsigned i = 0; i < m->edges; i++) {
		const struct x86_edge *e = &m->edge[i];

		if (!x86_set_meet(m, &e->when, &r->in, NULL) || !x86_edge_back(o, e))
			continue;
		json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "from",
				      m->request[e->from].name, "to", m->request[e->to].name,
				      "when", set_json(m, &e->when)));
	}
	return list;
}

static json_t *list_json(const struct x86_model *m, const struct x86_order *o)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < m->requests; i++)
		json_array_append_new(list, json_string(m->request[o->at[i]].name));
	return list;
}

static json_t *sorted_json(struct mem *mem, const struct rep_requests *r,
			   const struct x86_order *o)
{
	struct x86_order sorted;
	const char *cycle;
	uint64_t moved;

	if (x86_sort(mem, r->model, o, &r->in, &sorted, &moved, &cycle) < 0)
		return json_pack("{s:s}", "cycle", cycle);
	return json_pack("{s:o, s:o, s:s}", "list", list_json(r->model, &sorted), "moved",
			 names_json(r->model, moved), "stretch",
			 rep_requests_stretch(mem, r->model, o, &sorted));
}

static json_t *limit_json(const struct x86_model *m, const struct x86_limit *l)
{
	json_t *events;

	if (!l->limited)
		return json_null();
	events = json_array();
	for (unsigned i = 0; i < m->events; i++)
		if (l->events >> i & 1)
			json_array_append_new(events, json_string(m->event[i].name));
	return json_pack("{s:s, s:i, s:o, s:b}", "past", m->request[l->past].name, "cost",
			 (int)l->cost, "events", events, "wrong", (int)l->wrong);
}

static json_t *moves_json(struct mem *mem, const struct rep_requests *r,
			  const struct x86_order *o, struct err *err)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < r->model->requests; i++) {
		struct x86_move move;

		if (x86_moves(mem, r->model, o, &r->in, o->at[i], &move, err) < 0) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(list, json_pack("{s:s, s:o, s:o}", "request",
				      r->model->request[o->at[i]].name, "earlier",
				      limit_json(r->model, &move.up), "later",
				      limit_json(r->model, &move.down)));
	}
	return list;
}

static json_t *order_json(struct mem *mem, const struct rep_requests *r,
			  const struct x86_order *o, struct err *err)
{
	json_t *events = events_json(mem, r, o, err), *moves, *obj;

	if (!events)
		return NULL;
	obj = json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "order", o->name, "rescan",
			(int)o->rescan, "list", list_json(r->model, o), "events", events,
			"back_edges", back_json(r, o), "nearest", sorted_json(mem, r, o));
	if (!rep_requests_moves(r, o))
		return obj;
	moves = moves_json(mem, r, o, err);
	if (!moves) {
		json_decref(obj);
		return NULL;
	}
	json_object_set_new(obj, "moves", moves);
	return obj;
}

int rep_requests_json(struct mem *mem, const struct rep_requests *r, struct text *out,
		      struct err *err)
{
	json_t *orders = json_array(), *root;
	char *dump;

	root = json_pack("{s:s, s:s, s:o, s:o}", "schema", "hvsim-requests-analysis/1", "model",
			 r->model->name, "config", set_json(r->model, &r->in), "orders", orders);
	for (unsigned o = 0; o < r->orders; o++) {
		json_t *obj = order_json(mem, r, r->order[o], err);

		if (!obj) {
			json_decref(root);
			return -1;
		}
		json_array_append_new(orders, obj);
	}
	dump = json_dumps(root, JSON_INDENT(2));
	text_add(out, "%s\n", dump);
	free(dump);
	json_decref(root);
	return 0;
}

void rep_requests_dot(const struct rep_requests *r, struct text *out)
{
	const struct x86_model *m = r->model;
	const struct x86_order *o = r->order[0];
	struct x86_set all = x86_set_all(m);
	uint64_t linked = 0;

	for (unsigned i = 0; i < m->edges; i++)
		if (x86_set_meet(m, &m->edge[i].when, &r->in, NULL))
			linked |= UINT64_C(1) << m->edge[i].from | UINT64_C(1) << m->edge[i].to;
	text_add(out, "digraph requests {\n\tlabel=\"order %s; back edges in red; requests without "
		 "edges left out\";\n\trankdir=LR;\n\tnode [shape=box];\n", o->name);
	for (unsigned i = 0; i < m->requests; i++)
		if (linked >> o->at[i] & 1)
			text_add(out, "\t\"%s\" [label=\"%u %s\"];\n", m->request[o->at[i]].name,
				 i + 1, m->request[o->at[i]].name);
	for (unsigned i = 0; i < m->edges; i++) {
		const struct x86_edge *e = &m->edge[i];
		struct text when = { 0 };

		if (!x86_set_meet(m, &e->when, &r->in, NULL))
			continue;
		rep_requests_set(m, &e->when, &all, &when);
		text_add(out, "\t\"%s\" -> \"%s\" [label=\"%s\"%s];\n", m->request[e->from].name,
			 m->request[e->to].name, when.len ? when.s : "",
			 x86_edge_back(o, e) ? ", color=red, penwidth=2" : "");
		text_free(&when);
	}
	text_add(out, "}\n");
}
