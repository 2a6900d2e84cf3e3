// SPDX-License-Identifier: GPL-2.0-or-later
/* The request model's analysis as tables. */
#include <stdlib.h>
#include <string.h>

#include "hv/x86_order.h"
#include "report/rep_requests.h"

#define COLUMNS_MAX (X86_ORDERS_MAX + 3)

/* Rows of text, printed once the widths are known. */
struct grid {
	struct mem *mem;
	unsigned columns;
	const char **cell; /* malloc'ed */
	size_t cells, cap;
};

static void put(struct grid *g, const char *text)
{
	g->cell = mem_grow(g->cell, &g->cap, g->cells + 1, sizeof(*g->cell));
	g->cell[g->cells++] = mem_strdup(g->mem, text);
}

static void put_text(struct grid *g, struct text *t)
{
	put(g, t->len ? t->s : "-");
	text_free(t);
	*t = (struct text){ 0 };
}

static void rule(struct text *out, const unsigned *width, unsigned columns, bool markdown)
{
	for (unsigned c = 0; c < columns; c++) {
		text_add(out, markdown ? (c ? "|" : "|") : (c ? "  " : ""));
		for (unsigned i = 0; i < width[c] + (markdown ? 2 : 0); i++)
			text_add(out, "-");
	}
	text_add(out, markdown ? "|\n" : "\n");
}

static void print_grid(struct grid *g, bool markdown, struct text *out)
{
	unsigned width[COLUMNS_MAX] = { 0 };

	for (size_t i = 0; i < g->cells; i++) {
		unsigned w = text_columns(g->cell[i]), c = (unsigned)(i % g->columns);

		if (w > width[c])
			width[c] = w;
	}
	for (size_t i = 0; i < g->cells; i++) {
		unsigned c = (unsigned)(i % g->columns);
		bool end = c + 1 == g->columns;
		int pad = end && !markdown ? 0 : (int)(width[c] - text_columns(g->cell[i]));

		text_add(out, "%s%s%*s%s", markdown ? "| " : c ? "  " : "", g->cell[i], pad, "",
			 markdown ? (end ? " |\n" : " ") : end ? "\n" : "");
		if (i + 1 == g->columns)
			rule(out, width, g->columns, markdown);
	}
	free(g->cell);
}

static void title(struct text *out, bool markdown, const char *text)
{
	text_add(out, markdown ? "\n### %s\n\n" : "\n%s\n\n", text);
}

void rep_requests_set(const struct x86_model *m, const struct x86_set *set,
		      const struct x86_set *whole, struct text *out)
{
	size_t start = out->len;

	for (unsigned a = 0; a < m->axes; a++) {
		bool some = false;

		if (set->allow[a] == whole->allow[a])
			continue;
		text_add(out, "%s%s=", out->len > start ? ", " : "", m->axis[a].name);
		for (unsigned v = 0; v < m->axis[a].n; v++) {
			if (!(set->allow[a] >> v & 1))
				continue;
			text_add(out, "%s%s", some ? "|" : "", m->axis[a].value[v]);
			some = true;
		}
	}
}

bool rep_requests_moves(const struct rep_requests *r, const struct x86_order *o)
{
	return r->picked || o->current;
}

const char *rep_requests_stretch(struct mem *mem, const struct x86_model *m,
				 const struct x86_order *was, const struct x86_order *is)
{
	unsigned first = 0, end = m->requests;
	struct text t = { 0 };
	const char *copy;

	while (first < end && was->at[first] == is->at[first])
		first++;
	while (end > first && was->at[end - 1] == is->at[end - 1])
		end--;
	for (unsigned i = first; i < end; i++)
		text_add(&t, "%s%s", i > first ? "," : "", m->request[is->at[i]].name);
	copy = mem_strdup(mem, t.s ? t.s : "");
	text_free(&t);
	return copy;
}

static void add_names(const struct x86_model *m, uint64_t set, const char *between,
		      struct text *out)
{
	bool some = false;

	for (; set; set &= set - 1) {
		text_add(out, "%s%s", some ? between : "",
			 m->request[__builtin_ctzll(set)].name);
		some = true;
	}
}

