/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decoder's tables: one row an encoding, indexed by extended opcode. */
#ifndef HVSIM_ELF_INSN_TABLE_H
#define HVSIM_ELF_INSN_TABLE_H

#include <stdint.h>

/* What a row's extra field means: which field of the word decode looks at further. */
enum kelf_more {
	KELF_MORE_NONE,
	KELF_MORE_SPR,
	KELF_MORE_TBR,
	KELF_MORE_SYNC,
	KELF_MORE_MSR_L,
	KELF_MORE_BRANCH_I,
	KELF_MORE_BRANCH_B,
	KELF_MORE_BRANCH_R,
	KELF_MORE_SC,
	KELF_MORE_CR,
	KELF_MORE_SIZE, /* arg is the access size in bytes */
};

struct kelf_row {
	uint8_t class;
	uint8_t mem;
	uint8_t more; /* enum kelf_more */
	uint8_t arg;
	uint32_t mask, value; /* (word & mask) == value, or it is ordinary work */
};

extern const struct kelf_row kelf_primary[64];  /* by bits 0-5 */
extern const struct kelf_row kelf_ext19[1024];  /* opcode 19, by bits 21-30 */
extern const struct kelf_row kelf_ext31[1024];  /* opcode 31, by bits 21-30 */

/* Suffix opcodes of prefixed instructions: KELF_MEM_*, or KELF_PFX_PLAIN; 0 is not one. */
#define KELF_PFX_PLAIN 0x80
extern const uint8_t kelf_suffix_8ls[64];
extern const uint8_t kelf_suffix_mls[64];

#endif
