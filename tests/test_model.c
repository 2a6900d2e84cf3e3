// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "base/file.h"
#include "cpu/model.h"

/* Facts of the two processors: timebase 512 MHz; mfspr 13 (LLVM); SMT4 and SMT8. */
static void shipped_models(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct cpu_model *p9 = cpu_model_load(mem, "power9", &err);
	struct cpu_model *p10 = cpu_model_load(mem, "power10", &err);

	if (!p9 || !p10)
		fail_msg("%s", err.text);
	assert_int_equal(cpu_model_whole(p9, CPU_TIMEBASE_HZ), 512000000);
	assert_int_equal(cpu_model_whole(p10, CPU_SMT_THREADS), 8);
	assert_int_equal(cpu_model_param(p9, "l_r")->micro, 13000000);
	assert_int_equal(cpu_model_param(p9, "ipc")->micro, 960000);
	assert_null(cpu_model_param(p9, "nothing"));
	for (int i = 0; i < CPU_PARAM_COUNT; i++) {
		assert_true(p9->params[i].micro >= p9->params[i].lo);
		assert_true(p9->params[i].micro <= p9->params[i].hi);
		assert_true(*p10->params[i].source);
		/* nothing on POWER10 was fitted: there is nothing to fit it to */
		assert_true(p10->params[i].kind != CPU_FITTED);
	}
	mem_free(mem);
}

static struct jnode *document(struct mem *mem)
{
	struct err err = ERR_INIT;

	return jdoc_load(mem, file_find(mem, "models", "power9", &err), &err);
}

static void set_changes_values(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = document(mem);
	struct cpu_model *model;

	assert_int_equal(cpu_model_set(mem, root, "ipc", "1.75", &err), 0);
	assert_int_equal(cpu_model_set(mem, root, "rules.scoreboard", "unit", &err), 0);
	model = cpu_model_from_node(mem, root, &err);
	assert_non_null(model);
	assert_int_equal(model->params[CPU_IPC].micro, 1750000);
	assert_int_equal(model->rules.scoreboard, CPU_SB_UNIT);
	mem_free(mem);
}

