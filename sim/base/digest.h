/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A digest of bytes that come piece by piece, for files that are too long to
 * take FNV-1a a byte at a time (four cycles each): FNV-1a's step on words of
 * eight bytes, in four lanes that don't wait for each other. It tells files
 * apart that differ by accident; it is not made against an adversary.
 */
#ifndef HVSIM_BASE_DIGEST_H
#define HVSIM_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_LANES 4
#define DIGEST_STRIDE (DIGEST_LANES * sizeof(uint64_t))

struct digest {
	uint64_t lane[DIGEST_LANES];
	uint64_t len;                 /* bytes so far */
	char rest[DIGEST_STRIDE];     /* the last len % DIGEST_STRIDE of them */
};

void digest_start(struct digest *d);

/* The next bytes; how they are cut into pieces makes no difference. */
void digest_add(struct digest *d, const char *bytes, size_t n);

/* 64-bit FNV-1a of the lanes and the length, little-endian: the same on every machine. */
uint64_t digest_end(struct digest *d);

#endif
