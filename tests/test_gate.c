// SPDX-License-Identifier: GPL-2.0-or-later
/* Comparing results and gating them. Expected values are by hand. */
#include "check.h"

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "report/baseline.h"
#include "report/report.h"
#include "report/result_read.h"
#include "study/change.h"
#include "study/gate.h"

/* Two tables; the numbers of the one variant are the arguments. */
static void make(struct mem *mem, struct scn_result *r, uint64_t exits, int64_t rate_micro,
		 uint64_t dec, uint64_t hcall)
{
	static const char *const columns[] = { "v", "difference", "published v" };
	static const char *const variants[] = { "v" };
	struct scn_table *t;
	struct scn_cell *c;

	*r = (struct scn_result){ .scenario = "s.json", .title = "S", .kind = "k", .seed = 1,
				  .variant = variants, .variants = 1, .mem = mem };
	t = scn_table_new(r, "metrics", NULL, "metric", columns, 3);
	c = scn_table_row(t, "exits");
	c[0] = scn_count(exits);
	c[1] = scn_difference(100, exits);
	c[2] = scn_count(1);
	c = scn_table_row(t, "rate");
	c[0] = scn_decimal(rate_micro, 2);
	t = scn_table_new(r, "exits", "By cause", "trap", columns, 1);
	scn_table_row(t, "DEC")[0] = scn_count(dec);
	scn_table_row(t, "HCALL")[0] = scn_count(hcall);
	scn_table_row(t, "OTHER")[0] = scn_count(3);
}

static void read_tolerances(struct mem *mem, const char *list, struct study_tolerance **t,
			    unsigned *n)
{
	struct err err = ERR_INIT;
	char *s = mem_printf(mem, "{\"t\": %s}", list);
	struct jnode *root = jdoc_parse(mem, "b.json", s, strlen(s), &err);

	if (!root || study_tolerances(mem, jnode_get(root, "t"), t, n, &err) < 0)
		fail_msg("%s", err.text);
}

static unsigned failures(const char *list, uint64_t exits, int64_t rate)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result a, b;
	struct study_tolerance *t;
	struct study_gate g;
	unsigned n;

	make(mem, &a, 200, 2500000, 5, 6);
	make(mem, &b, exits, rate, 5, 6);
	read_tolerances(mem, list, &t, &n);
	if (study_gate(mem, &a, &b, t, n, false, "b.json", &g, &err) < 0)
		fail_msg("%s", err.text);
	mem_free(mem);
	return g.failed;
}

/* At the tolerance is within; the least over it is not, in both directions. */
static void tolerances(void **state)
{
	static const char percent[] = "[{\"percent\": 1.5}]";
	static const char points[] = "[{\"row\": \"rate\", \"absolute\": 0.25}]";
	static const char up[] = "[{\"row\": \"exits\", \"absolute\": 2, \"side\": \"up\"}]";
	static const char down[] = "[{\"row\": \"exits\", \"percent\": 1, \"side\": \"down\"}]";

	assert_int_equal(failures(percent, 203, 2500000), 0);
	assert_int_equal(failures(percent, 204, 2500000), 1);
	assert_int_equal(failures(percent, 197, 2500000), 0);
	assert_int_equal(failures(percent, 196, 2500000), 1);
	assert_int_equal(failures(percent, 204, 9), 2);
	assert_int_equal(failures(points, 999, 2750000), 0);
	assert_int_equal(failures(points, 999, 2750001), 1);
	assert_int_equal(failures(points, 999, 2249999), 1);
	assert_int_equal(failures(up, 202, 0), 0);
	assert_int_equal(failures(up, 203, 0), 1);
	assert_int_equal(failures(up, 1, 0), 0);
	assert_int_equal(failures(down, 900, 0), 0);
	assert_int_equal(failures(down, 197, 0), 1);
	/* the first that applies counts */
	assert_int_equal(failures("[{\"row\": \"exits\", \"percent\": 50}, {\"percent\": 0}]", 250,
				  2500001), 1);
	/* a percentage only when its column is named: +100 % became +110 % */
	assert_int_equal(failures("[{\"column\": \"difference\", \"absolute\": 9.9}]", 210, 0), 1);
	assert_int_equal(failures("[{\"column\": \"difference\", \"absolute\": 10}]", 210, 0), 0);
	assert_int_equal(failures("[{\"table\": \"exits\", \"percent\": 0}]", 1, 0), 0);
}

static void bad_tolerances(void **state)
{
	static const struct { const char *list, *what; } cases[] = {
		{ "[{\"percent\": 1, \"absolute\": 1}]", "either 'percent' or 'absolute'" },
		{ "[{\"row\": \"x\"}]", "either 'percent' or 'absolute'" },
		{ "[{\"percent\": -1}]", "must be a number from 0" },
		{ "[{\"percent\": 1, \"side\": \"left\"}]", "\"both\", \"up\", \"down\"" },
		{ "[{\"precent\": 1}]", "did you mean 'percent'" },
	};
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result r;
	struct study_tolerance *t;
	struct study_gate g;
	unsigned n;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err bad = ERR_INIT;
		char *s = mem_printf(mem, "{\"t\":\n%s}", cases[i].list);
		struct jnode *root = jdoc_parse(mem, "b.json", s, strlen(s), &bad);

		assert_int_equal(study_tolerances(mem, jnode_get(root, "t"), &t, &n, &bad), -1);
		assert_error_has(bad, "b.json:2");
		assert_error_has(bad, cases[i].what);
	}
	make(mem, &r, 1, 1, 1, 1);
	read_tolerances(mem, "[{\"percent\": 1}, {\"row\": \"exit\", \"percent\": 1}]", &t, &n);
	assert_int_equal(study_gate(mem, &r, &r, t, n, false, "b.json", &g, &err), -1);
	assert_error_has(err, "b.json: tolerance 2 applies to no number");
	mem_free(mem);
}

