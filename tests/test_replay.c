// SPDX-License-Identifier: GPL-2.0-or-later
/* Replay of native traces: plans and arrivals worked out by hand. */
#include "check.h"

#include <stdio.h>

#include "base/file.h"
#include "run_cli.h"
#include "hv/observer.h"
#include "v2_fixture.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

struct machine {
	struct v2_setup s;
	struct v2_result r;
	struct guest_plan plan;
	struct guest_load load;
	struct v2_arrivals arrivals;
};

/* One vCPU, no ticks, CEDE the only idle state: what is left can be followed by hand. */
static void set_up(struct machine *m, const struct guest_intent *intent, size_t n,
		   const struct v2_arrival *arrival, size_t coming)
{
	*m = (struct machine){ .plan = { intent, n }, .arrivals = { arrival, coming } };
	m->load.plan = &m->plan;
	fx_setup(&m->s, &m->load, 1, 1, 1);
	m->s.l1_tick_period = m->s.guest.tick_period = UINT64_C(1) << 60;
	m->s.guest.idle.state[0] = m->s.guest.idle.state[1];
	m->s.guest.idle.n = 1;
	m->s.duration = 1000000;
	m->s.arrivals = &m->arrivals;
}

static uint64_t sum_cycles(const struct v2_result *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_CYCLES; i++)
		sum += r->total.cycles[i];
	return sum;
}

/*
 * Cycle 0: wake 3000, enter 1000, flush 400, L0 1500; work to 6900; the hcall:
 * L0 1600, exit 900, handled 800; enter, flush, L0 to 13100. The timer is set
 * for 113100 (a multiple of 4: a timebase tick); idle 300, cede at 13400, L0
 * 1600, exit 900, block 2100: blocked from 18000 until the timer. Then wake to
 * 119000, in the guest its timer's interrupt 1000, its exit from idle 200,
 * 500 of work, and the plan's end: nothing any more, and no turn.
 */
static void a_plan_by_hand(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_COMPUTE, .cycles = 1000 }, { .kind = GUEST_I_HCALL },
		{ .kind = GUEST_I_TIMER, .cycles = 100000 }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_COMPUTE, .cycles = 500 },
	};
	struct machine m;

	set_up(&m, plan, N(plan), NULL, 0);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_CEDE], 1);
	assert_int_equal(m.r.total.blocks, 1);
	assert_int_equal(m.r.total.guest.wakes, 1);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 1500);
	assert_int_equal(m.r.total.cycles[V2_IN_KERNEL], 300 + 200 + 1000);
	assert_int_equal(m.r.total.cycles[V2_IN_L0], 3 * 1500 + 2 * 1600);
	assert_int_equal(m.r.total.cycles[V2_IN_L1], 2 * 3000 + 3 * 1400 + 2 * 900 + 800 + 2100);
	assert_int_equal(m.r.wake_latency.min, 119000 - 113100);
	assert_int_equal(sum_cycles(&m.r), m.s.duration);
	v2_result_done(&m.r);
}

/* Faults, of data and of instructions, and anything else have exits of their own. */
static void acts_have_their_exits(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_FAULT }, { .kind = GUEST_I_FAULT, .target = 1 },
		{ .kind = GUEST_I_OTHER }, { .kind = GUEST_I_IPI, .target = 0 },
	};
	struct machine m;

	set_up(&m, plan, N(plan), NULL, 0);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_FAULT], 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_IFAULT], 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_OTHER], 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], 1);
	v2_result_done(&m.r);
}

static const struct guest_intent waits[] = {
	{ .kind = GUEST_I_IRQ }, { .kind = GUEST_I_IDLE }, { .kind = GUEST_I_COMPUTE, .cycles = 500 },
};

/* Blocked from 10800 (as in test_v2's sleep by hand) until the interrupt at 50000 wakes it. */
static void an_interrupt_ends_an_idle_period(void **state)
{
	static const struct v2_arrival irq[] = { { .at = 50000, .kind = V2_A_IRQ } };
	struct machine m;

	set_up(&m, waits, N(waits), irq, N(irq));
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_CEDE], 1);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 500);
	assert_int_equal(m.r.total.cycles[V2_IN_KERNEL], 300 + 200 + 700);
	assert_int_equal(m.r.total.cycles[V2_BLOCKED],
			 50000 - 10800 + m.s.duration - 50000 - 5900 - 200 - 700 - 500);
	v2_result_done(&m.r);
}

