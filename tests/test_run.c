// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim run as a user meets it: what it prints, and what it says to bad input. */
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "run_cli.h"

static char scenario_file[] = "/tmp/hvsim-test-XXXXXX";

#define HEAD "{\"schema\": \"hvsim-scenario/1\",\n\"kind\": \"nestedv2\",\n\"title\": \"t\",\n" \
	     "\"cpu\": \"power10\",\n"
#define TAIL "\"variants\": [{\"name\": \"a\"}],\n\"metrics\": [{\"metric\": \"loops\"}]}\n"
#define TOPOLOGY "\"topology\": {\"l2_vcpus\": 2, \"smt\": 2},\n"
#define WORKLOAD "\"workload\": [{\"name\": \"w\", \"vcpus\": \"0\", \"loop_cycles\": 10}],\n"
#define PUBLISHED(figure)                                                                     \
	HEAD "\"duration_ms\": 5,\n" TOPOLOGY WORKLOAD "\"variants\": [{\"name\": \"a\"}], "     \
	"\"metrics\": [{\"metric\": \"loops\", \"published\": {\n\"a\": " figure "}}]}\n"
#define PATHS(figure)                                                                         \
	"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"paths\", \"title\": \"t\", "              \
	"\"cpu\": \"power9\",\n\"paths\": [{\"name\": \"a\", \"path\": \"p9-roundtrip\",\n"         \
	"\"published\": " figure "}]}\n"
#define CALIBRATE(set, also, variant)                                                         \
	HEAD "\"duration_ms\": 5,\n" TOPOLOGY WORKLOAD "\"variants\": [{\"name\": \"a\", "       \
	"\"set\": {\"model.f\": 25}}], \"metrics\": [{\"metric\": \"loops\", "                    \
	"\"published\": {\"a\": 5}}],\n\"calibrate\": [{\n\"set\": " set ",\n\"also\": " also ",\n"  \
	"\"metric\": \"loops\", \"variant\": \"" variant "\", \"lo\": 1, \"hi\": 2}]}\n"

static void write_scenario(const char *text)
{
	FILE *f = fopen(scenario_file, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void run_scenario(const char *more, struct cli_result *r)
{
	char args[512];

	/* A slash in the name makes it a file. */
	snprintf(args, sizeof(args), "run %s %s", scenario_file, more);
	run_cli(args, r);
}

/* One busy vCPU, 10 cycles an iteration, a second at 4 GHz: just under 400 million. */
static void a_small_scenario_runs(void **state)
{
	struct cli_result r;

	write_scenario(HEAD "\"duration_ms\": 1000,\n" TOPOLOGY WORKLOAD TAIL);
	run_scenario("--format csv", &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.text, "metrics,loops,a,39"));
}

/* --set cpu runs on that model; half the clock, half the iterations. */
static void the_model_can_be_set(void **state)
{
	struct cli_result r;

	write_scenario(HEAD "\"duration_ms\": 1000,\n" TOPOLOGY WORKLOAD TAIL);
	run_scenario("--format csv --set cpu=power9 --set model.core_hz=2000000000", &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.text, "metrics,loops,a,19"));
	run_scenario("--set cpu=power99", &r);
	assert_refused(&r, "did you mean 'power9'");
}

