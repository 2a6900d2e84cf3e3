/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two kernels side by side: what their functions gained and lost. */
#ifndef HVSIM_ELF_DIFF_H
#define HVSIM_ELF_DIFF_H

#include "elf/match.h"
#include "elf/seq.h"
#include "path/price.h"

/* What one side has of a function, or of all of them. */
struct kelf_side {
	struct kelf_count count;
	uint64_t bytes, cycles;
	uint64_t by_kind[OP_KINDS]; /* predicted cycles spent at ops of a kind: sums to cycles */
	unsigned funcs;             /* parts that were added up; 0: not there */
};

struct kelf_diff_row {
	const char *name; /* the stem: parts (.isra, .cold, ...) are added up */
	struct kelf_side side[2];
};

struct kelf_diff {
	struct kelf_diff_row *row; /* by name; only functions that have ops on a side */
	size_t n;
	struct kelf_side sum[2];
};

/*
 * Match the picked functions of two kernels by stem and predict what each
 * costs when every instruction of it runs once in the order of the file. All
 * memory is the pool's.
 */
void kelf_diff_make(struct kelf_diff *d, struct mem *mem, const struct kelf_pick *const pick[2],
		    const size_t n[2], const struct spr_table *sprs, const struct pricer *pricer);

/* Count and price a sequence as one side. */
void kelf_side_seq(struct kelf_side *side, const struct kelf_seq *seq,
		   const struct pricer *pricer);

/* New minus old of one class. */
int64_t kelf_diff_class(const struct kelf_side side[2], enum kelf_class class);

#endif
