# SPDX-License-Identifier: GPL-2.0-or-later
# Calls and what resolves them.
	.abiversion 2
	.text
	.balign	16
	.quad	.TOC. - caller		# the large code model's data word before a function
	.globl	caller
	.type	caller, @function
caller:
0:	ld	2, -8(12)
	add	2, 2, 12
	.localentry caller, . - caller
	mflr	0
	bl	_mcount			# patched to a nop
	bl	outside			# +0x10: undefined
	nop
	bl	twin			# +0x18: global with a local entry
	bl	.Llocal + 4		# +0x1c: by section symbol and addend
	bl	caller + 8		# +0x20: itself, at the local entry
	bl	caller_notoc@notoc	# +0x24: R_PPC64_REL24_P9NOTOC
	.machine power10
	bl	caller_notoc@notoc	# +0x28: R_PPC64_REL24_NOTOC
	.machine power9
	mtctr	12
	bctrl				# +0x30
	mtspr	318, 3			# +0x34
	bne	unsized			# +0x38: conditional tail call
	b	twin			# +0x3c
	.size	caller, . - caller

	.globl	twin
	.type	twin, @function
twin:
	addis	2, 12, .TOC. - twin@ha
	addi	2, 2, .TOC. - twin@l
	.localentry twin, . - twin
	mtspr	319, 3
	blr
	.size	twin, . - twin

	.type	helper.constprop.0.isra.0, @function
helper.constprop.0.isra.0:
.Llocal:
	nop
	mfspr	3, 319
	blr
	.size	helper.constprop.0.isra.0, . - helper.constprop.0.isra.0

# No size: reaches to the next symbol.
	.globl	unsized
unsized:
	mfspr	3, 48
inner_label:
	mtspr	48, 3
	hrfid
	.globl	caller_notoc
	.type	caller_notoc, @function
caller_notoc:
	blr
	.size	caller_notoc, . - caller_notoc
