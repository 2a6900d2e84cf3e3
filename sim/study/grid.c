// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/grid.h"

#include <string.h>

#include "base/text.h"
#include "study/calibrate.h"
#include "study/pool.h"

struct axis_file {
	const char *key, *why;
	const struct jnode *also, *values;
};

static const struct jfield axis_fields[] = {
	{ "set", JK_TEXT, offsetof(struct axis_file, key), .required = true },
	{ "also", JK_ARRAY, offsetof(struct axis_file, also) },
	{ "values", JK_ARRAY, offsetof(struct axis_file, values), .required = true },
	{ "why", JK_TEXT, offsetof(struct axis_file, why), .required = true },
};

/* The scalars of an array as --set writes them. */
static int read_scalars(struct mem *mem, const struct jnode *list, const char ***out, unsigned *n,
			struct err *err)
{
	*out = mem_alloc(mem, list ? list->n : 0, sizeof(**out));
	*n = 0;
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		const char *s = c->type == J_BOOL ? (c->truth ? "true" : "false") : c->text;

		if (!s)
			return jnode_err(c, err, "must be a string, a number, true or false");
		for (unsigned i = 0; i < *n; i++)
			if (!strcmp((*out)[i], s))
				return jnode_err(c, err, "is a second %s", s);
		(*out)[(*n)++] = s;
	}
	return 0;
}

/* Neither two axes nor --set and an axis may set the same. */
static int check_key(const struct study_grid *g, const struct jnode *node, const char *key,
		     struct err *err)
{
	for (size_t i = 0; i < g->options->sets; i++)
		if (!strcmp(g->options->set[i].key, key))
			return err_set(err, "--set %s: is an axis of the grid", key);
	for (unsigned a = 0; a < g->axes; a++) {
		bool same = !strcmp(g->axis[a].key, key);

		for (unsigned i = 0; i < g->axis[a].alsos; i++)
			same |= !strcmp(g->axis[a].also[i], key);
		if (same)
			return jnode_err(node, err, "is a second axis that sets %s", key);
	}
	return 0;
}

static int read_axis(struct study_grid *g, const struct jnode *node, struct err *err)
{
	struct study_axis *axis = &g->axis[g->axes];
	struct axis_file f = { 0 };

	if (g->axes == STUDY_AXES_MAX)
		return jnode_err(node, err, "is one axis more than %u", STUDY_AXES_MAX);
	if (JFIELDS(node, axis_fields, &f, err) < 0 ||
	    read_scalars(g->scn->mem, f.also, &axis->also, &axis->alsos, err) < 0 ||
	    read_scalars(g->scn->mem, f.values, &axis->value, &axis->values, err) < 0)
		return -1;
	if (!axis->values)
		return jnode_err(f.values, err, "needs at least one value");
	axis->key = f.key;
	axis->why = f.why;
	if (check_key(g, node, axis->key, err) < 0)
		return -1;
	for (unsigned i = 0; i < axis->alsos; i++)
		if (check_key(g, node, axis->also[i], err) < 0)
			return -1;
	g->axes++;
	if (g->points > STUDY_GRID_POINTS_MAX / axis->values)
		return jnode_err(node, err, "makes the grid larger than %u points",
				 STUDY_GRID_POINTS_MAX);
	g->points *= axis->values;
	return 0;
}

static int read_axes(struct study_grid *g, struct err *err)
{
	const struct jnode *list = jnode_get(g->scn->root, "grid");

	if (!list)
		return err_at(err, g->scn->file, 0, "has no 'grid': the axes to vary");
	if (jnode_is(list, J_ARRAY, err) < 0)
		return -1;
	g->points = 1;
	for (const struct jnode *c = list->child; c; c = c->next)
		if (read_axis(g, c, err) < 0)
			return -1;
	g->group = 1;
	for (unsigned a = g->axes; a-- && g->group * g->axis[a].values <= STUDY_GRID_GROUP_MAX;)
		g->group *= g->axis[a].values;
	return 0;
}

static const struct jnode *published(const struct study_grid *g, const struct scn_metric *m,
				     unsigned variant)
{
	const struct jnode *v = m->published ?
				jnode_get(m->published, g->scn->variant[variant].name) : NULL;

	return v && v->type == J_NUMBER && v->micro > 0 ? v : NULL;
}

