# SPDX-License-Identifier: GPL-2.0-or-later
# diff-old.s after a patch that reads the timebase, drops an SPR write and splits a function.
	.abiversion 2
	.text
	.type	guest_entry.isra.0, @function
guest_entry.isra.0:
	mftb	5
	mtspr	318, 3
	blr
	.size	guest_entry.isra.0, . - guest_entry.isra.0

	.type	guest_entry.part.0, @function
guest_entry.part.0:
	isync
	blr
	.size	guest_entry.part.0, . - guest_entry.part.0

	.type	guest_exit, @function
guest_exit:
	mfspr	3, 318
	blr
	.size	guest_exit, . - guest_exit