static void put_walk(struct grid *g, const struct x86_order *o, const struct x86_walk *w)
{
	struct text t = { 0 };

	if (w->endless)
		text_add(&t, "never enters");
	else if (o->rescan)
		text_add(&t, "%u (%u scan%s)", w->cancels, w->scans, w->scans == 1 ? "" : "s");
	else
		text_add(&t, "%u", w->cancels);
	if (w->retries)
		text_add(&t, o->rescan ? " +1 scan/retry" : " +1/retry");
	put_text(g, &t);
}

static int put_event(const struct rep_requests *r, const struct x86_event *e, struct grid *g,
		     struct err *err)
{
	struct x86_set *cases;
	struct x86_walk walk;
	struct text t = { 0 };
	size_t n;

	cases = x86_cases(g->mem, r->model, &r->in, e, &n, err);
	if (!cases)
		return -1;
	for (size_t i = 0; i < n; i++) {
		put(g, e->name);
		rep_requests_set(r->model, &cases[i], &r->in, &t);
		put_text(g, &t);
		x86_walk(r->model, r->order[0], &cases[i], e->raises, &walk);
		for (unsigned w = 0; w < walk.length; w++)
			text_add(&t, "%s%s", w ? ", " : "", r->model->request[walk.way[w]].name);
		put_text(g, &t);
		for (unsigned o = 0; o < r->orders; o++) {
			x86_walk(r->model, r->order[o], &cases[i], e->raises, &walk);
			put_walk(g, r->order[o], &walk);
		}
	}
	return 0;
}

static int events_table(struct mem *mem, const struct rep_requests *r, bool markdown,
			struct text *out, struct err *err)
{
	struct grid g = { .mem = mem, .columns = 3 + r->orders };

	title(out, markdown, "Cancelled entries per event (attempts are one more)");
	put(&g, "event");
	put(&g, "configuration");
	put(&g, "requests handled");
	for (unsigned o = 0; o < r->orders; o++)
		put(&g, r->order[o]->name);
	for (unsigned i = 0; i < r->model->events; i++) {
		if (put_event(r, &r->model->event[i], &g, err) < 0) {
			free(g.cell);
			return -1;
		}
	}
	print_grid(&g, markdown, out);
	return 0;
}

static void put_back_edge(const struct rep_requests *r, const struct x86_order *o,
			  const struct x86_edge *e, struct grid *g)
{
	struct x86_set all = x86_set_all(r->model);
	struct text t = { 0 };

	put(g, o->name);
	text_add(&t, "%s -> %s", r->model->request[e->from].name, r->model->request[e->to].name);
	put_text(g, &t);
	rep_requests_set(r->model, &e->when, &all, &t);
	put(g, t.len ? t.s : "always");
	text_free(&t);
	if (e->from == e->to)
		put(g, "raises itself: in every order");
	else
		put(g, o->rescan ? "one more scan" : "cancels the entry");
}

static void wrong_places(const struct rep_requests *r, const struct x86_order *o,
			 struct grid *g)
{
	const struct x86_model *m = r->model;

	for (unsigned i = 0; i < m->requests; i++) {
		for (uint64_t as = m->request[i].after; as; as &= as - 1) {
			unsigned a = (unsigned)__builtin_ctzll(as);

			if (o->pos[a] < o->pos[i])
				continue;
			put(g, o->name);
			put(g, mem_printf(g->mem, "%s before %s", m->request[i].name,
					  m->request[a].name));
			put(g, "always");
			put(g, m->request[i].note ? m->request[i].note : "must come after it");
		}
	}
}

static void edges_table(struct mem *mem, const struct rep_requests *r, bool markdown,
			struct text *out)
{
	struct grid g = { .mem = mem, .columns = 4 };
	const struct x86_model *m = r->model;

	title(out, markdown, "Back edges");
	put(&g, "order");
	put(&g, "edge");
	put(&g, "when");
	put(&g, "effect");
	for (unsigned o = 0; o < r->orders; o++) {
		for (unsigned i = 0; i < m->edges; i++)
			if (x86_set_meet(m, &m->edge[i].when, &r->in, NULL) &&
			    x86_edge_back(r->order[o], &m->edge[i]))
				put_back_edge(r, r->order[o], &m->edge[i], &g);
		wrong_places(r, r->order[o], &g);
	}
	if (g.cells > g.columns)
		print_grid(&g, markdown, out);
	else
		text_add(out, "none\n");
	if (g.cells == g.columns)
		free(g.cell);
}

