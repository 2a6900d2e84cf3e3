/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Conditions over policy switches and state, as written in path files:
 *
 *   !p9.tlbsync | guest.pmu & (host.hash | nestedv2.dec_cancel=cancel)
 *
 * An atom is a name (true when the switch or state is on) or name=value. `!` binds
 * tighter than `&`, and `&` than `|`. Atoms are interned as bits once; a parsed
 * expression is evaluated on a set of bits.
 */
#ifndef HVSIM_PATH_COND_H
#define HVSIM_PATH_COND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

#define COND_BITS_MAX 512
#define COND_NAMES_MAX 1024
#define COND_DEPTH_MAX 64

struct cond_bits {
	uint64_t w[COND_BITS_MAX / 64];
};

static inline void cond_put(struct cond_bits *bits, unsigned bit, bool on)
{
	uint64_t m = UINT64_C(1) << (bit % 64);

	bits->w[bit / 64] = on ? bits->w[bit / 64] | m : bits->w[bit / 64] & ~m;
}

static inline bool cond_has(const struct cond_bits *bits, unsigned bit)
{
	return bits->w[bit / 64] >> (bit % 64) & 1;
}

/* Names of atoms and their bits. Owned by the pool it was made with. */
struct cond_set {
	struct mem *mem;
	const char *names[COND_NAMES_MAX];
	uint16_t alias[COND_NAMES_MAX]; /* bit of this name */
	unsigned n;                    /* names */
	unsigned n_bits;
};

struct cond_set *cond_set_new(struct mem *mem);

/* The bit of a new or known name; -1 with an error when the table is full. */
int cond_intern(struct cond_set *set, const char *name, struct err *err);

/* A second name for a bit. */
int cond_alias(struct cond_set *set, const char *name, unsigned bit, struct err *err);

/* The bit of a known name, or -1. */
int cond_find(const struct cond_set *set, const char *name);

/* A parsed expression: postfix codes. */
struct cond {
	uint16_t *code;
	unsigned n;
};

/*
 * Parse an expression; every atom must be known. The error has no position: the
 * caller knows it. NULL on error. Owned by the pool.
 */
const struct cond *cond_parse(struct mem *mem, const struct cond_set *set, const char *text,
			      struct err *err);

bool cond_eval(const struct cond *cond, const struct cond_bits *bits);

/* Add the bits that an expression looks at. */
void cond_uses(const struct cond *cond, struct cond_bits *used);

#endif
