// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The same 200 events as ftrace, trace-cmd report and perf script print them,
 * plain and packed (by gzip, xz and zstd): tests/data/trace was made from the
 * first lines of traces/real/nestedv2-idle-2vcpu.ftrace.txt with the tools'
 * print formats. Every one must give the same turns.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/stats.h"

#define US UINT64_C(1000)

static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };

static const char *data_path(char *buf, size_t n, const char *name)
{
	snprintf(buf, n, "%s/%s", getenv("HVSIM_DATA"), name);
	return buf;
}

static void read_file(struct trace_stats *s, struct trace_reader **r, const char *name,
		      const struct trace_filter *filter)
{
	struct err err = ERR_INIT;
	char path[4096];

	*r = trace_reader_open(data_path(path, sizeof(path), name), false, &err);
	assert_non_null(*r);
	assert_int_equal(trace_stats_read(s, *r, &limits, filter, &err), 0);
}

static void every_format_gives_the_same_turns(void **state)
{
	static const struct { const char *name; enum trace_format format; bool tids; } files[] = {
		{ "ftrace.txt", TRACE_F_FTRACE, true }, { "ftrace.txt.gz", TRACE_F_FTRACE, true },
		{ "ftrace.txt.xz", TRACE_F_FTRACE, true }, { "ftrace.txt.zst", TRACE_F_FTRACE, true },
		{ "trace-cmd.txt", TRACE_F_TRACE_CMD, true }, { "perf.txt", TRACE_F_PERF, true },
		{ "perf-pid-tid.txt", TRACE_F_PERF, true },
		{ "perf-time-event.txt", TRACE_F_PERF, false },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct trace_stats s;
		struct trace_reader *r;
		char name[200];

		snprintf(name, sizeof(name), "tests/data/trace/%s", files[i].name);
		read_file(&s, &r, name, NULL);
		assert_int_equal(r->parser.format, files[i].format);
		assert_int_equal(s.events, 200);
		assert_int_equal(s.n, 2);
		assert_int_equal(s.v[0].tid, files[i].tids ? 150 : -1);
		assert_int_equal(s.v[0].vcpu, 0);
		/* grep -c over those 200 lines: 99 exits, 97 of them 0x0 and 2 HV_DECREMENTER. */
		assert_int_equal(s.v[0].ceded + s.v[1].ceded, 97);
		assert_int_equal(trace_vstats_turns(&s.v[0]) + trace_vstats_turns(&s.v[1]), 99);
		assert_int_equal(trace_problem_total(&r->problems), 1); /* the entry in the first line */
		trace_stats_done(&s);
		trace_reader_close(r);
	}
}

static void cut_packed_data_is_read_up_to_the_cut(void **state)
{
	static const char *const names[] = { "ftrace.txt.gz", "ftrace.txt.zst" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		struct trace_stats s;
		struct trace_reader *r;
		char path[4096], name[200];
		size_t len;
		char *bytes;

		snprintf(name, sizeof(name), "tests/data/trace/%s", names[i]);
		bytes = file_read(mem, data_path(path, sizeof(path), name), &len, &err);
		assert_non_null(bytes);
		r = trace_reader_on(trace_source_bytes("cut", bytes, len - 5), false, &err);
		assert_non_null(r);
		trace_stats_read(&s, r, &limits, NULL, &err);
		assert_int_equal(r->problems.count[TRACE_P_DAMAGED], 1);
		trace_stats_done(&s);
		trace_reader_close(r);
		mem_free(mem);
	}
}

/* Lines that aren't printed to the letter take another way through the parser, to the same end. */
static void field_order_and_blanks_do_not_matter(void **state)
{
	static const char plain[] =
		"a-7 [001] d.... 1.000000: kvm_guest_enter: VCPU 3: pc=0xc000000000004500 pexcp=0x4000 "
		"ceded=0\n"
		"a-7 [001] ..... 1.000100: kvm_guest_exit: VCPU 3: trap=H_VIRT pc=0xffffffffffffffff "
		"msr=0x8000000000001033, ceded=1\n"
		"a-7 [001] d.... 1.000103: kvm_guest_enter: VCPU 3: pc=0x0 pexcp=0x0 ceded=0\n";
	static const char other[] =
		"a-7 [001] d.... 1.000000: kvm_guest_enter: VCPU 3: ceded=0  pexcp=0x4000 "
		"pc=0xC000000000004500\n"
		"a-7 [001] ..... 1.000100: kvm_guest_exit: VCPU 3:  pc=0xffffffffffffffff, ceded=1, "
		"msr=0x8000000000001033 trap=0xea0\n"
		"a-7 [001] d.... 1.000103: kvm_guest_enter: VCPU   3: pc=0 pexcp=0 ceded=0 new=1\n";
	struct err err = ERR_INIT;
	struct trace_reader *a, *b;
	struct trace_event x, y;

	a = trace_reader_on(trace_source_bytes("a", plain, sizeof(plain) - 1), true, &err);
	b = trace_reader_on(trace_source_bytes("b", other, sizeof(other) - 1), true, &err);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(trace_reader_next(a, &x, &err), 1);
		assert_int_equal(trace_reader_next(b, &y, &err), 1);
		assert_int_equal(x.vcpu, 3);
		assert_int_equal(y.vcpu, 3);
		assert_int_equal(x.pc, y.pc);
		assert_int_equal(x.pexcp, y.pexcp);
		assert_int_equal(x.ceded, y.ceded);
		assert_int_equal(x.cause, y.cause);
	}
	trace_reader_close(a);
	trace_reader_close(b);
}

