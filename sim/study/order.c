// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/order.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void study_sort(int64_t *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof(*v), compare);
}

int64_t study_quantile(const int64_t *sorted, size_t n, unsigned num, unsigned den)
{
	size_t rank = (n * num + den - 1) / den;

	if (!n)
		return 0;
	return sorted[rank ? rank - 1 : 0];
}
