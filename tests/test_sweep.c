// SPDX-License-Identifier: GPL-2.0-or-later
/* Sweeps, their parts and their points files. Expected values are by hand. */
#include "check.h"
#include "scenario_file.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "report/report.h"
#include "study/sweep.h"

/*
 * In variant a the loop of vCPU 0 takes 30 cycles, whatever is swept; in b it
 * takes what is swept, and vCPU 1 adds one loop in a million cycles. So b does
 * more loops up to 30 cycles and fewer from 31 on.
 */
static const char even_at_30[] =
	"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"even\",\n"
	"\"cpu\": \"power10\", \"duration_ms\": 20, \"topology\": {\"l2_vcpus\": 2},\n"
	"\"workload\": [{\"name\": \"x\", \"vcpus\": \"0\", \"loop_cycles\": 10},\n"
	"{\"name\": \"y\", \"vcpus\": \"0\", \"loop_cycles\": 30}],\n"
	"\"variants\": [{\"name\": \"a\"}, {\"name\": \"b\", \"set\": {\"workload.1.vcpus\": \"1\",\n"
	"\"workload.1.loop_cycles\": 1000000}}],\n"
	"\"metrics\": [{\"metric\": \"loops\"}]}\n";

struct fixture {
	struct mem *mem;
	struct scn_options options;
	struct study_sweep sweep;
	struct err err;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->mem = mem_new();
	f->options.name = scenario_file(f->mem, even_at_30);
	f->sweep = (struct study_sweep){ .options = &f->options, .jobs = 2 };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->options.name);
	mem_free(f->mem);
	free(f);
	return 0;
}

static void open_over(struct fixture *f, const char *spec)
{
	struct study_sweep *s = &f->sweep;

	if (study_over_parse(f->mem, spec, &s->over[s->overs++], &f->err) < 0 ||
	    study_sweep_open(f->mem, s, &f->err) < 0)
		fail_msg("%s", f->err.text);
}

static void ranges_and_lists(void **state)
{
	static const struct { const char *spec, *values; } good[] = {
		{ "k=1:2:0.5", "1 1.5 2" },  { "k=10:35:10", "10 20 30" }, { "k=3:3:1", "3" },
		{ "k=a,b", "a b" },          { "k=0-1", "0-1" },          { "k=-1:1:1", "-1 0 1" },
		{ "k=0.1:0.3:0.1", "0.1 0.2 0.3" },
	};
	static const char *const bad[] = { "k", "=1", "k=", "k=1:2", "k=2:1:1", "k=1:2:0", "k=1,,2",
					   "k=1,1", "k=1:x:1", "k=0:9999999:0.000001", "k=1\n2" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct study_over o;
		const char *got = "";

		assert_int_equal(study_over_parse(f->mem, good[i].spec, &o, &f->err), 0);
		for (unsigned k = 0; k < o.values; k++)
			got = mem_printf(f->mem, "%s%s%s", got, k ? " " : "", o.value[k]);
		assert_string_equal(got, good[i].values);
		assert_int_equal(o.numbers, strchr("ab0", *good[i].values) ? *good[i].values == '0' &&
				 good[i].values[1] == '.' : 1);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = ERR_INIT;
		struct study_over o;

		if (study_over_parse(f->mem, bad[i], &o, &err) == 0)
			fail_msg("%s was taken", bad[i]);
	}
}

static void breaks_even_at_30(void **state)
{
	struct fixture *f = *state;
	const struct scn_table *t;
	struct scn_result r;

	open_over(f, "workload.0.loop_cycles=10:50:20");
	assert_int_equal(study_sweep_run(&f->sweep, 1, 1, NULL, &f->err), 0);
	assert_int_equal(study_sweep_result(&f->sweep, &r, &f->err), 0);
	t = scn_result_table(&r, "break-even");
	assert_non_null(t);
	assert_int_equal(t->rows, 1);
	assert_string_equal(t->row[0].cell[0].text, "a, b");
	assert_string_equal(t->row[0].cell[1].text, "workload.0.loop_cycles");
	assert_int_equal(t->row[0].cell[2].v, 30000000);
	assert_int_equal(t->row[0].cell[3].v, 31000000);
}

