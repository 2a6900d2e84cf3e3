// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "study/ensemble_part.h"
#include "study/order.h"

#define MICRO INT64_C(1000000)

/* One number of every member: a cell, or the difference of two. */
struct output {
	const struct ensemble *e;
	unsigned table, row, column;
	bool pair;
	unsigned row2, column2;
};

static struct scn_cell value_of(const struct output *o, size_t member)
{
	struct scn_cell b, a = study_member_cell(o->e, member, o->table, o->row, o->column);

	if (!o->pair)
		return a;
	b = study_member_cell(o->e, member, o->table, o->row2, o->column2);
	if (a.kind != b.kind || a.kind == SCN_EMPTY || a.kind == SCN_PERCENT)
		return (struct scn_cell){ 0 };
	return scn_difference((uint64_t)a.v, (uint64_t)b.v);
}

/* Median, 5 % and 95 % into three cells; empty when no member has the number. */
static void interval(const struct output *o, struct scn_cell *to)
{
	static const unsigned percent[] = { 50, 5, 95 };
	int64_t *v = mem_zalloc(o->e->members, sizeof(*v));
	struct scn_cell shape = { 0 };
	size_t n = 0;

	for (size_t m = 0; m < o->e->members; m++) {
		struct scn_cell c = value_of(o, m);

		if (c.kind == SCN_EMPTY)
			continue;
		shape = c;
		v[n++] = c.v;
	}
	study_sort(v, n);
	for (unsigned i = 0; n && i < 3; i++) {
		to[i] = shape;
		to[i].v = study_quantile(v, n, percent[i], 100);
	}
	free(v);
}

static const char *const heads[] = { "median", "5 %", "95 %" };

static void widen(const struct ensemble *e, unsigned table, struct scn_table *t)
{
	const struct ensemble_table *et = &e->table[table];
	const char **name = mem_alloc(t->mem, 3 * et->outputs, sizeof(*name));
	unsigned from = t->columns;

	for (unsigned i = 0; i < et->outputs; i++)
		for (unsigned k = 0; k < 3; k++)
			name[3 * i + k] = mem_printf(t->mem, "%s %s", heads[k],
						     t->column[et->output[i]]);
	scn_table_widen(t, name, 3 * et->outputs);
	for (unsigned r = 0; r < t->rows; r++)
		for (unsigned i = 0; i < et->outputs; i++)
			interval(&(struct output){ .e = e, .table = table, .row = r,
						   .column = et->output[i] },
				 &t->row[r].cell[from + 3 * i]);
}

/* With more than two variants, each against the first; a row may be a metric or a variant. */
static bool transposed(const struct scn_table *t)
{
	return !strcmp(t->corner, "variant");
}

/* The table of metrics and its place. */
struct metrics {
	const struct ensemble *e;
	unsigned table;
	const struct scn_table *t;
	unsigned n;           /* metrics in it */
};

static const char *metric_name(const struct metrics *m, unsigned i)
{
	return transposed(m->t) ? m->t->column[i] : m->t->row[i].name;
}

static struct output pair_of(const struct metrics *m, unsigned metric, unsigned variant)
{
	if (transposed(m->t))
		return (struct output){ m->e, m->table, 0, metric, true, variant, metric };
	return (struct output){ m->e, m->table, metric, 0, true, metric, variant };
}

static void tabulate_differences(const struct metrics *m, struct scn_result *r)
{
	const struct scn_table *t = m->t;
	unsigned n = r->variants - 1;
	const char **name = mem_alloc(r->mem, 4 * n, sizeof(*name));
	struct scn_table *out;

	for (unsigned v = 0; v < n; v++) {
		name[v] = mem_printf(r->mem, "%s -> %s", r->variant[0], r->variant[v + 1]);
		for (unsigned k = 0; k < 3; k++)
			name[n + 3 * v + k] = mem_printf(r->mem, "%s %s", heads[k], name[v]);
	}
	out = scn_table_new(r, "differences", "Differences between variants", "metric", name, 4 * n);
	for (unsigned i = 0; i < m->n; i++) {
		struct scn_cell *cell = scn_table_row(out, metric_name(m, i));

		for (unsigned v = 0; v < n; v++) {
			struct output o = pair_of(m, i, v + 1);
			struct scn_cell a = t->row[o.row].cell[o.column];
			struct scn_cell b = t->row[o.row2].cell[o.column2];

			if (a.kind == b.kind && a.kind != SCN_EMPTY)
				cell[v] = scn_difference((uint64_t)a.v, (uint64_t)b.v);
			interval(&o, &cell[n + 3 * v]);
		}
	}
}

/* What the parameters are ranked by: differences when there are any, else the numbers. */
struct ranking {
	struct output *output;
	const char **name;
	unsigned outputs;
	int64_t *share;       /* [param][output], millionths */
	unsigned *order;      /* parameters, by the largest share */
};

