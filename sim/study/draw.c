// SPDX-License-Identifier: GPL-2.0-or-later
/* Which parameters an ensemble draws, and the draws. */
#include <string.h>

#include "engine/rnd.h"
#include "study/ensemble.h"

#define MICRO INT64_C(1000000)

/* Left and right of the peak by their widths; there, the larger of two uniform numbers. */
static int64_t triangle(const struct study_param *p, const struct rnd *r, uint64_t at)
{
	uint64_t left = (uint64_t)(p->value - p->lo), right = (uint64_t)(p->hi - p->value);
	bool down = rnd_below(r, at, left + right) < left;
	uint64_t n = (down ? left : right) / (uint64_t)p->step;
	uint64_t a = rnd_between(r, at + 1, 0, n), b = rnd_between(r, at + 2, 0, n);
	int64_t off = (int64_t)(a > b ? a : b) * p->step;

	return down ? p->lo + off : p->hi - off;
}

/*
 * Joint draws until one is within all ranges. With three parameters each of which loses half of
 * its numbers to its range, one in eight is; after 64 the ends of the ranges are taken.
 */
#define ATTEMPTS 64

/* Parameter i of a joint draw by its attempt, millionths. */
static int64_t joint_value(const struct study_joint *j, unsigned i, uint64_t seed, uint64_t index)
{
	const struct cpu_joint_param *p = &j->covariance.param[i];
	int64_t sum = 0;

	for (unsigned k = 0; k <= i; k++) {
		const struct rnd r = { .seed = seed, .stream = 0, .purpose = j->purpose[k] };

		sum += j->covariance.factor[i][k] * rnd_normal(&r, index) / MICRO;
	}
	return p->value + (int64_t)((__int128)p->error * sum / MICRO);
}

static bool joint_fits(const struct study_joint *j, uint64_t seed, uint64_t index)
{
	for (unsigned i = 0; i < j->covariance.n; i++) {
		const struct cpu_joint_param *p = &j->covariance.param[i];
		int64_t v = j->drawn[i] ? joint_value(j, i, seed, index) : p->lo;

		if (v < p->lo || v > p->hi)
			return false;
	}
	return true;
}

static int64_t joint(const struct study_param *p, uint64_t seed, uint64_t member)
{
	uint64_t index = ATTEMPTS * member;
	int64_t v, steps;

	for (unsigned i = 1; i < ATTEMPTS && !joint_fits(p->joint, seed, index); i++)
		index++;
	v = joint_value(p->joint, p->at, seed, index);
	v = v < p->lo ? p->lo : v > p->hi ? p->hi : v;
	steps = (v - p->lo + p->step / 2) / p->step;
	return steps * p->step > p->hi - p->lo ? p->hi : p->lo + steps * p->step;
}

int64_t study_draw(const struct study_param *p, uint64_t seed, uint64_t member)
{
	const struct rnd r = { .seed = seed, .stream = 0, .purpose = p->purpose };
	uint64_t steps = (uint64_t)((p->hi - p->lo) / p->step);

	if (p->joint)
		return joint(p, seed, member);
	if (p->peak)
		return triangle(p, &r, 4 * member);
	return p->lo + (int64_t)rnd_between(&r, 4 * member, 0, steps) * p->step;
}

/* Below what "seed" in a file may be, so that --seed can run a member's workload alone. */
uint64_t study_member_seed(uint64_t seed, uint64_t member)
{
	const struct rnd r = { .seed = seed, .stream = 0, .purpose = rnd_purpose("ensemble seed") };

	return rnd_below(&r, member, UINT64_C(9000000000000));
}

/* The two numbers of "range", and the value; false when the node is no parameter. */
static bool read_numbers(const struct jnode *node, struct study_param *p)
{
	const struct jnode *value = jnode_get(node, "value"), *range = jnode_get(node, "range");
	const struct jnode *lo = range ? range->child : NULL, *hi = lo ? lo->next : NULL;

	if (!value || !hi || value->type != J_NUMBER || lo->type != J_NUMBER ||
	    hi->type != J_NUMBER || !value->line)
		return false;
	p->value = value->micro;
	p->lo = lo->micro;
	p->hi = hi->micro;
	p->step = p->value % MICRO || p->lo % MICRO || p->hi % MICRO ? MICRO / 1000 : MICRO;
	return p->lo < p->hi && p->value >= p->lo && p->value <= p->hi;
}

static bool is_evidence(const struct jnode *kind)
{
	return kind && kind->text && (!strcmp(kind->text, "meas") ||
				      !strcmp(kind->text, "derived") ||
				      !strcmp(kind->text, "fitted"));
}

static bool variants_set(const struct scenario *scn, const char *key)
{
	for (unsigned v = 0; v < scn->variants; v++)
		if (scn->variant[v].set && jnode_get(scn->variant[v].set, key))
			return true;
	return false;
}

/* Tie the parameters to the covariance that their file states. */
static int join(struct mem *mem, const struct jnode *model, struct study_param *p, unsigned n,
		struct err *err)
{
	struct study_joint *j = mem_alloc(mem, 1, sizeof(*j));

	if (cpu_covariance_read(model, &j->covariance, err) < 0)
		return -1;
	for (unsigned i = 0; i < j->covariance.n; i++) {
		const char *name = j->covariance.param[i].name;

		j->purpose[i] = rnd_purpose(mem_printf(mem, "joint.%s", name));
	}
	for (unsigned i = 0; i < n; i++) {
		int at = cpu_covariance_find(&j->covariance, p[i].name);

		if (at < 0)
			continue;
		j->drawn[at] = true;
		p[i].joint = j;
		p[i].at = (unsigned)at;
	}
	return 0;
}

struct study_param *study_params(struct mem *mem, const struct scenario *scn, unsigned *n,
				 struct err *err)
{
	const struct jnode *list;
	struct study_param *out;
	struct scn_view view;

	*n = 0;
	if (scn_view(scn, NULL, &view, err) < 0)
		return NULL;
	list = view.cpu ? jnode_get(view.cpu, "params") : NULL;
	out = mem_alloc(mem, list ? list->n : 0, sizeof(*out));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct study_param *p = &out[*n];

		p->name = c->key;
		p->key = mem_printf(mem, "model.%s", c->key);
		if (!read_numbers(c, p) || variants_set(scn, p->key))
			continue;
		p->peak = is_evidence(jnode_get(c, "kind"));
		p->purpose = rnd_purpose(mem_printf(mem, "ensemble.%s", c->key));
		(*n)++;
	}
	return view.cpu && join(mem, view.cpu, out, *n, err) < 0 ? NULL : out;
}