/* A sweep's result, of points run by `shards` parts through a points file each. */
static char *swept(struct fixture *f, unsigned shards, size_t cut)
{
	struct study_sweep *s = &f->sweep, again = { .options = s->options, .jobs = shards };
	struct text out = { 0 };
	struct scn_result r;
	char *copy;

	again.over[again.overs++] = s->over[0];
	assert_int_equal(study_sweep_open(f->mem, &again, &f->err), 0);
	for (unsigned i = 1; i <= shards; i++) {
		struct text bytes = { 0 };
		struct study_points p;

		memset(s->have, 0, s->points);
		study_points_head(&bytes, s, i, shards);
		assert_int_equal(study_sweep_run(s, i, shards, NULL, &f->err), 0);
		for (size_t k = s->points; k--;) /* in another order than they were asked for */
			if (s->have[k])
				study_points_line(&bytes, s, k, s->record + k * s->words);
		bytes.len -= cut;
		assert_int_equal(study_points_parse(f->mem, "p", bytes.s, bytes.len, &p, &f->err), 0);
		assert_int_equal(study_points_match(&p, &again, &f->err), 0);
		assert_int_equal(study_points_take(&p, &again, &f->err), 0);
		assert_true(p.good_len <= bytes.len);
		text_free(&bytes);
	}
	/* What a cut took away is run again. */
	assert_int_equal(study_sweep_run(&again, 1, 1, NULL, &f->err), 0);
	assert_int_equal(study_sweep_result(&again, &r, &f->err), 0);
	rep_result(&out, &r, REP_JSON, &(struct rep_options){ 0 });
	copy = mem_strdup(f->mem, out.s);
	text_free(&out);
	return copy;
}

static void any_shards_and_cuts(void **state)
{
	struct fixture *f = *state;
	const char *whole;

	open_over(f, "workload.0.loop_cycles=10:50:10");
	whole = swept(f, 1, 0);
	assert_string_equal(swept(f, 2, 0), whole);
	assert_string_equal(swept(f, 5, 0), whole);
	assert_string_equal(swept(f, 2, 4), whole);
}

static void gaps_overlaps_strangers(void **state)
{
	struct fixture *f = *state;
	struct study_sweep *s = &f->sweep;
	struct text bytes = { 0 };
	struct study_points p;
	struct scn_result r;
	struct err err = ERR_INIT;

	open_over(f, "workload.0.loop_cycles=10:50:10");
	assert_int_equal(study_sweep_run(s, 2, 2, NULL, &err), 0);
	assert_int_equal(study_sweep_result(s, &r, &err), -1);
	/* Of points 0 to 4 the second of two shards has 1 and 3. */
	assert_error_has(err, "3 of 5 points are missing, the first is point 0");
	study_points_head(&bytes, s, 2, 2);
	study_points_line(&bytes, s, 1, s->record + s->words);
	assert_int_equal(study_points_parse(f->mem, "p", bytes.s, bytes.len, &p,
					    &(struct err)ERR_INIT), 0);
	err = (struct err)ERR_INIT;
	assert_int_equal(study_points_take(&p, s, &err), -1);
	assert_error_has(err, "overlap");
	p.shard = 1;
	err = (struct err)ERR_INIT;
	assert_int_equal(study_points_take(&p, s, &err), -1);
	assert_error_has(err, "not of shard 1/2");
	p.version = "0.0.0";
	err = (struct err)ERR_INIT;
	assert_int_equal(study_points_match(&p, s, &err), -1);
	assert_error_has(err, "was made by hvsim 0.0.0");
	p.version = HVSIM_VERSION;
	p.inputs++;
	err = (struct err)ERR_INIT;
	assert_int_equal(study_points_match(&p, s, &err), -1);
	assert_error_has(err, "other models");
	text_free(&bytes);
}

