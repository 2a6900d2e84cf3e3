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

int64_t study_draw(const struct study_param *p, uint64_t seed, uint64_t member)
{
	const struct rnd r = { .seed = seed, .stream = 0, .purpose = p->purpose };
	uint64_t steps = (uint64_t)((p->hi - p->lo) / p->step);

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
	return out;
}
