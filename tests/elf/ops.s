# SPDX-License-Identifier: GPL-2.0-or-later
# Every encoding that the decoder tells apart, in the order tests/test_elf_image.c expects.
	.text
	.globl	ops
	.type	ops, @function
ops:
	mfspr	3, 1023
	mtspr	318, 4		# LPCR: the halves of the number are swapped in the word
	mtspr	882, 5
	mflr	0		# LR, CTR and XER are renamed: ordinary work
	mtctr	12
	mtxer	0
	mfspr	3, 268		# the timebase three ways
	mfspr	3, 269
	.long	0x7c6c42e6	# mftb 3, 268 (opcode 371)
	mfmsr	3
	mtmsr	3
	mtmsrd	3
	mtmsrd	3, 1
	isync
	sync
	lwsync
	ptesync
	.long	0x7c8004ac	# sync 4: persistent-memory sync of ISA 3.1
	eieio
	.long	0x7c8b1a64	# tlbie r3, r4, 2, 1, 1
	.long	0x7c001a24	# tlbiel r3
	tlbsync
	slbmte	3, 4
	slbmfee	3, 4
	slbmfev	3, 4
	slbfee.	3, 4
	slbie	3
	slbieg	3, 4
	slbia	3
	slbiag	3
	slbsync
	rfid
	hrfid
	rfscv
	sc	0
	sc	1
	sc	2
	scv	1
	lbarx	3, 4, 5
	lharx	3, 4, 5
	lwarx	3, 4, 5, 1
	ldarx	3, 4, 5
	lqarx	4, 6, 7
	stbcx.	3, 4, 5
	sthcx.	3, 4, 5
	stwcx.	3, 4, 5
	stdcx.	3, 4, 5
	stqcx.	4, 5, 6
	msgsnd	3
	msgclr	3
	msgsync
	msgsndp	3
	msgclrp	3
	cpabort
	stop
	lbzcix	3, 4, 5
	lhzcix	3, 4, 5
	lwzcix	3, 4, 5
	ldcix	3, 4, 5
	stbcix	3, 4, 5
	sthcix	3, 4, 5
	stwcix	3, 4, 5
	stdcix	3, 4, 5
	mfcr	3
	mfocrf	3, 0x80
	mtcrf	0xff, 3
	mtocrf	0x80, 3
	blr
	.size	ops, . - ops

# Ordinary loads, stores, branches and prefixed instructions.
	.globl	plain
	.type	plain, @function
plain:
	ld	3, 8(1)
	ldu	3, 8(1)
	lwa	3, 8(1)
	std	3, 8(1)
	stdu	1, -32(1)
	lvx	0, 3, 4
	stvx	0, 3, 4
	lxvd2x	0, 3, 4
	stxvd2x	0, 3, 4
	lxv	0, 16(3)
	stxv	0, 16(3)
	stxsd	0, 16(3)
	dcbz	3, 4
	bcl	20, 31, .+4	# reads its own address: no call
	beq	.+8
	bdnz	.-4
	bctr
	bctrl
	paddi	3, 4, 100
	pld	3, 100(4)
	pstd	3, 100(4)
	.long	0x7c0006ad	# eieio with a reserved bit set: not an eieio
	.long	0x43e00008	# bc with the reserved BO 31: data
	.long	0x06000000	# a prefix whose suffix makes no instruction
	blr
	.size	plain, . - plain