static int read_metrics(struct study_grid *g, struct err *err)
{
	const struct jnode *list = jnode_get(g->scn->root, "metrics");
	bool judged = false;

	if (g->scn->variants != 2)
		return err_at(err, g->scn->file, 0, "a grid compares two variants, not %u: choose "
			      "them with --variant", g->scn->variants);
	g->metric = mem_alloc(g->scn->mem, list ? list->n : 0, sizeof(*g->metric));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct study_grid_metric *m = &g->metric[g->metrics];
		const struct jnode *a, *b;

		if (scn_metric_read(c, &m->m, err) < 0)
			return -1;
		a = published(g, &m->m, 0);
		b = published(g, &m->m, 1);
		if (!a || !b)
			continue;
		m->published = scn_difference((uint64_t)a->micro, (uint64_t)b->micro).v;
		judged |= m->m.tolerance >= 0;
		g->metrics++;
	}
	if (!judged)
		return err_at(err, g->scn->file, 0, "a grid needs a row of 'metrics' that publishes "
			      "both variants and has a 'tolerance'");
	return 0;
}

static int read_items(struct study_grid *g, struct err *err)
{
	const struct jnode *list = jnode_get(g->scn->root, "calibrate");

	if (list && jnode_is(list, J_ARRAY, err) < 0)
		return -1;
	g->item = mem_alloc(g->scn->mem, list ? list->n : 0, sizeof(*g->item));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		const struct jnode *set = jnode_get(c, "set"), *grid = jnode_get(c, "grid");

		if (grid && grid->type == J_BOOL && grid->truth && set && set->text)
			g->item[g->items++] = set->text;
	}
	if (g->items > STUDY_CALIBRATE_MAX)
		return jnode_err(list, err, "has more than %u entries", STUDY_CALIBRATE_MAX);
	return 0;
}

const char *study_grid_value(const struct study_grid *g, unsigned axis, size_t point)
{
	for (unsigned a = g->axes; a-- > axis + 1;)
		point /= g->axis[a].values;
	return g->axis[axis].value[point % g->axis[axis].values];
}

static size_t metric_at(unsigned metric)
{
	return GRID_HEAD_WORDS + (size_t)metric * GRID_METRIC_WORDS;
}

static size_t item_at(const struct study_grid *g, unsigned item)
{
	return metric_at(g->metrics) + (size_t)item * GRID_ITEM_WORDS;
}

const int64_t *study_grid_metric_of(const struct study_grid *g, size_t point, unsigned metric)
{
	return g->record + point * g->words + metric_at(metric);
}

const int64_t *study_grid_item_of(const struct study_grid *g, size_t point, unsigned item)
{
	return g->record + point * g->words + item_at(g, item);
}

/* The options of a point: what the user set, then the axes, with room for the calibrations. */
static void point_options(const struct study_grid *g, size_t point, struct mem *mem,
			  struct scn_options *o, struct scn_set **sets)
{
	size_t n = g->options->sets;
	struct scn_set *set;

	for (unsigned a = 0; a < g->axes; a++)
		n += 1 + g->axis[a].alsos;
	*o = *g->options;
	o->progress = NULL;
	set = mem_alloc(mem, n + STUDY_CALIBRATE_MAX, sizeof(*set));
	if (o->sets)
		memcpy(set, o->set, o->sets * sizeof(*set));
	for (unsigned a = 0; a < g->axes; a++) {
		const char *value = study_grid_value(g, a, point);

		set[o->sets++] = (struct scn_set){ g->axis[a].key, value };
		for (unsigned i = 0; i < g->axis[a].alsos; i++)
			set[o->sets++] = (struct scn_set){ g->axis[a].also[i], value };
	}
	o->set = *sets = set;
}

/* Whether all were met. */
static bool take_calibrations(const struct study_grid *g, const struct study_calibration *c,
			      unsigned n, int64_t *record)
{
	bool reached = true;

	for (unsigned i = 0; i < n; i++) {
		int64_t *item = record + item_at(g, i);

		item[GRID_VALUE] = c[i].value;
		item[GRID_GOT] = c[i].got;
		record[GRID_RUNS] += c[i].runs;
		reached &= c[i].reached;
	}
	return reached;
}

static int64_t distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

static int take_metrics(const struct study_grid *g, const struct scn_result *r, int64_t *record,
			struct err *err)
{
	record[GRID_AGREES] = 1;
	for (unsigned i = 0; i < g->metrics; i++) {
		const struct study_grid_metric *m = &g->metric[i];
		int64_t *out = record + metric_at(i);
		const struct scn_cell *cell[3] = {
			scn_metric_cell(r, m->m.label, g->scn->variant[0].name),
			scn_metric_cell(r, m->m.label, g->scn->variant[1].name),
			scn_metric_cell(r, m->m.label, "difference"),
		};

		if (!cell[0] || !cell[1] || !cell[2])
			return jnode_err(m->m.node, err, "gives no difference between the variants");
		out[GRID_SHAPE] = (int64_t)(cell[0]->kind | cell[0]->digits << 8);
		out[GRID_A] = cell[0]->v;
		out[GRID_B] = cell[1]->v;
		out[GRID_DIFFERENCE] = cell[2]->v;
		/* A metric that was 0 has no difference: it agrees with none. */
		out[GRID_METRIC_AGREES] = cell[2]->kind != SCN_EMPTY && m->m.tolerance >= 0 &&
					  distance(cell[2]->v, m->published) <= m->m.tolerance;
		if (m->m.tolerance >= 0)
			record[GRID_AGREES] &= out[GRID_METRIC_AGREES];
	}
	return 0;
}

