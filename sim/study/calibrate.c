// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/calibrate.h"

#include <string.h>

#include "scenario/published.h"

#define RUNS_MAX 40
#define MICRO INT64_C(1000000)

struct item {
	const char *set, *metric, *variant;
	int64_t lo, hi;
};

static const struct jfield item_fields[] = {
	{ "set", JK_TEXT, offsetof(struct item, set), .required = true },
	{ "metric", JK_TEXT, offsetof(struct item, metric), .required = true },
	{ "variant", JK_TEXT, offsetof(struct item, variant), .required = true },
	{ "lo", JK_MICRO, offsetof(struct item, lo), .required = true },
	{ "hi", JK_MICRO, offsetof(struct item, hi), .required = true },
	{ "note", JK_NOTE },
};

const char *study_decimal(struct mem *mem, int64_t micro)
{
	return mem_printf(mem, "%s%lld.%06lld", micro < 0 ? "-" : "",
			  (long long)(micro < 0 ? -micro : micro) / 1000000,
			  (long long)(micro < 0 ? -micro : micro) % 1000000);
}

struct search {
	struct mem *mem;
	const struct scn_options *base;
	struct scn_set *set;     /* base's, those found, and last the one searched */
	size_t sets;
	const char *label;
	struct study_calibration *c;
	struct err *err;
};

/* The metric with the parameter at x. */
static int measure(struct search *s, int64_t x, int64_t *got)
{
	struct scn_options o = *s->base;
	struct mem *mem = mem_new();
	const struct scn_cell *cell;
	struct scn_result result;
	int rc = -1;

	s->set[s->sets - 1] = (struct scn_set){ s->c->key, study_decimal(mem, x) };
	o.set = s->set;
	o.sets = s->sets;
	o.variant = &s->c->variant;
	o.variants = 1;
	o.progress = NULL;
	s->c->runs++;
	if (scn_run(mem, &o, &result, s->err) == 0) {
		cell = scn_metric_cell(&result, s->label, s->c->variant);
		if (cell) {
			*got = cell->kind == SCN_COUNT ? cell->v * MICRO : cell->v;
			rc = 0;
		} else {
			err_set(s->err, "calibrate: no metric '%s' in the result", s->c->metric);
		}
	}
	mem_free(mem);
	return rc;
}

static int64_t off(int64_t got, int64_t target)
{
	return got > target ? got - target : target - got;
}

static bool close_enough(int64_t got, int64_t target)
{
	return off(got, target) <= target / 1000;
}

/* Where a straight line between the ends meets the target, kept off the ends. */
static int64_t between(int64_t a, int64_t fa, int64_t b, int64_t fb, int64_t target, bool middle)
{
	int64_t x, edge = (b - a) / 16;

	if (middle || fa == fb)
		return a + (b - a) / 2;
	x = a + (int64_t)((__int128)(b - a) * (target - fa) / (fb - fa));
	if (x < a + edge)
		return a + edge;
	return x > b - edge ? b - edge : x;
}

/* A monotone metric: narrow [lo, hi] by straight lines, every third time by halves. */
static int solve(struct search *s)
{
	struct study_calibration *c = s->c;
	int64_t a = c->lo, b = c->hi, fa, fb, x, fx;

	if (measure(s, a, &fa) < 0 || measure(s, b, &fb) < 0)
		return -1;
	c->value = off(fa, c->target) < off(fb, c->target) ? a : b;
	c->got = c->value == a ? fa : fb;
	if ((fa < c->target) == (fb < c->target)) {
		c->reached = close_enough(c->got, c->target);
		return 0;
	}
	for (unsigned i = 0; i < RUNS_MAX && b - a > 1; i++) {
		x = between(a, fa, b, fb, c->target, i % 3 == 2);
		if (x <= a || x >= b)
			x = a + (b - a) / 2;
		if (measure(s, x, &fx) < 0)
			return -1;
		c->value = x;
		c->got = fx;
		if (close_enough(fx, c->target))
			break;
		if ((fx < c->target) == (fa < c->target)) {
			a = x;
			fa = fx;
		} else {
			b = x;
			fb = fx;
		}
	}
	c->reached = close_enough(c->got, c->target);
	return 0;
}

static int find_target(const struct scenario *scn, const struct item *it, struct search *s,
		       const struct jnode *at)
{
	const struct jnode *list = jnode_get(scn->root, "metrics"), *value;

	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct scn_metric m;

		if (scn_metric_read(c, &m, s->err) < 0)
			return -1;
		value = m.published ? jnode_get(m.published, it->variant) : NULL;
		if (strcmp(m.metric, it->metric) || !value || value->type != J_NUMBER)
			continue;
		s->label = m.label;
		s->c->target = value->micro;
		return 0;
	}
	return jnode_err(at, s->err, "needs a row of 'metrics' that publishes %s for '%s'",
			 it->metric, it->variant);
}

static int solve_item(struct search *s, const struct scenario *scn, const struct jnode *node)
{
	struct item it = { 0 };

	if (JFIELDS(node, item_fields, &it, s->err) < 0)
		return -1;
	if (it.lo >= it.hi)
		return jnode_err(node, s->err, "needs 'lo' below 'hi'");
	*s->c = (struct study_calibration){ .key = it.set, .metric = it.metric,
					    .variant = it.variant, .lo = it.lo, .hi = it.hi };
	if (find_target(scn, &it, s, node) < 0)
		return -1;
	s->sets++;
	return solve(s);
}

int study_calibrate(struct mem *mem, const struct scn_options *options, const char *only,
		    struct study_calibration *out, unsigned *n, struct err *err)
{
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct search s = { .mem = mem, .base = options, .sets = options->sets, .err = err };
	const struct jnode *list;

	*n = 0;
	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	list = jnode_get(scn->root, "calibrate");
	s.set = mem_alloc(mem, options->sets + STUDY_CALIBRATE_MAX, sizeof(*s.set));
	if (options->sets)
		memcpy(s.set, options->set, options->sets * sizeof(*s.set));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		const struct jnode *metric = jnode_get(c, "metric");

		if (only && metric && metric->text && strcmp(metric->text, only))
			continue;
		if (*n == STUDY_CALIBRATE_MAX)
			return jnode_err(list, err, "has more than %u entries", STUDY_CALIBRATE_MAX);
		s.c = &out[(*n)++];
		if (solve_item(&s, scn, c) < 0)
			return -1;
		s.set[s.sets - 1].value = study_decimal(mem, s.c->value);
	}
	return 0;
}