static void bad_files_are_refused_with_their_line(void **state)
{
	static const struct { const char *text, *part;
	} cases[] = {
		{ "{", ":1: not JSON" },
		{ "[]", "must be a JSON object" },
		{ "{\"schema\": \"hvsim-cpu/1\"}", ":1: 'schema' must be \"hvsim-scenario/1\"" },
		{ "{\"schema\": \"hvsim-scenario/1\",\n\"kind\": \"nested\"}",
		  ":2: 'kind' must be one of" },
		{ HEAD "\"duraton_ms\": 5,\n" TOPOLOGY WORKLOAD TAIL,
		  ":5: 'duraton_ms' is not a known key "
		  "(did you mean 'duration_ms'?)" },
		{ HEAD "\"duration_ms\": -5,\n" TOPOLOGY WORKLOAD TAIL,
		  ":5: 'duration_ms' must be a whole "
		  "number from 1 to 3600000, not -5" },
		{ HEAD "\"duration_ms\": 99999999999999999999,\n" TOPOLOGY WORKLOAD TAIL,
		  ":5: not JSON" },
		{ HEAD "\"duration_ms\": \"long\",\n" TOPOLOGY WORKLOAD TAIL, ":5: 'duration_ms'" },
		{ HEAD "\"duration_ms\": 5,\n\"topology\": {\n\"l2_vcpus\": 0},\n" WORKLOAD TAIL,
		  ":7: 'topology.l2_vcpus' must be a whole number from 1 to 4096, not 0" },
		{ HEAD
		  "\"duration_ms\": 5,\n\"topology\": {\"l2_vcpus\": 2,\n\"smt\": 3},\n" WORKLOAD
			  TAIL,
		  ":7: 'topology.smt' must be a power of two" },
		{ HEAD "\"duration_ms\": 5,\n" TOPOLOGY
		       "\"workload\": [{\"name\": \"w\",\n\"vcpus\": \"7\"}],\n" TAIL,
		  ":8: 'workload[0].vcpus' must name vCPUs from 0 to 1, not 7" },
		{ HEAD "\"duration_ms\": 5,\n" TOPOLOGY TAIL, "needs a 'workload'" },
		{ PUBLISHED("\"many\""), ":9: 'metrics[0].published.a' must be a number from 0 to "
		  "1000000000000, not many" },
		{ PUBLISHED("-1"), ":9: 'metrics[0].published.a' must be a number from 0 to "
		  "1000000000000, not -1" },
		{ PUBLISHED("1000000000001"), "to 1000000000000, not 1000000000001" },
		{ PUBLISHED("9000000000000000000"), "to 1000000000000, not 9000000000000000000" },
		{ PATHS("0"), ":3: 'paths[0].published' must be a whole number of cycles from 1 to "
		  "1000000000, not 0" },
		{ PATHS("9223372036854775807"), "from 1 to 1000000000, not 9223372036854775807" },
		{ CALIBRATE("\"nope\"", "[]", "a"), ":10: 'calibrate[0].set' must name a number in the "
		  "file, or model.X of its cpu: there is no 'nope'" },
		{ CALIBRATE("\"workload.0.loop_cycles\"", "[\"model.ipc\",\n\"nonsense\"]", "a"),
		  ":12: 'calibrate[0].also[1]' must name a number in the file, "
		  "or model.X of its cpu: there is no 'nonsense'" },
		{ CALIBRATE("\"model.icp\"", "[]", "a"), ":10: 'calibrate[0].set' must be a key to "
		  "set: no such parameter" },
		{ CALIBRATE("\"workload.1.loop_cycles\"", "[]", "a"), ":10: 'calibrate[0].set' must "
		  "be a key to set: no '1' to set here" },
		{ CALIBRATE("\"model.f\"", "[]", "a"), ":10: 'calibrate[0].set' must be no key that a "
		  "variant sets: 'a' sets model.f" },
		{ CALIBRATE("\"p9.hail\"", "[]", "a"), ":10: 'calibrate[0].set' must be a key to set: " },
		{ CALIBRATE("\"model.ipc\"", "[7]", "a"), ":11: 'calibrate[0].also[0]' must be a "
		  "string" },
		{ CALIBRATE("\"model.ipc\"", "[]", "aa"), ":12: 'calibrate[0].variant' must name a "
		  "variant (did you mean 'a'?)" },
		{ CALIBRATE("\"workload.0.loop_cycle\"", "[]", "a"), ":10: 'calibrate[0].set' must name "
		  "a number in the file, or model.X of its cpu: there is no 'workload.0.loop_cycle'" },
		{ CALIBRATE("\"workload.0.name\"", "[]", "a"), "must name a number in the file" },
		{ CALIBRATE("7", "[]", "a"), ":10: 'calibrate[0].set' must be a string" },
		{ HEAD "\"duration_ms\": 5,\n\"cpu\": \"power9\",\n" TOPOLOGY WORKLOAD TAIL,
		  ":6: not JSON: "
		  "duplicate" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cli_result r;

		write_scenario(cases[i].text);
		run_scenario("", &r);
		assert_refused(&r, cases[i].part);
	}
}

static void bad_arguments_are_refused(void **state)
{
	static const struct { const char *args, *part; } cases[] = {
		{ "--set topology.smmt=2", "'topology.smmt' is not a known key (did you mean 'smt'?)" },
		{ "--set nestedv2.dec_cancle=keep", "did you mean 'nestedv2.dec_cancel'" },
		{ "--set nestedv2.dec_cancel=kep", "keep" },
		{ "--set model.tau=1", "model" },
		{ "--set model.ipc=-1", "ipc" },
		{ "--set model.smt_share_2=0", "must be from 1 to 1000 per mille" },
		{ "--set nothing", "must be KEY=VALUE" },
		{ "--variant b", "no variant 'b'" },
		{ "--format xml", "must be table" },
		{ "--seed -1", "whole number" },
		{ "--set topology.smt=", "from 1 to 8, not empty" },
		{ "--set schema=hvsim-scenario/2", "--set schema: is what the file is" },
		{ "-o ''", "'': must be the name of a file" },
	};

	write_scenario(HEAD "\"duration_ms\": 5,\n" TOPOLOGY WORKLOAD TAIL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cli_result r;

		run_scenario(cases[i].args, &r);
		assert_refused(&r, cases[i].part);
	}
}

/* What no other command than run has, or what argp would answer in several lines. */
static void bad_commands_are_refused(void **state)
{
	static const struct { const char *args, *part;
	} cases[] = {
		{ "validate nestedv2-dec-cancel --format perf-stat",
		  "markdown, csv, json or cover" },
		{ "merge x.points --format perf-stat", "markdown, csv, json or cover" },
		{ "requests x86 --format xml",
		  "--format xml: must be table, markdown, csv, json or dot" },
		{ "requests", "requests needs a model: x86, or a file" },
		{ "requests x86 x87", "x87: one model at a time" },
		{ "requests x86 -o ''", "'': must be the name of a file" },
		{ "diff '' ''", "'': No such file" },
		{ "explain nestedv2-dec-cancel --set duration_ms=5 --vcpu 8",
		  "--vcpu 8: must be from 0 to 7" },
		{ "help >/dev/full", "standard output: No space left" },
		{ "--version >/dev/full", "standard output: No space left" },
		{ "trace --help >/dev/full", "standard output: No space left" },
		{ "list >/dev/full", "standard output: No space left" },
		{ "trace synth \"$HVSIM_DATA/traces/synth/sleep10ms.workload.json\" -o - >/dev/full",
		  "standard output: No space left" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cli_result r;

		run_cli(cases[i].args, &r);
		assert_refused(&r, cases[i].part);
	}
}

/* The second of two values of one key holds, and only it is told. */
static void a_key_set_twice_has_its_last_value(void **state)
{
	struct cli_result r;

	write_scenario(HEAD "\"duration_ms\": 5,\n" TOPOLOGY WORKLOAD TAIL);
	run_scenario("--set duration_ms=20 --set topology.smt=4 --set duration_ms=1000 --format json",
		     &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.text, "\"set\": {\"duration_ms\": \"1000\", "
				       "\"topology.smt\": \"4\"}"));
	run_scenario("--set duration_ms=20 --set duration_ms=1000", &r);
	assert_non_null(strstr(r.text, "duration_ms=1000"));
	assert_null(strstr(r.text, "duration_ms=20"));
}

/* Nine variants, and a heading with many --set: 100 columns are what fits a mail or a terminal. */
static void tables_are_at_most_100_columns_wide(void **state)
{
	struct cli_result r;

	run_cli("run nestedv2-dec-matrix --set duration_ms=5 --set topology.smt=4 "
		"--set topology.l2_vcpus=16 --set workload.1.timer_hz=20 --details", &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.text, "clear-on-delivery, stale"));
	assert_non_null(strstr(r.text, "\nPredicted by simulation, not measured.\n"));
	for (char *line = strtok(r.text, "\n"); line; line = strtok(NULL, "\n"))
		if (strlen(line) > 100)
			fail_msg("%zu columns: '%s'", strlen(line), line);
}

