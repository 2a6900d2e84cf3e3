// SPDX-License-Identifier: GPL-2.0-or-later
/* Results: written, read back, and as a block for a patch mail. Expected text is by hand. */
#include "check.h"

#include "base/text.h"
#include "report/report.h"
#include "report/result_read.h"

static const char *const columns[] = { "old", "new", "difference", "role" };

static void make(struct mem *mem, struct scn_result *r)
{
	static const struct scn_set sets[] = { { "topology.smt", "2" } };
	static const char *const variants[] = { "old", "new" };
	struct scn_table *t;
	struct scn_cell *c;

	*r = (struct scn_result){ .scenario = "scenarios/some-idea.json", .title = "An idea",
				  .kind = "some", .cpu = "power9", .seed = 7, .set = sets, .sets = 1,
				  .variant = variants, .variants = 2, .mem = mem };
	t = scn_table_new(r, "metrics", "All, with \"quotes\"", "metric", columns, 4);
	c = scn_table_row(t, "exits");
	c[0] = scn_count(UINT64_C(20000000000000));
	c[1] = scn_count(UINT64_C(10000000000000));
	c[2] = scn_difference(2, 1);
	c[3] = scn_text("a role that is rather long");
	c = scn_table_row(t, "small");
	c[0] = scn_decimal(50, 3);
	c[1] = scn_decimal(-1250000, 2);
	t = scn_table_new(r, "more", NULL, "what", columns, 1);
	t->detail = true;
	scn_table_row(t, "a")[0] = scn_count(0);
	scn_result_note(r, "the first assumption, which goes on for so long that it does not fit "
			"into one line");
	scn_result_digest(r, "models/x.json", UINT64_C(0xaf63dc4c8601ec8c));
}

