// SPDX-License-Identifier: GPL-2.0-or-later
/* The request model's analysis as tables. */
#include <string.h>

#include "hv/x86_order.h"
#include "report/rep_requests.h"
#include "report/report.h"

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

/* The text, owned by the pool; the buffer is empty again. */
static struct scn_cell taken(struct mem *mem, struct text *t, const char *none)
{
	const char *copy = t->len ? mem_strdup(mem, t->s) : none;

	text_free(t);
	*t = (struct text){ 0 };
	return scn_text(copy);
}

static struct scn_cell walk_cell(struct mem *mem, const struct x86_order *o,
				 const struct x86_walk *w)
{
	struct text t = { 0 };

	if (w->endless)
		return scn_text("never enters");
	if (!o->rescan && !w->retries)
		return scn_count(w->cancels);
	text_add(&t, "%u", w->cancels);
	if (o->rescan)
		text_add(&t, " (%u scan%s)", w->scans, w->scans == 1 ? "" : "s");
	if (w->retries)
		text_add(&t, o->rescan ? " +1 scan/retry" : " +1/retry");
	return taken(mem, &t, "");
}

static struct scn_cell way_cell(struct mem *mem, const struct x86_model *m,
				const struct x86_walk *w)
{
	struct text t = { 0 };

	for (unsigned i = 0; i < w->length; i++)
		text_add(&t, "%s%s", i ? ", " : "", m->request[w->way[i]].name);
	return taken(mem, &t, "");
}

static int event_rows(struct scn_table *t, const struct rep_requests *r,
		      const struct x86_event *e, struct err *err)
{
	const struct x86_model *m = r->model;
	struct x86_set *cases;
	struct x86_walk walk;
	size_t n;

	cases = x86_cases(t->mem, m, &r->in, e, &n, err);
	if (!cases)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct text config = { 0 };
		struct scn_cell *cell;

		text_add(&config, "%s", e->name);
		if (memcmp(&cases[i], &r->in, sizeof(r->in)))
			text_add(&config, ": ");
		rep_requests_set(m, &cases[i], &r->in, &config);
		cell = scn_table_row(t, config.s);
		text_free(&config);
		for (unsigned o = 0; o < r->orders; o++) {
			x86_walk(m, r->order[o], &cases[i], e->raises, &walk);
			cell[o] = walk_cell(t->mem, r->order[o], &walk);
		}
		x86_walk(m, r->order[0], &cases[i], e->raises, &walk);
		cell[r->orders] = way_cell(t->mem, m, &walk);
	}
	return 0;
}

static int events_table(struct scn_result *out, const struct rep_requests *r, struct err *err)
{
	const char *column[X86_ORDERS_MAX + 1];
	struct scn_table *t;

	for (unsigned o = 0; o < r->orders; o++)
		column[o] = r->order[o]->name;
	column[r->orders] = "requests handled";
	t = scn_table_new(out, "cancels", "Cancelled entries per event (attempts are one more)",
			  "event", column, r->orders + 1);
	for (unsigned i = 0; i < r->model->events; i++)
		if (event_rows(t, r, &r->model->event[i], err) < 0)
			return -1;
	return 0;
}

static void back_edge_row(struct scn_table *t, const struct rep_requests *r,
			  const struct x86_order *o, const struct x86_edge *e)
{
	struct x86_set all = x86_set_all(r->model);
	struct scn_cell *cell = scn_table_row(t, o->name);
	struct text when = { 0 };

	cell[0] = scn_text(mem_printf(t->mem, "%s -> %s", r->model->request[e->from].name,
				      r->model->request[e->to].name));
	rep_requests_set(r->model, &e->when, &all, &when);
	cell[1] = taken(t->mem, &when, "always");
	if (e->from == e->to)
		cell[2] = scn_text("raises itself: in every order");
	else
		cell[2] = scn_text(o->rescan ? "one more scan" : "cancels the entry");
}

static void wrong_rows(struct scn_table *t, const struct rep_requests *r,
		       const struct x86_order *o)
{
	const struct x86_model *m = r->model;

	for (unsigned i = 0; i < m->requests; i++) {
		for (uint64_t as = m->request[i].after; as; as &= as - 1) {
			unsigned a = (unsigned)__builtin_ctzll(as);
			struct scn_cell *cell;

			if (o->pos[a] < o->pos[i])
				continue;
			cell = scn_table_row(t, o->name);
			cell[0] = scn_text(mem_printf(t->mem, "%s before %s", m->request[i].name,
						      m->request[a].name));
			cell[1] = scn_text("always");
			cell[2] = scn_text(m->request[i].note ? m->request[i].note :
					   "must come after it");
		}
	}
}

