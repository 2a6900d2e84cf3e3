// SPDX-License-Identifier: GPL-2.0-or-later
/* An executed listing that loads must be priceable. */
#include <stdint.h>
#include <stdlib.h>

#include "path/price.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct mem *shared;
static const struct spr_table *sprs;
static const struct policy_table *policies;
static struct pricer *pricer;

static void load_shared(void)
{
	struct err err = ERR_INIT;

	shared = mem_new();
	sprs = spr_load(shared, &err);
	policies = policy_load(shared, &err);
	pricer = price_new(cpu_model_load(shared, "power9", &err));
	if (err.set)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct cond_bits bits = { { 0 } };
	const struct path *path;
	struct price price;

	if (!shared)
		load_shared();
	path = path_from_listing(path_lib_new(mem, sprs, policies), "fuzz", (const char *)data,
				 size, &err);
	if (path)
		price_uncached(pricer, path, &bits, &price);
	else if (!err.set)
		abort();
	mem_free(mem);
	return 0;
}