static void says_why(void **state)
{
	static const char expected[] =
		"row    column  stored   now  difference  tolerance  verdict\n"
		"exits  v          200   250    +25.00 %  10 %       MOVED\n"
		"rate   v         2.50  2.50     +0.00 %  10 %       within\n"
		"\n"
		"What moved with it\n"
		"row    column  table  stored  now  difference\n"
		"HCALL  v       exits       6   60   +900.00 %\n"
		"DEC    v       exits       5    1    -80.00 %\n";
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result a, b, report = { .mem = mem };
	struct study_tolerance *t;
	struct study_gate g;
	struct text out = { 0 };
	unsigned n;

	make(mem, &a, 200, 2500000, 5, 6);
	make(mem, &b, 250, 2500000, 1, 60);
	read_tolerances(mem, "[{\"percent\": 10}]", &t, &n);
	assert_int_equal(study_gate(mem, &a, &b, t, n, false, "b.json", &g, &err), 0);
	study_gate_report(&g, &a, &b, &report);
	rep_tables(&out, &report, REP_TABLE);
	assert_string_equal(out.s, expected);
	text_free(&out);
	rep_gate_tap(&out, &g, &report);
	assert_non_null(strstr(out.s, "not ok 1 - exits, v\n# 200 became 250 (+25.00 %), "
			       "tolerance 10 %\nok 2 - rate, v\n"));
	assert_non_null(strstr(out.s, "\n# HCALL  v       exits       6   60   +900.00 %\n"));
	text_free(&out);
	mem_free(mem);
}

static void gone_and_fresh(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result a, b;
	struct study_tolerance *t;
	struct study_gate g;
	unsigned n;

	make(mem, &a, 200, 2500000, 5, 6);
	make(mem, &b, 200, 2500000, 5, 6);
	b.table[0]->row[1].name = "speed";
	read_tolerances(mem, "[{\"percent\": 10}]", &t, &n);
	assert_int_equal(study_gate(mem, &a, &b, t, n, false, "b.json", &g, &err), 0);
	assert_int_equal(g.failed, 1);
	assert_int_equal(g.cell[1].verdict, STUDY_GONE);
	assert_int_equal(g.fresh, 1);
	assert_int_equal(study_gate(mem, &a, &b, t, n, true, "b.json", &g, &err), 0);
	assert_int_equal(g.failed, 0);
	mem_free(mem);
}

static void inputs_that_differ(void **state)
{
	static const char expected[] =
		"What went in differently\n"
		"input          before            after\n"
		"hvsim          0.0.1             " HVSIM_VERSION "\n"
		"seed           1                 2\n"
		"--set p.x      on                off\n"
		"--set q        absent            3\n"
		"models/a.json  af63dc4c8601ec8c  af63df4c8601f1a5\n"
		"assumption     old               absent\n";
	static const struct scn_set before[] = { { "p.x", "on" } };
	static const struct scn_set after[] = { { "p.x", "on" }, { "p.x", "off" }, { "q", "3" } };
	struct mem *mem = mem_new();
	struct scn_result a, b, out = { .mem = mem };
	struct text text = { 0 };

	make(mem, &a, 1, 1, 1, 1);
	make(mem, &b, 1, 1, 1, 1);
	a.version = "0.0.1";
	b.seed = 2;
	a.set = before;
	a.sets = 1;
	b.set = after;
	b.sets = 3;
	scn_result_digest(&a, "models/a.json", UINT64_C(0xaf63dc4c8601ec8c));
	scn_result_digest(&b, "models/a.json", UINT64_C(0xaf63df4c8601f1a5));
	scn_result_note(&a, "old");
	assert_int_equal(study_diff_inputs(&a, &b, &out), 6);
	assert_int_equal(study_diff_tables(&a, &b, &out), 0);
	rep_tables(&text, &out, REP_TABLE);
	assert_string_equal(text.s, expected);
	text_free(&text);
	mem_free(mem);
}

static void baseline_round_trip(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct rep_baseline b, back;
	struct text one = { 0 }, two = { 0 };

	read_tolerances(mem, "[{\"row\": \"exits\", \"side\": \"up\", \"percent\": 1.25, \"note\": "
			"\"why\"}, {\"table\": \"exits\", \"absolute\": 3}]", &b.tolerance,
			&b.tolerances);
	make(mem, &b.result, 200, 2500000, 5, 6);
	rep_baseline_json(&one, &b);
	assert_int_equal(file_write("test_gate.baseline.json", one.s, one.len, &err), 0);
	if (rep_baseline_read(mem, "test_gate.baseline.json", &back, &err) < 0)
		fail_msg("%s", err.text);
	unlink("test_gate.baseline.json");
	rep_baseline_json(&two, &back);
	assert_string_equal(one.s, two.s);
	assert_int_equal(back.tolerance[0].percent, 1250000);
	assert_string_equal(back.tolerance[0].note, "why");
	text_free(&one);
	text_free(&two);
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tolerances),
		cmocka_unit_test(bad_tolerances),
		cmocka_unit_test(says_why),
		cmocka_unit_test(gone_and_fresh),
		cmocka_unit_test(inputs_that_differ),
		cmocka_unit_test(baseline_round_trip),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
