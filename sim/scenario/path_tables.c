// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/path_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/jdoc.h"

#define CONTEXT 1 /* unchanged rows shown around a difference */

struct step {
	uint32_t item; /* index in the path; its length for the wait at the end */
	struct price_step s;
};

struct run {
	const struct path *path;
	struct step *step;
	size_t n, cap;
	struct price price;
};

static int set_one(struct mem *mem, const struct scn_set *set, struct policy_set *policy,
		   struct jnode *model, struct err *err)
{
	if (!strncmp(set->key, "model.", 6))
		return cpu_model_set(mem, model, set->key + 6, set->value, err);
	return policy_set(policy, set->key, set->value, err);
}

static struct jnode *load_model(struct mem *mem, const char *cpu, struct err *err)
{
	const char *file = file_find(mem, "models", cpu, err);

	return file ? jdoc_load(mem, file, err) : NULL;
}

int scn_priced_load(struct mem *mem, const char *path, const char *cpu, const struct scn_set *set,
		    size_t sets, struct scn_priced *out, struct err *err)
{
	const struct policy_table *policies = policy_load(mem, err);
	const struct spr_table *sprs = policies ? spr_load(mem, err) : NULL;
	struct jnode *root = sprs ? load_model(mem, cpu, err) : NULL;

	if (!root)
		return -1;
	out->path = path_load(path_lib_new(mem, sprs, policies), path, err);
	if (!out->path)
		return -1;
	policy_defaults(policies, &out->policy);
	if (jnode_get(root, "state") &&
	    policy_set_object(&out->policy, jnode_get(root, "state"), err) < 0)
		return -1;
	for (size_t i = 0; i < sets; i++)
		if (set_one(mem, &set[i], &out->policy, root, err) < 0)
			return -1;
	out->model = cpu_model_from_node(mem, root, err);
	if (!out->model)
		return -1;
	out->bits = policy_bits(&out->policy);
	out->pricer = price_new(out->model);
	return 0;
}

static void keep(void *arg, const struct price_step *s)
{
	struct run *run = arg;

	run->step = mem_grow(run->step, &run->cap, run->n + 1, sizeof(*run->step));
	run->step[run->n].item = s->item ? (uint32_t)(s->item - run->path->items) : run->path->n;
	run->step[run->n++].s = *s;
}

static void run_path(const struct scn_priced *p, struct run *run)
{
	*run = (struct run){ .path = p->path };
	price_trace(p->pricer, p->path, &p->bits, keep, run, &run->price);
}

static const char *op_name(struct mem *mem, const struct price_step *s)
{
	struct text t = { 0 };
	const char *name;

	if (!s->item)
		return "(until all is complete)";
	op_text(&s->item->op, &t);
	name = mem_strdup(mem, t.s);
	text_free(&t);
	return name;
}

/* Why an op took longer than dispatching it: each cause with its cycles. */
static const char *cause(struct mem *mem, const struct price_step *s)
{
	struct text t = { 0 };
	const char *c;

	for (unsigned i = PIPE_ISSUE + 1; i < PIPE_CLASSES; i++)
		if (s->by_class[i])
			text_add(&t, "%s%s %llu", t.len ? ", " : "", pipe_class_name(i),
				 (unsigned long long)s->by_class[i]);
	c = mem_strdup(mem, t.s ? t.s : "");
	text_free(&t);
	return c;
}

static const char *function(const struct price_step *s)
{
	return s->item && s->item->in ? s->item->in : "";
}

/* Where ops are: a line of its own for people, a column for programs. */
struct place {
	const char *in;
	bool for_people;
};

static void add_place(struct scn_table *t, struct place *place, const struct price_step *s)
{
	const char *in = function(s);

	if (place->for_people && *in && strcmp(in, place->in))
		scn_table_row(t, "")[0] = scn_text(mem_printf(t->mem, "%s:", in));
	place->in = in;
}

