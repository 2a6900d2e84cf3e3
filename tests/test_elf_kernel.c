// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names what is left out where there is no real kernel: test_elf_walk and test_elf_objdump then
 * run without their tests of one.
 */
#include <stdio.h>

#include "elf_real.h"

int main(void)
{
	char path[4096];

	if (!have_real_kernel(path, sizeof(path)))
		printf("1..0 # SKIP tests of a real kernel: run tools/fetch-kernels 6.1\n");
	else
		printf("1..1\nok 1 - a real kernel is there\n");
	return 0;
}
