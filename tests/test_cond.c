// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <stdlib.h>

#include "path/cond.h"

static struct cond_set *abc(struct mem *mem)
{
	struct cond_set *set = cond_set_new(mem);
	struct err err = ERR_INIT;

	assert_int_equal(cond_intern(set, "a", &err), 0);
	assert_int_equal(cond_intern(set, "p9.b", &err), 1);
	assert_int_equal(cond_intern(set, "m=x-y", &err), 2);
	assert_int_equal(cond_intern(set, "a", &err), 0);
	assert_int_equal(cond_alias(set, "alpha", 0, &err), 0);
	return set;
}

/* Truth tables by hand: bit i of `truth` is the value when (m, b, a) is i in binary. */
static void expressions(void **state)
{
	static const struct { const char *text; unsigned truth; } cases[] = {
		{ "a", 0xaa },
		{ "alpha", 0xaa },
		{ "!a", 0x55 },
		{ "!!a", 0xaa },
		{ "a & p9.b", 0x88 },
		{ "a | p9.b", 0xee },
		{ "m=x-y", 0xf0 },
		{ "!a | p9.b & m=x-y", 0xd5 },
		{ "(!a | p9.b) & m=x-y", 0xd0 },
		{ "!(a | p9.b | m=x-y)", 0x01 },
		{ "a&!p9.b|m=x-y", 0xf2 },
	};
	struct mem *mem = mem_new();
	struct cond_set *set = abc(mem);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;
		const struct cond *cond = cond_parse(mem, set, cases[i].text, &err);

		assert_non_null(cond);
		for (unsigned v = 0; v < 8; v++) {
			struct cond_bits bits = { { v } };

			assert_int_equal(cond_eval(cond, &bits), cases[i].truth >> v & 1);
		}
	}
	mem_free(mem);
}

static void errors(void **state)
{
	static const struct { const char *text, *what; } cases[] = {
		{ "", "needs a name" },
		{ "a &", "needs a name at column 4" },
		{ "a b", "where &, | or its end" },
		{ "(a", "lacks a ')'" },
		{ "a)", "where &, | or its end" },
		{ "p9.c", "did you mean 'p9.b'" },
		{ "nothinglikeit", "unknown condition" },
		{ "&a", "needs a name" },
	};
	struct mem *mem = mem_new();
	struct cond_set *set = abc(mem);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;

		assert_null(cond_parse(mem, set, cases[i].text, &err));
		assert_error_has(err, cases[i].what);
	}
	mem_free(mem);
}

static void depth_is_bounded(void **state)
{
	struct mem *mem = mem_new();
	struct cond_set *set = abc(mem);
	struct err err = ERR_INIT;
	char *deep = mem_alloc(mem, 70002, 1);

	memset(deep, '(', 70000);
	assert_null(cond_parse(mem, set, deep, &err));
	assert_error_has(err, "nested deeper");
	mem_free(mem);
}

/* The bits of the highest words work as the lowest do. */
static void many_bits(void **state)
{
	struct mem *mem = mem_new();
	struct cond_set *set = cond_set_new(mem);
	struct err err = ERR_INIT;
	struct cond_bits bits = { { 0 } }, used = { { 0 } };
	const struct cond *cond;

	for (int i = 0; i < COND_BITS_MAX; i++)
		assert_int_equal(cond_intern(set, mem_printf(mem, "n%d", i), &err), i);
	assert_int_equal(cond_intern(set, "one-more", &err), -1);
	cond = cond_parse(mem, set, "n300 & !n511", &(struct err)ERR_INIT);
	cond_put(&bits, 300, true);
	assert_true(cond_eval(cond, &bits));
	cond_put(&bits, 511, true);
	assert_false(cond_eval(cond, &bits));
	cond_uses(cond, &used);
	assert_true(cond_has(&used, 300) && cond_has(&used, 511) && !cond_has(&used, 299));
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions),
		cmocka_unit_test(errors),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(many_bits),
	};

	return cmocka_run_group_tests_name("cond", tests, NULL, NULL);
}
