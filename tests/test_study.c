// SPDX-License-Identifier: GPL-2.0-or-later
/* Many runs: workers, order statistics, the grid. Expected values were worked out by hand. */
#include "check.h"
#include "scenario_file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/report.h"
#include "study/calibrate.h"
#include "study/ensemble.h"
#include "study/grid.h"
#include "study/order.h"
#include "study/pool.h"
#include "study/validate.h"

static void nearest_rank(void **state)
{
	int64_t v[] = { 5, -3, 9, 1 };

	study_sort(v, 4);
	assert_int_equal(v[0], -3);
	/* Numbers 1 to 4 in order are -3, 1, 5, 9; the median is number ceil(4 / 2) = 2. */
	assert_int_equal(study_quantile(v, 4, 50, 100), 1);
	assert_int_equal(study_quantile(v, 4, 51, 100), 5);
	assert_int_equal(study_quantile(v, 4, 0, 100), -3);
	assert_int_equal(study_quantile(v, 4, 5, 100), -3);
	assert_int_equal(study_quantile(v, 4, 95, 100), 9);
	assert_int_equal(study_quantile(v, 0, 50, 100), 0);
}

static int square(void *ctx, size_t i, int64_t *record, struct err *err)
{
	const size_t *bad = ctx;

	if (bad && (i == bad[0] || i == bad[1]))
		return err_set(err, "task %zu is bad", i);
	if (bad && i == bad[2])
		raise(SIGKILL);
	record[0] = (int64_t)(i * i);
	record[1] = -(int64_t)i;
	return 0;
}

static void records_in_order(void **state)
{
	for (unsigned jobs = 1; jobs <= 9; jobs += 4) {
		struct study_pool pool = { .jobs = jobs, .words = 2, .task = square, .what = "tasks" };
		struct err err = ERR_INIT;
		unsigned char skip[100] = { [3] = 1 };
		int64_t r[200] = { [6] = 77, [7] = 78 };

		assert_int_equal(study_pool_run(&pool, 100, skip, r, &err), 0);
		for (size_t i = 0; i < 100; i++) {
			assert_int_equal(r[2 * i], i == 3 ? 77 : (int64_t)(i * i));
			assert_int_equal(r[2 * i + 1], i == 3 ? 78 : -(int64_t)i);
		}
	}
}

/* Whatever the number of workers, the error is that of the lowest bad task. */
static void lowest_error(void **state)
{
	size_t bad[3] = { 61, 60, SIZE_MAX };

	for (unsigned jobs = 1; jobs <= 9; jobs += 4) {
		struct study_pool pool = { .jobs = jobs, .words = 2, .task = square, .ctx = bad,
					   .what = "tasks" };
		struct err err = ERR_INIT;
		int64_t r[200];

		assert_int_equal(study_pool_run(&pool, 100, NULL, r, &err), -1);
		assert_string_equal(err.text, "task 60 is bad");
	}
}

static void worker_killed(void **state)
{
	size_t bad[3] = { SIZE_MAX, SIZE_MAX, 5 };
	struct study_pool pool = { .jobs = 2, .words = 2, .task = square, .ctx = bad, .what = "tasks" };
	struct err err = ERR_INIT;
	int64_t r[200];

	assert_int_equal(study_pool_run(&pool, 100, NULL, r, &err), -1);
	assert_error_has(err, "ended by signal 9");
}

/*
 * Two variants that are the same: every difference is 0. The first row agrees
 * everywhere, the second nowhere, the third is not judged.
 */
