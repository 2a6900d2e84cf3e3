// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lifting: small captures whose intents follow by hand from docs/lifting.md,
 * and the real ones, with counts from grep and awk.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/lift.h"

static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };

struct fixture {
	struct mem *mem;
	struct trace_facts facts;
	struct trace_lifted lifted;
	char *native;
};

static int lift(struct fixture *f, struct trace_source *first, struct trace_source *second,
		uint64_t hz, struct err *err)
{
	struct trace_reader *r = trace_reader_on(first, false, err);
	struct trace_sink *sink;
	char name[64];
	size_t len;

	f->mem = mem_new();
	snprintf(name, sizeof(name), "/tmp/hvsim-lift-%d", (int)getpid());
	assert_int_equal(trace_facts_read(&f->facts, r, &limits, hz, err), 0);
	trace_reader_close(r);
	r = trace_reader_on(second, false, err);
	sink = trace_sink_open(name, TRACE_PLAIN, err);
	assert_int_equal(trace_lift(&f->lifted, r, &limits, &f->facts, sink, err), 0);
	trace_reader_close(r);
	assert_int_equal(trace_sink_commit(sink, err), 0);
	f->native = file_read(f->mem, name, &len, err);
	assert_non_null(f->native);
	return unlink(name);
}

static void done(struct fixture *f)
{
	trace_facts_done(&f->facts);
	mem_free(f->mem);
}

static void lift_text(struct fixture *f, const char *s, uint64_t hz)
{
	struct err err = ERR_INIT;

	lift(f, trace_source_bytes("t", s, strlen(s)), trace_source_bytes("t", s, strlen(s)), hz,
	     &err);
}

static void lift_real(struct fixture *f, const char *name, uint64_t hz)
{
	struct err err = ERR_INIT;
	char path[4096];

	snprintf(path, sizeof(path), "%s/traces/real/%s", getenv("HVSIM_DATA"), name);
	lift(f, trace_source_open(path, &err), trace_source_open(path, &err), hz, &err);
}

/* The intents alone. */
static const char *intents(const struct fixture *f)
{
	const char *s = strstr(f->native, "\nvcpu");

	assert_non_null(s);
	return strchr(s + 1, '\n') + 1;
}

#define ENTER(ts, pc, pexcp) "a-1 [000] d.... " ts ": kvm_guest_enter: VCPU 0: pc=" pc " pexcp=" pexcp \
	" ceded=0\n"
#define EXIT(ts, trap, pc) "a-1 [000] ..... " ts ": kvm_guest_exit: VCPU 0: trap=" trap " pc=" pc \
	" msr=0x0, ceded=0\n"
#define CEDE(ts) "a-1 [000] ..... " ts ": kvm_guest_exit: VCPU 0: trap=0x0 pc=0x77 msr=0x0, ceded=1\n"
#define HCALL(ts, name) "a-1 [000] ..... " ts ": kvm_hcall_enter: VCPU 0: hcall=" name \
	" GPR4-7=0x0,0x0,0x0,0x0\n"

static void a_policy_that_blocks(void **state)
{
	/*
	 * The shortest entered turn is 10 us: the floor. Work 100 - 10 us, then L1's timer in the
	 * middle of it (twice not entered, from 101 us to 104 us), 300 - 10 us more; a fault; 10 -
	 * 10 us and an hcall; a sleep of 10 ms that the decrementer ended; a sleep that an
	 * interrupt ended 2 ms later.
	 */
	static const char text[] =
		ENTER("1.000000", "0x10", "0x0") EXIT("1.000100", "HV_DECREMENTER", "0x20")
		ENTER("1.000101", "0x20", "0x0") EXIT("1.000102", "HV_DECREMENTER", "0x20")
		ENTER("1.000103", "0x20", "0x0") EXIT("1.000104", "HV_DECREMENTER", "0x20")
		ENTER("1.000200", "0x20", "0x0") EXIT("1.000500", "H_DATA_STORAGE", "0x30")
		ENTER("1.000600", "0x30", "0x0") EXIT("1.000610", "SYSCALL", "0x40")
		HCALL("1.000611", "H_LOGICAL_CI_LOAD")
		ENTER("1.000700", "0x40", "0x0") CEDE("1.000800")
		ENTER("1.010800", "0xc000000000004900", "0x8000") CEDE("1.010900")
		ENTER("1.012900", "0xc000000000004500", "0x4000") EXIT("1.013000", "EXTERNAL", "0x50");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_int_equal(f.facts.floor_ns, 10000);
	assert_false(f.facts.spins);
	assert_string_equal(intents(&f),
			    "0 tick 100000\n0 late 101000 3000 2\n0 compute 380000\n0 fault data\n"
			    "0 hcall H_LOGICAL_CI_LOAD\n"
			    "0 compute 90000\n0 ran 0 800000\n0 timer 10000000\n0 idle\n"
			    "0 compute 90000\n0 ran 10800000 100000\n0 irq 12900000\n0 idle\n"
			    "0 host EXTERNAL 13000000\n"
			    "0 ran 12900000 100000\n0 compute 90000\n"
			    "end 13000000\n");
	assert_int_equal(f.lifted.count[TRACE_X_NOT_ENTERED], 2);
	assert_int_equal(f.lifted.doubts, 0);
	done(&f);
}

