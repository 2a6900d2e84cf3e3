# SPDX-License-Identifier: GPL-2.0-or-later
# Jump labels as they were before Linux 5.19: three absolute addresses of 8 bytes.
	.abiversion 2
	.text
	.globl	old_entry
	.type	old_entry, @function
old_entry:
.Lsite:
	nop				# +0x0: my_key, initially off
	mfmsr	3
.Lsite50:
	nop				# +0x8: cpu_feature_keys[50]: on keeps the nop
	cpabort
.Lafter:
	isync
	blr
	.size	old_entry, . - old_entry

	.data
	.globl	my_key
	.type	my_key, @object
	.balign 8
my_key:	.quad	0, 0
	.size	my_key, 16
	.globl	cpu_feature_keys
	.type	cpu_feature_keys, @object
cpu_feature_keys:
	.skip	64 * 16
	.size	cpu_feature_keys, 64 * 16

	.section __jump_table, "aw"
	.quad	.Lsite, .Lafter, my_key
	.quad	.Lsite50, .Lafter, cpu_feature_keys + 50 * 16 + 1
