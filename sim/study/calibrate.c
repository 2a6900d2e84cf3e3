// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/calibrate.h"

#include <string.h>

#include "base/text.h"
#include "scenario/published.h"

#define RUNS_MAX 40
#define MICRO INT64_C(1000000)

struct item {
	const char *set, *metric, *variant;
	int64_t lo, hi;
	bool grid;
};

static const struct jfield item_fields[] = {
	{ "set", JK_TEXT, offsetof(struct item, set), .required = true },
	{ "metric", JK_TEXT, offsetof(struct item, metric), .required = true },
	{ "variant", JK_TEXT, offsetof(struct item, variant), .required = true },
	{ "lo", JK_MICRO, offsetof(struct item, lo), .required = true },
	{ "hi", JK_MICRO, offsetof(struct item, hi), .required = true },
	{ "grid", JK_TRUTH, offsetof(struct item, grid) },
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
	const struct study_search *search;
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

/* Tolerances are in millionths of the target. */
static bool close_enough(const struct search *s, int64_t got)
{
	return off(got, s->c->target) <=
	       (int64_t)((__int128)s->c->target * s->search->tolerance / 1000000);
}

struct point {
	bool known;
	int64_t x, f;
};

/* Where a straight line between two points meets the target, kept off both. */
static int64_t between(const struct point *a, const struct point *b, int64_t target, bool middle)
{
	int64_t lo = a->x < b->x ? a->x : b->x, hi = a->x < b->x ? b->x : a->x;
	int64_t x, edge = (hi - lo) / 16;

	if (middle || a->f == b->f)
		return lo + (hi - lo) / 2;
	x = a->x + (int64_t)((__int128)(b->x - a->x) * (target - a->f) / (b->f - a->f));
	if (x < lo + edge)
		return lo + edge;
	return x > hi - edge ? hi - edge : x;
}

static int64_t clamp(const struct study_calibration *c, __int128 x)
{
	return x < c->lo ? c->lo : x > c->hi ? c->hi : (int64_t)x;
}

/* All points so far are on one side: in proportion at first, then along the line, a bit further. */
static int64_t reach_out(const struct study_calibration *c, const struct point *last,
			 const struct point *before)
{
	__int128 step;

	if (!before->known)
		return last->f ? clamp(c, (__int128)last->x * c->target / last->f) : c->hi;
	if (last->f == before->f)
		return last->x == c->hi ? c->lo : c->hi;
	step = (__int128)(last->x - before->x) * (c->target - last->f) / (last->f - before->f);
	return clamp(c, last->x + step + step / 16);
}

/* Where to measure next; false when that is known already: out of reach. */
static bool next_point(const struct search *s, const struct point *last, const struct point *before,
		       const struct point side[2], unsigned i, int64_t *x)
{
	const struct study_calibration *c = s->c;

	if (side[0].known && side[1].known) {
		*x = between(&side[0], &side[1], c->target, i % 3 == 2);
		return *x != side[0].x && *x != side[1].x;
	}
	*x = reach_out(c, last, before);
	if (*x == last->x && !before->known)
		*x = *x == c->hi ? c->lo : c->hi;
	if (last->x > 0 && *x > 4 * last->x) /* a far step may be a costly run for nothing */
		*x = 4 * last->x;
	return *x != last->x && *x != before->x;
}

/* Measure there and keep the nearest so far. */
static int try(struct search *s, int64_t x, struct point *p)
{
	struct study_calibration *c = s->c;
	int64_t f;

	if (measure(s, x, &f) < 0)
		return -1;
	*p = (struct point){ true, x, f };
	if (c->runs == 1 || off(f, c->target) < off(c->got, c->target)) {
		c->value = x;
		c->got = f;
		c->reached = close_enough(s, f);
	}
	return 0;
}

/*
 * From a value, in proportion; then by straight lines, between points on both
 * sides of the target once there are, every third time by halves.
 */
static int approach(struct search *s, int64_t x, struct point side[2])
{
	struct point last = { 0 }, before = { 0 };

	for (unsigned i = 0; i < RUNS_MAX; i++) {
		before = last;
		if (try(s, x, &last) < 0)
			return -1;
		side[last.f > s->c->target] = last;
		if (s->c->reached || !next_point(s, &last, &before, side, i, &x))
			break;
	}
	return 0;
}

/*
 * A metric that rises and falls: from the low end up by doubling, to the first
 * crossing, or until it has moved away from the target three times in a row.
 */
static int scan(struct search *s)
{
	const struct study_calibration *c = s->c;
	struct point side[2] = { { 0 }, { 0 } }, p;
	int64_t x = c->lo, away = INT64_MAX;
	unsigned moves = 0;

	while (!side[0].known || !side[1].known) {
		if (try(s, x, &p) < 0)
			return -1;
		moves = off(p.f, c->target) > away ? moves + 1 : 0;
		away = off(p.f, c->target);
		if (moves == 3)
			break;
		side[p.f > c->target] = p;
		if (c->reached || x == c->hi)
			break;
		x = clamp(c, x > 0 ? 2 * (__int128)x : x + (c->hi - x) / 16 + 1);
	}
	if (c->reached || !side[0].known || !side[1].known)
		return 0;
	return approach(s, between(&side[0], &side[1], c->target, false), side);
}

static int solve(struct search *s, int64_t start)
{
	struct point side[2] = { { 0 }, { 0 } };

	if (approach(s, start, side) < 0)
		return -1;
	return s->c->reached ? 0 : scan(s);
}

/* The value the parameter has now, or the middle of its range. */
static int64_t start_value(const struct scenario *scn, const struct search *s)
{
	const struct study_calibration *c = s->c;
	const struct jnode *now = jdoc_find(scn->root, c->key);
	int64_t value = now && now->type == J_NUMBER ? now->micro : -1;

	for (unsigned i = 0; i < s->search->nears; i++)
		if (!strcmp(s->search->near[i].key, c->key) && s->search->near[i].reached)
			return s->search->near[i].value;
	for (size_t i = 0; i + 1 < s->sets; i++)
		if (!strcmp(s->set[i].key, c->key) && !text_to_micro(s->set[i].value, &value))
			value = -1;
	return value >= c->lo && value <= c->hi ? value : c->lo + (c->hi - c->lo) / 2;
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

static int solve_item(struct search *s, const struct scenario *scn, const struct jnode *node,
		      const struct item *item)
{
	struct item it = *item;

	if (it.lo >= it.hi)
		return jnode_err(node, s->err, "needs 'lo' below 'hi'");
	*s->c = (struct study_calibration){ .key = it.set, .metric = it.metric,
					    .variant = it.variant, .lo = it.lo, .hi = it.hi };
	if (find_target(scn, &it, s, node) < 0)
		return -1;
	s->sets++;
	return solve(s, start_value(scn, s));
}

static bool asked_for(const struct study_search *search, const struct item *it)
{
	return (!search->only || !strcmp(it->metric, search->only)) &&
	       (!search->grid || it->grid);
}

int study_calibrate(struct mem *mem, const struct scn_options *options,
		    const struct study_search *search, struct study_calibration *out, unsigned *n,
		    struct err *err)
{
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct search s = { .mem = mem, .base = options, .sets = options->sets, .err = err,
			    .search = search };
	const struct jnode *list;

	*n = 0;
	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	list = jnode_get(scn->root, "calibrate");
	s.set = mem_alloc(mem, options->sets + STUDY_CALIBRATE_MAX, sizeof(*s.set));
	if (options->sets)
		memcpy(s.set, options->set, options->sets * sizeof(*s.set));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct item it = { 0 };

		if (JFIELDS(c, item_fields, &it, err) < 0)
			return -1;
		if (!asked_for(search, &it))
			continue;
		if (*n == STUDY_CALIBRATE_MAX)
			return jnode_err(list, err, "has more than %u entries", STUDY_CALIBRATE_MAX);
		s.c = &out[(*n)++];
		if (solve_item(&s, scn, c, &it) < 0)
			return -1;
		s.set[s.sets - 1].value = study_decimal(mem, s.c->value);
	}
	return 0;
}
