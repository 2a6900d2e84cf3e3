/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The price of a path under a set of condition bits, on one CPU model.
 *
 * A price is remembered under the path and those bits its ops depend on. A path
 * starts with nothing in flight and ends when all is complete: the price of a
 * path that is cut after draining ops (isync, mtmsrd L=0, sc, rfid, hrfid,
 * interrupt) is the sum of its parts.
 */
#ifndef HVSIM_PATH_PRICE_H
#define HVSIM_PATH_PRICE_H

#include <stdint.h>

#include "cpu/pipe.h"
#include "path/path.h"

struct price {
	uint64_t cycles;
	uint64_t by_class[PIPE_CLASSES]; /* sums to cycles */
	uint64_t ops;                    /* lines of the path that ran */
	uint64_t insns;                  /* instructions */
};

struct pricer;

/* model must outlive it. Free with price_free(). */
struct pricer *price_new(const struct cpu_model *model);
void price_free(struct pricer *pricer);

/* The price of a path. It stays valid until price_free(). */
const struct price *price_path(struct pricer *pricer, const struct path *path,
			       const struct cond_bits *bits);

/* The same without remembering: for traces and benchmarks. */
void price_uncached(const struct pricer *pricer, const struct path *path,
		    const struct cond_bits *bits, struct price *out);

/* One op of a priced listing. */
struct price_step {
	const struct path_item *item;
	uint64_t start;                  /* cycle at which dispatch reached it */
	uint64_t cycles;                 /* what it added */
	uint64_t by_class[PIPE_CLASSES]; /* sums to cycles */
};

/*
 * Price op by op: `each` is called for every op that runs and, with item NULL, for
 * the wait at the end where there is one. The steps sum to *out.
 */
void price_trace(const struct pricer *pricer, const struct path *path,
		 const struct cond_bits *bits, void (*each)(void *arg, const struct price_step *),
		 void *arg, struct price *out);

#endif