static void a_missing_file_is_one_line(void **state)
{
	struct cli_result r;

	run_cli("run ./no-such.json", &r);
	assert_refused(&r, "./no-such.json: No such file");
	run_cli("run nestedv2-dec-cancle", &r);
	assert_refused(&r, "did you mean 'nestedv2-dec-cancel'");
	run_cli("run /tmp", &r);
	assert_refused(&r, "regular file");
	run_cli("runn", &r);
	assert_refused(&r, "did you mean 'run'");
}

/* Wherever in the line they stand; argp's own words would be two or three lines. */
static void wrong_options_are_one_line(void **state)
{
	static const struct { const char *args, *what; } cases[] = {
		{ "run --sed 3 x", "--sed is no option of hvsim run (did you mean --set?)" },
		{ "run x --zorp", "--zorp is no option of hvsim run (hvsim run --help lists them)" },
		{ "run x --set", "--set needs a value: --set=KEY=VALUE" },
		{ "run x --var", "--variant needs a value: --variant=NAME" },
		{ "gate x --tap=1", "--tap takes no value" },
		{ "run -q x", "-q is no option of hvsim run" },
		{ "run x -o", "-o needs a value: -o FILE" },
		{ "trace info -z f", "-z is no option of hvsim trace info" },
		{ "trace info --strict=3 f", "--strict takes no value" },
		{ "requests x86 --ordr=1", "did you mean --order?" },
		{ "run -- -x", "no '-x' in scenarios/" },
	};
	struct cli_result r;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_cli(cases[i].args, &r);
		assert_refused(&r, cases[i].what);
	}
	run_cli("run --help", &r);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.text, "Usage: hvsim run [OPTION...] SCENARIO"));
}

