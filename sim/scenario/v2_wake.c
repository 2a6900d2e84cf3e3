// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How soon the guest gets its timer interrupt, and what that costs L1's CPUs: a
 * vCPU that spins is woken sooner and leaves its CPU to nobody.
 */
#include "scenario/v2.h"

#define MICRO 1000000
#define EDGES 25 /* 1, 2, 5 a decade from 0.01 us to 1 s */

static struct scn_cell quantile_us(const struct scn_v2 *v, const struct v2_result *r, uint64_t num,
				   uint64_t den)
{
	uint64_t ns = clk_ns(&v->setup.clock, hist_quantile(&r->wake_latency, num, den));

	return r->wake_latency.count ? scn_decimal((int64_t)ns * 1000, 2) : (struct scn_cell){ 0 };
}

/* Of the time of L1's CPUs, what vCPUs took, hypervisors and polling included. */
static struct scn_cell busy(const struct scn_v2 *v, const struct v2_result *r)
{
	const uint64_t *c = r->total.cycles;
	uint64_t all = v->setup.duration * r->vcpus;

	return scn_share(all - c[V2_BLOCKED] - c[V2_RUNNABLE], v->setup.duration * v->setup.l1_cpus,
			 2);
}

static void tabulate_wake(const struct scenario *scn, const struct scn_v2 *v,
			  const struct v2_result *r, struct scn_result *result,
			  const char *const *column)
{
	static const struct {
		const char *name;
		uint64_t num, den;
	} quantiles[] = {
		{ "median, us", 1, 2 }, { "90 %, us", 9, 10 }, { "99 %, us", 99, 100 },
		{ "longest, us", 1, 1 },
	};
	struct scn_table *t = scn_table_new(result, "wake",
					    "Decrementer expiry to its interrupt in "
					    "L2, and use of L1's CPUs",
					    "what", column, scn->variants);
	struct scn_cell *cell = scn_table_row(t, "interrupts");

	for (unsigned i = 0; i < scn->variants; i++)
		cell[i] = scn_count(r[i].wake_latency.count);
	for (size_t q = 0; q < sizeof(quantiles) / sizeof(quantiles[0]); q++) {
		cell = scn_table_row(t, quantiles[q].name);
		for (unsigned i = 0; i < scn->variants; i++)
			cell[i] = quantile_us(&v[i], &r[i], quantiles[q].num, quantiles[q].den);
	}
	cell = scn_table_row(t, "L1's CPUs in use, per cent");
	for (unsigned i = 0; i < scn->variants; i++)
		cell[i] = busy(&v[i], &r[i]);
}

/* 10, 20, 50, 100 … ns. */
static uint64_t edge_ns(unsigned i)
{
	static const uint64_t digit[] = { 1, 2, 5 };
	uint64_t ns = 10;

	for (unsigned k = 0; k < i / 3; k++)
		ns *= 10;
	return ns * digit[i % 3];
}

static void count_edges(const struct scn_v2 *v, const struct v2_result *r, uint64_t count[EDGES])
{
	uint64_t low, high, n;
	size_t at = 0;

	while ((n = hist_next(&r->wake_latency, &at, &low, &high))) {
		uint64_t ns = clk_ns(&v->setup.clock, low);
		unsigned i = 0;

		while (i + 1 < EDGES && ns >= edge_ns(i + 1))
			i++;
		count[i] += n;
	}
}

static const char *us_text(struct mem *mem, uint64_t ns)
{
	static const char *const small[] = { "0.01", "0.02", "0.05", "0.1", "0.2", "0.5" };

	for (unsigned i = 0; i < 6; i++)
		if (ns == edge_ns(i))
			return small[i];
	return mem_printf(mem, "%llu", (unsigned long long)(ns / 1000));
}

/* The distribution; rows at its ends without anything are left out. */
static void tabulate_hist(const struct scenario *scn, const struct scn_v2 *v,
			  const struct v2_result *r, struct scn_result *result,
			  const char *const *column)
{
	uint64_t (*count)[EDGES] = mem_alloc(scn->mem, scn->variants, sizeof(*count));
	unsigned first = EDGES, last = 0;
	struct scn_table *t;

	for (unsigned i = 0; i < scn->variants; i++) {
		count_edges(&v[i], &r[i], count[i]);
		for (unsigned e = 0; e < EDGES; e++) {
			first = count[i][e] && e < first ? e : first;
			last = count[i][e] && e > last ? e : last;
		}
	}
	t = scn_table_new(result, "hist",
			  "Decrementer expiry to its interrupt in L2: per cent of "
			  "the interrupts (the first row holds all below it too)",
			  "from, us", column, scn->variants);
	t->detail = true;
	for (unsigned e = first; e <= last; e++) {
		struct scn_cell *cell = scn_table_row(t, us_text(scn->mem, edge_ns(e)));

		for (unsigned i = 0; i < scn->variants; i++)
			cell[i] = scn_share(count[i][e], r[i].wake_latency.count, 3);
	}
}

void scn_v2_wake(const struct scenario *scn, const struct scn_v2 *v, const struct v2_result *r,
		 struct scn_result *result)
{
	const char **column = mem_alloc(scn->mem, scn->variants, sizeof(*column));

	for (unsigned i = 0; i < scn->variants; i++)
		column[i] = scn->variant[i].name;
	tabulate_wake(scn, v, r, result, column);
	tabulate_hist(scn, v, r, result, column);
}