/* What was found at the point before, in this group. */
struct neighbour {
	struct study_calibration c[STUDY_CALIBRATE_MAX];
	unsigned n;
};

static int run_point(const struct study_grid *g, size_t point, struct mem *mem,
		     struct neighbour *near, int64_t *record, struct err *err)
{
	const struct study_search search = { .grid = true, .tolerance = STUDY_GRID_CLOSE,
					     .near = near->c, .nears = near->n };
	struct neighbour found;
	struct scn_result result;
	struct scn_options o;
	struct scn_set *sets;

	point_options(g, point, mem, &o, &sets);
	if (study_calibrate(mem, &o, &search, found.c, &found.n, err) < 0)
		return -1;
	if (!take_calibrations(g, found.c, found.n, record))
		return 0;
	*near = found;
	for (unsigned i = 0; i < found.n; i++)
		o.sets = study_calibrated(mem, &found.c[i], sets, o.sets);
	if (scn_run(mem, &o, &result, err) < 0)
		return -1;
	record[GRID_RUNS] += 2;
	record[GRID_CALIBRATED] = 1;
	return take_metrics(g, &result, record, err);
}

static void name_point(const struct study_grid *g, size_t point, struct err *err,
		       const struct err *inner)
{
	struct text where = { 0 };

	for (unsigned a = 0; a < g->axes; a++)
		text_add(&where, " %s=%s", g->axis[a].key, study_grid_value(g, a, point));
	err_set(err, "%.600s (at%.300s)", inner->text, where.s ? where.s : " the only point");
	text_free(&where);
}

/* A group of points, which share all but the last axes. */
static int task(void *ctx, size_t i, int64_t *record, struct err *err)
{
	const struct study_grid *g = ctx;
	struct mem *group = mem_new();
	struct neighbour near = { .n = 0 };
	struct err inner = ERR_INIT;
	int rc = 0;

	for (size_t k = 0; !rc && k < g->group; k++) {
		rc = run_point(g, i * g->group + k, group, &near, record + k * g->words, &inner);
		if (rc < 0)
			name_point(g, i * g->group + k, err, &inner);
	}
	mem_free(group);
	return rc;
}

/* What the tables are about; the files' digests come from loading a view. */
static int describe(const struct study_grid *g, struct scn_result *r, struct err *err)
{
	const struct scenario *scn = g->scn;
	const struct jnode *title = jnode_get(scn->root, "title");
	const char **names = mem_alloc(scn->mem, scn->variants, sizeof(*names));
	struct scn_view view;

	*r = (struct scn_result){ .mem = scn->mem, .set = g->options->set,
				  .sets = g->options->sets, .scenario = scn->file,
				  .kind = scn->kind, .cpu = scn->cpu, .seed = scn->seed };
	r->title = mem_printf(scn->mem, "Grid: %s", title && title->text ? title->text : scn->file);
	for (unsigned i = 0; i < scn->variants; i++)
		names[i] = scn->variant[i].name;
	r->variant = names;
	r->variants = scn->variants;
	if (scn_view(scn, &scn->variant[0], &view, err) < 0)
		return -1;
	scn_result_inputs(r);
	return 0;
}

int study_grid(struct mem *mem, const struct scn_options *options, unsigned jobs,
	       struct scn_result *result, struct err *err)
{
	struct study_grid *g = mem_alloc(mem, 1, sizeof(*g));
	struct study_pool pool = { .jobs = jobs, .task = task, .ctx = g, .what = "groups of points",
				   .progress = options->progress, .progress_ctx = options->ctx };

	g->options = options;
	g->scn = mem_alloc(mem, 1, sizeof(*g->scn));
	if (scn_load(mem, options, g->scn, err) < 0 || read_axes(g, err) < 0 ||
	    read_metrics(g, err) < 0 || read_items(g, err) < 0 || describe(g, result, err) < 0)
		return -1;
	g->words = item_at(g, g->items);
	g->record = mem_alloc(mem, g->points * g->words, sizeof(*g->record));
	pool.words = g->words * g->group;
	if (study_pool_run(&pool, g->points / g->group, NULL, g->record, err) < 0)
		return -1;
	study_grid_tables(g, result);
	return 0;
}
