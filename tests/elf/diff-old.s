# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel before a patch: diff-new.s is after it.
	.abiversion 2
	.text
	.type	guest_entry, @function
guest_entry:
	mtspr	318, 3
	mtspr	319, 4
	isync
	blr
	.size	guest_entry, . - guest_entry

	.type	guest_exit, @function
guest_exit:
	mfspr	3, 318
	blr
	.size	guest_exit, . - guest_exit

	.type	only_old, @function
only_old:
	tlbsync
	blr
	.size	only_old, . - only_old
