/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far a replay's counts may be off what was recorded. */
#ifndef HVSIM_TESTS_AGREE_H
#define HVSIM_TESTS_AGREE_H

#include <math.h>
#include <stdint.h>

/* Within the larger of so many per cent of n and 2 sqrt n. */
static inline void assert_agree(const char *what, uint64_t got, uint64_t n, unsigned percent)
{
	double share = (double)n * percent / 100, spread = 2 * sqrt((double)n);

	if (fabs((double)got - (double)n) > (share > spread ? share : spread))
		fail_msg("%s: %llu replayed, %llu recorded", what, (unsigned long long)got,
			 (unsigned long long)n);
}

#endif
