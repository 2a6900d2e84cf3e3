/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole-number arithmetic that C lacks: the same on every machine. */
#ifndef HVSIM_BASE_NUM_H
#define HVSIM_BASE_NUM_H

#include <stdint.h>

/* The square root, rounded down: exact for all 128 bits. */
uint64_t num_root(unsigned __int128 v);

#endif
