// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <stdlib.h>

#include "cpu/op.h"

struct fixture {
	struct mem *mem;
	const struct spr_table *sprs;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));
	struct err err = ERR_INIT;

	f->mem = mem_new();
	f->sprs = spr_load(f->mem, &err);
	*state = f;
	return f->sprs ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	mem_free(f->mem);
	free(f);
	return 0;
}

static void texts_parse(void **state)
{
	static const struct { const char *in, *out; enum op_kind kind; } cases[] = {
		{ "mtspr LPCR", "mtspr LPCR", OP_MTSPR },
		{ "mfspr spr823", "mfspr PSSCR_PR", OP_MFSPR },
		{ "mtmsrd L=1", "mtmsrd L=1", OP_MTMSRD1 },
		{ "mtmsrd L=0  @f+0x10", "mtmsrd L=0", OP_MTMSRD0 },
		{ "work 12", "work 12", OP_WORK },
		{ "work 120 loads 30 stores 12 branches 20",
		  "work 120 loads 30 stores 12 branches 20", OP_WORK },
		{ "work 108  load=26 store=32 branch=15",
		  "work 108 loads 26 stores 32 branches 15", OP_WORK },
		{ "stwcx.  @_raw_spin_lock+0x2c", "stcx", OP_STCX },
		{ "ldarx", "larx", OP_LARX },
		{ "mtlr", "mtspr LR", OP_MTSPR },
		{ "sync", "hwsync", OP_HWSYNC },
		{ "sc 1", "sc 1", OP_SC },
		{ "sc", "sc", OP_SC },
		{ "interrupt 0x980", "interrupt 0x980", OP_INTERRUPT },
		{ "mmio-load", "mmio-load", OP_MMIO_LOAD },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;
		struct text t = { 0 };
		struct op op;

		assert_int_equal(op_parse(f->sprs, cases[i].in, &op, &err), 0);
		assert_int_equal(op.kind, cases[i].kind);
		op_text(&op, &t);
		assert_string_equal(t.s, cases[i].out);
		text_free(&t);
	}
}

/* Every kind's name parses back to the kind. */
static void names_round_trip(void **state)
{
	struct fixture *f = *state;

	for (unsigned k = 0; k < OP_KINDS; k++) {
		struct err err = ERR_INIT;
		struct text t = { 0 };
		struct op op;

		text_add(&t, "%s%s", op_kind_name(k), k == OP_WORK ? " 1" :
			 k == OP_MFSPR || k == OP_MTSPR ? " DEC" :
			 k == OP_INTERRUPT ? " 0x500" : "");
		assert_int_equal(op_parse(f->sprs, t.s, &op, &err), 0);
		assert_int_equal(op.kind, k);
		text_free(&t);
	}
}

static void bad_texts(void **state)
{
	static const struct { const char *in, *what; } cases[] = {
		{ "", "missing" },
		{ "mtspr", "must name one SPR" },
		{ "mtspr LPCRR", "did you mean 'LPCR'" },
		{ "mtspr LPCR DEC", "must name one SPR" },
		{ "mtmsrd", "L=0 or mtmsrd L=1" },
		{ "isynk", "did you mean 'isync'" },
		{ "isync 3", "no operand" },
		{ "work", "work N" },
		{ "work -1", "from 0 to 1000000" },
		{ "work 9999999", "from 0 to 1000000" },
		{ "work 5 lods 2", "not 'lods'" },
		{ "work 5 loads 3 stores 3", "more loads" },
		{ "interrupt", "takes a vector" },
		{ "work 1 loads 0 loads 0 loads 0 loads 0 loads 0", "too long" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;
		struct op op;

		assert_int_equal(op_parse(f->sprs, cases[i].in, &op, &err), -1);
		assert_error_has(err, cases[i].what);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_parse, setup, teardown),
		cmocka_unit_test_setup_teardown(names_round_trip, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_texts, setup, teardown),
	};

	return cmocka_run_group_tests_name("op", tests, NULL, NULL);
}
