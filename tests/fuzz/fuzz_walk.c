// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a walk file. */
#include <stdint.h>

#include "elf/walkfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char policies[] =
	"{\"schema\": \"hvsim-policies/1\", \"policies\": [{\"name\": \"guest.pmu\", \"kind\": "
	"\"state\", "
	"\"values\": [\"off\", \"on\"], \"default\": \"off\", \"help\": \"\", \"source\": \"\"}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct jnode *root = jdoc_parse(mem, "policies", policies, sizeof(policies) - 1, &err);
	const struct policy_table *table = root ? policy_from_node(mem, root, &err) : NULL;
	struct kelf_walkfile w;
	struct policy_set set;

	if (!table)
		__builtin_trap();
	policy_defaults(table, &set);
	root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	if (root)
		kelf_walkfile_from_node(&w, mem, root, &set, &err);
	mem_free(mem);
	return 0;
}
