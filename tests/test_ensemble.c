// SPDX-License-Identifier: GPL-2.0-or-later
/* What members of an ensemble draw, and what they are calibrated to. */
#include "check.h"
#include "scenario_file.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "scenario/ladder.h"
#include "study/calibrate.h"
#include "study/ensemble.h"
#include "study/target.h"
#include "study/validate.h"

#define MICRO INT64_C(1000000)
#define N 10000

static struct scn_metric row(struct mem *mem, const char *text)
{
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "row.json", text, strlen(text), &err);
	struct scn_metric m = { 0 };

	if (!root || scn_metric_read(root, &m, &err) < 0)
		fail_msg("%s", err.text);
	return m;
}

struct moments {
	double mean, deviation, lo, hi;
};

static struct moments draw(const struct study_target *t)
{
	double sum = 0, squares = 0;
	struct moments m = { .lo = INFINITY, .hi = -INFINITY };

	for (uint64_t i = 0; i < N; i++) {
		double x = (double)study_target_draw(t, 1, i) / 1e6;

		sum += x;
		squares += x * x;
		m.lo = fmin(m.lo, x);
		m.hi = fmax(m.hi, x);
	}
	m.mean = sum / N;
	m.deviation = sqrt(squares / N - m.mean * m.mean);
	return m;
}

/* A count of 10,000 is off by 100; its half digit is nothing beside that. Four standard errors. */
static void a_count_is_poisson(void **state)
{
	struct mem *mem = mem_new();
	struct scn_metric m = row(mem, "{\"metric\": \"x\", \"published\": {\"a\": 10000}}");
	struct study_target t = study_target(mem, &m, "a", true);
	struct moments got = draw(&t);

	assert_true(fabs(got.mean - 10000) < 4);
	assert_true(fabs(got.deviation - 100) < 4 * 100 / sqrt(2 * N));
	/* a search ends within an eighth of it */
	assert_int_equal(study_target_close(&t, true), 12500000);
	mem_free(mem);
}

/* 34 us may have been 33.5 to 34.5, evenly: a deviation of 1 / sqrt 12 = 0.2887. */
static void a_figure_has_its_last_digit(void **state)
{
	struct mem *mem = mem_new();
	struct scn_metric m = row(mem, "{\"metric\": \"x\", \"published\": {\"a\": 34}}");
	struct study_target t = study_target(mem, &m, "a", false);
	struct moments got = draw(&t);

	assert_true(got.lo >= 33.5 && got.lo < 33.51);
	assert_true(got.hi <= 34.5 && got.hi > 34.49);
	assert_true(fabs(got.mean - 34) < 4 * 0.2887 / sqrt(N));
	assert_true(fabs(got.deviation - 0.2887) < 0.005);
	mem_free(mem);
}

/* Stated noise stands instead of the root: 2 % of 10,000 is 200. None falls below 0. */
static void stated_noise_counts(void **state)
{
	static const char *const text[] = {
		"{\"metric\": \"x\", \"published\": {\"a\": 10000, \"b\": 9999}, \"noise\": "
		"{\"percent\": 2, \"kind\": \"meas\", \"source\": \"s\"}}",
		"{\"metric\": \"x\", \"published\": {\"a\": 10}, \"noise\": "
		"{\"percent\": 100, \"kind\": \"meas\", \"source\": \"s\"}}",
	};
	struct mem *mem = mem_new();
	struct scn_metric m = row(mem, text[0]);
	struct study_target t = study_target(mem, &m, "a", true);
	struct study_target b = study_target(mem, &m, "b", true);
	struct moments got = draw(&t);

	assert_true(fabs(got.deviation - 200) < 4 * 200 / sqrt(2 * N));
	assert_true(t.purpose != b.purpose); /* each figure has draws of its own */
	m = row(mem, text[1]);
	t = study_target(mem, &m, "a", true);
	got = draw(&t);
	assert_true(got.lo == 0);
	mem_free(mem);
}

/*
 * 0.8, -0.5 and 0, with standard errors of 2, 30 and 0.5. A sample's correlation is off by
 * (1 - r^2) / sqrt N; three of those are allowed.
 */
#define JOINT(range_a)                                                                             \
	"{\"params\": {\"a\": {\"value\": 10, \"range\": " range_a "}, "                           \
	"\"b\": {\"value\": 500.5, \"range\": [0, 1000]}, "                                        \
	"\"c\": {\"value\": 7, \"range\": [0.5, 20]}}, \"covariance\": {\"errors\": "              \
	"{\"a\": 2, \"b\": 30, \"c\": 0.5}, \"correlations\": ["                                   \
	"{\"of\": [\"a\", \"b\"], \"value\": 0.8}, {\"of\": [\"c\", \"a\"], \"value\": -0.5}], "   \
	"\"source\": \"s\"}}"

