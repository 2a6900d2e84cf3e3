/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that the kernel patches when it boots: feature sections. An entry keeps
 * the code when (features & mask) == value and puts the alternative in its
 * place otherwise (arch/powerpc/include/asm/feature-fixups.h).
 */
#ifndef HVSIM_ELF_FIXUP_H
#define HVSIM_ELF_FIXUP_H

#include "elf/image.h"

enum kelf_features { KELF_FTR_CPU, KELF_FTR_MMU, KELF_FTR_FW };

struct kelf_fixup {
	enum kelf_features which;
	uint64_t mask, value;
	uint32_t sec, alt_sec;
	uint64_t start, end; /* the code, in sec */
	uint64_t alt_start, alt_end; /* what replaces it, in alt_sec; equal: nops */
};

/* A place in code. */
struct kelf_place {
	uint32_t sec;
	uint64_t off;
};

/*
 * Read __lwsync_fixup: places (the acquire barrier of locks) that the kernel makes lwsync on
 * every CPU that has it, which all 64-bit server CPUs do.
 */
int kelf_load_lwsync(struct kelf_image *img, struct mem *mem, struct err *err);

/* Whether a place is one of them. */
bool kelf_becomes_lwsync(const struct kelf_image *img, uint32_t sec, uint64_t off);

/*
 * Read __ftr_fixup, __mmu_ftr_fixup and __fw_ftr_fixup. Entries that lead to no code are left
 * out.
 */
int kelf_load_fixups(struct kelf_image *img, struct mem *mem, struct err *err);

#endif