/* Within the histogram's error: never below, at most 1/64 above. */
static void assert_quantile(uint64_t got, uint64_t exact)
{
	assert_in_range(got, exact, exact + exact / 64);
}

/* Medians measured by hand from the capture with awk and sort. */
static void percentiles_of_the_idle_capture(void **state)
{
	const struct trace_filter ceded = { .cause = "0x0", .vcpu = -1 };
	struct trace_stats s;
	struct trace_reader *r;

	read_file(&s, &r, "traces/real/nestedv2-idle-2vcpu.ftrace.txt", &ceded);
	assert_int_equal(s.v[0].dist[TRACE_D_GUEST].count, 101);
	assert_int_equal(s.v[0].dist[TRACE_D_GUEST].min, 76 * US);
	assert_quantile(hist_quantile(&s.v[0].dist[TRACE_D_GUEST], 1, 2), 175 * US);
	assert_int_equal(s.v[1].dist[TRACE_D_GUEST].count, 117);
	assert_int_equal(s.v[1].dist[TRACE_D_GUEST].min, 76 * US);
	assert_quantile(hist_quantile(&s.v[1].dist[TRACE_D_GUEST], 1, 2), 135 * US);
	assert_int_equal(s.v[0].dist[TRACE_D_CEDE].min, 16 * US);
	assert_quantile(hist_quantile(&s.v[0].dist[TRACE_D_CEDE], 1, 2), 23 * US);
	assert_int_equal(s.dist[TRACE_D_BLOCK].count, 3);
	assert_int_equal(s.dist[TRACE_D_BLOCK].max, 4312 * US);
	assert_int_equal(s.dist[TRACE_D_BURST].count, 3);
	assert_int_equal(s.dist[TRACE_D_BURST].sum, 770);
	trace_stats_done(&s);
	trace_reader_close(r);
}

static void other_events_are_counted(void **state)
{
	static const char text[] =
		"a 1 [000] 1.000000: kvm_hv:kvm_hcall_enter: VCPU 0: hcall=H_CEDE "
		"GPR4-7=0x0,0x0,0x0,0x0\n"
		"a 1 [000] 1.000001: kvm_hv:kvm_hcall_exit: VCPU 0: ret=RESUME_GUEST "
		"hcall_rc=H_SUCCESS\n"
		"a 1 [000] 1.000002: kvm_hv:kvm_page_fault_enter: VCPU 0: hpte=0x0:0x0 guest=0x0 "
		"ea=0x10,2000000 slot=0x0,0x0\n"
		"a 1 [000] 1.000003: kvm_hv:kvmppc_run_vcpu_enter: VCPU 0: tgid=1\n"
		"a 1 [000] 1.000004: kvm_hv:kvmppc_vcore_blocked: wait runner_vcpu=0 runnable=1 "
		"tgid=1\n"
		"a 1 [000] 1.000005: probe:kvmppc_gsb_recv: (c008000001234567)\n"
		"a 1 [000] 1.000006: probe:kvmppc_gsb_recv: (c008000001234567)\n"
		"a 1 [000] 1.000007: powerpc:hcall_entry: opcode=1152\n"
		"a 1 [000] 1.000008: sched:sched_switch: prev_comm=a prev_pid=1\n";
	struct err err = ERR_INIT;
	struct trace_stats s;
	struct trace_reader *r;
	unsigned probes = 0;

	r = trace_reader_on(trace_source_bytes("t", text, sizeof(text) - 1), true, &err);
	assert_int_equal(trace_stats_read(&s, r, &limits, NULL, &err), 0);
	assert_int_equal(s.events, 9);
	assert_string_equal(r->parser.hcalls.w[0].s, "H_CEDE");
	assert_string_equal(r->parser.hcalls.w[1].s, "L1:1152");
	for (unsigned i = 0; i < r->parser.events.n; i++)
		if (!strcmp(r->parser.events.w[i].s, "probe:kvmppc_gsb_recv"))
			probes += (unsigned)r->parser.events.w[i].count;
	assert_int_equal(probes, 2);
	trace_stats_done(&s);
	trace_reader_close(r);
}