/* An import reads the beginning of its capture twice: from a pipe it would wait for ever. */
static void an_import_refuses_pipes(void **state)
{
	struct cli_result r;

	assert_int_equal(mkfifo("import.fifo", 0600), 0);
	run_cli("trace import import.fifo -o import.hvt", &r);
	assert_refused(&r, "reads the beginning twice: give a file, not a pipe: import.fifo");
	unlink("import.fifo");
	assert_int_equal(system("cp \"$HVSIM_DATA/traces/real/nestedv2-arith-2vcpu.ftrace.txt\" in.txt"), 0);
	run_cli("trace import in.txt -o ./in.txt", &r);
	assert_refused(&r, "-o ./in.txt is the capture itself");
	assert_int_equal(system("cmp -s \"$HVSIM_DATA/traces/real/nestedv2-arith-2vcpu.ftrace.txt\" in.txt"), 0);
	unlink("in.txt");
	run_cli("trace import - -o import.hvt </dev/null", &r);
	assert_refused(&r, "reads the beginning twice: give a file, not -");
	assert_int_equal(access("import.hvt", F_OK), -1);
}

/* A limit on the size of files is an error as a full disk is, and leaves nothing behind. */
static void a_limit_on_files_is_told(void **state)
{
	char cmd[512];

	snprintf(cmd, sizeof(cmd), "rm -rf limit && mkdir limit && (ulimit -f 1; '%s' run p9-series -o "
		 "limit/out --format json) 2>limit/err; [ $? -eq 2 ] && grep -q 'File too large' limit/err "
		 "&& [ \"$(ls limit)\" = err ]", getenv("HVSIM"));
	assert_int_equal(system(cmd), 0);
	assert_int_equal(system("rm -r limit"), 0);
}