static void add_listing(struct scn_result *r, const struct run *run, bool for_people)
{
	static const char *const columns[] = { "op", "start", "cycles", "total", "cause", "in" };
	struct scn_table *t = scn_table_new(r, "listing", NULL, "#", columns, for_people ? 5 : 6);
	struct place place = { "", for_people };

	for (size_t i = 0; i < run->n; i++) {
		const struct price_step *s = &run->step[i].s;
		struct scn_cell *c;

		add_place(t, &place, s);
		c = scn_table_row(t, mem_printf(r->mem, "%zu", i + 1));
		c[0] = scn_text(op_name(r->mem, s));
		c[1] = scn_count(s->start);
		c[2] = scn_count(s->cycles);
		c[3] = scn_count(s->start + s->cycles);
		c[4] = scn_text(cause(r->mem, s));
		if (!for_people)
			c[5] = scn_text(function(s));
	}
}

static void add_causes(struct scn_result *r, const struct run *a, const struct run *b,
		       const char *const *columns)
{
	struct scn_table *t = scn_table_new(r, "causes", "Cycles by cause", "cause", columns,
					    b ? 3 : 2);
	struct scn_cell *c;

	for (unsigned i = 0; i <= PIPE_CLASSES; i++) {
		uint64_t va = i < PIPE_CLASSES ? a->price.by_class[i] : a->price.cycles;

		c = scn_table_row(t, i < PIPE_CLASSES ? pipe_class_name(i) : "all");
		c[0] = scn_count(va);
		if (b) {
			uint64_t vb = i < PIPE_CLASSES ? b->price.by_class[i] : b->price.cycles;

			c[1] = scn_count(vb);
			c[2] = scn_decimal(((int64_t)vb - (int64_t)va) * 1000000, 0);
		} else {
			c[1] = scn_share(va, a->price.cycles, 1);
		}
	}
}

static void add_summary(struct scn_result *r, const struct run *run)
{
	static const char *const columns[] = { "times", "instructions", "cycles", "% of cycles" };
	struct scn_table *t = scn_table_new(r, "ops", "Cycles by op", "op", columns, 4);
	struct { uint64_t times, insns, cycles; } sum[OP_KINDS + 1] = { { 0 } };

	for (size_t i = 0; i < run->n; i++) {
		const struct price_step *s = &run->step[i].s;
		unsigned k = s->item ? s->item->op.kind : OP_KINDS;

		sum[k].times++;
		sum[k].insns += s->item ? s->item->op.n : 0;
		sum[k].cycles += s->cycles;
	}
	for (unsigned k = 0; k <= OP_KINDS; k++) {
		struct scn_cell *c;

		if (!sum[k].times)
			continue;
		c = scn_table_row(t, k < OP_KINDS ? op_kind_name(k) : "(until all is complete)");
		c[0] = scn_count(sum[k].times);
		c[1] = scn_count(sum[k].insns);
		c[2] = scn_count(sum[k].cycles);
		c[3] = scn_share(sum[k].cycles, run->price.cycles, 1);
	}
}

/* One line of a comparison: a step of either side, or of both when it is the same op. */
struct pair {
	const struct price_step *a, *b;
	bool differs;
};

static struct pair *make_pairs(const struct run *a, const struct run *b, size_t *n)
{
	struct pair *pair = mem_zalloc(a->n + b->n, sizeof(*pair));
	size_t i = 0, j = 0;

	*n = 0;
	while (i < a->n || j < b->n) {
		struct pair *p = &pair[(*n)++];
		uint32_t ia = i < a->n ? a->step[i].item : UINT32_MAX;
		uint32_t ib = j < b->n ? b->step[j].item : UINT32_MAX;

		p->a = ia <= ib ? &a->step[i++].s : NULL;
		p->b = ib <= ia ? &b->step[j++].s : NULL;
		/* a cycle more or less is where a fraction fell */
		p->differs = !p->a || !p->b || p->a->cycles > p->b->cycles + 1 ||
			     p->b->cycles > p->a->cycles + 1;
	}
	return pair;
}

static bool near_difference(const struct pair *pair, size_t n, size_t i)
{
	size_t lo = i > CONTEXT ? i - CONTEXT : 0, hi = i + CONTEXT < n ? i + CONTEXT : n - 1;

	for (size_t k = lo; k <= hi; k++)
		if (pair[k].differs)
			return true;
	return false;
}

