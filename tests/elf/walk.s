# SPDX-License-Identifier: GPL-2.0-or-later
# Code to walk: calls, a guarded write, static keys, an indirect call, a loop, a way out and back.
	.abiversion 2
	.text
	.globl	walk_entry
	.type	walk_entry, @function
walk_entry:
	addis	2, 12, .TOC. - walk_entry@ha
	addi	2, 2, .TOC. - walk_entry@l
	.localentry walk_entry, . - walk_entry
	mflr	0
	bl	leaf			# +0xc
	cmpwi	3, 0
	beq	1f			# +0x14: guards the write of LPCR
	mtspr	318, 3
1:
.Lsite:
	nop				# +0x1c: my_key, initially off
	mfmsr	4			# runs while the key is off
2:
.Lsite9:
	nop				# +0x24: cpu_feature_keys[50]: on keeps the nop
	cpabort
.Lafter:
	mtctr	12
	bctrl				# +0x30: nobody says where to
3:	isync
	bdnz	3b			# +0x38
	cmpwi	3, 1
	beq	fail			# +0x40: guards nothing but the trap
	bl	elsewhere		# +0x44: in no file
	nop
	hrfid				# +0x4c
	.size	walk_entry, . - walk_entry

	.type	fail, @function
fail:
	trap
	.size	fail, . - fail

	.globl	leaf
	.type	leaf, @function
leaf:
	mfspr	3, 48
	blr
	.size	leaf, . - leaf

# Where the guest comes back: assembly that runs from one symbol into the next.
	.globl	vector
vector:
	mfspr	13, 304
	.globl	vector_common
vector_common:
	mfspr	3, 26
	blr

	.globl	spin
	.type	spin, @function
spin:
	b	spin
	.size	spin, . - spin

# An acquire barrier, which is isync in the file and lwsync once the kernel has booted.
	.globl	locker
	.type	locker, @function
locker:
	lwarx	3, 0, 4
	stwcx.	3, 0, 4
.Lacquire:
	isync
	blr
	.size	locker, . - locker

# A switch over trap numbers, and a test of bits.
	.globl	switcher
	.type	switcher, @function
switcher:
	lwz	3, 0(4)
	cmpwi	3, 0xe00
	beq	.Labove
	bgt	.Labove
	cmpwi	3, 0xc00
	beq	.Lhcall
	isync				# none of them
	blr
.Labove:	eieio				# 0xe00, and above
	blr
.Lhcall:	andi.	6, 5, 0x4000
	bne	.Lset
	mfspr	3, 48			# 0xc00
	blr
.Lset:	mfmsr	3			# 0xc00 with the bit set
	blr
	.size	switcher, . - switcher

# A call that comes back by rfid.
	.globl	caller
	.type	caller, @function
caller:
	bl	leaver
	isync
	blr
	.size	caller, . - caller
	.type	leaver, @function
leaver:
	mfmsr	4
	mtsrr1	4
	rfid
	.size	leaver, . - leaver
	.section __lwsync_fixup, "a"
	.quad	.Lacquire - .

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

# struct jump_entry of Linux 5.19 and later: code, target, key | branch, each from its own place.
	.section __jump_table, "aw"
	.long	.Lsite - ., 2b - .
	.quad	my_key - .
	.long	.Lsite9 - ., .Lafter - .
	.quad	cpu_feature_keys + 50 * 16 + 1 - .
