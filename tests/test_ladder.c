// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"
#include "scenario_file.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "study/fit.h"

/* A scenario from text; NULL and an error when it doesn't load. */
static struct ladder *load(struct mem *mem, const char *text, struct err *err)
{
	static const struct scn_options none;
	struct scn_options *o = mem_alloc(mem, 1, sizeof(*o));
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct ladder *l = mem_alloc(mem, 1, sizeof(*l));
	int rc;

	*o = none;
	o->name = scenario_file(mem, text);
	rc = scn_load(mem, o, scn, err);
	if (!rc)
		rc = ladder_load(scn, l, NULL, err);
	unlink(o->name);
	return rc < 0 ? NULL : l;
}

static struct ladder *shipped(struct mem *mem, const char *name)
{
	struct scn_options *o = mem_alloc(mem, 1, sizeof(*o));
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct ladder *l = mem_alloc(mem, 1, sizeof(*l));
	struct err err = ERR_INIT;

	o->name = name;
	if (scn_load(mem, o, scn, &err) < 0 || ladder_load(scn, l, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return l;
}

#define HEAD "{\"schema\": \"hvsim-scenario/1\", \"kind\": \"ladder\", \"title\": \"t\", " \
	     "\"cpu\": \"power9\", \"path\": \"p9-roundtrip\", \"policies\": {\"p9.*\": \"off\"},\n"

static void bad_ladders(void **state)
{
	static const struct { const char *rest, *line, *what; } cases[] = {
		{ "\"rungs\": []}", ":1:", "needs a 'totals'" },
		{ "\"totals\": [],\n\"rungs\": [{\"nam\": 1}]}", ":3:", "did you mean 'name'" },
		{ "\"totals\": [], \"rungs\": [{\"name\": \"a\",\n\"set\": {\"p9.no_wrt\": \"on\"}}]}",
		  ":3:", "did you mean 'p9.no_wort'" },
		{ "\"totals\": [], \"rungs\": [\n{\"name\": \"a\", \"published\": -1}]}", ":3:",
		  "needs a 'role'" },
		{ "\"totals\": [], \"rungs\": [{\"name\": \"a\",\n\"published\": -1.5, "
		  "\"role\": \"fit\"}]}", ":3:", "whole number of cycles" },
		{ "\"totals\": [], \"rungs\": [{\"name\": \"a\", \"role\": \"fit\",\n\"published\": "
		  "9223372036854}]}", ":3:", "from -1000000000 to 1000000000, not 9223372036854" },
		{ "\"totals\": [], \"rungs\": [{\"name\": \"a\", \"role\": \"fit\",\n\"published\": "
		  "-1000000001}]}", ":3:", "from -1000000000 to 1000000000, not -1000000001" },
		{ "\"totals\": [], \"rungs\": [{\"name\": \"a\", \"role\": \"fit\",\n\"published\": "
		  "9223372036854775807}]}", ":3:", "not 9223372036854775807" },
		{ "\"rungs\": [], \"totals\": [{\"name\": \"x\", \"after\": \"\",\n\"published\": "
		  "9000000000000000000}]}", ":3:", "from 1 to 1000000000, not 9000000000000000000" },
		{ "\"rungs\": [], \"totals\": [{\"name\": \"x\", \"after\": \"\",\n\"published\": "
		  "-5}]}", ":3:", "from 1 to 1000000000, not -5" },
		{ "\"totals\": [], \"rungs\": [{\"name\": \"a\",\n\"role\": \"fited\"}]}", ":3:",
		  "\"fit\", \"calibration\"" },
		{ "\"rungs\": [],\n\"totals\": [{\"name\": \"x\", \"after\": \"no\"}]}", ":3:",
		  "must name a rung" },
		{ "\"rungs\": [], \"totals\": [],\n\"ipc\": [0]}", ":3:", "from 0.1 to 10" },
		{ "\"rungs\": [], \"totals\": [],\n\"fit\": {\"percent\": 1}}", ":3:",
		  "needs a 'absolute'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;

		assert_null(load(mem, mem_printf(mem, HEAD "%s", cases[i].rest), &err));
		assert_error_has(err, cases[i].line);
		assert_error_has(err, cases[i].what);
		mem_free(mem);
	}
}

/*
 * Ops by the patches' descriptions: WORT -3, AMOR -1, tlbsync -3. The null cost
 * of an op that fits -78 and -522 best: (3*78 + 3*522) / (9 + 9) = 100.
 */
static void null_model(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct ladder *l =
		load(mem,
		     HEAD
		     "\"totals\": [], \"rungs\": ["
		     "{\"name\": \"a\", \"set\": {\"p9.no_wort\": \"on\"}, \"published\": -78, "
		     "\"role\": \"fit\"},"
		     "{\"name\": \"b\", \"set\": {\"p9.amor_const\": \"on\"}},"
		     "{\"name\": \"c\", \"set\": {\"p9.no_tlbsync\": \"on\"}, \"published\": -522, "
		     "\"role\": \"fit\"}]}",
		     &err);

	assert_non_null(l);
	assert_int_equal(ladder_ops(l, 0), -3);
	assert_int_equal(ladder_ops(l, 1), -1);
	assert_int_equal(ladder_ops(l, 2), -3);
	assert_int_equal(ladder_null(l, SIZE_MAX), 100000000);
	/* without the last: 78 / 3 = 26 */
	assert_int_equal(ladder_null(l, 2), 26000000);
	mem_free(mem);
}

/* Published figures made by a model with other parameters: the fit must find those. */
static void fit_finds_known_parameters(void **state)
{
	static const struct { enum cpu_param_id id; double value; } truth[] = {
		{ CPU_C, 25 }, { CPU_TAU_W, 33 }, { CPU_TAU_W_PMU, 45 },
	};
	struct mem *mem = mem_new();
	struct ladder *l = shipped(mem, "p9-series");
	struct cpu_model made = *l->view.model;
	uint64_t *cycles = mem_alloc(mem, l->n + 1, sizeof(*cycles));
	struct study_fit fit;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < 3; i++)
		made.params[truth[i].id].micro = (int64_t)(truth[i].value * 1e6);
	cpu_model_tie(&made);
	ladder_price(l, &made, cycles);
	for (size_t i = 0; i < l->n; i++)
		l->rung[i].delta = (int64_t)cycles[i + 1] - (int64_t)cycles[i];
	assert_int_equal(study_fit(l, &fit, &err), 0);
	assert_int_equal(fit.params, 3);
	for (size_t k = 0; k < fit.params; k++)
		for (size_t i = 0; i < 3; i++)
			if (fit.param[k].id == truth[i].id)
				assert_true(fabs(fit.param[k].value - truth[i].value) < 1);
	mem_free(mem);
}

/*
 * The largest figure that is taken: WORT -3 ops at a billion cycles, so an op costs a third of a
 * billion less, and the tables can say so.
 */
static void the_largest_figure(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct ladder *l =
		load(mem, HEAD "\"totals\": [], \"rungs\": [{\"name\": \"a\", \"role\": \"fit\", "
		     "\"set\": {\"p9.no_wort\": \"on\"}, \"published\": 1000000000}]}", &err);

	assert_non_null(l);
	assert_int_equal(l->rung[0].delta, 1000000000);
	assert_int_equal(ladder_null(l, SIZE_MAX), -333333333333333);
	mem_free(mem);
}

static void too_many_parameters(void **state)
{
	struct mem *mem = mem_new();
	struct ladder *l = shipped(mem, "p9-series");
	struct study_fit fit;
	struct err err = ERR_INIT;

	for (int i = CPU_HWSYNC; i < CPU_HWSYNC + 4; i++)
		l->view.model->params[i].kind = CPU_FITTED;
	assert_int_equal(study_fit(l, &fit, &err), -1);
	assert_error_has(err, "fewer than half");
	mem_free(mem);
}

/* Standard errors to a tenth of a cycle, correlations to hundredths. */
static void check_covariance(const struct study_fit *fit, size_t k, const struct cpu_covariance *c)
{
	int at = cpu_covariance_find(c, cpu_param_name(fit->param[k].id));

	assert_true(at >= 0);
	assert_true(fabs((double)c->param[at].error / 1e6 - fit->param[k].error) < 0.1);
	for (size_t i = 0; i < fit->params; i++) {
		int to = cpu_covariance_find(c, cpu_param_name(fit->param[i].id));
		double r = 0;

		for (int j = 0; j <= at && j <= to; j++)
			r += (double)c->factor[at][j] * (double)c->factor[to][j] / 1e12;
		assert_true(fabs(r - fit->correlation[k][i]) < 0.011);
	}
}

/* The shipped model carries what the fit gives, and the fit may be believed. */
static void shipped_model_is_the_fit(void **state)
{
	struct mem *mem = mem_new();
	struct ladder *l = shipped(mem, "p9-series");
	uint64_t *cycles = mem_alloc(mem, l->n + 1, sizeof(*cycles));
	struct study_fit fit;
	struct err err = ERR_INIT;
	unsigned rows = 0, within = 0;
	double model = 0, null = 0;

	assert_int_equal(study_fit(l, &fit, &err), 0);
	for (size_t k = 0; k < fit.params; k++)
		assert_true(fabs(fit.param[k].value - fit.param[k].start) < 1);
	assert_int_equal(fit.params, l->view.model->covariance.n);
	for (size_t k = 0; k < fit.params; k++)
		check_covariance(&fit, k, &l->view.model->covariance);
	for (size_t i = 0; i < fit.rows; i++) {
		const struct study_fit_row *r = &fit.row[i];

		if (fabs(r->published) < 50 || r->alone >= 0)
			continue;
		rows++;
		within += fabs(r->left_out - r->published) <= 0.25 * fabs(r->published);
		model += pow(r->left_out - r->published, 2);
		null += pow(r->null_left_out - r->published, 2);
	}
	/* the project's own bars: 70 % within a quarter, and better than the null model */
	assert_true(10 * within >= 7 * rows);
	assert_true(model < null);
	ladder_price(l, l->view.model, cycles);
	for (size_t i = 0; i < l->totals; i++) {
		double off = (double)cycles[l->total[i].rung] / (double)l->total[i].cycles - 1;

		assert_true(fabs(off) < 0.05);
	}
	mem_free(mem);
}

/* A fitted model written out loads again with the same values, to a tenth. */
static void model_file_round_trip(void **state)
{
	struct mem *mem = mem_new();
	struct ladder *l = shipped(mem, "p9-series");
	struct study_fit fit = { .model = *l->view.model };
	struct text t = { 0 };
	struct err err = ERR_INIT;
	struct jnode *root;
	struct cpu_model *again;

	study_fit_model(&fit, &t);
	root = jdoc_parse(mem, "out.json", t.s, t.len, &err);
	again = root ? cpu_model_from_node(mem, root, &err) : NULL;
	if (!again)
		fail_msg("%s", err.text);
	for (int i = 0; i < CPU_PARAM_COUNT; i++)
		assert_true(llabs(again->params[i].micro - fit.model.params[i].micro) <= 50000);
	assert_memory_equal(&again->rules, &fit.model.rules, sizeof(again->rules));
	text_free(&t);
	mem_free(mem);
}

/* What is written after a fit has the fit's covariance; at a bound there is none. */
static void model_file_has_the_covariance(void **state)
{
	struct mem *mem = mem_new();
	struct ladder *l = shipped(mem, "p9-series");
	struct study_fit fit = { .params = 3, .rows = 10, .model = *l->view.model };
	struct text t = { 0 };
	struct err err = ERR_INIT;
	struct jnode *root;
	struct cpu_model *again;

	fit.param[0] = (struct study_fit_param){ .id = CPU_C, .error = 5.6 };
	fit.param[1] = (struct study_fit_param){ .id = CPU_TAU_W, .at_bound = true };
	fit.param[2] = (struct study_fit_param){ .id = CPU_TAU_W_PMU, .error = 16.5432 };
	fit.correlation[2][0] = fit.correlation[0][2] = -0.28;
	study_fit_model(&fit, &t);
	root = jdoc_parse(mem, "out.json", t.s, t.len, &err);
	again = root ? cpu_model_from_node(mem, root, &err) : NULL;
	if (!again)
		fail_msg("%s", err.text);
	assert_int_equal(again->covariance.n, 2);
	assert_int_equal(again->covariance.param[0].error, 5600000);
	assert_int_equal(again->covariance.param[1].error, 16543000);
	assert_int_equal(again->covariance.factor[1][0], -280000);
	assert_int_equal(again->covariance.factor[1][1], 960000); /* sqrt(1 - 0.28^2) */
	text_free(&t);
	mem_free(mem);
}

/*
 * What hvsim run prints of the executed paths: 6.1 and 5.10 within 15 % of what was
 * published (4700, 9587), and the real-mode return at the 509 that set the IPC.
 */
static void executed_paths(void **state)
{
	static const struct { int64_t published, percent; } want[] = {
		{ 9587, 15 }, { 4700, 15 }, { 4700, 5 }, { 509, 1 },
	};
	struct mem *mem = mem_new();
	struct scn_options o = { .name = "p9-executed" };
	struct scn_result r;
	struct err err = ERR_INIT;

	if (scn_run(mem, &o, &r, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(r.table[0]->name, "paths");
	assert_int_equal(r.table[0]->rows, 4);
	for (unsigned i = 0; i < 4; i++) {
		int64_t got = r.table[0]->row[i].cell[2].v;

		assert_in_range(got * 100, want[i].published * (100 - want[i].percent),
				want[i].published * (100 + want[i].percent));
	}
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_ladders),
		cmocka_unit_test(null_model),
		cmocka_unit_test(the_largest_figure),
		cmocka_unit_test(fit_finds_known_parameters),
		cmocka_unit_test(too_many_parameters),
		cmocka_unit_test(shipped_model_is_the_fit),
		cmocka_unit_test(model_file_round_trip),
		cmocka_unit_test(model_file_has_the_covariance),
		cmocka_unit_test(executed_paths),
	};

	return cmocka_run_group_tests_name("ladder", tests, NULL, NULL);
}