static void a_policy_that_spins(void **state)
{
	/*
	 * Four cedes, each but the last back after 20 us with an exception pending: one idle period from
	 * the first cede, at 100 us, to the fault's stretch (100 us from 580 us on): 480 us.
	 */
	static const char text[] =
		ENTER("1.000000", "0x10", "0x8000") CEDE("1.000100")
		ENTER("1.000120", "0x77", "0x8000") CEDE("1.000220")
		ENTER("1.000240", "0x77", "0x8000") EXIT("1.000320", "HV_DECREMENTER", "0x78")
		ENTER("1.000330", "0x78", "0x8000") CEDE("1.000430")
		ENTER("1.000450", "0x77", "0x8000") CEDE("1.000550")
		ENTER("1.000580", "0x77", "0x8000") EXIT("1.000680", "H_INST_STORAGE", "0x30");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_true(f.facts.spins);
	assert_int_equal(f.facts.pending, 4);
	assert_int_equal(f.facts.straight, 4);
	assert_int_equal(f.facts.straight_dec, 4);
	assert_int_equal(f.facts.floor_ns, 80000);
	assert_string_equal(intents(&f),
			    "0 compute 20000\n0 tick 320000\n0 timer 480000 ?\n0 idle ?\n"
			    "0 compute 20000 ?\n0 fault inst\n0 ran 0 680000\nend 680000\n");
	assert_int_equal(f.lifted.count[TRACE_X_SPURIOUS], 4);
	assert_int_equal(f.lifted.count[TRACE_X_MERGED], 1);
	done(&f);
}

/*
 * Three turns of work that lie 2 ms apart: 2 ms are the thread's without a CPU. In the spinning
 * part an idle period of 100 us to 2,320 us holds 2,000 us of that: 220 us are left of it.
 */
static void long_gaps_are_the_hosts(void **state)
{
	static const char text[] =
		ENTER("1.000000", "0x10", "0x0") EXIT("1.000100", "HV_DECREMENTER", "0x20")
		ENTER("1.002100", "0x20", "0x0") EXIT("1.002110", "H_INST_STORAGE", "0x30");
	static const char spins[] =
		ENTER("1.000000", "0x10", "0x4000") CEDE("1.000100")
		ENTER("1.000120", "0x77", "0x4000") CEDE("1.000200")
		ENTER("1.000220", "0x77", "0x4000") CEDE("1.000300")
		ENTER("1.002300", "0x77", "0x4000") CEDE("1.002320");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_string_equal(intents(&f),
			    "0 tick 100000\n0 away 100000 2000000\n0 compute 90000\n0 fault inst\n"
			    "0 ran 0 2110000\nend 2110000\n");
	done(&f);
	lift_text(&f, spins, 0);
	assert_true(f.facts.spins);
	assert_string_equal(intents(&f),
			    "0 compute 80000\n0 away 300000 2000000\n0 ran 0 2320000\n"
			    "0 timer 220000 ?\n0 idle ?\nend 2320000\n");
	assert_int_equal(f.lifted.count[TRACE_X_AWAY], 1);
	done(&f);
}

/* A capture that begins with a cede inside a spin: its entry isn't there, the exception is. */
static void a_spin_may_begin_before_the_capture(void **state)
{
	static const char text[] =
		CEDE("1.000000")
		ENTER("1.000009", "0x77", "0x4000") CEDE("1.000109")
		ENTER("1.000118", "0x77", "0x4000") CEDE("1.000218")
		ENTER("1.000227", "0x77", "0x4000") EXIT("1.000327", "H_DATA_STORAGE", "0x30");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_true(f.facts.spins);
	assert_string_equal(intents(&f), "0 timer 227000 ?\n0 idle ?\n0 fault data\n"
			    "0 ran 0 327000\nend 327000\n");
	done(&f);
}

/*
 * Two CPUs of L1 tick every 4 ms, 2 ms apart: by the period of 1 ms all 12 exits are in step, but
 * they fill two of the four parts. Each vCPU has the tick of its own CPU.
 */
