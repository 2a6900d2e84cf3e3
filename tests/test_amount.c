// SPDX-License-Identifier: GPL-2.0-or-later
/* What figures may be off, as rows of a scenario state it. Expected values are by hand. */
#include "check.h"

#include <stdio.h>

#include "base/num.h"
#include "scenario/published.h"

#define MICRO INT64_C(1000000)

static void roots(void **state)
{
	const unsigned __int128 million = 1000000;

	assert_int_equal(num_root(0), 0);
	assert_int_equal(num_root(15), 3);
	assert_int_equal(num_root(16), 4);
	assert_int_equal(num_root(million * million * million * million), 1000000000000);
	assert_int_equal(num_root(million * million * million * million - 1), 999999999999);
	assert_true(num_root(~(unsigned __int128)0) == UINT64_MAX);
}

/* max(10 %, 2 sqrt n): 2 sqrt 106 is 20.591260, more than 10.6; of 1000 10 % is more than 63.2. */
static void the_larger_counts(void **state)
{
	const struct scn_amount a = { .absolute = -1, .percent = 10 * MICRO, .sqrt = 2 * MICRO };
	const struct scn_amount least = { 3 * MICRO, 10 * MICRO, -1 };

	assert_int_equal(scn_amount_of(&a, 106 * MICRO), 20591260);
	assert_int_equal(scn_amount_of(&a, 1000 * MICRO), 100 * MICRO);
	assert_int_equal(scn_amount_of(&a, -1000 * MICRO), 100 * MICRO);
	assert_int_equal(scn_amount_of(&a, 0), 0);
	assert_int_equal(scn_amount_of(&least, 0), 3 * MICRO);
	assert_int_equal(scn_amount_of(&least, 31 * MICRO), 3100000);
	assert_true(scn_amount_of(&a, INT64_MAX) > 0);
}

static int read_row(struct mem *mem, const char *more, struct scn_metric *m, struct err *err)
{
	char text[512];
	int len = snprintf(text, sizeof(text), "{\"metric\": \"loops\",\n%s}", more);
	struct jnode *root = jdoc_parse(mem, "row.json", text, (size_t)len, err);

	return root ? scn_metric_read(root, m, err) : -1;
}

static void rows_state_amounts(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_metric m;

	assert_int_equal(read_row(mem, "\"tolerance\": {\"percent\": 10, \"sqrt\": 2},\n"
				  "\"noise\": {\"absolute\": 0.5, \"kind\": \"meas\", "
				  "\"source\": \"five runs\"}", &m, &err), 0);
	assert_int_equal(m.tolerance, -1);
	assert_int_equal(m.allowed.percent, 10 * MICRO);
	assert_int_equal(m.allowed.sqrt, 2 * MICRO);
	assert_int_equal(m.allowed.absolute, -1);
	assert_int_equal(m.noise.amount.absolute, 500000);
	assert_int_equal(m.noise.kind, CPU_MEAS);
	assert_int_equal(read_row(mem, "\"tolerance\": 1.5", &m, &err), 0);
	assert_int_equal(m.tolerance, 1500000);
	assert_false(scn_amount_is(&m.allowed));
	assert_null(m.noise.source);
	mem_free(mem);
}

static void bad_rows(void **state)
{
	static const struct { const char *row, *what; } cases[] = {
		{ "\"tolerance\": {}",
		  "row.json:2: 'tolerance' needs 'absolute', 'percent' or 'sqrt'" },
		{ "\"tolerance\": {\"precent\": 3}", "percent" },
		{ "\"tolerance\": {\"percent\": -3}", "percent" },
		{ "\"tolerance\": \"wide\"", "must be a number of points from 0 to 1000" },
		{ "\"tolerance\": 1001", "must be a number of points from 0 to 1000" },
		{ "\"noise\": {\"percent\": 1, \"kind\": \"meas\"}", "needs a 'source'" },
		{ "\"noise\": {\"percent\": 1, \"source\": \"s\"}", "needs a 'kind'" },
		{ "\"noise\": {\"percent\": 1, \"kind\": \"felt\", \"source\": \"s\"}",
		  "\"assumed\"" },
		{ "\"noise\": {\"kind\": \"meas\", \"source\": \"s\"}",
		  "needs 'absolute', 'percent'" },
		{ "\"noise\": 3", "noise" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		struct scn_metric m;

		assert_int_equal(read_row(mem, cases[i].row, &m, &err), -1);
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

static void last_digits(void **state)
{
	static const struct { const char *number; int64_t half; } cases[] = {
		{ "34", 500000 }, { "26.70", 5000 }, { "3028.5", 50000 }, { "0.000001", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		const char *text = mem_printf(mem, "{\"v\": %s}", cases[i].number);
		struct jnode *root = jdoc_parse(mem, "v.json", text, strlen(text), &err);

		assert_non_null(root);
		assert_int_equal(scn_half_digit(jnode_get(root, "v")), cases[i].half);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roots),
		cmocka_unit_test(the_larger_counts),
		cmocka_unit_test(rows_state_amounts),
		cmocka_unit_test(bad_rows),
		cmocka_unit_test(last_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