static void edges_table(struct scn_result *out, const struct rep_requests *r)
{
	static const char *const column[] = { "edge", "when", "effect" };
	const struct x86_model *m = r->model;
	struct scn_table *t = scn_table_new(out, "back edges", "Back edges", "order", column, 3);

	for (unsigned o = 0; o < r->orders; o++) {
		for (unsigned i = 0; i < m->edges; i++)
			if (x86_set_meet(m, &m->edge[i].when, &r->in, NULL) &&
			    x86_edge_back(r->order[o], &m->edge[i]))
				back_edge_row(t, r, r->order[o], &m->edge[i]);
		wrong_rows(t, r, r->order[o]);
	}
}

static void sorted_table(struct scn_result *out, const struct rep_requests *r)
{
	static const char *const column[] = { "moved", "requests moved",
					      "stretch that changes (for --order)" };
	struct scn_table *t = scn_table_new(out, "nearest", "Nearest orders without back edges "
					    "(fewest requests moved)", "from", column, 3);

	for (unsigned o = 0; o < r->orders; o++) {
		struct scn_cell *cell = scn_table_row(t, r->order[o]->name);
		struct x86_order sorted;
		struct text names = { 0 };
		const char *cycle, *stretch;
		uint64_t moved;

		if (x86_sort(t->mem, r->model, r->order[o], &r->in, &sorted, &moved, &cycle) < 0) {
			cell[1] = scn_text("no order has none:");
			cell[2] = scn_text(cycle);
			continue;
		}
		cell[0] = scn_count((uint64_t)__builtin_popcountll(moved));
		add_names(r->model, moved, ", ", &names);
		cell[1] = taken(t->mem, &names, "-");
		stretch = rep_requests_stretch(t->mem, r->model, r->order[o], &sorted);
		cell[2] = scn_text(*stretch ? stretch : "none: it has no back edges");
	}
}

static struct scn_cell limit_cell(struct mem *mem, const struct rep_requests *r,
				  const struct x86_order *o, const struct x86_limit *limit)
{
	struct text t = { 0 };
	bool some = false;

	if (!limit->limited)
		return scn_text("free");
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
	return taken(mem, &t, "");
}

static int moves_table(struct scn_result *out, const struct rep_requests *r,
		       const struct x86_order *o, struct err *err)
{
	static const char *const column[] = { "earlier", "later" };
	struct scn_table *t;
	struct mem *mem = out->mem;

	t = scn_table_new(out, mem_printf(mem, "moves %s", o->name),
			  mem_printf(mem, "What it costs to move one request of '%s' (those not listed "
				     "move freely)", o->name), "request", column, 2);
	for (unsigned i = 0; i < r->model->requests; i++) {
		struct x86_move move;
		struct scn_cell *cell;

		if (x86_moves(mem, r->model, o, &r->in, o->at[i], &move, err) < 0)
			return -1;
		if (!move.up.limited && !move.down.limited)
			continue;
		cell = scn_table_row(t, r->model->request[o->at[i]].name);
		cell[0] = limit_cell(mem, r, o, &move.up);
		cell[1] = limit_cell(mem, r, o, &move.down);
	}
	return 0;
}

static int tables(struct scn_result *out, const struct rep_requests *r, struct err *err)
{
	if (events_table(out, r, err) < 0)
		return -1;
	edges_table(out, r);
	sorted_table(out, r);
	for (unsigned o = 0; o < r->orders; o++)
		if (rep_requests_moves(r, r->order[o]) && moves_table(out, r, r->order[o], err) < 0)
			return -1;
	return 0;
}

static void print(struct text *out, const struct scn_table *t, enum rep_format format)
{
	if (format == REP_CSV) {
		rep_table_csv(out, t);
		return;
	}
	text_add(out, format == REP_MARKDOWN ? "\n### %s\n\n" : "\n%s\n", t->title);
	if (!t->rows)
		text_add(out, "none\n");
	else if (format == REP_MARKDOWN)
		rep_table_markdown(out, t);
	else
		rep_table_text(out, t);
}

int rep_requests_table(struct mem *mem, const struct rep_requests *r, enum rep_format format,
		       struct text *out, struct err *err)
{
	struct x86_set all = x86_set_all(r->model);
	struct scn_result result = { .mem = mem };
	struct text t = { 0 };

	if (tables(&result, r, err) < 0)
		return -1;
	rep_requests_set(r->model, &r->in, &all, &t);
	if (format == REP_CSV)
		text_add(out, "table,row,column,value\n");
	else
		text_add(out, "%sRequests of %s: %u, %u edges; configurations: %s\n",
			 format == REP_MARKDOWN ? "## " : "", r->model->name, r->model->requests,
			 r->model->edges, t.len ? t.s : "all");
	text_free(&t);
	for (unsigned i = 0; i < result.tables; i++)
		print(out, result.table[i], format);
	return 0;
}
