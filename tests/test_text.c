// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <locale.h>

#include "base/text.h"

static void nearest_suggests_near_misses_only(void **state)
{
	const char *const names[] = { "nestedv2.dec_cancel", "nestedv2.dec_expiry", "topology" };

	assert_string_equal(text_nearest("nestedv2.dec_cancle", names, 3), "nestedv2.dec_cancel");
	assert_string_equal(text_nearest("topolgy", names, 3), "topology");
	assert_null(text_nearest("seed", names, 3));
}

static void micro_is_exact(void **state)
{
	static const struct { const char *s; int64_t v; } good[] = {
		{ "0", 0 }, { "1.25", 1250000 }, { "-0.000001", -1 }, { "3.8", 3800000 },
		{ "9223372036854", INT64_C(9223372036854000000) },
	};
	static const char *const bad[] = { "", "-", ".", "1.0000001", "1e3", "1 ", "9223372036855" };
	int64_t v;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(text_to_micro(good[i].s, &v));
		assert_int_equal(v, good[i].v);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(text_to_micro(bad[i], &v));
}

static void u64_takes_hex_and_refuses_overflow(void **state)
{
	uint64_t v;

	assert_true(text_to_u64("0x4000", &v));
	assert_int_equal(v, 0x4000);
	assert_true(text_to_u64("18446744073709551615", &v));
	assert_false(text_to_u64("18446744073709551616", &v));
	assert_false(text_to_u64("-1", &v));
	assert_false(text_to_u64("0x", &v));
	assert_false(text_to_u64("12ab", &v));
}

static void columns_count_wide_characters(void **state)
{
	assert_int_equal(text_columns("abc"), 3);
	if (setlocale(LC_CTYPE, "C.UTF-8"))
		assert_int_equal(text_columns("\xe6\x97\xa5\xe6\x9c\xac"), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_suggests_near_misses_only),
		cmocka_unit_test(micro_is_exact),
		cmocka_unit_test(u64_takes_hex_and_refuses_overflow),
		cmocka_unit_test(columns_count_wide_characters),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