static void two_grids_are_not_a_faster_one(void **state)
{
	struct text text = { 0 };
	struct fixture f;

	for (unsigned n = 1; n <= 6; n++)
		for (unsigned v = 0; v < 2; v++)
			text_add(&text,
				 "a-%u [00%u] d.... 1.%06u: kvm_guest_enter: VCPU %u: pc=0x10 "
				 "pexcp=0x0 ceded=0\n"
				 "a-%u [00%u] ..... 1.%06u: kvm_guest_exit: VCPU %u: "
				 "trap=HV_DECREMENTER pc=0x20 msr=0x0, ceded=0\n",
				 v, v, 4000 * n + 2000 * v - 500, v, v, v, 4000 * n + 2000 * v, v);
	lift_text(&f, text.s, 0);
	assert_int_equal(f.facts.l1_hz, 250);
	assert_true(f.facts.hz_assumed);
	/* From the first event, at 3.5 ms of 4: the first ticks at 0, the second at 2. */
	assert_non_null(strstr(f.native, "\nvcpu 0 at 0 tick 500000\n"));
	assert_non_null(strstr(f.native, "\nvcpu 1 at 2000000 tick 2500000\n"));
	text_free(&text);
	done(&f);
}

/* A guest that only computes shows no turn that is entry and exit alone: its work stays its own. */
static void a_busy_guest_keeps_its_work(void **state)
{
	static const char text[] =
		ENTER("1.000000", "0x10", "0x0") EXIT("1.003950", "HV_DECREMENTER", "0x20")
		ENTER("1.004000", "0x20", "0x0") EXIT("1.007950", "HV_DECREMENTER", "0x30");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_int_equal(f.facts.floor_ns, 100000);
	assert_true(f.facts.floor_capped);
	assert_non_null(strstr(intents(&f), "\n0 compute 7700000\n")); /* 2 (3950 - 100) us */
	assert_non_null(strstr(f.native, "a guess: the shortest turn is longer"));
	done(&f);
}

/* Between turns that didn't enter a thread doesn't stand still for 100 us of its own will. */
static void a_gap_parts_late_turns(void **state)
{
	static const char text[] =
		ENTER("1.000000", "0x10", "0x0") EXIT("1.000100", "SYSCALL", "0x20")
		HCALL("1.000100", "H_LOGICAL_CI_LOAD")
		ENTER("1.000101", "0x20", "0x0") EXIT("1.000102", "HV_DECREMENTER", "0x20")
		ENTER("1.000103", "0x20", "0x0") EXIT("1.000104", "HV_DECREMENTER", "0x20")
		ENTER("1.000204", "0x20", "0x0") EXIT("1.000205", "HV_DECREMENTER", "0x20");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_string_equal(intents(&f), "0 hcall H_LOGICAL_CI_LOAD\n0 late 101000 3000 2\n"
			    "0 away 104000 100000\n0 late 204000 1000 1\n0 ran 0 205000\nend 205000\n");
	done(&f);
}

/* What ended turns is L1's own, and is given as it was, however late it came. */
static void ticks_are_kept_as_they_came(void **state)
{
	static const char text[] =
		ENTER("1.000000", "0x10", "0x0") EXIT("1.001000", "HV_DECREMENTER", "0x20")
		ENTER("1.001100", "0x20", "0x0") EXIT("1.010000", "HV_DECREMENTER", "0x30")
		ENTER("1.010100", "0x30", "0x0") EXIT("1.015000", "HV_DECREMENTER", "0x40");
	struct fixture f;

	lift_text(&f, text, 250);
	assert_string_equal(intents(&f), "0 tick 1000000\n0 tick 10000000\n0 tick 15000000\n"
			    "0 ran 0 15000000\n0 compute 14500000\nend 15000000\n");
	assert_non_null(strstr(f.native, "\nl1-hz 250\n"));
	assert_non_null(strstr(f.native, "\nvcpu 0 at 0 tick 1000000\n"));
	done(&f);
}

/*
 * HV_DECREMENTER exits at 1 ms of every 4: with 7 of 7 in a quarter the chance of that is
 * (4 * 7 - 7) / sqrt(3 * 7) = 4.6 standard deviations away, with 6 of 6 it is 4.2: not shown.
 * Every 1 ms is no rate for turns of 2.5 ms, though it fits the times as well.
 */
