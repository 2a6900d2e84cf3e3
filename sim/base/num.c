// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/num.h"

/* Bit by bit from the top: exact for all 128 bits. */
uint64_t num_root(unsigned __int128 v)
{
	unsigned __int128 rest = 0, root = 0;

	for (int bit = 126; bit >= 0; bit -= 2) {
		unsigned __int128 next = 2 * root * 2 + 1;

		rest = rest << 2 | (v >> bit & 3);
		root <<= 1;
		if (rest >= next) {
			rest -= next;
			root |= 1;
		}
	}
	return (uint64_t)root;
}
