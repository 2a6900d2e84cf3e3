// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdint.h>

#include "base/jdoc.h"
#include "path/policy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	const struct policy_table *table = root ? policy_from_node(mem, root, &err) : NULL;
	struct policy_set set;

	if (table) {
		policy_defaults(table, &set);
		policy_bits(&set);
	} else if (!err.set) {
		__builtin_trap();
	}
	mem_free(mem);
	return 0;
}
