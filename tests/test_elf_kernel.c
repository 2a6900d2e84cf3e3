// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names what is left out where a real kernel isn't there: test_elf_real and test_elf_objdump then
 * run without their tests of it.
 */
#include <stdio.h>

#include "elf_real.h"

int main(void)
{
	static const struct { const char *version, *get;
	} kernels[] = {
		{ "6.1", "tools/fetch-kernels 6.1" },
		{ "5.10", "tools/build-kernel" },
		{ "6.12", "tools/fetch-kernels 6.12" },
		{ "7.2", "tools/fetch-kernels 7.2" },
	};
	unsigned n = sizeof(kernels) / sizeof(kernels[0]);
	char path[4096];

	printf("1..%u\n", n);
	for (unsigned i = 0; i < n; i++)
		if (have_kernel(kernels[i].version, path, sizeof(path)))
			printf("ok %u - Linux %s is there\n", i + 1, kernels[i].version);
		else
			printf("ok %u # SKIP tests of Linux %s%s: run %s\n", i + 1,
			       kernels[i].version, i ? " (optional)" : "", kernels[i].get);
	return 0;
}