#define SAME(target, published)                                                                    \
	"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"same\",\n"        \
	"\"cpu\": \"power10\", \"duration_ms\": 100, \"topology\": {\"l2_vcpus\": 1},\n"           \
	"\"workload\": [{\"name\": \"t\", \"vcpus\": \"all\", \"timer_hz\": 500, "                 \
	"\"timer_work_us\": 20, \"fault_hz\": 2000}],\n"                                           \
	"\"variants\": [{\"name\": \"a\"}, {\"name\": \"b\"}],\n"                                  \
	"\"metrics\": [{\"metric\": \"kvm_hv:kvm_guest_exit\", \"label\": \"exits\", "             \
	"\"tolerance\": 0, "                                                                       \
	"\"published\": {\"a\": " target ", \"b\": " target "}},\n"                                \
	"{\"metric\": \"blocks\", \"tolerance\": 99.9, \"published\": {\"a\": 100, "               \
	"\"b\": " published "}},\n"                                                                \
	"{\"metric\": \"guest_wakes\", \"published\": {\"a\": 7, \"b\": 8}}],\n"                   \
	"\"calibrate\": [{\"set\": \"workload.0.timer_hz\", \"metric\": "                          \
	"\"kvm_hv:kvm_guest_exit\", "                                                              \
	"\"variant\": \"b\", \"lo\": 10, \"hi\": 2000, \"grid\": true}],\n"                        \
	"\"grid\": [{\"set\": \"topology.l1_hz\", \"also\": [\"topology.l2_hz\"], \"values\": "    \
	"[100, 250], \"why\": \"x\"},\n"                                                           \
	"{\"set\": \"guest.tick_stopped_rule\", \"values\": [true, false], \"why\": \"y\"}],\n"    \
	"\"guest\": {}}\n"

static int grid(struct mem *mem, const char *text, unsigned jobs, struct scn_result *r,
		struct err *err)
{
	struct scn_options *o = mem_alloc(mem, 1, sizeof(*o));
	int rc;

	o->name = scenario_file(mem, text);
	rc = study_grid(mem, o, jobs, r, err);
	r->scenario = "same";
	r->digests = 0;
	unlink(o->name);
	return rc;
}

static void grid_counts(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result r;
	const struct scn_table *t;

	/* About 500 timers a second for a tenth of a second: 100 turns are within reach. */
	assert_int_equal(grid(mem, SAME("100", "200"), 2, &r, &err), 0);
	t = r.table[0];
	assert_int_equal(t->row[0].cell[0].v, 4);                  /* 2 x 2 points */
	assert_int_equal(t->row[1].cell[0].v, 0);                  /* none out of reach */
	assert_string_equal(t->row[3].name, "exits agrees");
	assert_int_equal(t->row[3].cell[0].v, 4);
	assert_int_equal(t->row[4].cell[0].v, 0);                  /* 0 against +100 %, within 99.9 */
	assert_int_equal(t->row[5].cell[0].v, 0);
	t = r.table[3];
	assert_string_equal(t->name, "points");
	/* The last axis is the fastest. */
	assert_string_equal(t->row[1].cell[0].text, "100");
	assert_string_equal(t->row[1].cell[1].text, "false");
	assert_string_equal(t->row[2].cell[0].text, "250");
	assert_string_equal(t->row[2].cell[1].text, "true");
	mem_free(mem);
}

static void grid_out_of_reach(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result r;

	assert_int_equal(grid(mem, SAME("1000000000", "100"), 2, &r, &err), 0);
	assert_int_equal(r.table[0]->row[1].cell[0].v, 4);
	assert_int_equal(r.table[0]->row[2].cell[0].v, 0);
	assert_int_equal(r.table[0]->row[3].cell[2].kind, SCN_EMPTY); /* no share of nothing */
	mem_free(mem);
}

static void grid_any_jobs(void **state)
{
	struct mem *mem = mem_new();
	struct text out[3] = { { 0 }, { 0 }, { 0 } };
	struct err err = ERR_INIT;
	struct scn_result r;

	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(grid(mem, SAME("100", "100"), 1 + 2 * i, &r, &err), 0);
		rep_result(&out[i], &r, REP_JSON, &(struct rep_options){ 0 });
		assert_string_equal(out[i].s, out[0].s);
	}
	for (unsigned i = 0; i < 3; i++)
		text_free(&out[i]);
	mem_free(mem);
}

static void grid_refuses(void **state)
{
	static const struct { const char *key, *part; } cases[] = {
		{ "topology.l2_hz", "is an axis of the grid" },
		{ "topology.l1_hz", "is an axis of the grid" },
	};
	struct mem *mem = mem_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scn_set set = { cases[i].key, "100" };
		struct scn_options o = { .set = &set, .sets = 1 };
		struct err err = ERR_INIT;
		struct scn_result r;

		o.name = scenario_file(mem, SAME("100", "100"));
		assert_int_equal(study_grid(mem, &o, 1, &r, &err), -1);
		assert_error_has(err, cases[i].part);
		unlink(o.name);
	}
	mem_free(mem);
}

