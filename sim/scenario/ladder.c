// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "scenario/published.h"

#define MICRO INT64_C(1000000)

static const char *const role_names[] = {
	[LADDER_FIT] = "fit",
	[LADDER_CALIBRATION] = "calibration",
	[LADDER_PREDICTION] = "prediction",
	[LADDER_SIGN] = "sign",
	[LADDER_STRUCTURE] = "structure",
	[LADDER_EXCLUDED] = "excluded",
	NULL,
};

const char *ladder_role_name(enum ladder_role role)
{
	return role_names[role];
}

struct doc {
	struct scn_common common;
	const char *path;
	const struct jnode *rungs, *totals, *ipc, *fit;
};

static const struct jfield doc_fields[] = {
	SCN_COMMON_FIELDS(struct doc),
	{ "path", JK_TEXT, offsetof(struct doc, path), .required = true },
	{ "rungs", JK_ARRAY, offsetof(struct doc, rungs), .required = true },
	{ "totals", JK_ARRAY, offsetof(struct doc, totals), .required = true },
	{ "ipc", JK_ARRAY, offsetof(struct doc, ipc) },
	{ "fit", JK_OBJECT, offsetof(struct doc, fit) },
};

static const struct jfield rung_fields[] = {
	{ "name", JK_TEXT, offsetof(struct ladder_rung, name), .required = true },
	{ "set", JK_OBJECT, offsetof(struct ladder_rung, set) },
	{ "published", JK_ANY, offsetof(struct ladder_rung, published) },
	{ "role", JK_NAME, offsetof(struct ladder_rung, role), .names = role_names },
	{ "commit", JK_NOTE },
	{ "note", JK_TEXT, offsetof(struct ladder_rung, note) },
};

static const struct jfield total_fields[] = {
	{ "name", JK_TEXT, offsetof(struct ladder_total, name), .required = true },
	{ "after", JK_TEXT, offsetof(struct ladder_total, after), .required = true },
	{ "published", JK_ANY, offsetof(struct ladder_total, published) },
	{ "tolerance", JK_MICRO, offsetof(struct ladder_total, tolerance), .lo = 1, .hi = 100 * (int64_t)MICRO },
	{ "role", JK_NAME, offsetof(struct ladder_total, role), .names = role_names },
	{ "source", JK_NOTE },
};

static const struct jfield fit_fields[] = {
	{ "absolute", JK_MICRO, offsetof(struct ladder, absolute), true, 0, 1000 * MICRO },
	{ "percent", JK_MICRO, offsetof(struct ladder, percent), true, 0, 100 * MICRO },
	{ "note", JK_NOTE },
};

static uint64_t count_ops(const struct path *path, const struct cond_bits *bits)
{
	struct path_counts c;
	uint64_t ops = 0;

	path_count(path, bits, &c);
	for (unsigned k = 0; k < OP_KINDS; k++)
		if (k != OP_WORK)
			ops += c.kind[k];
	return ops;
}

static int load_rungs(struct ladder *l, const struct jnode *list, struct err *err)
{
	struct policy_set set = l->view.policy;

	l->start = policy_bits(&set);
	l->start_ops = count_ops(l->path, &l->start);
	l->rung = mem_alloc(l->scn->mem, list->n, sizeof(*l->rung));
	for (const struct jnode *node = list->child; node; node = node->next) {
		struct ladder_rung *r = &l->rung[l->n];

		r->role = LADDER_PREDICTION;
		if (JFIELDS(node, rung_fields, r, err) < 0 ||
		    scn_cycles_read(r->published, -SCN_CYCLES_MAX, &r->delta, err) < 0)
			return -1;
		if (r->published && !jnode_get(node, "role"))
			return jnode_err(node, err, "publishes a figure and needs a 'role'");
		if (policy_set_object(&set, r->set, err) < 0)
			return -1;
		r->bits = policy_bits(&set);
		r->ops = count_ops(l->path, &r->bits);
		l->n++;
	}
	return 0;
}

