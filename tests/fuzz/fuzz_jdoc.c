// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes: either an error with a text, or a tree whose every node has a line in the file. */
#include <stdint.h>
#include <stdlib.h>

#include "base/jdoc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct jnode *node, unsigned lines)
{
	if (node->line < 1 || node->line > lines)
		abort();
	for (const struct jnode *c = node->child; c; c = c->next)
		check(c, lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	unsigned lines = 1;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	if (root)
		check(root, lines);
	else if (!err.set || !err.text[0])
		abort();
	mem_free(mem);
	return 0;
}
