// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "study/ensemble.h"

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

/* Twice the rank of each value, counted from 1; ties get their mean. */
static void ranks(const int64_t *v, size_t n, int64_t *rank, int64_t *sorted)
{
	memcpy(sorted, v, n * sizeof(*v));
	study_sort(sorted, n);
	for (size_t i = 0; i < n; i++) {
		size_t lo = 0, hi = n, first;

		while (lo < hi) { /* the first not below */
			size_t mid = (lo + hi) / 2;

			if (sorted[mid] < v[i])
				lo = mid + 1;
			else
				hi = mid;
		}
		first = lo;
		hi = n;
		while (lo < hi) { /* the first above */
			size_t mid = (lo + hi) / 2;

			if (sorted[mid] <= v[i])
				lo = mid + 1;
			else
				hi = mid;
		}
		rank[i] = (int64_t)(first + 1 + lo);
	}
}

int64_t study_rank_share(const int64_t *x, const int64_t *y, size_t n)
{
	int64_t *rx = mem_zalloc(3 * n + 1, sizeof(*rx)), *ry = rx + n, mean = (int64_t)n + 1;
	__int128 xx = 0, yy = 0, xy = 0, share;

	ranks(x, n, rx, rx + 2 * n);
	ranks(y, n, ry, rx + 2 * n);
	for (size_t i = 0; i < n; i++) {
		xx += (__int128)(rx[i] - mean) * (rx[i] - mean);
		yy += (__int128)(ry[i] - mean) * (ry[i] - mean);
		xy += (__int128)(rx[i] - mean) * (ry[i] - mean);
	}
	free(rx);
	if (!xx || !yy)
		return 0;
	/* n^6 / 9 at most: 2^97 for the largest ensemble, with room for the millionths */
	share = xy * xy * 1000000 / (xx * yy);
	return (int64_t)share;
}
