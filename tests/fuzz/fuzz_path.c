// SPDX-License-Identifier: GPL-2.0-or-later
/* A path that loads must be priceable; includes read the shipped paths ($HVSIM_DATA). */
#include <stdint.h>
#include <stdlib.h>

#include "base/jdoc.h"
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
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	const struct path *path = NULL;
	struct policy_set set;
	struct cond_bits bits;
	struct price price;

	if (!shared)
		load_shared();
	if (root)
		path = path_from_node(path_lib_new(mem, sprs, policies), root, &err);
	if (path) {
		policy_defaults(policies, &set);
		bits = policy_bits(&set);
		price_uncached(pricer, path, &bits, &price);
	} else if (!err.set) {
		abort();
	}
	mem_free(mem);
	return 0;
}