/* The totals of the POWER9 series are predictions within 5 %: at an IPC of 2 they are 15 % off. */
static void a_prediction_out_of_its_tolerance_fails(void **state)
{
	struct cli_result r;

	run_cli("validate p9-series", &r);
	assert_int_equal(r.status, 0);
	run_cli("validate p9-series --set model.ipc=2", &r);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(r.text, "OUTSIDE its tolerance"));
}

/* -o: the old file stays when the run fails, and is replaced whole when it doesn't. */
static void output_files_are_replaced_or_left(void **state)
{
	char out[] = "/tmp/hvsim-test-out-XXXXXX", args[256], line[64] = "";
	struct cli_result r;
	int fd = mkstemp(out);
	FILE *f;

	assert_int_equal(write(fd, "old\n", 4), 4);
	close(fd);
	write_scenario("{");
	snprintf(args, sizeof(args), "-o %s", out);
	run_scenario(args, &r);
	assert_int_equal(r.status, 2);
	f = fopen(out, "r");
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_string_equal(line, "old\n");
	write_scenario(HEAD "\"duration_ms\": 5,\n" TOPOLOGY WORKLOAD TAIL);
	run_scenario(args, &r);
	assert_int_equal(r.status, 0);
	assert_string_equal(r.text, "");
	f = fopen(out, "r");
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	assert_string_equal(line, "t\n");
	snprintf(args, sizeof(args), "-o /dev/full");
	run_scenario(args, &r);
	assert_refused(&r, "/dev/full: No space left");
	unlink(out);
}

/* `hvsim list | head` ends as if all had been read: no word, and the status the command has. */
static void a_reader_that_leaves_is_no_error(void **state)
{
	static const char *const args[] = {
		"list", "help", "trace --help", "run nestedv2-dec-matrix --set duration_ms=1",
		"trace info tests/data/trace/perf.txt", "requests x86",
		"trace synth traces/synth/sleep10ms.workload.json -o -",
		"path p9-roundtrip --cpu power9 --format json",
	};

	for (size_t i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
		char cmd[1024], line[128] = "";
		FILE *f;

		snprintf(cmd, sizeof(cmd),
			 "exec 3>&1; cd \"$HVSIM_DATA\"; { sleep 0.3; '%s' %s 2>&3; "
			 "echo \"status $?\" >&3; } | true", getenv("HVSIM"), args[i]);
		f = popen(cmd, "r");
		assert_non_null(fgets(line, sizeof(line), f));
		if (strcmp(line, "status 0\n"))
			fail_msg("%s: %s", args[i], line);
		pclose(f);
	}
}

static int setup(void **state)
{
	int fd = mkstemp(scenario_file);

	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	return unlink(scenario_file);
}

#define CALIBRATED(loops)                                                                     \
	HEAD "\"duration_ms\": 100,\n" TOPOLOGY WORKLOAD "\"variants\": [{\"name\": \"a\"}],\n" \
	"\"metrics\": [{\"metric\": \"loops\", \"published\": {\"a\": " loops "}}],\n"         \
	"\"calibrate\": [{\"set\": \"workload.0.loop_cycles\", \"metric\": \"loops\", "         \
	"\"variant\": \"a\", \"lo\": 5, \"hi\": 1000}]}\n"

/* A value that the kind's own reader refuses comes up in the search, and names the entry. */
static void a_value_that_cannot_be_is_told(void **state)
{
	struct cli_result r;

	write_scenario(CALIBRATE("\"duration_ms\"", "[]", "a"));
	run_scenario("", &r);
	assert_int_equal(r.status, 0);
	run_scenario("--calibrate", &r);
	assert_refused(&r, ":9: 'calibrate[0]' can't be searched: --set duration_ms: ");
}

