// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/published.h"

#include <string.h>

#include "base/text.h"

#define MICRO INT64_C(1000000)
#define TOLERANCE_MAX (1000 * MICRO) /* points */
#define FIGURE_MAX (1000000 * MICRO) /* published: far from 2^63 in millionths */

static const char *const role_names[] = { "prediction", "structure", "cross-validated",
					  "calibration", NULL };

const char *scn_role_name(unsigned role)
{
	return role_names[role];
}

struct metric_file {
	struct scn_metric m;
	const struct jnode *tolerance, *noise;
};

static const struct jfield metric_fields[] = {
	{ "metric", JK_TEXT, offsetof(struct metric_file, m.metric), .required = true },
	{ "label", JK_TEXT, offsetof(struct metric_file, m.label) },
	{ "role", JK_NAME, offsetof(struct metric_file, m.role), .names = role_names },
	{ "published", JK_OBJECT, offsetof(struct metric_file, m.published) },
	{ "source", JK_TEXT, offsetof(struct metric_file, m.source) },
	{ "tolerance", JK_ANY, offsetof(struct metric_file, tolerance) },
	{ "noise", JK_OBJECT, offsetof(struct metric_file, noise) },
};

/* A number of points, or what each figure may be off. */
static int read_tolerance(const struct jnode *node, struct scn_metric *m, struct err *err)
{
	if (node->type == J_OBJECT)
		return scn_amount_read(node, &m->allowed, err);
	if (node->type != J_NUMBER || node->micro < 0 || node->micro > TOLERANCE_MAX)
		return jnode_err(node, err, "must be a number of points from 0 to %lld, or an "
				 "object with 'absolute', 'percent' or 'sqrt'",
				 (long long)(TOLERANCE_MAX / MICRO));
	m->tolerance = node->micro;
	return 0;
}

static int check_figures(const struct jnode *published, struct err *err)
{
	for (const struct jnode *c = published ? published->child : NULL; c; c = c->next)
		if (c->type != J_NUMBER || c->large || c->micro < 0 ||
		    c->micro > FIGURE_MAX * MICRO)
			return jnode_err(c, err, "must be a number from 0 to %lld%s%s",
					 (long long)FIGURE_MAX, c->text ? ", not " : "",
					 c->text ? c->text : "");
	return 0;
}

int scn_cycles_read(const struct jnode *node, int64_t lo, int64_t *v, struct err *err)
{
	int64_t got;

	if (!node)
		return 0;
	if (!jnode_whole(node, &got) || got < lo || got > SCN_CYCLES_MAX)
		return jnode_err(node, err, "must be a whole number of cycles from %lld to %lld%s%s",
				 (long long)lo, (long long)SCN_CYCLES_MAX,
				 node->text ? ", not " : "", node->text ? node->text : "");
	*v = got;
	return 0;
}

int scn_metric_read(const struct jnode *node, struct scn_metric *m, struct err *err)
{
	struct metric_file f = { .m = { .node = node, .tolerance = -1, .allowed = SCN_AMOUNT_NONE,
					.noise.amount = SCN_AMOUNT_NONE } };

	if (JFIELDS(node, metric_fields, &f, err) < 0 || check_figures(f.m.published, err) < 0 ||
	    (f.tolerance && read_tolerance(f.tolerance, &f.m, err) < 0) ||
	    (f.noise && scn_noise_read(f.noise, &f.m.noise, err) < 0))
		return -1;
	*m = f.m;
	if (!m->label)
		m->label = m->metric;
	return 0;
}

bool scn_calibrated(const struct scenario *scn, const char *metric, const char *variant)
{
	const struct jnode *list = jnode_get(scn->root, "calibrate");

	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		const struct jnode *m = jnode_get(c, "metric"), *v = jnode_get(c, "variant");

		if (m && v && m->text && v->text && !strcmp(m->text, metric) &&
		    !strcmp(v->text, variant))
			return true;
	}
	return false;
}

static const char *role_text(const struct scenario *scn, const struct scn_metric *m)
{
	const char *calibrations = "";

	for (unsigned i = 0; i < scn->variants; i++)
		if (scn_calibrated(scn, m->metric, scn->variant[i].name))
			calibrations = mem_printf(scn->mem, "%s; %s: calibration", calibrations,
						  scn->variant[i].name);
	return mem_printf(scn->mem, "%s%s", scn_role_name(m->role), calibrations);
}

static struct scn_cell published_cell(const struct scn_metric *m, const char *variant)
{
	const struct jnode *v = m->published ? jnode_get(m->published, variant) : NULL;
	int64_t whole;

	if (!v || v->type != J_NUMBER)
		return (struct scn_cell){ 0 };
	if (jnode_whole(v, &whole))
		return scn_count((uint64_t)whole);
	return scn_decimal(v->micro, 2);
}

