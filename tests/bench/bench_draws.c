// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a random draw, a conversion between clocks and a histogram entry cost:
 * nanoseconds of processor time each, best of several repeats. The results
 * are summed, so that nothing is left out; nothing passes or fails.
 */
#include <stdio.h>
#include <time.h>

#include "engine/clk.h"
#include "engine/hist.h"
#include "engine/rnd.h"

#define CALLS 1000000
#define REPEATS 7

struct parts {
	struct rnd rnd;
	struct clk clk;
	struct hist hist;
};

typedef uint64_t part_fn(struct parts *p, uint64_t i);

static uint64_t draw_u64(struct parts *p, uint64_t i)
{
	return rnd_u64(&p->rnd, i);
}

static uint64_t draw_below(struct parts *p, uint64_t i)
{
	return rnd_below(&p->rnd, i, 1000);
}

static uint64_t draw_exp(struct parts *p, uint64_t i)
{
	return rnd_exp(&p->rnd, i, 38000000);
}

static uint64_t to_ticks(struct parts *p, uint64_t i)
{
	return clk_ticks(&p->clk, i * 3800000);
}

static uint64_t to_cycles(struct parts *p, uint64_t i)
{
	return clk_cycles(&p->clk, i * 512000);
}

static uint64_t to_cycles_late(struct parts *p, uint64_t i)
{
	return clk_cycles(&p->clk, (UINT64_C(1) << 60) + i);
}

static uint64_t add_value(struct parts *p, uint64_t i)
{
	hist_add(&p->hist, i * i, 1);
	return 0;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double best_ns(part_fn *part, struct parts *p, uint64_t *sum)
{
	double min = 1e9;

	for (int r = 0; r < REPEATS; r++) {
		double t = seconds();

		for (uint64_t i = 0; i < CALLS; i++)
			*sum += part(p, i);
		t = seconds() - t;
		min = t < min ? t : min;
	}
	return min * 1e9 / CALLS;
}

int main(void)
{
	static const struct { const char *name; part_fn *part; } parts[] = {
		{ "rnd_u64", draw_u64 },
		{ "rnd_below(1000)", draw_below },
		{ "rnd_exp", draw_exp },
		{ "clk_ticks", to_ticks },
		{ "clk_cycles", to_cycles },
		{ "clk_cycles, 128 bits", to_cycles_late },
		{ "hist_add", add_value },
	};
	struct parts p = { .rnd = { 1, 2, 3 } };
	uint64_t sum = 0;

	clk_init(&p.clk, 3800000000, CLK_TB_HZ);
	hist_init(&p.hist);
	printf("Parts of the engine, nanoseconds a call, one core, best of %d.\n", REPEATS);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		printf("%-22s %6.1f\n", parts[i].name, best_ns(parts[i].part, &p, &sum));
	printf("(sum %llu)\n", (unsigned long long)sum);
	hist_done(&p.hist);
	return 0;
}
