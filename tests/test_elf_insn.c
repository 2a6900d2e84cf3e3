// SPDX-License-Identifier: GPL-2.0-or-later
/* Words and what they are: encodings by the Power ISA 3.1B, checked with GNU objdump 2.40. */
#include "check.h"

#include "elf/insn.h"

static struct kelf_insn one(uint32_t word)
{
	return kelf_decode(word, 0, false);
}

static void classes_by_word(void **state)
{
	static const struct { uint32_t word; uint8_t class; } known[] = {
		{ 0x7c6c42a6, KELF_MFTB },     /* mfspr r3,268 */
		{ 0x7c6c42e6, KELF_MFTB },     /* mftb r3 */
		{ 0x7c6000a6, KELF_MFMSR },    /* mfmsr r3 */
		{ 0x7c600164, KELF_MTMSRD },   /* mtmsrd r3 */
		{ 0x7c610164, KELF_MTMSRD_L1 }, /* mtmsrd r3,1 */
		{ 0x4c00012c, KELF_ISYNC },
		{ 0x7c0004ac, KELF_HWSYNC },
		{ 0x7c2004ac, KELF_LWSYNC },
		{ 0x7c4004ac, KELF_PTESYNC },
		{ 0x7c6004ac, KELF_SYNC },     /* sync 3: reserved level */
		{ 0x7c0006ac, KELF_EIEIO },
		{ 0x7c0006ad, KELF_WORK },     /* a reserved bit of it set */
		{ 0x7c00046c, KELF_TLBSYNC },
		{ 0x7c6023e4 | 0x100, KELF_WORK }, /* no opcode at all */
		{ 0x4c000224, KELF_HRFID },
		{ 0x4c000024, KELF_RFID },
		{ 0x7c00068c, KELF_CP_ABORT },
		{ 0x7c0004ad, KELF_WORK },
		{ 0x60000000, KELF_WORK },     /* nop */
		{ 0xe8620008, KELF_LOAD },     /* ld r3,8(r2) */
		{ 0xf821ffe1, KELF_STORE },    /* stdu r1,-32(r1) */
		{ 0x4e800020, KELF_BRANCH },   /* blr */
		{ 0x4e800421, KELF_CALL },     /* bctrl */
		{ 0x429f0005, KELF_BRANCH },   /* bcl 20,31,.+4: reads its address */
		{ 0x00000000, KELF_WORK },
		{ 0xffffffff, KELF_WORK },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (one(known[i].word).class != known[i].class)
			fail_msg("%08x is %s", known[i].word,
				 kelf_class_name(one(known[i].word).class));
}

/* The number's halves are swapped: mtspr LPCR (318 = 0b01001'11110), mfspr 882. */
static void spr_numbers_are_unswapped(void **state)
{
	assert_int_equal(one(0x7c9e4ba6).class, KELF_MTSPR);
	assert_int_equal(one(0x7c9e4ba6).spr, 318);
	assert_int_equal(one(0x7c72daa6).spr, 882);
	assert_int_equal(one(0x7c72daa6).class, KELF_MFSPR);
}

static void renamed_registers_are_no_ops(void **state)
{
	struct kelf_insn mflr = one(0x7c0802a6), mtctr = one(0x7d8903a6), mfxer = one(0x7c6102a6);
	struct kelf_insn tar = one(0x7c6fcba6); /* mtspr 815 */

	assert_false(kelf_is_op(&mflr));
	assert_false(kelf_is_op(&mtctr));
	assert_false(kelf_is_op(&mfxer));
	assert_int_equal(tar.spr, 815);
	assert_true(kelf_is_op(&tar));
}

/* sc 1 is 0x44000022; scv 1 is 0x44000021. */
static void system_calls_have_levels(void **state)
{
	assert_int_equal(one(0x44000022).class, KELF_SC);
	assert_int_equal(one(0x44000022).level, 1);
	assert_int_equal(one(0x44000002).level, 0);
	assert_int_equal(one(0x44000021).class, KELF_SCV);
	assert_int_equal(one(0x44000021).level, 1);
	assert_int_equal(one(0x44000003).class, KELF_WORK);
}

static void branches_say_where_and_how(void **state)
{
	struct kelf_insn b = one(0x4bfffff8), bne = one(0x40820010), bdnz = one(0x4200fffc);
	struct kelf_insn ba = one(0x48000102), blr = one(0x4e800020), beqlr = one(0x4d820020);

	assert_int_equal(b.disp, -8);
	assert_int_equal(b.branch, 0);
	assert_int_equal(bne.disp, 16);
	assert_int_equal(bne.branch, KELF_BR_COND);
	assert_int_equal(bdnz.branch, KELF_BR_COND | KELF_BR_COUNT);
	assert_int_equal(bdnz.disp, -4);
	assert_int_equal(ba.branch, KELF_BR_ABS);
	assert_int_equal(ba.disp, 0x100);
	assert_int_equal(blr.branch, KELF_BR_LR);
	assert_int_equal(beqlr.branch, KELF_BR_LR | KELF_BR_COND);
}

/* pld r3,100(r4) is 04000000 e4640064; paddi r3,r4,100 is 06000000 38640064. */
static void prefixed_are_eight_bytes(void **state)
{
	struct kelf_insn pld = kelf_decode(0x04000000, 0xe4640064, true);
	struct kelf_insn paddi = kelf_decode(0x06000000, 0x38640064, true);
	struct kelf_insn data = kelf_decode(0x06000000, 0x4e800020, true);
	struct kelf_insn cut = kelf_decode(0x04000000, 0, false);

	assert_int_equal(pld.size, 8);
	assert_int_equal(pld.mem, KELF_MEM_LOAD);
	assert_int_equal(paddi.size, 8);
	assert_int_equal(paddi.class, KELF_WORK);
	assert_int_equal(data.size, 4);
	assert_int_equal(cut.size, 4);
}

static void reservations_have_sizes(void **state)
{
	/* lwarx, ldarx, lqarx r4,r6,r7, stbcx. */
	assert_int_equal(one(0x7c642828).level, 4);
	assert_int_equal(one(0x7c6428a8).level, 8);
	assert_int_equal(one(0x7c863a28).level, 16);
	assert_int_equal(one(0x7c642d6d).level, 1);
	assert_int_equal(one(0x7c642d6d).class, KELF_STCX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_by_word),
		cmocka_unit_test(spr_numbers_are_unswapped),
		cmocka_unit_test(renamed_registers_are_no_ops),
		cmocka_unit_test(system_calls_have_levels),
		cmocka_unit_test(branches_say_where_and_how),
		cmocka_unit_test(prefixed_are_eight_bytes),
		cmocka_unit_test(reservations_have_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
