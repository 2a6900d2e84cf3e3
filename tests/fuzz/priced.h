/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What targets that price a path need and load once: SPRs, policies, a model's pricer. */
#ifndef HVSIM_TESTS_FUZZ_PRICED_H
#define HVSIM_TESTS_FUZZ_PRICED_H

#include <stdlib.h>

#include "path/price.h"

struct priced {
	struct mem *mem;  /* NULL: not loaded yet */
	const struct spr_table *sprs;
	const struct policy_table *policies;
	struct pricer *pricer;
};

static inline void priced_load(struct priced *p)
{
	struct err err = ERR_INIT;

	if (p->mem)
		return;
	p->mem = mem_new();
	p->sprs = spr_load(p->mem, &err);
	p->policies = policy_load(p->mem, &err);
	p->pricer = price_new(cpu_model_load(p->mem, "power9", &err));
	if (err.set)
		abort();
}

#endif
