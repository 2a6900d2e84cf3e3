/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choosing functions by name pattern. */
#ifndef HVSIM_ELF_MATCH_H
#define HVSIM_ELF_MATCH_H

#include "elf/kernel.h"

/* A function, or from a label inside one to its end. */
struct kelf_pick {
	const struct kelf_image *img;
	const struct kelf_func *func;
	const char *name;  /* the function's, or the label's */
	uint64_t from;     /* offset in the function */
};

/*
 * The functions that a shell pattern matches, by full name or by stem, or else
 * the label of that name. Appends to a malloc'ed array. -1 when nothing
 * matches: the error suggests a near name.
 */
int kelf_pick(const struct kelf_kernel *k, const char *pattern, struct kelf_pick **pick,
	      size_t *n, size_t *cap, struct err *err);

/* Whether a shell pattern matches a name, or its stem. */
bool kelf_stem_matches(const char *pattern, const char *name);

#endif