static void sorted_table(struct mem *mem, const struct rep_requests *r, bool markdown,
			 struct text *out)
{
	struct grid g = { .mem = mem, .columns = 4 };

	title(out, markdown, "Nearest orders without back edges (fewest requests moved)");
	put(&g, "from");
	put(&g, "moved");
	put(&g, "requests moved");
	put(&g, "stretch that changes (for --order)");
	for (unsigned o = 0; o < r->orders; o++) {
		struct x86_order sorted;
		const char *cycle, *stretch;
		struct text t = { 0 };
		uint64_t moved;

		put(&g, r->order[o]->name);
		if (x86_sort(mem, r->model, r->order[o], &r->in, &sorted, &moved, &cycle) < 0) {
			put(&g, "-");
			put(&g, "no such order");
			put(&g, cycle);
			continue;
		}
		put(&g, mem_printf(mem, "%d", __builtin_popcountll(moved)));
		add_names(r->model, moved, ", ", &t);
		put_text(&g, &t);
		stretch = rep_requests_stretch(mem, r->model, r->order[o], &sorted);
		put(&g, *stretch ? stretch : "none: it has no back edges");
	}
	print_grid(&g, markdown, out);
}

static void put_limit(struct grid *g, const struct rep_requests *r, const struct x86_order *o,
		      const struct x86_limit *limit)
{
	struct text t = { 0 };
	bool some = false;

	if (!limit->limited) {
		put(g, "free");
		return;
	}
	text_add(&t, "past %s: ", r->model->request[limit->past].name);
	if (limit->wrong)
		text_add(&t, "wrong");
	if (limit->cost)
		text_add(&t, "%s+%u %s per ", limit->wrong ? ", " : "", limit->cost,
			 o->rescan ? "scan" : "cancel");
	else if (!limit->wrong)
		text_add(&t, "no listed event pays");
	for (unsigned i = 0; i < r->model->events; i++) {
		if (!(limit->events >> i & 1))
			continue;
		text_add(&t, "%s%s", some ? ", " : "", r->model->event[i].name);
		some = true;
	}
	put_text(g, &t);
}

static int moves_table(struct mem *mem, const struct rep_requests *r, const struct x86_order *o,
		       bool markdown, struct text *out, struct err *err)
{
	struct grid g = { .mem = mem, .columns = 3 };
	unsigned unlimited = 0;

	title(out, markdown, mem_printf(mem, "What it costs to move one request of '%s'", o->name));
	put(&g, "request");
	put(&g, "earlier");
	put(&g, "later");
	for (unsigned i = 0; i < r->model->requests; i++) {
		struct x86_move move;

		if (x86_moves(mem, r->model, o, &r->in, o->at[i], &move, err) < 0) {
			free(g.cell);
			return -1;
		}
		if (!move.up.limited && !move.down.limited) {
			unlimited++;
			continue;
		}
		put(&g, r->model->request[o->at[i]].name);
		put_limit(&g, r, o, &move.up);
		put_limit(&g, r, o, &move.down);
	}
	print_grid(&g, markdown, out);
	text_add(out, "\nThe other %u move freely, but none past a request that is always last.\n",
		 unlimited);
	return 0;
}

int rep_requests_table(struct mem *mem, const struct rep_requests *r, bool markdown,
		       struct text *out, struct err *err)
{
	struct x86_set all = x86_set_all(r->model);
	struct text t = { 0 };

	rep_requests_set(r->model, &r->in, &all, &t);
	text_add(out, "%sRequests of %s: %u, %u edges; configurations: %s\n",
		 markdown ? "## " : "", r->model->name, r->model->requests, r->model->edges,
		 t.len ? t.s : "all");
	text_free(&t);
	if (events_table(mem, r, markdown, out, err) < 0)
		return -1;
	edges_table(mem, r, markdown, out);
	sorted_table(mem, r, markdown, out);
	for (unsigned o = 0; o < r->orders; o++)
		if (rep_requests_moves(r, r->order[o]) &&
		    moves_table(mem, r, r->order[o], markdown, out, err) < 0)
			return -1;
	return 0;
}
