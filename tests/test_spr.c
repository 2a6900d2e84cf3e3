// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "cpu/spr.h"

/* Numbers from the Power ISA 3.1 and Linux's register definitions. */
static void numbers_and_names(void **state)
{
	static const struct { const char *name; unsigned number; } cases[] = {
		{ "LPCR", 318 }, { "LPID", 319 }, { "PID", 48 },   { "DEC", 22 },
		{ "HDEC", 310 }, { "TBU40", 286 }, { "AMR", 29 },  { "PSSCR_PR", 823 },
		{ "MMCR0", 795 }, { "WORT", 895 }, { "TAR", 815 }, { "CTRLT", 152 },
	};
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct spr_table *t = spr_load(mem, &err);

	assert_non_null(t);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_non_null(spr_by_name(t, cases[i].name));
		assert_int_equal(spr_by_name(t, cases[i].name)->number, cases[i].number);
		assert_ptr_equal(spr_by_number(t, cases[i].number), spr_by_name(t, cases[i].name));
	}
	assert_string_equal(spr_by_name(t, "lpidr")->name, "LPID");
	assert_string_equal(spr_by_name(t, "SPRG_VDSO_WRITE")->name, "SPRG3");
	assert_string_equal(spr_by_name(t, "SPR310")->name, "HDEC");
	assert_string_equal(spr_by_name(t, "310")->name, "HDEC");
	/* numbers without a name are kept, as plain registers */
	assert_string_equal(spr_by_name(t, "SPR2")->name, "SPR2");
	assert_int_equal(spr_by_name(t, "731")->class, SPR_SCOREBOARDED);
	assert_null(spr_by_name(t, "SPR1024"));
	assert_null(spr_by_name(t, "NOPE"));
	assert_null(spr_by_number(t, 5000));
	assert_string_equal(spr_suggest(t, "LPCRR"), "LPCR");
	mem_free(mem);
}

/* Classes the rules rest on: spr-timing facts, WORT gone after POWER8. */
static void classes(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct spr_table *t = spr_load(mem, &err);

	assert_int_equal(spr_by_name(t, "LR")->class, SPR_RENAMED);
	assert_int_equal(spr_by_name(t, "XER")->class, SPR_RENAMED);
	assert_int_equal(spr_by_name(t, "AMR")->class, SPR_SCOREBOARDED);
	assert_int_equal(spr_by_name(t, "WORT")->class, SPR_UNIMPLEMENTED);
	assert_int_equal(spr_by_name(t, "PMC6")->unit, SPR_PMU);
	assert_int_equal(spr_by_name(t, "HDEC")->unit, SPR_TIMER);
	assert_int_equal(spr_by_name(t, "LPID")->unit, SPR_MMU);
	assert_int_equal(spr_by_name(t, "LPCR")->privilege, SPR_HYPERVISOR);
	assert_int_equal(spr_by_name(t, "TAR")->privilege, SPR_USER);
	mem_free(mem);
}

static void bad_tables(void **state)
{
	static const struct { const char *row, *what;
	} cases[] = {
		{ "{\"number\": 2000}", "from 0 to 1023" },
		{ "{\"number\": 1, \"name\": \"A\", \"clas\": \"renamed\"}",
		  "did you mean 'class'" },
		{ "{\"number\": 1, \"name\": \"A\", \"class\": \"x\"}",
		  "\"renamed\", \"scoreboarded\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		char *text = mem_printf(mem, "{\"schema\": \"hvsim-spr/1\",\n\"sprs\": [%s]}",
					cases[i].row);
		struct jnode *root = jdoc_parse(mem, "s.json", text, strlen(text), &err);

		assert_null(spr_from_node(mem, root, &err));
		assert_error_has(err, "s.json:2:");
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_names),
		cmocka_unit_test(classes),
		cmocka_unit_test(bad_tables),
	};

	return cmocka_run_group_tests_name("spr", tests, NULL, NULL);
}
