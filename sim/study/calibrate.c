// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/calibrate.h"

#include <string.h>

#include "base/text.h"
#include "study/target.h"

#define RUNS_MAX 40
#define MICRO INT64_C(1000000)

const char *study_decimal(struct mem *mem, int64_t micro)
{
	return mem_printf(mem, "%s%lld.%06lld", micro < 0 ? "-" : "",
			  (long long)(micro < 0 ? -micro : micro) / 1000000,
			  (long long)(micro < 0 ? -micro : micro) % 1000000);
}

struct search {
	struct mem *mem;
	const struct scn_options *base;
	struct scn_set *set;     /* base's, those found, and last those searched */
	size_t sets, found;      /* all; base's and those found */
	struct scn_metric row;   /* that publishes the target */
	bool settled;            /* the target is known */
	int64_t close;           /* how near the metric must come, millionths */
	const struct study_search *search;
	struct study_calibration *c;
	struct err *err;
};

/* What to come to and how near: known once the metric is seen to be a count or not. */
static void settle(struct search *s, bool count)
{
	struct study_target t = study_target(s->mem, &s->row, s->c->variant, count);

	s->settled = true;
	s->c->target = t.figure;
	if (s->search->draw) {
		s->c->target = study_target_draw(&t, s->search->seed, s->search->member);
		s->close = study_target_close(&t, count);
	}
	if (!s->close)
		s->close = (int64_t)((__int128)s->c->target * s->search->tolerance / 1000000);
}

static size_t set_keys(const struct study_calibration *c, const char *value, struct scn_set *set,
		       size_t sets)
{
	set[sets++] = (struct scn_set){ c->key, value };
	for (const struct jnode *k = c->also ? c->also->child : NULL; k; k = k->next)
		set[sets++] = (struct scn_set){ k->text, value };
	return sets;
}

size_t study_calibrated(struct mem *mem, const struct study_calibration *c, struct scn_set *set,
			size_t sets)
{
	return set_keys(c, study_decimal(mem, c->value), set, sets);
}