/* All that was written is there again, and writing it again gives the same bytes. */
static void round_trip(void **state)
{
	struct mem *mem = mem_new();
	struct scn_result r, back;
	struct text one = { 0 }, two = { 0 };
	struct err err = ERR_INIT;
	struct jnode *root;

	make(mem, &r);
	rep_result_json(&one, &r);
	root = jdoc_parse(mem, "r.json", one.s, one.len, &err);
	if (!root || rep_result_from_node(mem, root, &back, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(back.tables, 2);
	assert_int_equal(back.table[0]->row[0].cell[0].kind, SCN_COUNT);
	/* larger than what fits in millionths */
	assert_int_equal(back.table[0]->row[0].cell[0].v, INT64_C(20000000000000));
	assert_int_equal(back.table[0]->row[0].cell[2].kind, SCN_PERCENT);
	assert_int_equal(back.table[0]->row[0].cell[2].v, -50000000);
	assert_int_equal(back.table[0]->row[1].cell[0].kind, SCN_DECIMAL);
	assert_int_equal(back.table[0]->row[1].cell[0].v, 50);
	assert_int_equal(back.table[0]->row[1].cell[1].v, -1250000);
	assert_int_equal(back.table[0]->row[1].cell[2].kind, SCN_EMPTY);
	assert_string_equal(back.table[0]->title, "All, with \"quotes\"");
	assert_true(back.table[1]->detail);
	/* FNV-1a of "a", from the function's published test vectors */
	assert_true(back.digest[0].fnv1a == UINT64_C(0xaf63dc4c8601ec8c));
	rep_result_json(&two, &back);
	assert_string_equal(one.s, two.s);
	text_free(&one);
	text_free(&two);
	mem_free(mem);
}

static void bad_results(void **state)
{
	static const struct { const char *table, *what; } cases[] = {
		{ "{\"name\": \"t\", \"columns\": [\"a\"], \"rows\": [{\"a\": 1}]}", "needs a 'name'" },
		{ "{\"name\": \"t\", \"columns\": [\"a\"], \"rows\": [{\"name\": \"r\", \"b\": 1}]}",
		  "is not one of the table's columns" },
		{ "{\"name\": \"t\", \"columns\": [\"a\"], \"rows\": [{\"name\": \"r\", \"a\": []}]}",
		  "must be a number or a string" },
		{ "{\"name\": \"t\", \"columns\": [\"a\"], \"percent\": [\"b\"], \"rows\": []}",
		  "is no column" },
		{ "{\"name\": \"t\", \"columns\": [\"a\", \"a\"], \"rows\": []}", "different names" },
		{ "{\"name\": \"t\", \"colums\": [], \"rows\": []}", "did you mean 'columns'" },
		{ "{\"name\": \"t\", \"columns\": [\"a\"], \"rows\": [{\"name\": \"r\", \"a\": 1e999}]}",
		  "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		struct scn_result r;
		char *s = mem_printf(mem, "{\"schema\": \"hvsim-result/1\", \"hvsim\": \"0\", "
				     "\"scenario\": \"s\", \"title\": \"t\", \"kind\": \"k\", "
				     "\"variants\": [], \"tables\": [\n%s]}", cases[i].table);
		struct jnode *root = jdoc_parse(mem, "r.json", s, strlen(s), &err);

		if (root)
			assert_int_equal(rep_result_from_node(mem, root, &r, &err), -1);
		assert_error_has(err, "r.json:2");
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

static void cover(void **state)
{
	static const char expected[] =
		"An idea\n\n"
		"All, with \"quotes\"\n"
		"metric             old             new  difference  role\n"
		"exits   20000000000000  10000000000000    -50.00 %  [a]\n"
		"small            0.000           -1.25\n"
		"\n"
		"scenario some-idea, model power9, seed 7, hvsim " HVSIM_VERSION ", topology.smt=2\n"
		"Predicted by simulation, not measured on hardware.\n"
		"\n"
		"[a] a role that is rather long\n"
		"[1] the first assumption, which goes on for so long that it does not fit\n"
		"    into one line\n";
	struct mem *mem = mem_new();
	struct scn_result r;
	struct text out = { 0 };

	make(mem, &r);
	rep_result_cover(&out, &r, &(struct rep_options){ 0 });
	assert_string_equal(out.s, expected);
	text_free(&out);
	mem_free(mem);
}

/* Columns that say which row it is stand in each fold, unless there is no room for them. */
static void keys_stand_in_each_fold(void **state)
{
	static const char *const wide[] = {
		"an.axis", "another", "a metric with a name of forty columns: 1",
		"and the next with a name of forty: 12345", "short",
	};
	static const char expected[] =
		"point  an.axis  another  a metric with a name of forty columns: 1\n"
		"0          100        1                                         7\n"
		"1          100        2                                         8\n"
		"\n"
		"point  an.axis  another  and the next with a name of forty: 12345    short\n"
		"0          100        1                                         9  +0.00 %\n"
		"1          100        2                                         6  -1.00 %\n";
	struct mem *mem = mem_new();
	struct scn_result r = { .mem = mem };
	struct scn_table *t = scn_table_new(&r, "points", NULL, "point", wide, 5);
	struct text out = { 0 };

	for (unsigned i = 0; i < 2; i++) {
		struct scn_cell *c = scn_table_row(t, i ? "1" : "0");

		c[0] = scn_count(100);
		c[1] = scn_count(1 + i);
		c[2] = scn_count(7 + i);
		c[3] = scn_count(i ? 6 : 9);
		c[4] = (struct scn_cell){ .kind = SCN_PERCENT, .v = i ? -1000000 : 0 };
	}
	t->keys = 2;
	rep_table_text(&out, t);
	assert_string_equal(out.s, expected);
	out.len = 0;
	t->keys = 3; /* three keys of 66 columns and 40 more are over 100 */
	rep_table_text(&out, t);
	assert_non_null(strstr(out.s, "\n\npoint  and the next"));
	out.len = 0;
	t->keys = 5; /* nothing else to show */
	rep_table_text(&out, t);
	assert_non_null(strstr(out.s, "\n\npoint  and the next"));
	text_free(&out);
	mem_free(mem);
}

/* Whatever the widths, no line is longer than a patch mail allows. */
static void cover_stays_narrow(void **state)
{
	static const char *const many[] = {
		"a column", "another column", "a third column", "a fourth column", "a fifth",
		"a column whose own name takes far more than all of the seventy-two columns there are",
	};
	struct mem *mem = mem_new();

	for (unsigned n = 1; n <= 6; n++) {
		struct scn_result r;
		struct text out = { 0 };
		struct scn_cell *c;

		make(mem, &r);
		r.tables = 0;
		c = scn_table_row(scn_table_new(&r, "t", NULL, "x", many, n), "a name of some length");
		for (unsigned i = 0; i < n; i++)
			c[i] = scn_count(UINT64_C(123456789012));
		rep_result_cover(&out, &r, &(struct rep_options){ .details = true });
		for (char *s = strtok(out.s, "\n"); s; s = strtok(NULL, "\n"))
			assert_true(strlen(s) <= 72);
		text_free(&out);
	}
	mem_free(mem);
}

/* 7 to 120582 is 17226 times as much; 10 to 110 is just 1000 % more, 10 to 109 isn't. */
static void large_growth_is_a_factor(void **state)
{
	static const struct { uint64_t from, to; const char *shown; } cases[] = {
		{ 7, 120582, "x 17226" }, { 10, 110, "x 11" }, { 10, 109, "+990.00 %" },
		{ 513558, 152441, "-70.32 %" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scn_cell c = scn_difference(cases[i].from, cases[i].to);
		struct text t = { 0 };

		rep_cell(&t, &c);
		assert_string_equal(t.s, cases[i].shown);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_growth_is_a_factor),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(bad_results),
		cmocka_unit_test(cover),
		cmocka_unit_test(keys_stand_in_each_fold),
		cmocka_unit_test(cover_stays_narrow),
	};

	return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
