# SPDX-License-Identifier: GPL-2.0-or-later
# ELFv1: a function's symbol names its descriptor in .opd.
	.abiversion 1
	.section .opd, "aw"
	.balign	8
	.globl	first
	.type	first, @function
first:
	.quad	.L.first, .TOC.@tocbase, 0
	.globl	second
	.type	second, @function
second:
	.quad	.L.second, .TOC.@tocbase, 0
	.globl	itself
	.type	itself, @function
itself:
	.quad	itself, .TOC.@tocbase, 0	# a descriptor that leads to .opd, not to code

	.text
.L.first:
	mtspr	318, 3
	bl	second
	nop
	bl	outside
	nop
	blr
	.size	first, . - .L.first
.L.second:
	isync
	blr
	.size	second, . - .L.second