static void a_grid_has_to_show(void **state)
{
	struct text text = { 0 };
	struct fixture f;

	for (unsigned n = 1; n <= 7; n++) {
		text_add(&text, ENTER("1.%06u", "0x10", "0x0") EXIT("1.%06u", "HV_DECREMENTER", "0x20"),
			 4000 * n - 1500, 4000 * n + 1000);
		lift_text(&f, text.s, 0);
		assert_int_equal(f.facts.hz_assumed, n < 7);
		assert_int_equal(f.facts.l1_hz, 250);
		assert_int_equal(f.facts.grid_start_ns, 1000000);
		assert_int_equal(strstr(f.native, "which the trace doesn't show") != NULL, n < 7);
		assert_int_equal(f.lifted.count[TRACE_X_HDEC_GRID], n < 7 ? 0 : 7);
		done(&f);
	}
	text_free(&text);
}

static void an_hcall_without_its_event_is_kept_in_doubt(void **state)
{
	static const char text[] =
		ENTER("1.000000", "0x10", "0x0") EXIT("1.000100", "SYSCALL", "0x20")
		ENTER("1.000200", "0x20", "0x0") EXIT("1.000300", "H_EMUL_ASSIST", "0x30");
	struct fixture f;

	lift_text(&f, text, 0);
	assert_string_equal(intents(&f),
			    "0 hcall unknown ?\n0 other H_EMUL_ASSIST\n0 ran 0 300000\nend 300000\n");
	assert_int_equal(f.lifted.count[TRACE_X_HCALL_UNNAMED], 1);
	done(&f);
}

static void nestedv2_idle_is_idle(void **state)
{
	struct fixture f;

	lift_real(&f, "nestedv2-idle-2vcpu.ftrace.txt", 250);
	assert_true(f.facts.spins);
	assert_int_equal(f.facts.straight, 215);
	/* Every entry has 0x4000 pending: bit 14, an external interrupt. */
	assert_int_equal(f.facts.straight_ext, 215);
	assert_int_equal(f.facts.straight_dec, 0);
	assert_int_equal(f.lifted.count[TRACE_X_NOT_ENTERED], 770);
	assert_int_equal(f.lifted.count[TRACE_X_SPURIOUS], 215);
	assert_int_equal(f.lifted.count[TRACE_X_LOST_CPU], 3);
	/* 218 cedes become one idle period a vCPU. */
	assert_int_equal(f.lifted.count[TRACE_X_MERGED], 2);
	assert_int_equal(f.lifted.count[TRACE_X_IDLE_UNKNOWN], 2);
	done(&f);
}

static void nestedv1_sleeps_end_by_timers_and_interrupts(void **state)
{
	struct fixture f;

	lift_real(&f, "nestedv1-sleep10ms-2vcpu.ftrace.txt", 0);
	assert_false(f.facts.spins);
	assert_int_equal(f.facts.l1_hz, 250); /* the kernel's configuration */
	/* Entries after a cede: 5 of vCPU 0 at 0x4900, 8 of vCPU 1 at 0x4500. */
	assert_int_equal(f.lifted.count[TRACE_X_IDLE_TIMER], 5);
	assert_int_equal(f.lifted.count[TRACE_X_IDLE_IRQ], 8);
	assert_int_equal(f.lifted.count[TRACE_X_FAULT], 47);
	assert_int_equal(f.lifted.count[TRACE_X_HDEC_GRID] + f.lifted.count[TRACE_X_HDEC_OFF] +
			 f.lifted.count[TRACE_X_NOT_ENTERED], 368);
	done(&f);
}

static void hcalls_keep_their_names(void **state)
{
	struct fixture f;

	lift_real(&f, "nestedv2-hcalls-1vcpu.ftrace.txt", 0);
	assert_int_equal(f.lifted.count[TRACE_X_HCALL], 82);
	assert_int_equal(f.lifted.doubts, 0);
	assert_non_null(strstr(f.native, "0 hcall H_GET_TERM_CHAR\n"));
	done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_that_blocks),
		cmocka_unit_test(a_policy_that_spins),
		cmocka_unit_test(long_gaps_are_the_hosts),
		cmocka_unit_test(a_spin_may_begin_before_the_capture),
		cmocka_unit_test(two_grids_are_not_a_faster_one),
		cmocka_unit_test(a_busy_guest_keeps_its_work),
		cmocka_unit_test(a_gap_parts_late_turns),
		cmocka_unit_test(ticks_are_kept_as_they_came),
		cmocka_unit_test(a_grid_has_to_show),
		cmocka_unit_test(an_hcall_without_its_event_is_kept_in_doubt),
		cmocka_unit_test(nestedv2_idle_is_idle),
		cmocka_unit_test(nestedv1_sleeps_end_by_timers_and_interrupts),
		cmocka_unit_test(hcalls_keep_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