static int find_rung(const struct ladder *l, struct ladder_total *t, const struct jnode *node,
		     struct err *err)
{
	if (!*t->after)
		return 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!strcmp(l->rung[i].name, t->after)) {
			t->rung = i + 1;
			return 0;
		}
	}
	return jnode_err(jnode_get(node, "after"), err, "must name a rung, or be \"\" for the start");
}

static int load_totals(struct ladder *l, const struct jnode *list, struct err *err)
{
	l->total = mem_alloc(l->scn->mem, list->n, sizeof(*l->total));
	for (const struct jnode *node = list->child; node; node = node->next) {
		struct ladder_total *t = &l->total[l->totals];

		t->role = LADDER_PREDICTION;
		if (JFIELDS(node, total_fields, t, err) < 0 ||
		    scn_cycles_read(t->published, 1, &t->cycles, err) < 0 ||
		    find_rung(l, t, node, err) < 0)
			return -1;
		l->totals++;
	}
	return 0;
}

static int check_ipc(const struct ladder *l, struct err *err)
{
	for (const struct jnode *c = l->ipc ? l->ipc->child : NULL; c; c = c->next)
		if (c->type != J_NUMBER || c->micro < MICRO / 10 || c->micro > 10 * MICRO)
			return jnode_err(c, err, "must be a number from 0.1 to 10");
	if (l->ipc && l->ipc->n > 16)
		return jnode_err(l->ipc, err, "must hold at most 16 numbers");
	return 0;
}

int ladder_load(const struct scenario *scn, struct ladder *l, struct scn_result *result,
		struct err *err)
{
	struct doc doc = { 0 };
	const struct spr_table *sprs;

	*l = (struct ladder){ .scn = scn };
	if (scn_view(scn, NULL, &l->view, err) < 0 ||
	    JFIELDS(l->view.root, doc_fields, &doc, err) < 0)
		return -1;
	if (!l->view.model)
		return jnode_err(l->view.root, err, "needs a 'cpu'");
	sprs = spr_load(scn->mem, err);
	if (!sprs)
		return -1;
	l->path = path_load(path_lib_new(scn->mem, sprs, scn->policies), doc.path, err);
	l->ipc = doc.ipc;
	l->has_fit = doc.fit != NULL;
	if (!l->path || load_rungs(l, doc.rungs, err) < 0 || load_totals(l, doc.totals, err) < 0 ||
	    check_ipc(l, err) < 0)
		return -1;
	return doc.fit ? JFIELDS(doc.fit, fit_fields, l, err) : 0;
}

void ladder_price(const struct ladder *l, const struct cpu_model *model, uint64_t *cycles)
{
	struct pricer *pricer = price_new(model);

	cycles[0] = price_path(pricer, l->path, &l->start)->cycles;
	for (size_t i = 0; i < l->n; i++)
		cycles[i + 1] = price_path(pricer, l->path, &l->rung[i].bits)->cycles;
	price_free(pricer);
}

int64_t ladder_ops(const struct ladder *l, size_t i)
{
	return (int64_t)l->rung[i].ops - (int64_t)(i ? l->rung[i - 1].ops : l->start_ops);
}

int64_t ladder_null(const struct ladder *l, size_t skip)
{
	__int128 num = 0, den = 0;

	for (size_t i = 0; i < l->n; i++) {
		int64_t ops = ladder_ops(l, i);

		if (l->rung[i].role != LADDER_FIT || i == skip)
			continue;
		num += (__int128)ops * l->rung[i].delta;
		den += (__int128)ops * ops;
	}
	return den ? (int64_t)(num * MICRO / den) : 0;
}

/* What the null model gives for so many ops, millionths; of a huge one the largest number. */
static int64_t null_of(int64_t null, int64_t ops)
{
	int64_t v;

	if (__builtin_mul_overflow(null, ops, &v))
		return (null < 0) != (ops < 0) ? INT64_MIN : INT64_MAX;
	return v;
}

