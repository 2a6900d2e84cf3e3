// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole traces: the real captures (counts taken from them with grep and awk
 * before this code ran) and traces written by hand for what goes wrong.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "trace/stats.h"

#define US UINT64_C(1000)

struct fixture {
	struct trace_stats s;
	struct trace_reader *r;
	struct err err;
	int status;
};

static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };

static void done(struct fixture *f)
{
	trace_stats_done(&f->s);
	trace_reader_close(f->r);
	f->r = NULL;
}

static void read_source(struct fixture *f, struct trace_source *src, bool strict)
{
	*f = (struct fixture){ .err = ERR_INIT };
	assert_non_null(src);
	f->r = trace_reader_on(src, strict, &f->err);
	assert_non_null(f->r);
	f->status = trace_stats_read(&f->s, f->r, &limits, NULL, &f->err);
}

static void read_real(struct fixture *f, const char *name)
{
	struct err err = ERR_INIT;
	char path[4096];

	snprintf(path, sizeof(path), "%s/traces/real/%s", getenv("HVSIM_DATA"), name);
	read_source(f, trace_source_open(path, &err), false);
	assert_int_equal(f->status, 0);
}

static void read_text(struct fixture *f, const char *text, bool strict)
{
	read_source(f, trace_source_bytes("t", text, strlen(text)), strict);
}

static uint64_t turns(const struct fixture *f, const char *cause, enum trace_how how)
{
	const struct trace_words *w = &f->r->parser.causes;
	uint64_t n = 0;

	for (unsigned c = 0; c < w->n; c++)
		for (size_t v = 0; v < f->s.n && !strcmp(w->w[c].s, cause); v++)
			n += c < f->s.v[v].n_causes ? f->s.v[v].causes[c].how[how] : 0;
	return n;
}

static void assert_turns(const struct fixture *f, const char *cause, uint64_t entered,
			 uint64_t not_entered, uint64_t unknown)
{
	assert_int_equal(turns(f, cause, TRACE_ENTERED), entered);
	assert_int_equal(turns(f, cause, TRACE_NOT_ENTERED), not_entered);
	assert_int_equal(turns(f, cause, TRACE_UNPAIRED), unknown);
}

static void nestedv2_idle(void **state)
{
	struct fixture f;

	read_real(&f, "nestedv2-idle-2vcpu.ftrace.txt");
	assert_int_equal(f.s.events, 1988);
	assert_int_equal(f.s.last_ns - f.s.first_ns, 30596 * US);
	assert_int_equal(f.s.n, 2);
	assert_turns(&f, "HV_DECREMENTER", 4, 770, 0);
	assert_turns(&f, "0x0", 218, 0, 0);
	assert_turns(&f, "H_VIRT", 1, 0, 0); /* printed as 0xea0 by this kernel */
	assert_int_equal(f.s.v[0].turns[TRACE_NOT_ENTERED], 11);
	assert_int_equal(f.s.v[1].turns[TRACE_NOT_ENTERED], 759);
	assert_int_equal(f.s.v[0].ceded, 101);
	assert_int_equal(f.s.v[1].ceded, 117);
	assert_int_equal(f.s.v[0].blocked, 2);  /* gaps of 3299 and 4312 us */
	assert_int_equal(f.s.v[1].blocked, 1);  /* 1781 us; 457 us is below the limit */
	assert_int_equal(f.s.v[0].not_blocked + f.s.v[1].not_blocked, 215);
	/* Line 13 is an entry whose exit came before exits were switched on. */
	assert_int_equal(f.r->problems.count[TRACE_P_NO_EXIT], 1);
	assert_int_equal(f.r->problems.line[TRACE_P_NO_EXIT][0], 13);
	assert_int_equal(trace_problem_total(&f.r->problems), 1);
	done(&f);
}

