// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "path/policy.h"

static void shipped_policies(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct policy_table *table = policy_load(mem, &err);
	struct policy_set set;
	struct cond_bits bits;

	if (!table)
		fail_msg("%s", err.text);
	policy_defaults(table, &set);
	/* defaults the project states */
	assert_string_equal(policy_get(&set, "nestedv2.dec_cancel"), "cancel");
	assert_string_equal(policy_get(&set, "nestedv2.dec_expiry"), "returned");
	assert_string_equal(policy_get(&set, "guest.tb_offset"), "on");
	assert_null(policy_get(&set, "nope"));
	bits = policy_bits(&set);
	assert_true(cond_has(&bits, cond_find(table->atoms, "nestedv2.dec_cancel=cancel")));
	assert_false(cond_has(&bits, cond_find(table->atoms, "nestedv2.dec_cancel=keep")));
	assert_int_equal(cond_find(table->atoms, "p9.no_wort"),
			 cond_find(table->atoms, "p9.no_wort=on"));
	assert_int_equal(policy_set(&set, "nestedv2.dec_cancel", "keep", &err), 0);
	bits = policy_bits(&set);
	assert_true(cond_has(&bits, cond_find(table->atoms, "nestedv2.dec_cancel=keep")));
	assert_int_equal(policy_set(&set, "p9.*", "off", &err), 0);
	for (unsigned i = 0; i < table->n; i++)
		if (!strncmp(table->policies[i].name, "p9.", 3))
			assert_false(policy_on(&set, (int)i));
	assert_string_equal(policy_get(&set, "guest.tb_offset"), "on");
	mem_free(mem);
}

static void set_errors(void **state)
{
	static const struct { const char *name, *value, *what; } cases[] = {
		{ "p9.no_wrt", "on", "did you mean 'p9.no_wort'" },
		{ "nestedv2.dec_cancel", "keeep", "keep, cancel, clear-on-delivery, not 'keeep'" },
		{ "p9.no_wort", "1", "off, on" },
		{ "zzzz", "on", "unknown policy" },
		{ "q9.*", "on", "no policy begins" },
	};
	struct mem *mem = mem_new();
	struct err load = ERR_INIT;
	const struct policy_table *table = policy_load(mem, &load);
	struct policy_set set;

	policy_defaults(table, &set);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(policy_set(&set, cases[i].name, cases[i].value, &err), -1);
		assert_error_has(err, cases[i].what);
	}
	mem_free(mem);
}

static void bad_files(void **state)
{
	static const struct { const char *row, *what; } cases[] = {
		{ "\"default\": \"maybe\", \"help\": \"h\", \"source\": \"s\"", "one of the values" },
		{ "\"defalt\": \"on\"", "did you mean 'default'" },
		{ "\"default\": \"on\", \"help\": \"h\"", "needs a 'source'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		char *text = mem_printf(mem, "{\"schema\": \"hvsim-policies/1\", \"policies\": [\n"
					"{\"name\": \"x.y\", \"kind\": \"state\", "
					"\"values\": [\"off\", \"on\"], %s}]}", cases[i].row);
		struct jnode *root = jdoc_parse(mem, "p.json", text, strlen(text), &err);

		assert_null(policy_from_node(mem, root, &err));
		assert_error_has(err, "p.json:2:");
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_policies),
		cmocka_unit_test(set_errors),
		cmocka_unit_test(bad_files),
	};

	return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