/* Exits of kernels before 5.10 name no vCPU: the thread tells. */
static void old_x86_exits_belong_to_their_thread(void **state)
{
	static const char text[] =
		"a 7 [000] 1.000000: kvm:kvm_entry: vcpu 3\n"
		"b 8 [001] 1.000000: kvm:kvm_entry: vcpu 0\n"
		"a 7 [000] 1.000010: kvm:kvm_exit: reason HLT rip 0x81 info 0 0\n"
		"b 8 [001] 1.000020: kvm:kvm_exit: reason MSR_WRITE rip 0x81 info 0 0\n"
		"a 7 [000] 1.002010: kvm:kvm_entry: vcpu 3\n";
	struct err err = ERR_INIT;
	struct trace_stats s;
	struct trace_reader *r;

	r = trace_reader_on(trace_source_bytes("t", text, sizeof(text) - 1), true, &err);
	assert_int_equal(trace_stats_read(&s, r, &limits, NULL, &err), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.v[0].guest_ns, 10 * US);
	assert_int_equal(s.v[1].guest_ns, 20 * US);
	assert_int_equal(s.v[0].blocked, 1); /* 2 ms after HLT */
	assert_int_equal(s.v[1].ceded, 0);
	trace_stats_done(&s);
	trace_reader_close(r);
}

static int status_of(const char *args)
{
	char cmd[8192];
	int status;

	snprintf(cmd, sizeof(cmd), "cd '%s' && '%s' trace %s >/dev/null 2>&1", getenv("HVSIM_DATA"),
		 getenv("HVSIM"), args);
	status = system(cmd);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void exit_status(void **state)
{
	static const struct { const char *args; int status; } runs[] = {
		{ "info traces/real/nestedv2-idle-2vcpu.ftrace.txt", 0 },
		{ "info - <tests/data/trace/perf.txt", 0 },
		{ "hist --of cede tests/data/trace/perf.txt", 0 },
		{ "import -o /tmp/hvsim-import-test.gz traces/real/nestedv2-idle-2vcpu.ftrace.txt", 0 },
		{ "info /tmp/hvsim-import-test.gz", 2 },
		{ "convert -o /tmp/hvsim-import-test.xz /tmp/hvsim-import-test.gz", 0 },
		{ "convert -o /tmp/hvsim-import-test.no docs/style.md", 2 },
		{ "convert -o /dev/null /tmp/hvsim-import-test.xz", 0 },
		{ "synth -o /tmp/hvsim-import-test.gz traces/synth/sleep10ms.workload.json", 0 },
		{ "synth traces/synth/sleep10ms.workload.json", 2 }, { "synth --help", 0 },
		{ "import traces/real/nestedv2-idle-2vcpu.ftrace.txt", 2 }, { "import --help", 0 },
		{ "convert --help", 0 }, { "import -o - docs/style.md", 2 },
		{ "--help", 0 }, { "info --help", 0 }, { "hist --help", 0 },
		{ "info --strict traces/real/nestedv2-idle-2vcpu.ftrace.txt", 2 },
		{ "info docs/style.md", 2 }, { "info nothing-there", 2 }, { "info", 2 }, { "inf", 2 },
		{ "info --format=xml tests/data/trace/perf.txt", 2 },
		{ "hist --of=exits tests/data/trace/perf.txt", 2 },
		{ "info -o /dev/full tests/data/trace/perf.txt", 2 },
	};

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		if (status_of(runs[i].args) != runs[i].status)
			fail_msg("hvsim trace %s: exit status %d, not %d", runs[i].args,
				 status_of(runs[i].args), runs[i].status);
	unlink("/tmp/hvsim-import-test.gz");
	unlink("/tmp/hvsim-import-test.xz");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_gives_the_same_turns),
		cmocka_unit_test(cut_packed_data_is_read_up_to_the_cut),
		cmocka_unit_test(field_order_and_blanks_do_not_matter),
		cmocka_unit_test(percentiles_of_the_idle_capture),
		cmocka_unit_test(other_events_are_counted),
		cmocka_unit_test(old_x86_exits_belong_to_their_thread),
		cmocka_unit_test(exit_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