/* When it has come before the guest is idle, the guest doesn't sleep. */
static void an_early_interrupt_leaves_no_idle_period(void **state)
{
	static const struct v2_arrival irq[] = { { .at = 1000, .kind = V2_A_IRQ } };
	struct machine m;

	set_up(&m, waits, N(waits), irq, N(irq));
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_CEDE], 0);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 500);
	v2_result_done(&m.r);
}

/* One in the guest (from 5900 on) makes it exit; one in L1 doesn't. */
static void the_hosts_interrupts_end_turns(void **state)
{
	static const struct guest_intent plan[] = { { .kind = GUEST_I_COMPUTE, .cycles = 10000 } };
	static const struct v2_arrival host[] = {
		{ .at = 100, .kind = V2_A_HOST, .trap = V2_TRAP_EXTERNAL },
		{ .at = 8000, .kind = V2_A_HOST, .trap = V2_TRAP_HVIRT },
	};
	struct machine m;

	set_up(&m, plan, N(plan), host, N(host));
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_EXTERNAL], 0);
	assert_int_equal(m.r.total.exits[V2_TRAP_HVIRT], 1);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 10000);
	v2_result_done(&m.r);
}

/*
 * Late: the hcall at 15900 is handled by 19200, so the next turn tries to
 * enter at 20200. L1's timer is due then and taken 15000 later: turns that don't
 * enter end at 20700 and every 1500 from there; the 11th, at 35700, is the
 * first that sees the interrupt. Away: between those turns and the next one.
 */
static void what_the_host_did_is_repeated(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_COMPUTE, .cycles = 10000 }, { .kind = GUEST_I_HCALL },
		{ .kind = GUEST_I_COMPUTE, .cycles = 10000 },
	};
	static const struct v2_arrival host[] = {
		{ .at = 7000, .kind = V2_A_LATE, .span = 15000 },
		{ .at = 25000, .kind = V2_A_AWAY, .span = 5000 },
	};
	struct machine m;

	set_up(&m, plan, N(plan), host, N(host));
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.not_entered, 11);
	assert_int_equal(m.r.total.bursts, 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], 11);
	assert_int_equal(m.r.total.cycles[V2_RUNNABLE], 5000);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 20000);
	assert_int_equal(sum_cycles(&m.r), m.s.duration);
	v2_result_done(&m.r);
}

/*
 * The same where the recording says that 5 turns didn't enter in 15000 cycles: 3000 each. The
 * first is at its comparison at 20200, 1000 from its start, and ends at 22200, the fifth at 34200,
 * when the 15000 from the first one's start are over.
 */
static void late_turns_take_as_long_as_they_did(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_COMPUTE, .cycles = 10000 }, { .kind = GUEST_I_HCALL },
		{ .kind = GUEST_I_COMPUTE, .cycles = 10000 },
	};
	static const struct v2_arrival host[] = {
		{ .at = 7000, .kind = V2_A_LATE, .span = 15000, .turns = 5 },
	};
	struct machine m;

	set_up(&m, plan, N(plan), host, N(host));
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.not_entered, 5);
	assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], 5);
	assert_int_equal(sum_cycles(&m.r), m.s.duration);
	v2_result_done(&m.r);
}

static void note_exit(void *ctx, uint64_t now, uint32_t vcpu, unsigned trap, bool entered, bool ceded)
{
	uint64_t *at = ctx;

	if (trap == V2_TRAP_HDEC && !*at)
		*at = now;
}

/*
 * L1 ticks at 8000, in the middle of the work that began at 5900: L0 1600, exit 900, counted at
 * 10500. Where the recording gives the ticks there is none at 8000, but one that arrives at 9000 is
 * counted at 11500, and one at 4000, before the guest is entered at 5900, at 8400. One that arrived
 * longer before than a quarter of the period is nobody's, and so is the tick after the stretch when
 * nothing runs any more.
 */
