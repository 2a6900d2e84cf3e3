// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "base/jdoc.h"

struct sample {
	const char *name;
	int64_t cpus, ghz;
	bool on;
	unsigned mode;
};

static const char *const modes[] = { "keep", "cancel", NULL };

static const struct jfield fields[] = {
	{ "schema", JK_NOTE, 0, .required = false },
	{ "name", JK_TEXT, offsetof(struct sample, name), .required = true },
	{ "cpus", JK_INT, offsetof(struct sample, cpus), .lo = 1, .hi = 64 },
	{ "ghz", JK_MICRO, offsetof(struct sample, ghz), .lo = 1, .hi = 10000000 },
	{ "on", JK_TRUTH, offsetof(struct sample, on) },
	{ "mode", JK_NAME, offsetof(struct sample, mode), .names = modes },
};

static int load(struct mem *mem, const char *text, struct sample *s, struct err *err)
{
	struct jnode *root = jdoc_parse(mem, "f.json", text, strlen(text), err);

	return root ? JFIELDS(root, fields, s, err) : -1;
}

static void values_arrive_exactly(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct sample s = { 0 };

	assert_int_equal(load(mem, "{\"name\": \"a\\\"b\", \"cpus\": 8,\n\"ghz\": 3.8, "
			      "\"on\": true, \"mode\": \"cancel\"}", &s, &err), 0);
	assert_string_equal(s.name, "a\"b");
	assert_int_equal(s.cpus, 8);
	assert_int_equal(s.ghz, 3800000);
	assert_true(s.on);
	assert_int_equal(s.mode, 1);
	mem_free(mem);
}

static void errors_name_line_key_and_remedy(void **state)
{
	static const struct { const char *text, *line, *what; } cases[] = {
		{ "{\n\"name\": \"x\",\n\"cpu\": 1}", "f.json:3:", "did you mean 'cpus'" },
		{ "{\"name\": \"x\",\n\n\"cpus\": 0}", "f.json:3:", "from 1 to 64, not 0" },
		{ "{\"name\": \"x\",\n\"cpus\": -3}", "f.json:2:", "not -3" },
		{ "{\"name\": \"x\",\n\"cpus\": \"8\"}", "f.json:2:", "whole number" },
		{ "{\"name\": \"x\",\n\"mode\": \"kep\"}", "f.json:2:", "\"keep\", \"cancel\"" },
		{ "{\"name\": {\n}}", "f.json:1:", "must be a string, not an object" },
		{ "{\"cpus\":\n 2}", "f.json:1:", "needs a 'name'" },
		{ "{\"name\": \"x\",\n\"name\": \"y\"}", "f.json:2:", "duplicate" },
		{ "{\"name\": \"x\"\n", "f.json:2:", "not JSON" },
		{ "[1]", "f.json:1:", "must be a JSON object" },
		{ "{\"name\": \"x\", \"ghz\":\n1e3}", "f.json:2:", "at most six decimals" },
		{ "{\n\"name\": \"x\\u001b[2J\"}", "f.json:2:", "a control character (0x1b)" },
		{ "{\n\"na\\nme\": \"x\"}", "f.json:2:", "a control character (0x0a)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		struct sample s = { 0 };

		assert_int_equal(load(mem, cases[i].text, &s, &err), -1);
		assert_error_has(err, cases[i].line);
		assert_error_has(err, cases[i].what);
		assert_null(strchr(err.text, '\n'));
		mem_free(mem);
	}
}

/* Lines must follow the text through nesting, escapes and brackets inside strings. */
static void lines_follow_the_text(void **state)
{
	const char *text = "{\"a\": [1,\n  {\"b\\\"]\": \"}\\\\\"},\n  [],\n  true],\n\"c\": null}";
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "f.json", text, strlen(text), &err);
	struct jnode *a = jnode_get(root, "a");

	assert_non_null(a);
	assert_int_equal(a->n, 4);
	assert_int_equal(a->child->line, 1);
	assert_int_equal(a->child->next->line, 2);
	assert_int_equal(a->child->next->child->line, 2);
	assert_int_equal(a->child->next->next->line, 3);
	assert_int_equal(a->child->next->next->next->line, 4);
	assert_int_equal(jnode_get(root, "c")->line, 5);
	mem_free(mem);
}

static void set_changes_and_adds(void **state)
{
	const char *text = "{\"name\": \"x\", \"t\": {\"smt\": 4}, \"l\": [{\"v\": 1}]}";
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "f.json", text, strlen(text), &err);
	int64_t v;

	assert_int_equal(jdoc_set(mem, root, "t.smt", "8", &err), 0);
	assert_true(jnode_whole(jnode_get(jnode_get(root, "t"), "smt"), &v));
	assert_int_equal(v, 8);
	assert_int_equal(jdoc_set(mem, root, "l.0.v", "2.5", &err), 0);
	assert_int_equal(jnode_get(jnode_get(root, "l")->child, "v")->micro, 2500000);
	assert_int_equal(jdoc_set(mem, root, "t.new", "word", &err), 0);
	assert_string_equal(jnode_get(jnode_get(root, "t"), "new")->text, "word");
	assert_int_equal(jdoc_set(mem, root, "nowhere.x", "1", &err), -1);
	assert_error_has(err, "--set nowhere.x: no 'nowhere'");
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_arrive_exactly),
		cmocka_unit_test(errors_name_line_key_and_remedy),
		cmocka_unit_test(lines_follow_the_text),
		cmocka_unit_test(set_changes_and_adds),
	};

	return cmocka_run_group_tests_name("jdoc", tests, NULL, NULL);
}
