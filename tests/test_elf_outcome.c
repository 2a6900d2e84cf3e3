// SPDX-License-Identifier: GPL-2.0-or-later
/* What branches test: words encoded by the Power ISA 3.1B, checked with GNU objdump 2.40. */
#include "check.h"

#include "elf/outcome.h"

static struct kelf_outcome parsed(const char *text)
{
	struct kelf_outcome o;

	assert_true(kelf_outcome_parse(text, &o));
	return o;
}

static void texts_are_read(void **state)
{
	static const char *const bad[] = { "", "=", "0xc00", "== 1", "= x", "= 1x", "& ",
					   "= 0x100000000" };
	struct kelf_outcome o;

	assert_int_equal(parsed("= 0xc00").relation, KELF_EQUAL);
	assert_int_equal(parsed("= 0xc00").value, 0xc00);
	assert_int_equal(parsed("!& 0x4000").relation, KELF_NO_BIT);
	assert_int_equal(parsed("< -2").value, -2);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (kelf_outcome_parse(bad[i], &o))
			fail_msg("'%s' was read", bad[i]);
}

static void opposites_come_in_pairs(void **state)
{
	static const char *const pair[][2] = {
		{ "= 1", "!= 1" }, { "< 1", ">= 1" }, { "> 1", "<= 1" }, { "& 1", "!& 1" },
	};

	for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		assert_int_equal(kelf_outcome_opposite(parsed(pair[i][0])).relation,
				 parsed(pair[i][1]).relation);
		assert_int_equal(kelf_outcome_opposite(parsed(pair[i][1])).relation,
				 parsed(pair[i][0]).relation);
	}
}

static void comparisons_are_found(void **state)
{
	static const struct { const char *test; uint32_t word; int field;
	} known[] = {
		{ "= 0xc00", 0x2c090c00, 0 },  /* cmpwi r9,3072 */
		{ "= 0xc00", 0x2c090e20, -1 }, /* cmpwi r9,3616 */
		{ "> 16", 0x281f0010, 0 },     /* cmplwi r31,16 */
		{ "= -1", 0x2f89ffff, 7 },     /* cmpwi cr7,r9,-1 */
		{ "= 0xffff", 0x2f89ffff, -1 },
		{ "= 0xffff", 0x2b89ffff, 7 }, /* cmplwi cr7,r9,65535 */
		{ "= 1", 0x2c230001, 0 },      /* cmpdi r3,1 */
		{ "!& 0x4000", 0x71294000, 0 }, /* andi. r9,r9,16384 */
		{ "& 0x48000000", 0x74ca4800, 0 }, /* andis. r10,r6,18432 */
		{ "= 0x4000", 0x71294000, -1 },
		{ "& 0xc00", 0x2c090c00, -1 },
		{ "= 1", 0x38600001, -1 },     /* li r3,1 */
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (kelf_outcome_field(parsed(known[i].test), known[i].word) != known[i].field)
			fail_msg("%08x, %s", known[i].word, known[i].test);
}

/* What beq, bne, blt, bge, bgt, ble do, by the ISA's meaning of the three bits. */
static void outcomes_decide_branches(void **state)
{
	static const uint32_t branch[] = { 0x41820008, 0x40820008, 0x41800008,
					   0x40800008, 0x41810008, 0x40810008 };
	static const struct { const char *test; int taken[6];
	} known[] = {
		{ "= 1", { 1, 0, 0, 1, 0, 1 } },   { "!= 1", { 0, 1, -1, -1, -1, -1 } },
		{ "< 1", { 0, 1, 1, 0, 0, 1 } },   { ">= 1", { -1, -1, 0, 1, -1, -1 } },
		{ "> 1", { 0, 1, 0, 1, 1, 0 } },   { "<= 1", { -1, -1, -1, -1, 0, 1 } },
		{ "& 1", { 0, 1, -1, -1, -1, -1 } }, { "!& 1", { 1, 0, 0, 1, 0, 1 } },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (size_t b = 0; b < 6; b++)
			if (kelf_outcome_taken(parsed(known[i].test), 0, branch[b]) !=
			    known[i].taken[b])
				fail_msg("%08x, %s", branch[b], known[i].test);
	assert_int_equal(kelf_outcome_taken(parsed("= 1"), 7, 0x419e0008), 1);  /* beq cr7 */
	assert_int_equal(kelf_outcome_taken(parsed("= 1"), 0, 0x419e0008), -1);
	assert_int_equal(kelf_outcome_taken(parsed("= 1"), 0, 0x4d820020), 1);  /* beqlr */
	assert_int_equal(kelf_outcome_taken(parsed("= 1"), 0, 0x4200fff8), -1); /* bdnz */
	assert_int_equal(kelf_outcome_taken(parsed("= 1"), 0, 0x41830008), -1); /* bso */
	assert_int_equal(kelf_outcome_taken(parsed("= 1"), 0, 0x48000008), -1); /* b */
}

static void fields_are_set(void **state)
{
	assert_true(kelf_sets_field(0x2c090c00, 0));  /* cmpwi r9,3072 */
	assert_false(kelf_sets_field(0x2c090c00, 7));
	assert_true(kelf_sets_field(0x7d8fe120, 5));  /* mtcrf 254,r12: fields not told apart */
	assert_true(kelf_sets_field(0x7d2a4839, 0));  /* and. r10,r9,r9 */
	assert_false(kelf_sets_field(0x7d2a4838, 0)); /* and r10,r9,r9 */
	assert_true(kelf_sets_field(0x78630021, 0));  /* clrldi. r3,r3,32 */
	assert_true(kelf_sets_field(0x48000009, 3));  /* bl */
	assert_false(kelf_sets_field(0x48000008, 3)); /* b */
	assert_false(kelf_sets_field(0x80640000, 0)); /* lwz r3,0(r4) */
	assert_false(kelf_sets_field(0x4c00012c, 0)); /* isync */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_read),	  cmocka_unit_test(opposites_come_in_pairs),
		cmocka_unit_test(comparisons_are_found), cmocka_unit_test(outcomes_decide_branches),
		cmocka_unit_test(fields_are_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