/* A tenth of a second at 4 GHz is 400 million cycles: 4 million loops take 100 each; 10^12 can't be. */
static void a_target_out_of_reach_is_told(void **state)
{
	struct cli_result r;

	write_scenario(CALIBRATED("4000000"));
	run_scenario("--calibrate --format csv", &r);
	assert_int_equal(r.status, 0);
	assert_null(strstr(r.text, "out of reach"));
	write_scenario(CALIBRATED("1000000000000"));
	run_scenario("--calibrate --format csv", &r);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(r.text, "hvsim: a loops: 1000000000000.000000 is out of reach with "
			       "workload.0.loop_cycles from 5.000000 to 1000.000000: the nearest is "));
	assert_non_null(strstr(r.text, "metrics,loops,a,")); /* the result is there all the same */
	assert_non_null(strstr(r.text, "metrics,loops,published a,1000000000000"));
}

#define ORIENTATION "published figures are of the scenario as it stands, so they are for " \
		    "orientation"
#define LOST ", and what was calibrated no longer is"

/* Published figures beside a run that --set has changed are told apart; a seed changes nothing. */
static void published_figures_are_of_the_file(void **state)
{
	static const struct { const char *args, *note; } cases[] = {
		{ "--format json", NULL },
		{ "--format json --seed 3", NULL },
		{ "--format json --set duration_ms=50", "\"--set duration_ms: " ORIENTATION LOST "\"" },
		{ "--format markdown --set topology.smt=1 --set model.tau_w_mmu=9 --set duration_ms=9",
		  "- --set topology.smt, model.tau_w_mmu, …: " ORIENTATION LOST "\n" },
		{ "--format cover --set duration_ms=50",
		  "[1] --set duration_ms: published figures are of the scenario as it\n"
		  "    stands, so they are for orientation, and what was calibrated no\n"
		  "    longer is\n" },
		{ "--set duration_ms=50",
		  "- --set duration_ms: published figures are of the scenario as it stands, so\n"
		  "  they are for orientation, and what was calibrated no longer is\n" },
		{ "--format json --calibrate", NULL },
		{ "--format json --calibrate --set topology.smt=1",
		  "\"--set topology.smt: " ORIENTATION "\"" },
	};

	struct cli_result r;

	write_scenario(CALIBRATED("4000000"));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_scenario(cases[i].args, &r);
		if (cases[i].note ? !strstr(r.text, cases[i].note) :
				    !!strstr(r.text, "orientation"))
			fail_msg("%s: %s", cases[i].args, r.text);
	}
	write_scenario(HEAD "\"duration_ms\": 5,\n" TOPOLOGY WORKLOAD TAIL);
	run_scenario("--set duration_ms=6", &r);
	assert_int_equal(r.status, 0);
	assert_null(strstr(r.text, "orientation")); /* nothing is published */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_scenario_runs),
		cmocka_unit_test(the_model_can_be_set),
		cmocka_unit_test(bad_files_are_refused_with_their_line),
		cmocka_unit_test(bad_arguments_are_refused),
		cmocka_unit_test(bad_commands_are_refused),
		cmocka_unit_test(a_key_set_twice_has_its_last_value),
		cmocka_unit_test(tables_are_at_most_100_columns_wide),
		cmocka_unit_test(a_missing_file_is_one_line),
		cmocka_unit_test(an_import_refuses_pipes),
		cmocka_unit_test(a_limit_on_files_is_told),
		cmocka_unit_test(a_prediction_out_of_its_tolerance_fails),
		cmocka_unit_test(wrong_options_are_one_line),
		cmocka_unit_test(output_files_are_replaced_or_left),
		cmocka_unit_test(a_value_that_cannot_be_is_told),
		cmocka_unit_test(a_reader_that_leaves_is_no_error),
		cmocka_unit_test(a_target_out_of_reach_is_told),
		cmocka_unit_test(published_figures_are_of_the_file),
	};

	return cmocka_run_group_tests_name("run", tests, setup, teardown);
}