/* As study_params() makes them of a scenario's model. */
static void joint(struct mem *mem, const char *text, struct study_joint *j,
		  struct study_param p[3])
{
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "m.json", text, strlen(text), &err);

	*j = (struct study_joint){ .drawn = { true, true, true }, .purpose = { 11, 12, 13 } };
	if (!root || cpu_covariance_read(root, &j->covariance, &err) < 0)
		fail_msg("%s", err.text);
	for (unsigned i = 0; i < 3; i++)
		p[i] = (struct study_param){ .joint = j, .at = i, .step = 1000, .lo =
			j->covariance.param[i].lo, .hi = j->covariance.param[i].hi };
}

static void joint_draws_have_their_correlations(void **state)
{
	static const double error[] = { 2, 30, 0.5 }, value[] = { 10, 500.5, 7 };
	static const struct { unsigned a, b; double r; } pairs[] = {
		{ 0, 1, 0.8 }, { 0, 2, -0.5 }, { 1, 2, 0 },
	};
	struct mem *mem = mem_new();
	double sum[3] = { 0 }, product[3][3] = { { 0 } };
	struct study_param p[3];
	struct study_joint j;

	joint(mem, JOINT("[-100.5, 120]"), &j, p);
	for (uint64_t m = 0; m < N; m++) {
		double x[3];

		for (unsigned i = 0; i < 3; i++) {
			x[i] = (double)study_draw(&p[i], 1, m) / 1e6 - value[i];
			sum[i] += x[i];
		}
		for (unsigned i = 0; i < 3; i++)
			for (unsigned k = 0; k < 3; k++)
				product[i][k] += x[i] * x[k];
	}
	for (unsigned i = 0; i < 3; i++) {
		assert_true(fabs(sum[i] / N) < 4 * error[i] / sqrt(N));
		assert_true(fabs(sqrt(product[i][i] / N) / error[i] - 1) < 4 / sqrt(2 * N));
	}
	for (unsigned i = 0; i < 3; i++) {
		double r = product[pairs[i].a][pairs[i].b] /
			   sqrt(product[pairs[i].a][pairs[i].a] * product[pairs[i].b][pairs[i].b]);

		assert_true(fabs(r - pairs[i].r) < 3 * (1 - pairs[i].r * pairs[i].r) / sqrt(N));
	}
	mem_free(mem);
}

/*
 * Cut below at its value, 'a' has the mean of half a normal number: 2 sqrt(2 / pi) = 1.5958
 * above it, deviation 2 sqrt(1 - 2 / pi) = 1.2056. None is at the cut more often than it should.
 */
static void joint_draws_stay_in_range(void **state)
{
	struct mem *mem = mem_new();
	struct study_param p[3];
	struct study_joint j;
	unsigned at_cut = 0;
	double sum = 0;

	joint(mem, JOINT("[10, 120]"), &j, p);
	for (uint64_t m = 0; m < N; m++) {
		int64_t v = study_draw(&p[0], 1, m);

		assert_true(v >= 10 * MICRO && v <= 120 * MICRO);
		at_cut += v < 10 * MICRO + 10000;
		sum += (double)(v - 10 * MICRO) / 1e6;
	}
	assert_true(fabs(sum / N - 1.5958) < 4 * 1.2056 / sqrt(N));
	assert_true(at_cut < 80); /* a hundredth of a cycle of a density of 0.4: 40 */
	mem_free(mem);
}

/* The shipped model's fitted parameters are tied, the rest are not; one that is set is left out. */
static void fitted_parameters_are_tied(void **state)
{
	static const struct scn_set set = { "model.c", "39" };

	for (unsigned sets = 0; sets < 2; sets++) {
		struct mem *mem = mem_new();
		struct scn_options o = { .name = "p9-series", .set = &set, .sets = sets };
		struct err err = ERR_INIT;
		struct study_param *p;
		struct scenario scn;
		unsigned n, tied = 0;

		assert_int_equal(scn_load(mem, &o, &scn, &err), 0);
		p = study_params(mem, &scn, &n, &err);
		assert_non_null(p);
		for (unsigned i = 0; i < n; i++) {
			if (!p[i].joint)
				continue;
			tied++;
			assert_true(!strncmp(p[i].name, "tau_w", 5) || !strcmp(p[i].name, "c"));
			assert_true(p[i].joint->drawn[p[i].at]);
			assert_int_equal(p[i].joint->drawn[0], sets == 0);
		}
		assert_int_equal(tied, 3 - sets);
		mem_free(mem);
	}
}