static void nestedv1_sleep(void **state)
{
	struct fixture f;

	read_real(&f, "nestedv1-sleep10ms-2vcpu.ftrace.txt");
	assert_int_equal(f.s.events, 850);
	/* 348 of 368 left where they entered; 13 of those ran for 3.8 ms and more. */
	assert_turns(&f, "HV_DECREMENTER", 29, 335, 4);
	assert_int_equal(f.s.v[0].same_pc + f.s.v[1].same_pc, 13);
	assert_turns(&f, "0x0", 14, 0, 4);
	assert_turns(&f, "H_DATA_STORAGE", 39, 0, 8);
	/* Gaps: 1500 1752 2312 2546 3402 us; 25 us, and 2861 6992 7870 8071 8597 14280 69296 us. */
	assert_int_equal(f.s.v[0].blocked, 5);
	assert_int_equal(f.s.v[0].blocked_ns, (1500 + 1752 + 2312 + 2546 + 3402) * US);
	assert_int_equal(f.s.v[1].blocked, 7);
	assert_int_equal(f.s.v[1].not_blocked, 1);
	assert_int_equal(f.r->problems.count[TRACE_P_NO_ENTRY], 16);
	assert_int_equal(f.r->problems.line[TRACE_P_NO_ENTRY][0], 847);
	done(&f);
}

static void turns_that_loop_at_one_pc_did_enter(void **state)
{
	struct fixture f;

	read_real(&f, "nestedv2-arith-2vcpu.ftrace.txt");
	assert_int_equal(f.s.events, 252);
	/* 22 turns end where they began, after 2.7 to 12.4 ms. */
	assert_int_equal(f.s.v[0].same_pc + f.s.v[1].same_pc, 22);
	assert_int_equal(turns(&f, "HV_DECREMENTER", TRACE_NOT_ENTERED), 0);
	done(&f);
}

static void two_guests_are_two_vcpus(void **state)
{
	struct fixture f;

	read_real(&f, "nestedv2-hcalls-1vcpu.ftrace.txt"); /* threads 140 and 142, both VCPU 0 */
	assert_int_equal(f.s.n, 2);
	assert_int_equal(f.s.v[0].tid, 140);
	assert_int_equal(f.s.v[1].tid, 142);
	assert_int_equal(turns(&f, "SYSCALL", TRACE_ENTERED), 82);
	assert_int_equal(trace_problem_total(&f.r->problems), 0);
	done(&f);
}

#define ENTER(ts, vcpu) "a-1 [000] d.... " ts ": kvm_guest_enter: VCPU " vcpu \
	": pc=0x10 pexcp=0x0 ceded=0\n"
#define EXIT(ts, vcpu) "a-1 [000] ..... " ts ": kvm_guest_exit: VCPU " vcpu \
	": trap=SYSCALL pc=0x20 msr=0x0, ceded=0\n"

static void no_turn_spans_a_loss(void **state)
{
	struct fixture f;

	read_text(&f, ENTER("1.000000", "0") "CPU:0 [LOST 3 EVENTS]\n" EXIT("2.000000", "0")
		      ENTER("2.000005", "0") EXIT("2.000007", "0"), false);
	assert_int_equal(f.status, 0);
	assert_turns(&f, "SYSCALL", 1, 0, 1);
	assert_int_equal(f.s.v[0].guest_ns, 2 * US);
	assert_int_equal(f.r->parser.lost, 3);
	done(&f);
}

static void time_that_runs_backwards_is_a_problem(void **state)
{
	struct fixture f;

	read_text(&f, ENTER("2.000000", "0") EXIT("1.000000", "0"), false);
	assert_int_equal(f.r->problems.count[TRACE_P_BACKWARDS], 1);
	assert_int_equal(f.r->problems.line[TRACE_P_BACKWARDS][0], 2);
	assert_turns(&f, "SYSCALL", 0, 0, 1);
	done(&f);
}

/* A minute is long between two events of a busy guest; a second back is another clock. */
static void mixed_clocks_are_a_problem(void **state)
{
	struct fixture f;

	read_text(&f, ENTER("2.000000", "0") EXIT("62.000001", "0") ENTER("62.100000", "0")
		  EXIT("61.000000", "0") ENTER("120.000000", "0"), false);
	assert_int_equal(f.r->problems.count[TRACE_P_JUMP], 2);
	assert_int_equal(f.r->problems.line[TRACE_P_JUMP][0], 2);
	assert_int_equal(f.r->problems.line[TRACE_P_JUMP][1], 4);
	done(&f);
}

static void huge_vcpu_numbers_cost_nothing(void **state)
{
	struct fixture f;

	read_text(&f, ENTER("1.0", "2147483648") EXIT("1.1", "2147483648"), false);
	assert_int_equal(f.status, 0);
	assert_int_equal(f.s.n, 1);
	assert_int_equal(f.s.v[0].vcpu, UINT32_C(2147483648));
	done(&f);
}

