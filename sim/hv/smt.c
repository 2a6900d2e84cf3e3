// SPDX-License-Identifier: GPL-2.0-or-later
#include "hv/smt.h"

static uint32_t between(uint32_t a, uint32_t b, uint32_t part, uint32_t whole)
{
	return (a * (whole - part) + b * part) / whole;
}

void smt_fill(struct smt_rule *rule, uint32_t share2, uint32_t share4, uint32_t share8)
{
	rule->share[0] = rule->share[1] = SMT_FULL;
	rule->share[2] = share2;
	rule->share[3] = between(share2, share4, 1, 2);
	rule->share[4] = share4;
	for (uint32_t n = 5; n <= 8; n++)
		rule->share[n] = between(share4, share8, n - 4, 4);
}

uint32_t smt_rate(const struct smt_rule *rule, const uint32_t activity[SMT_ACTIVITIES])
{
	uint32_t load = SMT_FULL; /* itself */
	uint32_t n, part;

	for (unsigned a = 0; a < SMT_ACTIVITIES; a++)
		load += activity[a] * rule->weight[a];
	n = load / SMT_FULL;
	part = load % SMT_FULL;
	if (n >= SMT_THREADS_MAX)
		return rule->share[SMT_THREADS_MAX];
	return between(rule->share[n], rule->share[n + 1], part, SMT_FULL);
}
