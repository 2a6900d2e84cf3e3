/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branches by what they test: a constant that a register is compared with, or bits that are
 * looked at. The constants of a source (trap numbers, MSR bits) survive a rebuild; offsets
 * don't. Encodings: Power ISA 3.1B, book I, 2.4 (branches), 3.3.10 (compares), 3.3.13 (andi.).
 */
#ifndef HVSIM_ELF_OUTCOME_H
#define HVSIM_ELF_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

enum kelf_relation {
	KELF_EQUAL,
	KELF_UNEQUAL,
	KELF_LESS,
	KELF_NOT_LESS,
	KELF_GREATER,
	KELF_NOT_GREATER,
	KELF_ANY_BIT,
	KELF_NO_BIT,
};

/* A comparison and how it comes out. */
struct kelf_outcome {
	enum kelf_relation relation;
	int64_t value; /* the constant, or the mask */
};

/*
 * Read "= 0xc00", or with one of != < >= > <= & (a bit is set) !& (none is). A negative
 * number is decimal. False when it is none.
 */
bool kelf_outcome_parse(const char *text, struct kelf_outcome *out);

/* The same comparison with the other result. */
struct kelf_outcome kelf_outcome_opposite(struct kelf_outcome o);

/*
 * The CR field (0-7) that an instruction sets by this comparison (cmpwi, cmpdi, cmplwi, cmpldi,
 * or andi., andis. for bits); -1 when it is another one, or none.
 */
int kelf_outcome_field(struct kelf_outcome o, uint32_t word);

/* Whether an instruction sets that CR field, or may: calls do. */
bool kelf_sets_field(uint32_t word, int field);

/* What the conditional branch `word` on that field does then: 1 taken, 0 not, -1 can't be said. */
int kelf_outcome_taken(struct kelf_outcome o, int field, uint32_t word);

#endif
