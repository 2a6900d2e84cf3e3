/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code as it runs: the file with what the kernel patches when it boots, for
 * one CPU's features and one state of the static keys. Feature sections and jump
 * labels are applied; flush and barrier sites (mitigations) stay the nops that
 * they are in the file.
 */
#ifndef HVSIM_ELF_LIVE_H
#define HVSIM_ELF_LIVE_H

#include "elf/count.h"
#include "elf/fixup.h"
#include "elf/kernel.h"

/* A site of a static key (include/linux/jump_label.h). */
struct kelf_jump {
	uint32_t sec;
	uint64_t off;        /* of the instruction */
	uint32_t target_sec;
	uint64_t target;
	const char *key;     /* variable that holds the key; "" when it has no name */
	uint64_t key_off;    /* in it */
	bool branch;         /* with this the site jumps when the key is off */
};

/* The state of a key, by the name of its variable. */
struct kelf_key {
	const char *name;
	int64_t index;  /* of 16 bytes in the variable, or -1: any */
	bool on;
	unsigned used;
};

struct kelf_live {
	uint64_t feature[3]; /* by enum kelf_features */
	struct kelf_key *key;
	size_t nkey;
};

/* An instruction as it runs. */
struct kelf_live_insn {
	struct kelf_insn insn;
	bool nop;            /* patched to one, or a call of _mcount */
	const struct kelf_jump *jump; /* a static key's branch: goes to jump->target */
	uint32_t sec;        /* where its bytes are: an alternative's place, for branches */
	uint64_t off;
};

/* Read the jump labels of an image; they are sorted by place. Call once before kelf_live_at(). */
int kelf_load_jumps(struct kelf_image *img, struct mem *mem, struct err *err);

/* The instruction at an offset of a function. */
struct kelf_live_insn kelf_live_at(const struct kelf_image *img, const struct kelf_live *live,
				   const struct kelf_func *f, uint64_t off);

/* Where a direct branch of it goes; false when it can't be known. */
bool kelf_live_target(const struct kelf_image *img, const struct kelf_live_insn *li,
		      struct kelf_target *to);

#endif