static void bad_points_files(void **state)
{
	static const struct { const char *text, *part; } cases[] = {
		{ "", "p:1: is no points file" },
		{ "hvsim-points/2\n", "p:1: is no points file" },
		{ "hvsim-points/1\nversion 1\n", "p:3: the head ends early" },
		{ "hvsim-points/1\nversion\n", "p:2: needs a name and a value" },
		{ "hvsim-points/1\nshard 0/1\n", "p:2: needs I/N" },
		{ "hvsim-points/1\nshape 0 1\n", "p:2: needs the numbers" },
		{ "hvsim-points/1\ncolour red\n", "p:2: is no line" },
		{ "hvsim-points/1\nshard 1/1\n", "p:2: the head lacks" },
		{ "hvsim-points/1\nset a\n", "p:2: needs KEY=VALUE" },
		{ "hvsim-points/1\ninputs 12\n", "p:2: needs 16 digits" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct study_points p;
		struct err err = ERR_INIT;

		assert_int_equal(study_points_parse(f->mem, "p", cases[i].text,
						    strlen(cases[i].text), &p, &err), -1);
		assert_error_has(err, cases[i].part);
	}
}

/* The command over 40 points, its result in `out`; points saved in `points` unless NULL. */
static pid_t start_sweep(struct fixture *f, const char *out, const char *points)
{
	const char *argv[16] = { getenv("HVSIM"), "sweep", f->options.name, "--set",
				 "duration_ms=400", "--over", "workload.0.loop_cycles=1:40:1",
				 "--jobs", "2", "-o", out, points ? "--points" : NULL, points };
	pid_t pid = fork();

	if (pid)
		return pid;
	if (!freopen("/dev/null", "w", stderr))
		_exit(9);
	execv(argv[0], (char *const *)argv);
	_exit(9);
}

static int status_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void wait_for_bytes(const char *file, off_t n)
{
	struct stat st = { 0 };

	for (unsigned i = 0; i < 100000 && (stat(file, &st) < 0 || st.st_size < n); i++)
		usleep(100);
	assert_true(st.st_size >= n);
}

/* Interrupted, then killed, then left alone: what is printed is what one run prints. */
static void killed_and_resumed(void **state)
{
	struct fixture *f = *state;
	const char *whole = mem_printf(f->mem, "%s.whole", f->options.name);
	const char *parts = mem_printf(f->mem, "%s.parts", f->options.name);
	const char *points = mem_printf(f->mem, "%s.points", f->options.name);
	char *a, *b;
	size_t len;
	pid_t pid;

	assert_int_equal(status_of(start_sweep(f, whole, NULL)), 0);
	for (unsigned i = 0; i < 2; i++) {
		pid = start_sweep(f, parts, points);
		wait_for_bytes(points, 300 + 200 * (off_t)i);
		kill(pid, i ? SIGKILL : SIGINT);
		assert_int_equal(status_of(pid), i ? -SIGKILL : 2);
		assert_int_equal(access(parts, F_OK), -1); /* no result of a part */
	}
	/* Workers of a killed sweep end too, and with the last one its lock. */
	for (unsigned i = 0; i < 100 && status_of(start_sweep(f, parts, points)); i++)
		usleep(10000);
	a = file_read(f->mem, whole, &len, &f->err);
	b = file_read(f->mem, parts, &len, &f->err);
	if (!a || !b)
		fail_msg("%s", f->err.text);
	assert_string_equal(a, b);
	unlink(whole);
	unlink(parts);
	unlink(points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ranges_and_lists, setup, teardown),
		cmocka_unit_test_setup_teardown(breaks_even_at_30, setup, teardown),
		cmocka_unit_test_setup_teardown(any_shards_and_cuts, setup, teardown),
		cmocka_unit_test_setup_teardown(gaps_overlaps_strangers, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_points_files, setup, teardown),
		cmocka_unit_test_setup_teardown(killed_and_resumed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