static void add_ladder(const struct ladder *l, const uint64_t *cycles, struct scn_result *result)
{
	static const char *const columns[] = { "change", "given", "off by", "null", "total", "role" };
	struct scn_table *t = scn_table_new(result, "ladder", "Cycles, patch by patch (given: as "
					    "published; null: every op costs the same)", "patch",
					    columns, 6);
	int64_t null = ladder_null(l, SIZE_MAX);

	t->predicted = "change";
	scn_table_row(t, "start")[4] = scn_count(cycles[0]);
	for (size_t i = 0; i < l->n; i++) {
		const struct ladder_rung *r = &l->rung[i];
		struct scn_cell *c = scn_table_row(t, r->name);
		int64_t delta = (int64_t)cycles[i + 1] - (int64_t)cycles[i];

		c[0] = scn_decimal(delta * MICRO, 0);
		if (r->published) {
			c[1] = scn_decimal(r->delta * MICRO, 0);
			c[2] = scn_decimal((delta - r->delta) * MICRO, 0);
			c[5] = scn_text(role_names[r->role]);
		}
		if (null)
			c[3] = scn_decimal(null_of(null, ladder_ops(l, i)), 0);
		c[4] = scn_count(cycles[i + 1]);
	}
}

static void add_totals(const struct ladder *l, const uint64_t *cycles, struct scn_result *result)
{
	static const char *const columns[] = { "cycles", "given", "off by", "allowed, %",
					       "start / this", "role" };
	struct scn_table *t = scn_table_new(result, "totals", "Totals", "state", columns, 6);

	t->predicted = "cycles";
	for (size_t i = 0; i < l->totals; i++) {
		const struct ladder_total *total = &l->total[i];
		struct scn_cell *c = scn_table_row(t, total->name);

		c[0] = scn_count(cycles[total->rung]);
		if (total->published) {
			c[1] = scn_count((uint64_t)total->cycles);
			c[2] = scn_difference((uint64_t)total->cycles, cycles[total->rung]);
			c[3] = total->tolerance ? scn_decimal(total->tolerance, 0)
						: (struct scn_cell){ 0 };
			c[5] = scn_text(role_names[total->role]);
		}
		c[4] = scn_decimal((int64_t)(cycles[0] * (uint64_t)MICRO / cycles[total->rung]), 2);
	}
}

/* The totals as a function of the assumed IPC of ordinary instructions. */
static void add_ipc(const struct ladder *l, struct scn_result *result)
{
	struct cpu_model *model = mem_alloc(l->scn->mem, 1, sizeof(*model));
	uint64_t *cycles = mem_zalloc(l->n + 1, sizeof(*cycles));
	const char **columns = mem_zalloc(l->totals, sizeof(*columns));
	struct scn_table *t;

	for (size_t i = 0; i < l->totals; i++)
		columns[i] = l->total[i].name;
	t = scn_table_new(result, "ipc", "Totals by the assumed IPC of ordinary instructions", "ipc",
			  columns, (unsigned)l->totals);
	for (const struct jnode *c = l->ipc->child; c; c = c->next) {
		struct scn_cell *cell = scn_table_row(t, c->text);

		*model = *l->view.model;
		model->params[CPU_IPC].micro = c->micro;
		ladder_price(l, model, cycles);
		for (size_t i = 0; i < l->totals; i++)
			cell[i] = scn_count(cycles[l->total[i].rung]);
	}
	free(cycles);
	free(columns);
}

static void add_notes(const struct ladder *l, struct scn_result *result)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->rung[i].note)
			scn_result_note(result, mem_printf(l->scn->mem, "%s: %s", l->rung[i].name,
							   l->rung[i].note));
}

int ladder_run(const struct scenario *scn, struct scn_result *result, struct err *err)
{
	struct ladder *l = mem_alloc(scn->mem, 1, sizeof(*l));
	uint64_t *cycles;

	if (ladder_load(scn, l, result, err) < 0)
		return -1;
	cycles = mem_alloc(scn->mem, l->n + 1, sizeof(*cycles));
	ladder_price(l, l->view.model, cycles);
	add_ladder(l, cycles, result);
	if (l->totals)
		add_totals(l, cycles, result);
	if (l->ipc && l->totals)
		add_ipc(l, result);
	add_notes(l, result);
	return 0;
}
