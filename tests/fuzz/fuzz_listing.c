// SPDX-License-Identifier: GPL-2.0-or-later
/* An executed listing that loads must be priceable. */
#include <stdint.h>
#include <stdlib.h>

#include "priced.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct priced shared;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct cond_bits bits = { { 0 } };
	const struct path *path;
	struct price price;

	priced_load(&shared);
	path = path_from_listing(path_lib_new(mem, shared.sprs, shared.policies), "fuzz", (const char *)data,
				 size, &err);
	if (path)
		price_uncached(shared.pricer, path, &bits, &price);
	else if (!err.set)
		abort();
	mem_free(mem);
	return 0;
}
