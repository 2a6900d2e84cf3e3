// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/target.h"

#include "engine/rnd.h"

#define MICRO INT64_C(1000000)
#define PART 8 /* of the standard deviation: what is left of the search adds under 1 % to it */

struct study_target study_target(struct mem *mem, const struct scn_metric *m, const char *variant,
				 bool count)
{
	static const struct scn_amount poisson = { -1, -1, MICRO };
	const struct jnode *node = jnode_get(m->published, variant);
	const struct scn_amount *a = count ? &poisson : NULL;

	if (m->noise.source)
		a = &m->noise.amount;
	return (struct study_target){
		.figure = node->micro, .noise = a ? scn_amount_of(a, node->micro) : 0,
		.half = scn_half_digit(node),
		.purpose = rnd_purpose(mem_printf(mem, "target.%s.%s", m->label, variant)),
	};
}

int64_t study_target_draw(const struct study_target *t, uint64_t seed, uint64_t member)
{
	const struct rnd noise = { .seed = seed, .stream = 0, .purpose = t->purpose };
	const struct rnd digit = { .seed = seed, .stream = 1, .purpose = t->purpose };
	__int128 v = t->figure + (__int128)t->noise * rnd_normal(&noise, member) / MICRO;

	v += (__int128)rnd_between(&digit, member, 0, 2 * (uint64_t)t->half) - t->half;
	return v < 0 ? 0 : v > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)v;
}

int64_t study_target_close(const struct study_target *t, bool count)
{
	/* an even number within h of the middle has a standard deviation of h / sqrt(3) */
	int64_t even = t->half * 577 / 1000, off = t->noise > even ? t->noise : even;
	int64_t close = off / PART;

	/* a count can't come nearer to a number between two than half */
	return count && off && close < MICRO / 2 ? MICRO / 2 : close;
}