static void recorded_ticks_take_the_place_of_l1s_own(void **state)
{
	static const struct guest_intent plan[] = { { .kind = GUEST_I_COMPUTE, .cycles = 10000 } };
	static const struct v2_arrival arrival[][2] = {
		{ { .at = 0, .kind = V2_A_TICK } },
		{ { .at = 100, .kind = V2_A_RAN, .span = 100000 }, { .at = 9000, .kind = V2_A_TICK } },
		{ { .at = 100, .kind = V2_A_RAN, .span = 100000 }, { .at = 4000, .kind = V2_A_TICK } },
		{ { .at = 100, .kind = V2_A_RAN, .span = 100000 }, { .at = 800, .kind = V2_A_TICK } },
	};
	static const uint64_t counted[] = { 10500, 11500, 8400, 0 };
	static const uint64_t tick = 8000;

	for (unsigned n = 0; n < N(arrival); n++) {
		uint64_t at = 0;
		const struct hv_observer observer = { .ctx = &at, .exit = note_exit };
		struct machine m;

		set_up(&m, plan, N(plan), arrival[n], n ? 2 : 0);
		m.s.l1_tick_at = &tick;
		m.s.l1_tick_period = 20000;
		m.s.duration = 24000;
		m.s.observer = &observer;
		if (n == N(arrival) - 1) { /* another rate than the recording's: its ticks don't count */
			m.s.own_ticks = true;
			v2_run(&m.s, &m.r);
			assert_int_equal(at, counted[0]);
			v2_result_done(&m.r);
			m.s.own_ticks = false;
			at = 0;
		}
		v2_run(&m.s, &m.r);
		assert_int_equal(at, counted[n]);
		assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], counted[n] != 0);
		assert_int_equal(m.r.total.not_entered, 0);
		assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 10000);
		v2_result_done(&m.r);
	}
}

/*
 * An external interrupt that stays pending keeps every cede from blocking,
 * with the cancel policy and a fresh expiry too (step 10 of docs/model.md isn't
 * reached). With a recorded spin of 100000 cycles a turn, 5400 of them L1's and L0's.
 */
static void a_stuck_interrupt_spins_as_recorded(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = UINT64_C(1) << 40 }, { .kind = GUEST_I_IDLE },
	};
	struct machine m;

	set_up(&m, plan, N(plan), NULL, 0);
	m.s.guest.costs.respin = 100000 - 5400;
	m.s.duration = 10000000;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 1);
	v2_result_done(&m.r);
	m.s.ext_pending = V2_EXT_STUCK;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 0);
	/* Uniform from half of the mean to one and a half: 100, with a standard deviation of 3. */
	assert_in_range(m.r.total.exits[V2_TRAP_CEDE], 91, 109);
	assert_int_equal(m.r.total.exits[V2_TRAP_CEDE], m.r.total.ceded_spins);
	v2_result_done(&m.r);
}

static void bad_traces_are_refused(void **state)
{
	static const struct { const char *trace, *error; } bad[] = {
		{ "vcpu 0\n0 ipi 3\nend 1000\n", "vCPU 0 sends an IPI to vCPU 3" },
		{ "end 1000\n", "declares no vCPU" },
		{ "vcpu 0\n0 compute 5\n", "needs 'duration_ms': the trace has no 'end'" },
		{ "vcpu 0\n0 idel\n", ":3: 'idel' is no intent" },
		{ "vcpu 0\n0 compute 5\nend 3600000000001\n", "the trace lasts over an hour" },
	};
	static const char scenario[] =
		"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"t\", "
		"\"cpu\": \"power10\", \"trace\": \"./replay-bad.hvt\", "
		"\"variants\": [{\"name\": \"x\"}]}";
	struct err err = ERR_INIT;
	struct cli_result r;

	assert_int_equal(file_write("replay-bad.json", scenario, strlen(scenario), &err), 0);
	for (size_t i = 0; i < N(bad); i++) {
		char text[256];

		snprintf(text, sizeof(text), "hvsim-trace 1\n%s", bad[i].trace);
		assert_int_equal(file_write("replay-bad.hvt", text, strlen(text), &err), 0);
		run_cli("run ./replay-bad.json", &r);
		assert_refused(&r, bad[i].error);
	}
	remove("replay-bad.hvt");
	run_cli("run ./replay-bad.json", &r);
	assert_refused(&r, "replay-bad.hvt");
	remove("replay-bad.json");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_by_hand),
		cmocka_unit_test(acts_have_their_exits),
		cmocka_unit_test(an_interrupt_ends_an_idle_period),
		cmocka_unit_test(an_early_interrupt_leaves_no_idle_period),
		cmocka_unit_test(the_hosts_interrupts_end_turns),
		cmocka_unit_test(what_the_host_did_is_repeated),
		cmocka_unit_test(late_turns_take_as_long_as_they_did),
		cmocka_unit_test(recorded_ticks_take_the_place_of_l1s_own),
		cmocka_unit_test(a_stuck_interrupt_spins_as_recorded),
		cmocka_unit_test(bad_traces_are_refused),
	};

	return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