static void members_have_seeds_of_their_own(void **state)
{
	for (uint64_t i = 0; i < 200; i++) {
		assert_true(study_member_seed(1, i) < UINT64_C(9000000000000));
		assert_true(study_member_seed(1, i) != study_member_seed(2, i));
		for (uint64_t k = 0; k < i; k++)
			assert_true(study_member_seed(1, i) != study_member_seed(1, k));
	}
}

/*
 * A tenth of a second, timers of 1,000 a second in the mean: a hundred turns or so, whose number
 * is a seed's affair.
 */
#define TIMERS(more)                                                                               \
	"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"t\",\n"           \
	"\"cpu\": \"power10\", \"duration_ms\": 100, \"topology\": {\"l2_vcpus\": 1},\n"           \
	"\"workload\": [{\"name\": \"t\", \"vcpus\": \"all\", \"timer_hz\": 1000, "                \
	"\"timer_work_us\": 20}],\n"                                                               \
	"\"variants\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n" more ", \"guest\": {}}\n"

static void run(struct mem *mem, struct scn_options *o, struct study_ensemble *e,
		struct scn_result *r)
{
	struct err err = ERR_INIT;

	if (scn_run(mem, o, r, &err) < 0 || study_ensemble_add(mem, o, e, r, &err) < 0)
		fail_msg("%s", err.text);
	unlink(o->name);
}

static int64_t cell(const struct scn_result *r, const char *row_name, const char *column)
{
	const struct scn_cell *c = scn_metric_cell(r, row_name, column);

	assert_non_null(c);
	return c->v;
}

/* All parameters but the last at their values: what moves the count is the seed, in both alike. */
static void a_seed_alone_has_an_interval(void **state)
{
	struct mem *mem = mem_new();
	struct scn_options o = { .name = scenario_file(mem, TIMERS("\"metrics\": [{\"metric\": "
		"\"kvm_hv:kvm_guest_exit\", \"label\": \"exits\"}]")) };
	struct study_ensemble e = { .members = 20, .jobs = 2 };
	struct err err = ERR_INIT;
	struct study_param *p;
	struct scn_result r;
	struct scenario scn;
	struct scn_set *set;
	unsigned n;

	assert_int_equal(scn_load(mem, &o, &scn, &err), 0);
	p = study_params(mem, &scn, &n, &err);
	assert_non_null(p);
	set = mem_alloc(mem, n, sizeof(*set));
	for (unsigned i = 0; i + 1 < n; i++)
		set[o.sets++] = (struct scn_set){ p[i].key, study_decimal(mem, p[i].value) };
	assert_string_equal(p[n - 1].name, "cp_abort"); /* no turn takes longer for it */
	o.set = set;
	run(mem, &o, &e, &r);
	assert_true(cell(&r, "exits", "5 % a") + 5 < cell(&r, "exits", "95 % a"));
	assert_int_equal(cell(&r, "exits", "5 % a"), cell(&r, "exits", "5 % b"));
	assert_int_equal(cell(&r, "exits", "95 % difference"), 0);
	assert_int_equal(e.runs, 0);
	mem_free(mem);
}

/*
 * A published count of 100 is off by 10, so of members calibrated to it a twentieth is below
 * 84 and above 116; of 40 members' ends the deviation is about 3: 3.5 of them are allowed.
 */
static void a_calibrated_row_contains_what_it_was_set_to(void **state)
{
	struct mem *mem = mem_new();
	struct scn_options o = { .name = scenario_file(mem, TIMERS("\"metrics\": [{\"metric\": "
		"\"kvm_hv:kvm_guest_exit\", \"label\": \"exits\", \"published\": {\"a\": 100}}],\n"
		"\"calibrate\": [{\"set\": \"workload.0.timer_hz\", \"metric\": "
		"\"kvm_hv:kvm_guest_exit\", \"variant\": \"a\", \"lo\": 10, \"hi\": 20000}]")) };
	struct study_ensemble e = { .members = 40, .jobs = 2, .calibrate = true };
	struct scn_result r;

	run(mem, &o, &e, &r);
	assert_in_range(cell(&r, "exits", "5 % a"), 74, 94);
	assert_in_range(cell(&r, "exits", "median a"), 94, 106);
	assert_in_range(cell(&r, "exits", "95 % a"), 106, 126);
	assert_int_equal(e.missed, 0);
	assert_true(e.runs >= 40);
	mem_free(mem);
}

