/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where tools/fetch-kernels puts the kernel that tests read. */
#ifndef HVSIM_TESTS_ELF_REAL_H
#define HVSIM_TESTS_ELF_REAL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline bool have_real_kernel(char *path, size_t size)
{
	const char *base = getenv("HVSIM_KERNELS"), *home = getenv("HOME");

	if (base)
		snprintf(path, size, "%s/6.1", base);
	else
		snprintf(path, size, "%s/.cache/hvsim/kernels/6.1", home ? home : "");
	return !access(path, R_OK);
}

#endif