static void add_pair(struct scn_table *t, const struct pair *p, size_t number, bool for_people)
{
	const struct price_step *s = p->a ? p->a : p->b;
	struct scn_cell *c = scn_table_row(t, mem_printf(t->mem, "%zu", number));
	int64_t a = p->a ? (int64_t)p->a->cycles : 0, b = p->b ? (int64_t)p->b->cycles : 0;

	c[0] = scn_text(op_name(t->mem, s));
	if (p->a)
		c[1] = scn_count(p->a->cycles);
	if (p->b)
		c[2] = scn_count(p->b->cycles);
	if (p->differs)
		c[3] = scn_decimal((b - a) * 1000000, 0);
	if (!for_people)
		c[4] = scn_text(function(s));
}

static void add_diff(struct scn_result *r, const struct run *a, const struct run *b,
		     const char *const *names, bool for_people)
{
	const char *columns[] = { "op", names[0], names[1], "difference", "in" };
	struct scn_table *t = scn_table_new(r, "diff", "Ops that differ, with those around them",
					    "#", columns, for_people ? 4 : 5);
	struct place place = { "", for_people };
	size_t n, last = 0;
	struct pair *pair = make_pairs(a, b, &n);

	for (size_t i = 0; i < n; i++) {
		if (!near_difference(pair, n, i))
			continue;
		if (last && i != last && for_people)
			scn_table_row(t, "...");
		last = i + 1;
		add_place(t, &place, pair[i].a ? pair[i].a : pair[i].b);
		add_pair(t, &pair[i], i + 1, for_people);
	}
	free(pair);
}

/* The columns' names: what is set on one side and on the other. */
static const char *side_name(struct mem *mem, const struct scn_path_request *q)
{
	struct text t = { 0 };
	const char *name;

	for (size_t i = 0; i < q->diffs; i++)
		text_add(&t, "%s%s=%s", i ? " " : "", q->diff[i].key, q->diff[i].value);
	name = mem_strdup(mem, t.s);
	text_free(&t);
	return name;
}

static int compare(struct mem *mem, const struct scn_path_request *q, const struct run *a,
		   struct scn_result *result, struct err *err)
{
	const char *names[] = { "as set", side_name(mem, q), "difference" };
	struct scn_set *both = mem_alloc(mem, q->sets + q->diffs, sizeof(*both));
	struct scn_priced p;
	struct run b;

	if (q->sets)
		memcpy(both, q->set, q->sets * sizeof(*both));
	memcpy(both + q->sets, q->diff, q->diffs * sizeof(*both));
	if (scn_priced_load(mem, q->path, q->cpu, both, q->sets + q->diffs, &p, err) < 0)
		return -1;
	run_path(&p, &b);
	/* the two sides were loaded apart: same file, so the same items in the same order */
	if (!q->summary)
		add_diff(result, a, &b, names, q->for_people);
	add_causes(result, a, &b, names);
	price_free(p.pricer);
	free(b.step);
	return 0;
}

int scn_path_run(struct mem *mem, const struct scn_path_request *q, struct scn_result *result,
		 struct err *err)
{
	static const char *const one[] = { "cycles", "% of cycles" };
	struct scn_priced p = { 0 };
	struct run run;
	int rc = 0;

	*result = (struct scn_result){ .mem = mem, .set = q->set, .sets = q->sets, .kind = "path",
				       .cpu = q->cpu };
	if (scn_priced_load(mem, q->path, q->cpu, q->set, q->sets, &p, err) < 0)
		return -1;
	result->scenario = file_shown(mem, p.path->file);
	result->title = p.path->summary;
	run_path(&p, &run);
	if (q->diffs) {
		rc = compare(mem, q, &run, result, err);
	} else {
		if (q->summary)
			add_summary(result, &run);
		else
			add_listing(result, &run, q->for_people);
		add_causes(result, &run, NULL, one);
	}
	price_free(p.pricer);
	free(run.step);
	return rc;
}