/* Spearman's rho by hand: 1, -1, 1 - 6 * 4 / (4 * 15) = 0.6; with a tie 1.5 / sqrt(1.5 * 2). */
static void rank_shares(void **state)
{
	static const int64_t up[] = { 10, 20, 30, 4000 }, down[] = { 9, 8, 7, -6 };
	static const int64_t swapped[] = { 2, 1, 4, 3 }, same[] = { 5, 5, 5, 5 };
	static const int64_t tie[] = { 1, 1, 2 }, three[] = { 1, 2, 3 };

	assert_int_equal(study_rank_share(up, up, 4), 1000000);
	assert_int_equal(study_rank_share(up, down, 4), 1000000);
	assert_int_equal(study_rank_share(up, swapped, 4), 360000);
	assert_int_equal(study_rank_share(up, same, 4), 0);
	assert_int_equal(study_rank_share(tie, three, 3), 750000);
}

static int64_t mean_draw(const struct study_param *p, unsigned n)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < n; i++) {
		int64_t v = study_draw(p, 1, i);

		assert_true(v >= p->lo && v <= p->hi);
		assert_int_equal((v - p->lo) % p->step, 0);
		sum += v;
	}
	return sum / n;
}

/*
 * Means: of a uniform number the middle, of a triangular one a third of the sum
 * of its corners. Of 10,000 draws from 0 to 900 the mean has a deviation under
 * 3; five of them are allowed.
 */
static void draws(void **state)
{
	const int64_t unit = 1000000;
	struct study_param p = { .value = 300 * unit, .lo = 0, .hi = 900 * unit, .step = unit,
				 .purpose = 7 };

	assert_in_range(mean_draw(&p, 10000), 435 * unit, 465 * unit);
	p.peak = true;
	assert_in_range(mean_draw(&p, 10000), 385 * unit, 415 * unit);
	p.value = p.hi; /* a peak at an end: (0 + 900 + 900) / 3 */
	assert_in_range(mean_draw(&p, 10000), 585 * unit, 615 * unit);
}

static void ensemble_json(const char *file, struct study_ensemble e, const struct scn_set *set,
			  size_t sets, struct text *out)
{
	struct mem *mem = mem_new();
	struct scn_options o = { .name = file, .set = set, .sets = sets };
	struct err err = ERR_INIT;
	struct scn_result r;

	assert_int_equal(scn_run(mem, &o, &r, &err), 0);
	if (study_ensemble_add(mem, &o, &e, &r, &err) < 0)
		fail_msg("%s", err.text);
	rep_result(out, &r, REP_JSON, &(struct rep_options){ 0 });
	mem_free(mem);
}

static void ensemble_any_jobs(void **state)
{
	struct mem *mem = mem_new();
	const char *file = scenario_file(mem, SAME("100", "200"));
	struct text out[2] = { { 0 }, { 0 } };

	ensemble_json(file, (struct study_ensemble){ .members = 12, .jobs = 1 }, NULL, 0, &out[0]);
	ensemble_json(file, (struct study_ensemble){ .members = 12, .jobs = 5 }, NULL, 0, &out[1]);
	assert_string_equal(out[0].s, out[1].s);
	assert_non_null(strstr(out[0].s, "\"95 % difference\""));
	text_free(&out[0]);
	text_free(&out[1]);
	unlink(file);
	mem_free(mem);
}

