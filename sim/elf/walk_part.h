/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between walk.c and choose.c: functions as a walk sees them. */
#ifndef HVSIM_ELF_WALK_PART_H
#define HVSIM_ELF_WALK_PART_H

#include "elf/flow.h"
#include "elf/walk.h"

/* What the walk file chose at an instruction. */
struct kelf_way {
	struct kelf_choice *choice; /* NULL: nothing */
	bool taken;
	uint32_t visits;            /* in this call of the function */
	uint32_t goal;              /* first place it may lead to, from 1: once there it is done; 0: none */
	uint32_t place;             /* this is such a place: the first of its choice, from 1; 0: no */
	bool seen;                  /* at a first place: one of the choice's places ran in this call */
};

/* A function on the path as one caller enters it, with its ways by instruction. */
struct kelf_visit {
	const struct kelf_image *img;
	const struct kelf_func *func;
	const struct kelf_func *caller; /* choices may depend on it; NULL for the entry */
	struct kelf_way *way;
	int64_t entries; /* so far in this walk */
	struct kelf_visit *next;
};

/* Make the ways of a function from the choices that are about it. Owned by the pool. */
struct kelf_visit *kelf_visit_new(struct mem *mem, const struct kelf_image *img,
				  struct kelf_walkfile *file, const struct kelf_func *f,
				  const struct kelf_func *caller, const struct spr_table *sprs);

/* Whether a shell pattern matches a name's stem or all of it. */
bool kelf_stem_matches(const char *pattern, const char *name);

#endif