/* A million turns in a tenth of a second: no member can, and the ledger says so of the scenario. */
static void members_out_of_reach_are_told(void **state)
{
	struct mem *mem = mem_new();
	const char *file = scenario_file(mem, TIMERS("\"metrics\": [{\"metric\": "
		"\"kvm_hv:kvm_guest_exit\", \"label\": \"exits\", \"published\": {\"a\": 1000000}}],\n"
		"\"calibrate\": [{\"set\": \"workload.0.timer_hz\", \"metric\": "
		"\"kvm_hv:kvm_guest_exit\", \"variant\": \"a\", \"lo\": 10, \"hi\": 2000}]"));
	struct study_validation v = { .name = &file, .n = 1,
				      .ensemble = { .members = 3, .jobs = 1, .calibrate = true } };
	struct scn_options o = { 0 };
	struct err err = ERR_INIT;
	struct scn_result r;

	if (study_validate(mem, &o, &v, &r, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(v.ensemble.missed, 3);
	assert_non_null(strstr(r.note[r.notes - 1], "out of reach"));
	assert_string_equal(strrchr(r.note[r.notes - 1], ' '), " 3");
	unlink(file);
	mem_free(mem);
}

/* The first member alone, and with a second: it must be one of the two. */
static void more_members_change_none(void **state)
{
	static const unsigned members[] = { 1, 2, 20 };
	int64_t lo[3], hi[3];

	for (unsigned i = 0; i < 3; i++) {
		struct mem *mem = mem_new();
		struct scn_options o = { .name = scenario_file(mem, TIMERS("\"metrics\": [{\"metric\": "
			"\"kvm_hv:kvm_guest_exit\", \"label\": \"exits\"}]")) };
		struct study_ensemble e = { .members = members[i], .jobs = 1 + i };
		struct scn_result r;

		run(mem, &o, &e, &r);
		lo[i] = cell(&r, "exits", "5 % a");
		hi[i] = cell(&r, "exits", "95 % a");
		mem_free(mem);
	}
	assert_int_equal(lo[0], hi[0]);
	assert_true(lo[1] < hi[1]);
	assert_true(lo[0] == lo[1] || lo[0] == hi[1]);
	assert_true(lo[2] <= lo[1]);
}

/* What is set together stays the same: two loads of one rate, of which "set" names the first. */
static void also_gets_the_same_value(void **state)
{
	static const struct study_search search = { .tolerance = STUDY_CLOSE };
	struct mem *mem = mem_new();
	struct scn_options o = { .name = scenario_file(mem,
		"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"t\",\n"
		"\"cpu\": \"power10\", \"duration_ms\": 100, \"topology\": {\"l2_vcpus\": 2},\n"
		"\"workload\": [{\"name\": \"s\", \"vcpus\": \"0\", \"loop_cycles\": 10},"
		" {\"name\": \"t\", \"vcpus\": \"1\", \"loop_cycles\": 10}],\n"
		"\"variants\": [{\"name\": \"a\"}],\n"
		"\"metrics\": [{\"metric\": \"loops\", \"published\": {\"a\": 4000000}}],\n"
		"\"calibrate\": [{\"set\": \"workload.0.loop_cycles\", \"also\": "
		"[\"workload.1.loop_cycles\"], \"metric\": \"loops\", \"variant\": \"a\", "
		"\"lo\": 5, \"hi\": 1000}]}\n") };
	struct study_calibration c[STUDY_CALIBRATE_MAX];
	struct scn_set set[STUDY_CALIBRATE_SETS];
	struct err err = ERR_INIT;
	unsigned n;

	if (study_calibrate(mem, &o, &search, c, &n, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(n, 1);
	assert_true(c[0].reached);
	/* 2 CPUs x 100 ms at 4 GHz less exits: nearly 800 million cycles, 4 million loops */
	assert_in_range(c[0].value, 195 * MICRO, 200 * MICRO);
	/* 10, the wrong way to 5, by fours to 20 and 80, beyond 200: then a curve through three */
	assert_in_range(c[0].runs, 2, 7);
	assert_int_equal(study_calibrated(mem, &c[0], set, 0), 2);
	assert_string_equal(set[1].key, "workload.1.loop_cycles");
	assert_string_equal(set[1].value, set[0].value);
	unlink(o.name);
	mem_free(mem);
}

/* Judged figure by figure, a published 0 too; predictions that are off count as failed. */
static void ledger_judges_amounts(void **state)
{
	struct mem *mem = mem_new();
	const char *file = scenario_file(mem, TIMERS(
		"\"metrics\": [{\"metric\": \"kvm_hv:kvm_guest_exit\", \"label\": \"near\", "
		"\"tolerance\": {\"absolute\": 1000}, \"published\": {\"a\": 100, \"b\": 0}},\n"
		"{\"metric\": \"kvm_hv:kvm_guest_exit\", \"label\": \"far\", "
		"\"tolerance\": {\"percent\": 10, \"sqrt\": 2}, \"published\": {\"a\": 16}}]"));
	struct study_validation v = { .name = &file, .n = 1 };
	const struct scn_table *t;
	struct scn_options o = { 0 };
	struct err err = ERR_INIT;
	struct scn_result r;
	unsigned tolerance, verdict;

	if (study_validate(mem, &o, &v, &r, &err) < 0)
		fail_msg("%s", err.text);
	t = scn_result_table(&r, "ledger");
	tolerance = scn_table_column(t, "tolerance");
	verdict = scn_table_column(t, "verdict");
	assert_int_equal(t->row[0].cell[tolerance].v, 1000 * MICRO); /* 1000 of 100, per cent */
	assert_string_equal(t->row[0].cell[verdict].text, "within tolerance");
	assert_string_equal(t->row[1].cell[tolerance].text, "+-1000.00");
	assert_string_equal(t->row[1].cell[verdict].text, "within tolerance");
	assert_int_equal(t->row[2].cell[tolerance].kind, SCN_EMPTY); /* no difference is judged */
	assert_int_equal(t->row[3].cell[tolerance].v, 50 * MICRO);   /* 2 sqrt 16 of 16 */
	assert_string_equal(t->row[3].cell[verdict].text, "OUTSIDE its tolerance");
	assert_int_equal(v.failed, 1);
	unlink(file);
	mem_free(mem);
}

/*
 * The same patch, which takes three ops away, published as a loss and as a gain: a row of the
 * role sign is judged by that, a row of another role is not.
 */
static void ledger_judges_signs(void **state)
{
	static const char *const want[] = { "sign agrees", "sign differs", "sign differs", NULL };
	static const char *const figure[] = { "-12", "12", "0", "12" };
	struct mem *mem = mem_new();

	for (unsigned i = 0; i < 4; i++) {
		const char *file = scenario_file(mem, mem_printf(mem,
			"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"ladder\", \"title\": \"t\",\n"
			"\"cpu\": \"power9\", \"path\": \"p9-roundtrip\", "
			"\"policies\": {\"p9.*\": \"off\"}, \"totals\": [], \"rungs\": [{\"name\": "
			"\"x\", \"set\": {\"p9.no_wort\": \"on\"}, \"published\": %s, \"role\": \"%s\"}]}",
			figure[i], i < 3 ? "sign" : "excluded"));
		struct study_validation v = { .name = &file, .n = 1 };
		struct scn_options o = { 0 };
		struct err err = ERR_INIT;
		const struct scn_table *t;
		const struct scn_cell *c;
		struct scn_result r;

		if (study_validate(mem, &o, &v, &r, &err) < 0)
			fail_msg("%s", err.text);
		t = scn_result_table(&r, "ledger");
		assert_int_equal(t->rows, 1);
		c = &t->row[0].cell[scn_table_column(t, "verdict")];
		if (want[i])
			assert_string_equal(c->text, want[i]);
		else
			assert_int_equal(c->kind, SCN_EMPTY);
		assert_int_equal(v.failed, 0);
		for (unsigned k = 0; k < LADDER_ROLES; k++) /* the notes say what each role means */
			assert_non_null(strstr(r.note[1],
					       mem_printf(mem, "%s - ", ladder_role_name(k))));
		unlink(file);
	}
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_is_poisson),
		cmocka_unit_test(a_figure_has_its_last_digit),
		cmocka_unit_test(stated_noise_counts),
		cmocka_unit_test(joint_draws_have_their_correlations),
		cmocka_unit_test(joint_draws_stay_in_range),
		cmocka_unit_test(fitted_parameters_are_tied),
		cmocka_unit_test(members_have_seeds_of_their_own),
		cmocka_unit_test(a_seed_alone_has_an_interval),
		cmocka_unit_test(a_calibrated_row_contains_what_it_was_set_to),
		cmocka_unit_test(members_out_of_reach_are_told),
		cmocka_unit_test(more_members_change_none),
		cmocka_unit_test(also_gets_the_same_value),
		cmocka_unit_test(ledger_judges_amounts),
		cmocka_unit_test(ledger_judges_signs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