static struct scn_cell difference(struct scn_cell a, struct scn_cell b)
{
	if (a.kind == SCN_EMPTY || b.kind == SCN_EMPTY || a.kind != b.kind)
		return (struct scn_cell){ 0 };
	return scn_difference((uint64_t)a.v, (uint64_t)b.v);
}

struct build {
	const struct scenario *scn;
	struct scn_table *table;
	scn_value_fn value;
	void *ctx;
	bool published, pair, roles;
};

static void build_row(struct build *b, const struct scn_metric *m)
{
	struct scn_cell *cell = scn_table_row(b->table, m->label);
	unsigned n = b->scn->variants, at = 0;

	for (unsigned v = 0; v < n; v++)
		b->value(b->ctx, v, m->metric, &cell[at++]);
	if (b->pair)
		cell[at++] = difference(cell[0], cell[1]);
	if (b->published) {
		for (unsigned v = 0; v < n; v++)
			cell[at++] = published_cell(m, b->scn->variant[v].name);
		if (b->pair)
			cell[at++] = difference(cell[n + 1], cell[n + 2]);
	}
	if (b->roles)
		cell[at++] = scn_text(role_text(b->scn, m));
}

/* Few variants: a column each, as publications print them. */
static void build_columns(struct build *b, struct scn_result *result)
{
	const char *column[4 * SCN_VARIANTS_MAX];
	const struct scenario *scn = b->scn;
	unsigned n = 0;

	for (unsigned v = 0; v < scn->variants; v++)
		column[n++] = scn->variant[v].name;
	if (b->pair)
		column[n++] = "difference";
	if (b->published) {
		for (unsigned v = 0; v < scn->variants; v++)
			column[n++] = mem_printf(scn->mem, "published %s", scn->variant[v].name);
		if (b->pair)
			column[n++] = "published difference";
	}
	if (b->roles)
		column[n++] = "role";
	b->table = scn_table_new(result, "metrics", NULL, "metric", column, n);
}

/* Many variants: a row each. */
static void build_transposed(struct build *b, struct scn_result *result,
			     const struct scn_metric *m, unsigned n)
{
	const char **column = mem_alloc(b->scn->mem, n, sizeof(*column));

	for (unsigned i = 0; i < n; i++)
		column[i] = m[i].label;
	b->table = scn_table_new(result, "metrics", NULL, "variant", column, n);
	for (unsigned v = 0; v < b->scn->variants; v++) {
		struct scn_cell *cell = scn_table_row(b->table, b->scn->variant[v].name);

		for (unsigned i = 0; i < n; i++)
			b->value(b->ctx, v, m[i].metric, &cell[i]);
	}
}

static int read_rows(const struct scenario *scn, struct scn_metric *rows, const char *const *names,
		     size_t n, struct err *err)
{
	const struct jnode *list = jnode_get(scn->root, "metrics");

	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next, rows++) {
		const char *near;
		size_t i = 0;

		if (scn_metric_read(c, rows, err) < 0)
			return -1;
		while (i < n && strcmp(names[i], rows->metric))
			i++;
		if (i < n)
			continue;
		near = text_nearest(rows->metric, names, n);
		return jnode_err(jnode_get(c, "metric"), err, "is not a metric of this kind of "
				 "scenario (%s'%s')", near ? "did you mean " : "its first is ",
				 near ? near : names[0]);
	}
	return 0;
}

int scn_published(const struct scenario *scn, struct scn_result *result, scn_value_fn value,
		  void *ctx, const char *const *names, size_t n, struct err *err)
{
	const struct jnode *list = jnode_get(scn->root, "metrics");
	struct build b = { scn, NULL, value, ctx, false, scn->variants == 2, false };
	struct scn_metric *rows;

	if (!list || !list->n)
		return err_at(err, scn->file, 0, "needs 'metrics': what to report");
	rows = mem_alloc(scn->mem, list->n, sizeof(*rows));
	if (read_rows(scn, rows, names, n, err) < 0)
		return -1;
	for (size_t i = 0; i < list->n; i++)
		b.published |= rows[i].published != NULL;
	for (size_t i = 0; i < list->n; i++)
		b.roles |= b.published || jnode_get(rows[i].node, "role");
	if (scn->variants > SCN_WIDE && !b.published) {
		build_transposed(&b, result, rows, (unsigned)list->n);
		return 0;
	}
	build_columns(&b, result);
	for (size_t i = 0; i < list->n; i++)
		build_row(&b, &rows[i]);
	return 0;
}

const struct scn_cell *scn_metric_cell(const struct scn_result *result, const char *label,
				       const char *column)
{
	const struct scn_table *t = scn_result_table(result, "metrics");

	for (unsigned r = 0; t && r < t->rows; r++)
		for (unsigned c = 0; c < t->columns && !strcmp(t->row[r].name, label); c++)
			if (!strcmp(t->column[c], column))
				return &t->row[r].cell[c];
	return NULL;
}
