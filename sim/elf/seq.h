/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sequence of instructions as a path: ops one by one, ordinary work between
 * them added up. What sim/path prices.
 */
#ifndef HVSIM_ELF_SEQ_H
#define HVSIM_ELF_SEQ_H

#include "elf/count.h"
#include "path/path.h"

struct kelf_seq {
	struct mem *mem; /* the caller's */
	const struct spr_table *sprs;
	struct path_item *item; /* malloc'ed */
	uint64_t *at;           /* per item: offset of its (first) instruction in the function */
	size_t n, cap, at_cap;
	struct kelf_count count;
	const struct spr **unknown; /* registers sprs lacks, by number; NULL until there is one */
	size_t nunknown;
};

/* Zero the rest before; free with kelf_seq_done(). */
void kelf_seq_init(struct kelf_seq *seq, struct mem *mem, const struct spr_table *sprs);
void kelf_seq_done(struct kelf_seq *seq);

/*
 * Add an instruction of the function `in` at an offset of it; nop says that it
 * counts as work whatever it is. `in` must live as long as the sequence.
 */
void kelf_seq_add(struct kelf_seq *seq, const struct kelf_insn *insn, bool nop, const char *in,
		  uint64_t at);

/* Add an op that is no instruction: an interrupt by its vector. */
void kelf_seq_interrupt(struct kelf_seq *seq, unsigned vector, const char *in);

/* Add a function's instructions in the order of the file, as if each ran once. */
void kelf_seq_func(struct kelf_seq *seq, const struct kelf_image *img, const struct kelf_func *f);

/* View it as a path; valid until the sequence changes. */
struct path kelf_seq_path(const struct kelf_seq *seq, const char *name);

/* The op kind a class is priced as; OP_WORK for ordinary instructions. */
enum op_kind kelf_op_kind(const struct kelf_insn *insn);

#endif
