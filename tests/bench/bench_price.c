// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pricing a path costs, nothing remembered: millions of ops a second of
 * processor time, best of several repeats. An op is a line of the path that runs;
 * `work N` is one. With a file: that path instead of the shipped ones, and the
 * nanoseconds a pass (peer_price.py compares them with llvm-mca's).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "path/price.h"

#define REPEATS 7
#define OPS 2000000

struct setting {
	const char *path, *name, *value;
};

static const struct setting settings[] = {
	{ "p9-roundtrip", "p9.*", "off" },
	{ "p9-roundtrip", "p9.*", "on" },
	{ "nestedv2-l0-enter", "p9.*", "on" },
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Seconds a pass, best of the repeats; *ops gets the ops of one pass. */
static double measure(const struct pricer *pricer, const struct path *path,
		      const struct cond_bits *bits, uint64_t *ops)
{
	double best = 1e9;
	struct price price;
	uint64_t sum = 0;

	price_uncached(pricer, path, bits, &price);
	*ops = price.ops;
	for (int r = 0; r < REPEATS; r++) {
		unsigned passes = (unsigned)(OPS / price.ops + 1);
		double start = now(), took;

		for (unsigned i = 0; i < passes; i++) {
			price_uncached(pricer, path, bits, &price);
			sum += price.cycles;
		}
		took = (now() - start) / passes;
		best = took < best ? took : best;
	}
	if (!sum)
		printf("nothing priced\n");
	return best;
}

int main(int argc, char **argv)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct policy_table *policies = policy_load(mem, &err);
	const struct spr_table *sprs = policies ? spr_load(mem, &err) : NULL;
	const struct cpu_model *model = sprs ? cpu_model_load(mem, "power9", &err) : NULL;
	size_t n = argc > 1 ? 1 : sizeof(settings) / sizeof(settings[0]);

	for (size_t i = 0; model && i < n; i++) {
		struct setting s = argc > 1 ? (struct setting){ argv[1], "p9.*", "on" } : settings[i];
		const struct path *path = path_load(path_lib_new(mem, sprs, policies), s.path, &err);
		struct pricer *pricer = price_new(model);
		struct policy_set set;
		struct cond_bits bits;
		uint64_t ops;
		double took;

		if (!path)
			break;
		policy_defaults(policies, &set);
		policy_set(&set, s.name, s.value, &err);
		bits = policy_bits(&set);
		took = measure(pricer, path, &bits, &ops);
		printf("%-24s %s=%s  %llu ops, %.0f ns a pass: %.1f million ops a second\n",
		       path->name, s.name, s.value, (unsigned long long)ops, took * 1e9,
		       (double)ops / took / 1e6);
		price_free(pricer);
	}
	if (err.set)
		fprintf(stderr, "bench_price: %s\n", err.text);
	mem_free(mem);
	return err.set;
}