/* The variants are the same and the draws are paired: no difference has a spread. */
static void ensemble_is_paired(void **state)
{
	struct mem *mem = mem_new();
	struct scn_options o = { .name = scenario_file(mem, SAME("100", "200")) };
	struct study_ensemble e = { .members = 20, .jobs = 2 };
	struct err err = ERR_INIT;
	const struct scn_cell *c;
	struct scn_result r;

	assert_int_equal(scn_run(mem, &o, &r, &err), 0);
	assert_int_equal(study_ensemble_add(mem, &o, &e, &r, &err), 0);
	for (unsigned i = 0; i < 2; i++) {
		c = scn_metric_cell(&r, "exits", i ? "95 % difference" : "5 % difference");
		assert_non_null(c);
		assert_int_equal(c->kind, SCN_PERCENT);
		assert_int_equal(c->v, 0);
	}
	unlink(o.name);
	mem_free(mem);
}

/* A parameter set by the user is not drawn. */
static void set_is_not_drawn(void **state)
{
	struct scn_set set = { "model.ipc", "1.7" };
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scenario scn;
	unsigned with, without;

	for (unsigned i = 0; i < 2; i++) {
		struct scn_options o = { .name = "nestedv2-dec-cancel", .set = &set, .sets = i };

		assert_int_equal(scn_load(mem, &o, &scn, &err), 0);
		assert_non_null(study_params(mem, &scn, i ? &without : &with, &err));
	}
	assert_int_equal(without, with - 1);
	mem_free(mem);
}

/* What makes the variants differ is not drawn either: one of them sets it, of all that run. */
static void what_a_variant_sets_is_not_drawn(void **state)
{
	static const char *const more[] = { "", ", \"set\": {\"model.ipc\": 1.7}" };
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct study_param *p[2];
	unsigned n[2], ipc[2] = { 0 };

	for (unsigned i = 0; i < 2; i++) {
		struct scn_options o = { .name = scenario_file(mem, mem_printf(mem,
			"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"t\",\n"
			"\"cpu\": \"power10\", \"variants\": [{\"name\": \"a\"}, "
			"{\"name\": \"b\"%s}]}\n", more[i])) };
		struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));

		assert_int_equal(scn_load(mem, &o, scn, &err), 0);
		p[i] = study_params(mem, scn, &n[i], &err);
		assert_non_null(p[i]);
		for (unsigned k = 0; k < n[i]; k++)
			ipc[i] += !strcmp(p[i][k].key, "model.ipc");
		unlink(o.name);
	}
	assert_int_equal(ipc[0], 1);
	assert_int_equal(ipc[1], 0);
	assert_int_equal(n[1], n[0] - 1);
	mem_free(mem);
}

/* Predicted differences are 0: +100 % published is outside a tolerance of 99.9 points. */
static void ledger_gates(void **state)
{
	static const char *const published[] = { "200", "150" };
	struct mem *mem = mem_new();

	for (unsigned i = 0; i < 2; i++) {
		const char *file = scenario_file(mem, i ? SAME("100", "150") : SAME("100", "200"));
		struct study_validation v = { .name = &file, .n = 1 };
		struct scn_options o = { 0 };
		struct err err = ERR_INIT;
		struct scn_result r;
		const struct scn_table *t;

		assert_int_equal(study_validate(mem, &o, &v, &r, &err), 0);
		t = scn_result_table(&r, "ledger");
		assert_int_equal(t->rows, 9); /* three metrics: two figures and a difference each */
		assert_int_equal(t->row[4].cell[0].v, atoi(published[i]));
		assert_int_equal(t->row[5].cell[1].v, 0);
		assert_int_equal(t->row[5].cell[5].v, i ? -50000000 : -100000000);
		assert_int_equal(v.failed, i ? 0 : 1);
		unlink(file);
	}
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_rank),
		cmocka_unit_test(records_in_order),
		cmocka_unit_test(lowest_error),
		cmocka_unit_test(worker_killed),
		cmocka_unit_test(grid_counts),
		cmocka_unit_test(grid_out_of_reach),
		cmocka_unit_test(grid_any_jobs),
		cmocka_unit_test(grid_refuses),
		cmocka_unit_test(rank_shares),
		cmocka_unit_test(draws),
		cmocka_unit_test(ensemble_any_jobs),
		cmocka_unit_test(ensemble_is_paired),
		cmocka_unit_test(set_is_not_drawn),
		cmocka_unit_test(what_a_variant_sets_is_not_drawn),
		cmocka_unit_test(ledger_gates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
