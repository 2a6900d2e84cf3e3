/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where tools/fetch-kernels and tools/build-kernel put the kernels that tests read. */
#ifndef HVSIM_TESTS_ELF_REAL_H
#define HVSIM_TESTS_ELF_REAL_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline bool have_kernel(const char *version, char *path, size_t size)
{
	const char *base = getenv("HVSIM_KERNELS"), *home = getenv("HOME");

	if (base)
		snprintf(path, size, "%s/%s", base, version);
	else
		snprintf(path, size, "%s/.cache/hvsim/kernels/%s", home ? home : "", version);
	return !access(path, R_OK);
}

/* The one that CI has. */
static inline bool have_real_kernel(char *path, size_t size)
{
	return have_kernel("6.1", path, size);
}

#endif
