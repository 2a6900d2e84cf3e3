# SPDX-License-Identifier: GPL-2.0-or-later
# Feature sections as arch/powerpc/include/asm/feature-fixups.h lays them out: 48 bytes {mask, value,
# start, end, alternative start, alternative end}, the four offsets from the start of the entry.
	.abiversion 2
	.text
	.globl	asm_entry
asm_entry:
	mfspr	3, 28
.Lcode:
	mtspr	28, 3			# kept with feature bit 50 clear
	nop
.Lcode_end:
	mtspr	896, 3
	hrfid
# The alternative lies right after the code of its object.
.Lalt:
	mtspr	882, 3
.Lalt_end:

	.section __ftr_fixup, "a"
.Lentry:
	.quad	0x0004000000000000, 0
	.quad	.Lcode - .Lentry, .Lcode_end - .Lentry
	.quad	.Lalt - .Lentry, .Lalt_end - .Lentry

# The other two tables, of entries without an alternative.
	.section __mmu_ftr_fixup, "a"
.Lmmu:
	.quad	0x40, 0x40
	.quad	.Lcode_end - .Lmmu, .Lalt - .Lmmu, 0, 0

	.section __fw_ftr_fixup, "a"
.Lfw:
	.quad	0x2000, 0
	.quad	asm_entry - .Lfw, .Lcode - .Lfw, 0, 0
