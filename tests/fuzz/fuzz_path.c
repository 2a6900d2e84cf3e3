// SPDX-License-Identifier: GPL-2.0-or-later
/* A path that loads must be priceable; includes read the shipped paths ($HVSIM_DATA). */
#include <stdint.h>
#include <stdlib.h>

#include "base/jdoc.h"
#include "priced.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct priced shared;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	const struct path *path = NULL;
	struct policy_set set;
	struct cond_bits bits;
	struct price price;

	priced_load(&shared);
	if (root)
		path = path_from_node(path_lib_new(mem, shared.sprs, shared.policies), root, &err);
	if (path) {
		policy_defaults(shared.policies, &set);
		bits = policy_bits(&set);
		price_uncached(shared.pricer, path, &bits, &price);
	} else if (!err.set) {
		abort();
	}
	mem_free(mem);
	return 0;
}
