// SPDX-License-Identifier: GPL-2.0-or-later
/* Native traces: lines written by hand after docs/native-trace.md. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/native.h"
#include "trace/sink.h"

static const char good[] =
	"hvsim-trace 1\n"
	"source by hand\n"
	"clock ns\n"
	"floor 27000\n"
	"spin 150000\n"
	"l1-hz 250\n"
	"l1-tick 1500000\n"
	"host recorded\n"
	"assume one\n"
	"assume two\n"
	"# a comment\n"
	"vcpu 0 at 0\n"
	"0 compute 8205000\n"
	"0 fault data\n"
	"0 fault inst\n"
	"vcpu 4095 at 17\n"
	"4095 timer 2312000\n"
	"0 idle\n"
	"4095 hcall H_PUT_TERM_CHAR\n"
	"4095 ipi 0\n"
	"0 irq 4611686018427387904\n"
	"0 host H_VIRT 5\n"
	"0 other H_EMUL_ASSIST ?\n"
	"0 late 101000 3000\n"
	"0 away 7 4294967295\n"
	"0 overrun 8 9000000\n"
	"end 190388000\n";

static struct trace_native *open_text(const char *s, struct err *err)
{
	return trace_native_on(trace_source_bytes("t", s, strlen(s)), err);
}

static void what_is_read_is_written_again(void **state)
{
	struct err err = ERR_INIT;
	struct trace_native *n = open_text(good, &err);
	struct trace_intent i;
	struct text out = { 0 };
	unsigned count = 0, doubts = 0;
	int got;

	assert_non_null(n);
	while ((got = trace_native_next(n, &i, &err)) > 0) {
		if (!count)
			assert_int_equal(n->head.floor_ns, 27000);
		trace_native_put(&out, &i, n->names.w[i.name].s);
		count++;
		doubts += i.doubt;
	}
	assert_int_equal(got, 0);
	assert_int_equal(count, 13);
	assert_true(n->head.host_recorded);
	assert_int_equal(doubts, 1);
	assert_string_equal(n->head.source.s, "by hand");
	assert_string_equal(n->head.assume.s, "one\ntwo");
	assert_int_equal(n->head.spin_ns, 150000);
	assert_int_equal(n->head.l1_hz, 250);
	assert_int_equal(n->head.l1_tick_ns, 1500000);
	assert_int_equal(n->head.end_ns, 190388000);
	assert_int_equal(n->vcpus, 4096);
	assert_int_equal(n->at[4095], 17);
	for (char *line = strtok(out.s, "\n"); line; line = strtok(NULL, "\n"))
		assert_non_null(strstr(good, line));
	text_free(&out);
	trace_native_close(n);
}

static void wrong_lines_name_their_line(void **state)
{
	static const struct { const char *text, *error; } bad[] = {
		{ "", "t:1: is no native trace" },
		{ "# tracer: nop\n", "t:1: is no native trace" },
		{ "hvsim-trace 2\n", "version '2'" },
		{ "hvsim-trace 1\n0 idle\n", "t:2: vcpu 0 isn't declared" },
		{ "hvsim-trace 1\nvcpu 0\n0 idel\n", "t:3: 'idel' is no intent (did you mean 'idle'?)" },
		{ "hvsim-trace 1\nvcpu 0\n0 idle 5\n", "t:3: must be 'VCPU idle'" },
		{ "hvsim-trace 1\nvcpu 0\n0 compute\n", "must be 'VCPU compute NS'" },
		{ "hvsim-trace 1\nvcpu 0\n0 compute -5\n", "must be 'VCPU compute NS'" },
		{ "hvsim-trace 1\nvcpu 0\n0 compute 4611686018427387905\n", "compute NS" },
		{ "hvsim-trace 1\nvcpu 0\n0 fault both\n", "fault data|inst" },
		{ "hvsim-trace 1\nvcpu 0\nvcpu 0\n", "t:3: vcpu 0 is declared twice" },
		{ "hvsim-trace 1\nvcpu 4096\n", "N below 4096" },
		{ "hvsim-trace 1\nclock tb\n", "clock must be 'ns'" },
		{ "hvsim-trace 1\nflor 5\n", "did you mean 'floor'?" },
		{ "hvsim-trace 1\nhost guessed\n", "host must be 'recorded'" },
		{ "hvsim-trace 1\nvcpu 0\n0 late 5\n", "must be 'VCPU late NS SPAN'" },
		{ "hvsim-trace 1\nvcpu 0\n0 away 5 4294967296\n", "must be 'VCPU away NS SPAN'" },
		{ "hvsim-trace 1\nfloor x\n", "whole number" },
	};

	for (size_t b = 0; b < sizeof(bad) / sizeof(bad[0]); b++) {
		struct err err = ERR_INIT;
		struct trace_native *n = open_text(bad[b].text, &err);
		struct trace_intent i;

		while (n && trace_native_next(n, &i, &err) > 0)
			;
		assert_error_has(err, bad[b].error);
		trace_native_close(n);
	}
}

static void long_lines_and_nuls_are_errors(void **state)
{
	struct text t = { 0 };
	struct err err = ERR_INIT;
	struct trace_native *n;
	struct trace_intent i;

	text_add(&t, "hvsim-trace 1\n# %0600000d\n", 0);
	n = open_text(t.s, &err);
	assert_int_equal(trace_native_next(n, &i, &err), -1);
	assert_error_has(err, "t:2: line over 512 bytes");
	trace_native_close(n);
	text_free(&t);
	err = (struct err)ERR_INIT;
	n = trace_native_on(trace_source_bytes("t", "hvsim-trace 1\nvc\0pu 0\n", 22), &err);
	assert_int_equal(trace_native_next(n, &i, &err), -1);
	assert_error_has(err, "NUL");
	trace_native_close(n);
}

/* Packed by the sink, loaded as a plan: the counts of `good` by hand. */
static void packed_files_load_as_plans(void **state)
{
	static const char *const suffixes[] = { "", ".gz", ".xz", ".zst" };

	for (size_t s = 0; s < sizeof(suffixes) / sizeof(suffixes[0]); s++) {
		struct err err = ERR_INIT;
		struct trace_plan plan;
		struct trace_sink *sink;
		char name[64];

		snprintf(name, sizeof(name), "/tmp/hvsim-native-%d%s", (int)getpid(), suffixes[s]);
		sink = trace_sink_open(name, trace_pack_by_name(name), &err);
		assert_non_null(sink);
		for (const char *c = good; *c; c++) /* byte by byte: the hardest case for a packer */
			assert_int_equal(trace_sink_put(sink, c, 1, &err), 0);
		assert_int_equal(trace_sink_commit(sink, &err), 0);
		assert_int_equal(trace_plan_load(&plan, name, &err), 0);
		assert_int_equal(plan.n, 13);
		assert_int_equal(plan.vcpu[0].n, 10);
		assert_int_equal(plan.vcpu[4095].n, 3);
		assert_int_equal(plan.vcpu[4095].at_ns, 17);
		assert_int_equal(plan.vcpu[0].intent[0].ns, 8205000);
		assert_int_equal(plan.vcpu[4095].intent[2].kind, TRACE_I_IPI);
		trace_plan_done(&plan);
		unlink(name);
	}
}

static void an_aborted_sink_leaves_nothing(void **state)
{
	struct err err = ERR_INIT;
	struct trace_sink *sink;
	char name[64];

	snprintf(name, sizeof(name), "/tmp/hvsim-native-%d-no", (int)getpid());
	sink = trace_sink_open(name, TRACE_ZSTD, &err);
	assert_non_null(sink);
	assert_int_equal(trace_sink_put(sink, good, sizeof(good) - 1, &err), 0);
	trace_sink_abort(sink);
	assert_int_not_equal(access(name, F_OK), 0);
	assert_null(trace_sink_open("/nonexistent/x", TRACE_PLAIN, &err));
	assert_error_has(err, "cannot write");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_written_again),
		cmocka_unit_test(wrong_lines_name_their_line),
		cmocka_unit_test(long_lines_and_nuls_are_errors),
		cmocka_unit_test(packed_files_load_as_plans),
		cmocka_unit_test(an_aborted_sink_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
