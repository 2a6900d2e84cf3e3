/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where tools/fetch-kernels and tools/build-kernel put the kernels that tests read. */
#ifndef HVSIM_TESTS_ELF_REAL_H
#define HVSIM_TESTS_ELF_REAL_H

#include "check.h"

#include <assert.h>
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

/* A test of one version's kernel; NULL: of none. */
struct kernel_test {
	const char *version;
	struct CMUnitTest test;
};

#define KERNEL_TESTS_MAX 32

/* Run those whose kernel is there; test_elf_kernel names the kernels that aren't. */
static inline int run_kernel_tests(const struct kernel_test *all, size_t n)
{
	struct CMUnitTest test[KERNEL_TESTS_MAX];
	char path[4096];
	size_t have = 0;

	assert(n <= KERNEL_TESTS_MAX);
	for (size_t i = 0; i < n; i++)
		if (!all[i].version || have_kernel(all[i].version, path, sizeof(path)))
			test[have++] = all[i].test;
	if (have)
		return _cmocka_run_group_tests("tests", test, have, NULL, NULL);
	printf("1..0 # SKIP no kernel is there\n");
	return 0;
}

#endif
