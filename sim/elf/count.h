/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking the instructions of a function as they stand in the file, and counting them. */
#ifndef HVSIM_ELF_COUNT_H
#define HVSIM_ELF_COUNT_H

#include "elf/image.h"

/* Op counts by class; moves of XER, LR and CTR and calls of _mcount count as work. */
struct kelf_count {
	uint32_t n[KELF_NCLASSES];
	uint32_t insns, loads, stores, branches; /* of any class; calls are branches too */
};

/* Position in a function. Start from zeroes. */
struct kelf_iter {
	uint64_t next; /* offset in the function of what comes next */
	uint64_t off;  /* of the instruction returned */
};

/*
 * The next instruction of a function in the order of the file; words that a
 * relocation makes data are left out. False at the end.
 */
bool kelf_next(const struct kelf_image *img, const struct kelf_func *f, struct kelf_iter *it,
	       struct kelf_insn *insn);

/* Whether a call goes to _mcount, which the kernel replaces by a nop when it boots. */
bool kelf_calls_mcount(const struct kelf_image *img, const struct kelf_func *f, uint64_t off,
		       const struct kelf_insn *insn);

/* Add the instructions of a function. */
void kelf_count_func(const struct kelf_image *img, const struct kelf_func *f,
		     struct kelf_count *count);

/* Add one instruction; `nop` says that it counts as work whatever it is. */
void kelf_count_insn(struct kelf_count *count, const struct kelf_insn *insn, bool nop);

/* The number of ops of their own (kelf_class_is_op) in a count. */
uint32_t kelf_count_ops(const struct kelf_count *count);

#endif