/* The metric with the parameter at x. */
static int measure(struct search *s, int64_t x, int64_t *got)
{
	struct scn_options o = *s->base;
	struct mem *mem = mem_new();
	const struct scn_cell *cell;
	struct scn_result result;
	int rc = -1;

	s->sets = set_keys(s->c, study_decimal(mem, x), s->set, s->found);
	o.set = s->set;
	o.sets = s->sets;
	o.variant = &s->c->variant;
	o.variants = 1;
	o.progress = NULL;
	s->c->runs++;
	if (scn_run(mem, &o, &result, s->err) == 0) {
		cell = scn_metric_cell(&result, s->row.label, s->c->variant);
		if (cell) {
			if (!s->settled)
				settle(s, cell->kind == SCN_COUNT);
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

struct point {
	bool known;
	int64_t x, f;
};

#define SEEN 3

/* What a search knows. */
struct walk {
	struct point seen[SEEN]; /* the newest first */
	struct point side[2];    /* not above the target, above it */
	int64_t width[2];        /* between the sides one and two steps ago */
};

/* Where a straight line between two points meets the target. */
static int64_t on_line(const struct point *a, const struct point *b, int64_t target)
{
	return a->x + (int64_t)((__int128)(b->x - a->x) * (target - a->f) / (b->f - a->f));
}

/* A term of Lagrange's formula: x b c / ((a - b) (a - c)). */
static __int128 term(int64_t x, int64_t a, int64_t b, int64_t c)
{
	return (__int128)x * b * c / ((__int128)(a - b) * (a - c));
}

/*
 * Where a parabola for x over f through three points meets the target: bent
 * relations, such as a rate over a time, need fewer runs so. Distances are cut
 * to 31 bits, which is far less than matters.
 */
static bool on_curve(const struct point *p[3], int64_t target, int64_t *x)
{
	int64_t d[3], most = 0;
	unsigned shift = 0;

	for (unsigned i = 0; i < 3; i++)
		most |= off(p[i]->f, target);
	while (most >> shift > INT32_MAX)
		shift++;
	for (unsigned i = 0; i < 3; i++)
		d[i] = (p[i]->f - target) / (INT64_C(1) << shift);
	if (d[0] == d[1] || d[0] == d[2] || d[1] == d[2])
		return false;
	*x = p[2]->x + (int64_t)(term(p[0]->x - p[2]->x, d[0], d[1], d[2]) +
				 term(p[1]->x - p[2]->x, d[1], d[0], d[2]));
	return true;
}

/* The newest point that is on neither side, or NULL. */
static const struct point *third(const struct point seen[SEEN], const struct point side[2])
{
	for (unsigned i = 0; i < SEEN; i++)
		if (seen[i].known && seen[i].x != side[0].x && seen[i].x != side[1].x)
			return &seen[i];
	return NULL;
}

/* Between the points on both sides of the target, kept a little off both. */
static int64_t between(const struct point seen[SEEN], const struct point side[2], int64_t target)
{
	const struct point *p[3] = { &side[0], &side[1], third(seen, side) };
	int64_t lo = side[0].x < side[1].x ? side[0].x : side[1].x;
	int64_t hi = side[0].x < side[1].x ? side[1].x : side[0].x;
	int64_t x, edge = (hi - lo) / 64;

	if (side[0].f == side[1].f)
		return lo + (hi - lo) / 2;
	if (!p[2] || !on_curve(p, target, &x) || x <= lo || x >= hi)
		x = on_line(&side[0], &side[1], target);
	if (x < lo + edge)
		return lo + edge;
	return x > hi - edge ? hi - edge : x;
}

static int64_t clamp(const struct study_calibration *c, __int128 x)
{
	return x < c->lo ? c->lo : x > c->hi ? c->hi : (int64_t)x;
}

/*
 * All points so far are on one side: in proportion at first, then along the line, a bit further.
 * A metric that falls as the parameter rises, as a rate over a time does, bends so that the line
 * is short of it: then in inverse proportion when that is further.
 */
static int64_t reach_out(const struct study_calibration *c, const struct point *last,
			 const struct point *before)
{
	__int128 step, inverse;

	if (!before->known)
		return last->f ? clamp(c, (__int128)last->x * c->target / last->f) : c->hi;
	if (last->f == before->f)
		return last->x == c->hi ? c->lo : c->hi;
	step = (__int128)(last->x - before->x) * (c->target - last->f) / (last->f - before->f);
	if ((last->x > before->x) != (last->f > before->f) && c->target > 0) {
		inverse = (__int128)last->x * last->f / c->target - last->x;
		step = (step < 0 ? inverse < step : inverse > step) ? inverse : step;
	}
	return clamp(c, last->x + step + step / 16);
}

/* Where to measure next; false when that is known already: out of reach. */
static bool next_point(const struct search *s, struct walk *w, int64_t *x)
{
	const struct point *last = &w->seen[0], *before = &w->seen[1], *side = w->side;

	if (side[0].known && side[1].known) {
		int64_t width = off(side[0].x, side[1].x);
		bool slow = width > w->width[1] / 2;

		w->width[1] = w->width[0];
		w->width[0] = width;
		*x = slow ? side[0].x + (side[1].x - side[0].x) / 2 :
			    between(w->seen, side, s->c->target);
		return *x != side[0].x && *x != side[1].x;
	}
	*x = reach_out(s->c, last, before);
	if (*x == last->x && !before->known)
		*x = *x == s->c->hi ? s->c->lo : s->c->hi;
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
		c->reached = off(f, c->target) <= s->close;
	}
	return 0;
}

/* The nearest on its side; between two sides always the new one, which is nearer in x. */
static void place(struct walk *w, const struct search *s)
{
	const struct point *p = &w->seen[0];
	struct point *side = &w->side[p->f > s->c->target];

	if (!side->known || (w->side[0].known && w->side[1].known) ||
	    off(p->f, s->c->target) < off(side->f, s->c->target))
		*side = *p;
}

/*
 * From a value, in proportion; then by straight lines; between points on both
 * sides of the target, once there are, by curves through three, and by halves
 * when two steps have not halved what is between.
 */
static int approach(struct search *s, int64_t x, const struct point side[2])
{
	struct walk w = { .side = { side[0], side[1] }, .width = { INT64_MAX, INT64_MAX } };

	for (unsigned i = 0; i < RUNS_MAX; i++) {
		memmove(&w.seen[1], &w.seen[0], (SEEN - 1) * sizeof(w.seen[0]));
		if (try(s, x, &w.seen[0]) < 0)
			return -1;
		place(&w, s);
		if (s->c->reached || !next_point(s, &w, &x))
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
	return approach(s, on_line(&side[0], &side[1], c->target), side);
}

static int solve(struct search *s, int64_t start)
{
	const struct point none[2] = { { 0 }, { 0 } };

	if (approach(s, start, none) < 0)
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
	for (size_t i = 0; i < s->found; i++)
		if (!strcmp(s->set[i].key, c->key) && !text_to_micro(s->set[i].value, &value))
			value = -1;
	return value >= c->lo && value <= c->hi ? value : c->lo + (c->hi - c->lo) / 2;
}

static int find_row(const struct scenario *scn, const struct scn_calibrated_key *it,
		    struct search *s, const struct jnode *at)
{
	const struct jnode *list = jnode_get(scn->root, "metrics"), *value;

	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		if (scn_metric_read(c, &s->row, s->err) < 0)
			return -1;
		value = s->row.published ? jnode_get(s->row.published, it->variant) : NULL;
		if (!strcmp(s->row.metric, it->metric) && value && value->type == J_NUMBER)
			return 0;
	}
	return jnode_err(at, s->err, "needs a row of 'metrics' that publishes %s for '%s'",
			 it->metric, it->variant);
}

/* A run that refuses a key or its value names --set, which the user didn't give: name the file. */
static int blame_entry(const struct jnode *node, struct err *err)
{
	struct err why = *err;

	if (strncmp(why.text, "--set ", 6))
		return -1;
	*err = (struct err)ERR_INIT;
	return jnode_err(node, err, "can't be searched: %.800s", why.text);
}

static int solve_item(struct search *s, const struct scenario *scn, const struct jnode *node,
		      const struct scn_calibrated_key *it)
{
	*s->c = (struct study_calibration){ .key = it->set, .metric = it->metric,
					    .variant = it->variant, .also = it->also,
					    .lo = it->lo, .hi = it->hi };
	s->settled = false;
	s->close = 0;
	if (find_row(scn, it, s, node) < 0)
		return -1;
	if (solve(s, start_value(scn, s)) < 0)
		return blame_entry(node, s->err);
	s->found = study_calibrated(s->mem, s->c, s->set, s->found);
	return 0;
}

static bool asked_for(const struct study_search *search, const struct scn_calibrated_key *it)
{
	return (!search->only || !strcmp(it->metric, search->only)) &&
	       (!search->grid || it->grid);
}

int study_calibrate(struct mem *mem, const struct scn_options *options,
		    const struct study_search *search, struct study_calibration *out, unsigned *n,
		    struct err *err)
{
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct search s = { .mem = mem, .base = options, .found = options->sets, .err = err,
			    .search = search };
	const struct jnode *list;

	*n = 0;
	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	list = jnode_get(scn->root, "calibrate");
	s.set = mem_alloc(mem, options->sets + STUDY_CALIBRATE_SETS, sizeof(*s.set));
	if (options->sets)
		memcpy(s.set, options->set, options->sets * sizeof(*s.set));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct scn_calibrated_key it;

		if (scn_calibrated_read(c, &it, err) < 0)
			return -1;
		if (!asked_for(search, &it))
			continue;
		if (*n == STUDY_CALIBRATE_MAX)
			return jnode_err(list, err, "has more than %u entries", STUDY_CALIBRATE_MAX);
		s.c = &out[(*n)++];
		if (solve_item(&s, scn, c, &it) < 0)
			return -1;
	}
	return 0;
}
