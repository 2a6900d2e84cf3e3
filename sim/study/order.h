/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Order statistics of whole numbers: the same everywhere, no floating point. */
#ifndef HVSIM_STUDY_ORDER_H
#define HVSIM_STUDY_ORDER_H

#include <stddef.h>
#include <stdint.h>

void study_sort(int64_t *v, size_t n);

/* The num/den quantile of sorted values by nearest rank (number ceil(n * num / den)); 0 of none. */
int64_t study_quantile(const int64_t *sorted, size_t n, unsigned num, unsigned den);

#endif