static void vcpus_are_bounded(void **state)
{
	struct fixture f;
	struct text t = { 0 };

	for (int i = 0; i < TRACE_VCPUS_MAX + 10; i++)
		text_add(&t, "a-1 [000] d.... 1.0: kvm_guest_enter: VCPU %d: pc=0x0 pexcp=0x0 ceded=0\n",
			 i * 3);
	read_text(&f, t.s, false);
	assert_int_equal(f.s.n, TRACE_VCPUS_MAX);
	assert_int_equal(f.r->problems.count[TRACE_P_MANY], 10);
	done(&f);
	text_free(&t);
}

static void mail_wrapped_lines_are_joined(void **state)
{
	struct fixture f;

	read_text(&f, ENTER("1.000000", "0")
		      "a-1 [000] ..... 1.000009: kvm_guest_exit: VCPU 0: trap=SYSCALL\r\n"
		      "pc=0x20 msr=0x0, ceded=0\r\n" ENTER("1.000010", "0"), false);
	assert_turns(&f, "SYSCALL", 1, 0, 0);
	assert_int_equal(f.r->problems.count[TRACE_P_WRAPPED], 1);
	assert_int_equal(f.r->problems.line[TRACE_P_WRAPPED][0], 2);
	assert_int_equal(f.r->problems.count[TRACE_P_JUNK], 0);
	assert_int_equal(f.s.v[0].entries, 2);
	done(&f);
}

static void a_cut_line_is_not_joined_with_an_event(void **state)
{
	struct fixture f;

	read_text(&f, "a-1 [000] ..... 1.000009: kvm_guest_exit: VCPU 0: trap=SYS\n"
		      ENTER("1.000010", "0") "a-1 [000] ..... 1.1: kvm_guest_exit: VCPU 0: trap=0x",
		  false);
	assert_int_equal(f.r->problems.count[TRACE_P_CUT], 2);
	assert_int_equal(f.r->problems.line[TRACE_P_CUT][0], 1);
	assert_int_equal(f.r->problems.line[TRACE_P_CUT][1], 3);
	assert_int_equal(f.s.v[0].entries, 1);
	done(&f);
}

static void long_lines_are_passed_over(void **state)
{
	struct text t = { 0 };
	struct fixture f;

	for (int i = 0; i < 300; i++)
		text_add(&t, "%010000d", 0); /* 3 MB without a newline */
	text_add(&t, "\n%s%s", ENTER("1.0", "0"), EXIT("1.1", "0"));
	read_text(&f, t.s, false);
	assert_int_equal(f.r->problems.count[TRACE_P_LONG], 1);
	assert_int_equal(f.r->problems.line[TRACE_P_LONG][0], 1);
	assert_turns(&f, "SYSCALL", 1, 0, 0);
	done(&f);
	text_free(&t);
}

static void strict_stops_at_the_first_problem(void **state)
{
	struct fixture f;

	read_text(&f, ENTER("1.0", "0") "junk\n" EXIT("1.1", "0"), true);
	assert_int_equal(f.status, -1);
	assert_error_has(f.err, "t:2: not a line of a trace");
	done(&f);
}

static void what_is_no_trace_is_an_error(void **state)
{
	struct err err = ERR_INIT;
	struct fixture f;

	read_text(&f, "int main(void)\n{\n}\n", false);
	assert_int_equal(f.status, -1);
	assert_error_has(f.err, "holds no trace event");
	done(&f);
	assert_null(trace_reader_on(trace_source_bytes("p", "PERFILE2xxxxxxxxxxxx", 20), false, &err));
	assert_error_has(err, "perf script");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nestedv2_idle),
		cmocka_unit_test(nestedv1_sleep),
		cmocka_unit_test(turns_that_loop_at_one_pc_did_enter),
		cmocka_unit_test(two_guests_are_two_vcpus),
		cmocka_unit_test(no_turn_spans_a_loss),
		cmocka_unit_test(time_that_runs_backwards_is_a_problem),
		cmocka_unit_test(mixed_clocks_are_a_problem),
		cmocka_unit_test(huge_vcpu_numbers_cost_nothing),
		cmocka_unit_test(vcpus_are_bounded),
		cmocka_unit_test(mail_wrapped_lines_are_joined),
		cmocka_unit_test(a_cut_line_is_not_joined_with_an_event),
		cmocka_unit_test(long_lines_are_passed_over),
		cmocka_unit_test(strict_stops_at_the_first_problem),
		cmocka_unit_test(what_is_no_trace_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
