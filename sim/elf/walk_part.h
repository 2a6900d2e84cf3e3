/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between walk.c and choose.c: functions as a walk sees them. */
#ifndef HVSIM_ELF_WALK_PART_H
#define HVSIM_ELF_WALK_PART_H

#include "elf/flow.h"
#include "elf/match.h"
#include "elf/walk.h"

/* What the walk file chose at an instruction. */
struct kelf_way {
	struct kelf_choice *choice; /* NULL: nothing */
	bool taken;
	bool direct;                /* it decides about the place itself, not about a way to it */
	int64_t entry;              /* of the function, that visits is of */
	uint32_t visits;            /* of this branch */
	uint32_t goal;	/* first place it may lead to, from 1: once there it is done; 0: none */
	uint32_t place; /* this is such a place: the first of its choice, from 1; 0: no */
	int64_t seen;	/* at a first place: the entry in which a place of it ran last */
};

/* A function on the path as one caller enters it, with its ways by instruction. */
struct kelf_visit {
	const struct kelf_image *img;
	const struct kelf_func *func;
	const struct kelf_func *caller; /* choices may depend on it; NULL for the entry */
	struct kelf_way *way; /* NULL when no choice is about the function */
	int64_t entries; /* so far in this walk */
	struct kelf_visit *next;
};

#define KELF_PLACES_MAX 256 /* of one choice in one function */

/* Make the ways of a function from the choices that are about it. Owned by the pool. */
struct kelf_visit *kelf_visit_new(struct mem *mem, const struct kelf_image *img,
				  struct kelf_walkfile *file, const struct kelf_func *f,
				  const struct kelf_func *caller, const struct spr_table *sprs);

#endif