static void set_errors(void **state)
{
	static const struct { const char *name, *value, *what; } cases[] = {
		{ "tau_x", "3", "did you mean 'model.tau_w'" },
		{ "ipc", "0", "0.01 to 100" },
		{ "ipc", "fast", "must be a number" },
		{ "ipc", "-1", "must be a number" },
		{ "window", "100000", "from 1 to 1024" },
		{ "hwsync", "99999999", "at most 1000000" },
		{ "rules.scoreboard", "many", "\"one\", \"unit\"" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		struct jnode *root = document(mem);
		int rc = cpu_model_set(mem, root, cases[i].name, cases[i].value, &err);

		assert_true(rc < 0 || !cpu_model_from_node(mem, root, &err));
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

static void bad_files(void **state)
{
	static const struct { const char *params, *what;
	} cases[] = {
		{ "\"tau_v\": {}", "did you mean 'tau_w'" },
		{ "\"c\": {\"value\": 1, \"unit\": \"us\", \"kind\": \"doc\", \"range\": [0, 2], "
		  "\"source\": \"s\"}",
		  "must be \"cycles\"" },
		{ "\"c\": {\"value\": 1, \"unit\": \"cycles\", \"kind\": \"doc\", \"range\": [3, "
		  "2], "
		  "\"source\": \"s\"}",
		  "the lower first" },
		{ "\"c\": {\"value\": 5, \"unit\": \"cycles\", \"kind\": \"doc\", \"range\": [1, "
		  "2], "
		  "\"source\": \"s\"}",
		  "own range" },
		{ "\"c\": {\"value\": 1, \"unit\": \"cycles\", \"kind\": \"guess\"}",
		  "\"doc\", \"meas\"" },
		{ "", "needs a 'core_hz'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		char *text = mem_printf(mem,
					"{\"schema\": \"hvsim-cpu/1\", \"name\": \"x\", "
					"\"summary\": \"s\", \"isa\": \"3.0\", \"rules\": "
					"{\"scoreboard\": \"one\", "
					"\"reads\": \"serial\", \"moves\": \"held\", \"stall\": "
					"\"all\"},\n\"params\": {%s}}",
					cases[i].params);
		struct jnode *root = jdoc_parse(mem, "m.json", text, strlen(text), &err);

		assert_null(cpu_model_from_node(mem, root, &err));
		assert_error_has(err, "m.json:2:");
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

/* The two by two matrix with 0.6 off its diagonal has the factor 1; 0.6, sqrt(1 - 0.36) = 0.8. */
static void covariance_is_factored(void **state)
{
	static const char text[] =
		"{\"params\": {\"a\": {\"value\": 1, \"range\": [0, 2]}, "
		"\"b\": {\"value\": 5, \"range\": [3, 9]}},\n\"covariance\": {\"errors\": "
		"{\"a\": 0.5, \"b\": 2}, \"correlations\": [{\"of\": [\"b\", \"a\"], "
		"\"value\": 0.6}], \"source\": \"s\"}}";
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "m.json", text, strlen(text), &err);
	struct cpu_covariance c;

	assert_non_null(root);
	assert_int_equal(cpu_covariance_read(root, &c, &err), 0);
	assert_int_equal(c.n, 2);
	assert_int_equal(c.factor[0][0], 1000000);
	assert_int_equal(c.factor[1][0], 600000);
	assert_int_equal(c.factor[1][1], 800000);
	assert_int_equal(c.param[1].error, 2000000);
	assert_int_equal(c.param[1].hi, 9000000);
	assert_int_equal(cpu_covariance_find(&c, "b"), 1);
	assert_int_equal(cpu_covariance_find(&c, "x"), -1);
	mem_free(mem);
}

#define PAIR(a, b, v) "{\"of\": [\"" a "\", \"" b "\"], \"value\": " v "}"

static void bad_covariance(void **state)
{
	static const struct { const char *errors, *pairs, *what; } cases[] = {
		{ "\"tau_x\": 1", "", "m.json:2: 'covariance.errors.tau_x' names 'tau_x', which is "
		  "not a parameter of this file (did you mean 'tau_w'?)" },
		{ "\"tied\": 1", "", "a value of its own" },
		{ "\"c\": 0", "", "a number above 0" },
		{ "\"c\": -1", "", "a number above 0" },
		{ "\"c\": \"wide\"", "", "a number above 0" },
		{ "\"c\": 1, \"tau_w\": 1", PAIR("c", "tau_u", "0.5"),
		  "names 'tau_u', which is not in 'errors' (did you mean 'tau_w'?)" },
		{ "\"c\": 1", PAIR("c", "tau_w", "0.5"), "not in 'errors'" },
		{ "\"c\": 1", PAIR("c", "c", "1"), "two different parameters" },
		{ "\"c\": 1, \"tau_w\": 1", PAIR("c", "tau_w", "0.5") "," PAIR("tau_w", "c", "0.5"),
		  "repeats a pair" },
		{ "\"c\": 1, \"tau_w\": 1", PAIR("c", "tau_w", "1.5"), "value" },
		{ "\"c\": 1, \"tau_w\": 1", "{\"of\": [\"c\"], \"value\": 0}", "two names, not 1" },
		/* what goes with 'c' fully follows from it */
		{ "\"c\": 1, \"tau_w\": 1", PAIR("c", "tau_w", "-1"), "those of 'tau_w'" },
		/* 0.9 and 0.9 leave no room for -0.9: the determinant 1 - 3 0.81 - 2 0.729 < 0 */
		{ "\"c\": 1, \"tau_w\": 1, \"f\": 2", PAIR("c", "tau_w", "0.9") ","
		  PAIR("c", "f", "0.9") "," PAIR("tau_w", "f", "-0.9"),
		  "m.json:2: 'covariance.correlations' can't all hold at once: those of 'f' with "
		  "the parameters before it leave it no spread of its own (the matrix is not "
		  "positive definite)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		const char *text = mem_printf(mem,
			"{\"params\": {\"c\": {\"value\": 1, \"range\": [0, 2]}, "
			"\"tau_w\": {\"value\": 1, \"range\": [0, 2]}, "
			"\"f\": {\"value\": 1, \"range\": [0, 2]}, \"tied\": {\"as\": \"c\", \"range\": [0, 2]}},\n\"covariance\": {\"errors\": {%s}, "
			"\"correlations\": [%s], \"source\": \"s\"}}",
			cases[i].errors, cases[i].pairs);
		struct jnode *root = jdoc_parse(mem, "m.json", text, strlen(text), &err);
		struct cpu_covariance c;

		assert_non_null(root);
		assert_int_equal(cpu_covariance_read(root, &c, &err), -1);
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped_models),
		cmocka_unit_test(set_changes_values),
		cmocka_unit_test(set_errors),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(covariance_is_factored),
		cmocka_unit_test(bad_covariance),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