#define RANKED_MAX 12

static void add_ranked(struct ranking *k, struct output o, const char *name)
{
	if (k->outputs == RANKED_MAX)
		return;
	k->output[k->outputs] = o;
	k->name[k->outputs++] = name;
}

static void find_ranked(const struct metrics *m, struct scn_result *r, struct ranking *k)
{
	unsigned difference = scn_table_column(m->t, "difference");

	k->output = mem_alloc(r->mem, RANKED_MAX, sizeof(*k->output));
	k->name = mem_alloc(r->mem, RANKED_MAX, sizeof(*k->name));
	for (unsigned i = 0; i < m->n && r->variants == 2 && difference < m->t->columns; i++)
		add_ranked(k, (struct output){ .e = m->e, .table = m->table, .row = i,
					       .column = difference }, metric_name(m, i));
	for (unsigned v = 1; v < r->variants && r->variants > 2; v++)
		for (unsigned i = 0; i < m->n; i++)
			add_ranked(k, pair_of(m, i, v), mem_printf(r->mem, "%s, %s",
				   metric_name(m, i), r->variant[v]));
	for (unsigned i = 0; i < m->n && r->variants == 1; i++)
		add_ranked(k, (struct output){ .e = m->e, .table = m->table, .row = i },
			   metric_name(m, i));
}

static void correlate(const struct ensemble *e, struct ranking *k)
{
	int64_t *x = mem_zalloc(e->members, sizeof(*x)), *y = mem_zalloc(e->members, sizeof(*y));

	for (unsigned p = 0; p < e->params; p++) {
		for (unsigned o = 0; o < k->outputs; o++) {
			for (size_t m = 0; m < e->members; m++) {
				x[m] = study_draw(&e->param[p], e->seed, m);
				y[m] = value_of(&k->output[o], m).v;
			}
			k->share[p * k->outputs + o] = study_rank_share(x, y, e->members);
		}
	}
	free(x);
	free(y);
}

static int64_t largest(const struct ranking *k, unsigned param)
{
	int64_t max = 0;

	for (unsigned o = 0; o < k->outputs; o++)
		if (k->share[param * k->outputs + o] > max)
			max = k->share[param * k->outputs + o];
	return max;
}

/* Insertion: a few dozen parameters, equal ones in the order of the file. */
static void order_params(const struct ensemble *e, struct ranking *k)
{
	for (unsigned p = 0; p < e->params; p++) {
		unsigned i = p;

		for (; i && largest(k, k->order[i - 1]) < largest(k, p); i--)
			k->order[i] = k->order[i - 1];
		k->order[i] = p;
	}
}

/* With this many pairs, a correlation below 3 / sqrt(members) is chance: its square is 9 / members. */
static void tabulate_spread(const struct metrics *m, struct scn_result *r)
{
	const struct ensemble *e = m->e;
	int64_t chance = 9 * MICRO / e->members;
	struct ranking k = { 0 };
	struct scn_table *out;

	find_ranked(m, r, &k);
	if (!k.outputs)
		return;
	k.share = mem_alloc(r->mem, (size_t)e->params * k.outputs, sizeof(*k.share));
	k.order = mem_alloc(r->mem, e->params, sizeof(*k.order));
	correlate(e, &k);
	order_params(e, &k);
	out = scn_table_new(r, "spread", mem_printf(r->mem, "Spread of the %s by parameter: squared "
			    "rank correlation, per cent (below %lld.%lld: chance, not listed)",
			    r->variants > 1 ? "differences" : "metrics",
			    (long long)(chance / 10000), (long long)(chance / 1000 % 10)),
			    "parameter", k.name, k.outputs);
	for (unsigned i = 0; i < e->params && largest(&k, k.order[i]) >= chance; i++) {
		struct scn_cell *cell = scn_table_row(out, e->param[k.order[i]].name);

		for (unsigned o = 0; o < k.outputs; o++)
			if (k.share[k.order[i] * k.outputs + o] >= chance)
				cell[o] = scn_decimal(100 * k.share[k.order[i] * k.outputs + o], 1);
	}
}

void study_ensemble_tables(const struct ensemble *e, struct scn_result *r)
{
	for (unsigned i = 0; i < e->tables; i++) {
		const struct scn_table *t = r->table[e->table[i].index];
		struct metrics m = { e, i, t, transposed(t) ? e->table[i].columns :
							      e->table[i].rows };

		if (strcmp(t->name, "metrics"))
			continue;
		if (r->variants > 2)
			tabulate_differences(&m, r);
		tabulate_spread(&m, r);
	}
	for (unsigned i = 0; i < e->tables; i++)
		widen(e, i, r->table[e->table[i].index]);
}
