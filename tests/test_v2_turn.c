// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Single turns of the nestedv2 loop, worked out by hand from the steps in
 * docs/model.md and the fixture's costs: one rule each, so that a rule that is
 * left out or turned round shows. Every run begins alike: wake 3000, enter 1000,
 * flush 400, L0 1500, so the guest runs from cycle 5900 on.
 */
#include "check.h"

#include "v2_fixture.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))
#define THREADS 2

struct machine {
	struct v2_setup s;
	struct v2_result r;
	struct guest_plan plan[THREADS];
	struct guest_load load[THREADS];
	struct v2_arrivals arrivals[THREADS];
};

/* No ticks, CEDE the only idle state: what is left is the plans. CPU v runs vCPU v. */
static void set_up(struct machine *m, uint32_t vcpus, uint32_t smt)
{
	for (uint32_t i = 0; i < vcpus; i++)
		m->load[i].plan = &m->plan[i];
	fx_setup(&m->s, m->load, vcpus, vcpus, smt);
	m->s.l1_tick_period = m->s.guest.tick_period = UINT64_C(1) << 60;
	m->s.guest.idle.state[0] = m->s.guest.idle.state[1];
	m->s.guest.idle.n = 1;
	m->s.duration = 1000000;
	m->s.arrivals = m->arrivals;
}

/*
 * An element is cached until the next run. Two faults read one that L0 doesn't
 * return: a GET each. They dirty a guest-wide one: a SET before each next run.
 * What the hcall reads is returned, and it dirties nothing.
 */
static void state_is_cached_until_the_next_run(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_FAULT }, { .kind = GUEST_I_FAULT }, { .kind = GUEST_I_HCALL },
	};
	struct machine m = { .plan = { { plan, N(plan) } } };
	const uint64_t *c = m.r.total.cycles;

	set_up(&m, 1, 1);
	m.s.elements.write_wide[V2_STEP_FAULT] = FX_FAULT;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.gets, 2);
	assert_int_equal(m.r.total.sets, 2);
	assert_int_equal(m.r.total.dec_gets, 0);
	assert_int_equal(c[V2_IN_GSB], 2 * 2500 + 2 * 2600);
	assert_int_equal(c[V2_IN_L0], 4 * 1500 + 3 * 1600);
	assert_int_equal(c[V2_IN_L1], 3000 + 4 * 1400 + 3 * 900 + 2 * 2000 + 800);
	assert_int_equal(c[V2_BLOCKED], m.s.duration - 10200 - 10800 - 16100);
	v2_result_done(&m.r);
}

/*
 * The timer is set for 8000. The guest cedes at 6200, L0 and the exit take until
 * 8700: step 10 finds nothing pending, reads the expiry (one GET) and finds it
 * past. So DEC is queued and the vCPU doesn't sleep. The GET is paid for on the
 * way in, 8700 + 3500 + 1900: the interrupt comes at 14100. Its next exit, the
 * hcall's, finds DEC pending and reads the expiry again: far off, so the bit goes.
 */
static void an_expiry_in_the_past_is_queued_at_once(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 2100 }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_COMPUTE, .cycles = 500 }, { .kind = GUEST_I_HCALL },
	};
	struct machine m = { .plan = { { plan, N(plan) } } };
	const uint64_t *c = m.r.total.cycles;

	set_up(&m, 1, 1);
	m.s.dec_expiry = V2_BY_HCALL;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 0);
	assert_int_equal(m.r.total.ceded_spins, 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_CEDE], 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], 1);
	assert_int_equal(m.r.wake_latency.min, 14100 - 8000);
	assert_int_equal(m.r.total.dec_pending_turns, 1);
	assert_int_equal(m.r.total.dec_gets, 2);
	assert_int_equal(c[V2_IN_GSB], 2 * 2500);
	assert_int_equal(c[V2_IN_L1], 3000 + 3 * 1400 + 2 * 900 + 800);
	assert_int_equal(c[V2_IN_KERNEL], 300 + 200 + 1000);
	v2_result_done(&m.r);
}

/*
 * As above with the expiry returned: in the guest at 11600, interrupt and way out
 * of idle until 12800. A timer for 14400, then an hcall at once: back in L1 at
 * 12800 + 1600 = 14400. DEC is pending and the timebase is not *below* the expiry:
 * the bit stays (step 8; it goes for a timer one tick, four cycles, later). That interrupt is taken
 * in the next run, and the second hcall's exit clears the bit for the third.
 */
static void cancel_keeps_what_has_expired(void **state)
{
	static const struct { uint64_t timer, pending_turns; } cases[] = {
		{ 1600, 2 }, { 1596, 2 }, { 1604, 1 },
	};
	for (size_t i = 0; i < N(cases); i++) {
		const struct guest_intent plan[] = {
			{ .kind = GUEST_I_TIMER, .cycles = 2100 }, { .kind = GUEST_I_IDLE },
			{ .kind = GUEST_I_TIMER, .cycles = cases[i].timer },
			{ .kind = GUEST_I_HCALL },
			{ .kind = GUEST_I_HCALL }, { .kind = GUEST_I_HCALL },
		};
		struct machine m = { .plan = { { plan, N(plan) } } };

		set_up(&m, 1, 1);
		v2_run(&m.s, &m.r);
		assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], 3);
		assert_int_equal(m.r.total.guest.wakes, 2);
		assert_int_equal(m.r.total.dec_pending_turns, cases[i].pending_turns);
		v2_result_done(&m.r);
	}
}

/*
 * The timer fires on the way to sleep: step 10 at 8700 finds 10000 in the future
 * and arms, the block path ends at 10800. DEC is queued and the vCPU turns back
 * instead of sleeping: in the guest at 13700.
 */
static void a_timer_that_fires_on_the_way_to_sleep(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 4100 }, { .kind = GUEST_I_IDLE },
	};
	struct machine m = { .plan = { { plan, N(plan) } } };

	set_up(&m, 1, 1);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 0);
	assert_int_equal(m.r.total.ceded_spins, 1);
	assert_int_equal(m.r.wake_latency.min, 13700 - 10000);
	v2_result_done(&m.r);
}

/*
 * An interrupt on the way to sleep likewise; the host timer is dropped with it,
 * or it would end a later turn.
 */
static void an_interrupt_on_the_way_to_sleep(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 100000 }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_COMPUTE, .cycles = 200000 },
	};
	static const struct v2_arrival irq[] = { { .at = 9000, .kind = V2_A_IRQ } };
	struct machine m = { .plan = { { plan, N(plan) } }, .arrivals = { { irq, N(irq) } } };

	set_up(&m, 1, 1);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 0);
	assert_int_equal(m.r.total.ceded_spins, 1);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 200000);
	assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], 0);
	v2_result_done(&m.r);
}

/*
 * Blocked from 10800 until the timer at 105900; awake at 108900. L1's own timer
 * is due at 109900 and its interrupt 1000 late: two turns don't enter, up to
 * 110400 and 111900. Each reaches step 8 with DEC pending, as does the hcall's
 * turn after it. What step 10 read is still cached in the two, as nothing has run:
 * one GET there, one in the hcall's exit.
 */
static void turns_that_do_not_enter_look_too(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 100000 }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_HCALL },
	};
	static const struct v2_arrival late[] = {
		{ .at = 107000, .kind = V2_A_LATE, .span = 1000 },
	};
	struct machine m = { .plan = { { plan, N(plan) } }, .arrivals = { { late, N(late) } } };

	set_up(&m, 1, 1);
	m.s.dec_expiry = V2_BY_HCALL;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 1);
	assert_int_equal(m.r.total.not_entered, 2);
	assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], 2);
	assert_int_equal(m.r.total.dec_pending_turns, 3);
	assert_int_equal(m.r.total.dec_gets, 2);
	assert_int_equal(m.r.paths[V2_L1_TICK], 1);
	v2_result_done(&m.r);
}

/*
 * The first thread computes 100000 from 5900 on, alone. The second starts at
 * 55900, when half is done: the other half at 600 per mille takes 83334.
 */
static void a_sibling_that_starts_slows_what_is_left(void **state)
{
	static const struct guest_intent half[] = { { .kind = GUEST_I_COMPUTE, .cycles = 100000 } };
	static const struct guest_intent all[] = { { .kind = GUEST_I_COMPUTE, .cycles = 10000000 } };
	static const struct v2_arrival start[] = { { .at = 55900, .kind = V2_A_START } };
	struct machine m = { .plan = { { half, N(half) }, { all, N(all) } },
			     .arrivals = { { 0 }, { start, N(start) } } };
	const uint64_t *c;

	set_up(&m, 2, 2);
	v2_run(&m.s, &m.r);
	c = m.r.vcpu[0].cycles;
	assert_int_equal(c[V2_IN_GUEST], 100000);
	assert_int_equal(c[V2_SMT], 83334 - 50000);
	assert_int_equal(c[V2_BLOCKED], m.s.duration - 55900 - 83334);
	v2_result_done(&m.r);
}

/* The guest takes its own timer while it computes, on the cycle and without an exit. */
static void the_guests_timer_interrupts_its_work(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 1000 }, { .kind = GUEST_I_COMPUTE, .cycles = 5000 },
	};
	struct machine m = { .plan = { { plan, N(plan) } } };

	set_up(&m, 1, 1);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.wake_latency.count, 1);
	assert_int_equal(m.r.wake_latency.max, 0);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 5000);
	assert_int_equal(m.r.paths[V2_L0_EXIT], 0);
	v2_result_done(&m.r);
}

/* An external interrupt for a vCPU that computes makes it come out, to be offered it at entry. */
static void an_interrupt_ends_a_turn(void **state)
{
	static const struct guest_intent plan[] = { { .kind = GUEST_I_COMPUTE, .cycles = 10000 } };
	static const struct v2_arrival irq[] = { { .at = 8000, .kind = V2_A_IRQ } };
	struct machine m = { .plan = { { plan, N(plan) } }, .arrivals = { { irq, N(irq) } } };

	set_up(&m, 1, 1);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_EXTERNAL], 1);
	assert_int_equal(m.r.total.cycles[V2_IN_KERNEL], 700);
	v2_result_done(&m.r);
}

/*
 * Asleep for 10 s, which is 5.12e9 ticks. A large decrementer is written once. A small one holds
 * 2^31 - 1 ticks, 4.19 s, as does the host timer that L1 sets by it: the guest wakes at 4.19 and 8.39 s,
 * finds nothing due and sleeps on; without any timer it does so for ever.
 */
static void a_small_decrementer_wakes_in_between(void **state)
{
	static const struct guest_intent timer[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 10 * FX_SECOND }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_HCALL },
	};
	static const struct guest_intent never[] = { { .kind = GUEST_I_IDLE } };
	static const struct { const struct guest_intent *plan; size_t n; bool small; unsigned ticks, blocks; }
	t[] = {
		{ timer, N(timer), false, 1, 1 }, { timer, N(timer), true, 3, 3 },
		{ never, N(never), false, 0, 1 }, { never, N(never), true, 2, 3 },
	};

	for (size_t i = 0; i < N(t); i++) {
		struct machine m = { .plan = { { t[i].plan, t[i].n } } };

		set_up(&m, 1, 1);
		m.s.guest.small_dec = t[i].small;
		m.s.duration = 11 * FX_SECOND;
		v2_run(&m.s, &m.r);
		assert_int_equal(m.r.total.guest.ticks, t[i].ticks);
		assert_int_equal(m.r.total.blocks, t[i].blocks);
		assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], t[i].plan == timer);
		v2_result_done(&m.r);
	}
}

/*
 * The hcall at 6900 is handled from 9400 to 10200, with interrupts enabled: L1's timer, due at 9800,
 * is taken before the next turn, which enters. One due at 10700, on the way to the comparison at
 * 11200 with interrupts disabled, makes a turn that doesn't.
 */
static void a_timer_due_while_l1_works_costs_no_turn(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_COMPUTE, .cycles = 1000 }, { .kind = GUEST_I_HCALL },
		{ .kind = GUEST_I_COMPUTE, .cycles = 1000 },
	};
	static const uint64_t tick[] = { 9800, 10700 };

	for (unsigned n = 0; n < 2; n++) {
		struct machine m = { .plan = { { plan, N(plan) } } };

		set_up(&m, 1, 1);
		m.s.l1_tick_at = &tick[n];
		v2_run(&m.s, &m.r);
		assert_int_equal(m.r.total.not_entered, n);
		assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], n);
		assert_int_equal(m.r.paths[V2_L1_TICK], 1);
		assert_int_equal(m.r.paths[V2_L0_ENTER], 2);
		v2_result_done(&m.r);
	}
}

/*
 * Blocked from 10800. The interrupt at 50000 wakes it and ends the host timer for
 * 105900, which would stop the turn that computes past it. Lateness and lost time
 * that came while it slept were nobody's.
 */
static void a_wake_up_ends_the_host_timer(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 100000 }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_COMPUTE, .cycles = 200000 },
	};
	static const struct v2_arrival arrival[] = {
		{ .at = 20000, .kind = V2_A_LATE, .span = 1000 },
		{ .at = 30000, .kind = V2_A_AWAY, .span = 1000 },
		{ .at = 50000, .kind = V2_A_IRQ },
	};
	struct machine m = { .plan = { { plan, N(plan) } },
			     .arrivals = { { arrival, N(arrival) } } };

	set_up(&m, 1, 1);
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.blocks, 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], 0);
	assert_int_equal(m.r.total.cycles[V2_RUNNABLE], 0);
	assert_int_equal(m.r.total.cycles[V2_IN_GUEST], 200000);
	v2_result_done(&m.r);
}

/*
 * L1 ticks every 4 ms while it runs something, and not in the 100 ms its CPU is
 * idle: the vCPU that wakes enters at once. (A tick in the 30000 cycles it is
 * awake has a chance of 0.4 %, and falls outside for this seed.)
 */
static void an_idle_cpu_has_no_tick(void **state)
{
	static const struct guest_intent plan[] = {
		{ .kind = GUEST_I_TIMER, .cycles = 100 * FX_MS }, { .kind = GUEST_I_IDLE },
		{ .kind = GUEST_I_HCALL },
	};
	struct machine m = { .plan = { { plan, N(plan) } } };

	set_up(&m, 1, 1);
	m.s.l1_tick_period = FX_SECOND / 250;
	m.s.duration = 110 * FX_MS;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], 1);
	assert_int_equal(m.r.total.exits[V2_TRAP_HDEC], 0);
	assert_int_equal(m.r.paths[V2_L1_TICK], 0);
	v2_result_done(&m.r);
}

/* Slices of 6 ms end at the second tick of 4 ms: 125 a second, and each begins with a wake-up. */
static void a_slice_ends_at_a_tick(void **state)
{
	static const struct guest_load loops[] = {
		{ .loop = true, .loop_ucycles = 1000000 }, { .loop = true, .loop_ucycles = 1000000 },
	};
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, loops, 2, 1, 1);
	s.slice = 6 * FX_MS;
	v2_run(&s, &r);
	assert_in_range(r.paths[V2_L1_WAKE], 123, 127);
	v2_result_done(&r);
}

/* Two vCPUs on one CPU, without ticks: the second starts at `at` and does what it has planned. */
static void share_a_cpu(struct machine *m, const struct guest_intent *second, size_t n,
			const struct v2_arrival *start)
{
	static const struct guest_intent first[] = {
		{ .kind = GUEST_I_COMPUTE, .cycles = UINT64_C(1) << 40 },
	};

	*m = (struct machine){ .plan = { { first, N(first) }, { second, n } },
			       .arrivals = { { 0 }, { start, 1 } } };
	set_up(m, 2, 1);
	m->s.l1_cpus = 1;
	m->s.duration = 10000000;
	v2_run(&m->s, &m->r);
}

/*
 * The first has had its CPU for over 1 ms (2048000 cycles) when the second starts
 * at 3000000: it is interrupted and leaves, 1600 + 900 + 2100. The second takes
 * 3000 + 1400 + 1500 to its 500 of work, and stops. At 1000000 it has to wait, and
 * without ticks for ever.
 */
static void who_wakes_takes_over_after_a_while(void **state)
{
	static const struct guest_intent work[] = { { .kind = GUEST_I_COMPUTE, .cycles = 500 } };
	static const struct v2_arrival late = { .at = 3000000, .kind = V2_A_START };
	static const struct v2_arrival early = { .at = 1000000, .kind = V2_A_START };
	struct machine m;

	share_a_cpu(&m, work, N(work), &late);
	assert_int_equal(m.r.vcpu[0].exits[V2_TRAP_EXTERNAL], 1);
	assert_int_equal(m.r.vcpu[0].cycles[V2_RUNNABLE], 3000 + 1400 + 1500 + 500);
	assert_int_equal(m.r.vcpu[1].cycles[V2_RUNNABLE], 1600 + 900 + 2100);
	assert_int_equal(m.r.vcpu[1].cycles[V2_IN_GUEST], 500);
	v2_result_done(&m.r);
	share_a_cpu(&m, work, N(work), &early);
	assert_int_equal(m.r.vcpu[0].exits[V2_TRAP_EXTERNAL], 0);
	assert_int_equal(m.r.vcpu[1].cycles[V2_RUNNABLE], m.s.duration - 1000000);
	v2_result_done(&m.r);
}

/*
 * The second is in the guest at 3010500, sets a timer and is blocked at 3015400,
 * from when the first has the CPU. With 4000000 the host timer ends the first's turn
 * at 7010500: 1600 + 900, L1's interrupt 2200, leaving 2100, then 5900 into the guest.
 * With 1000000 the first has not had its 1 ms, and goes on for ever.
 */
static void a_host_timer_takes_over_after_a_while(void **state)
{
	static const struct v2_arrival start = { .at = 3000000, .kind = V2_A_START };
	static const struct { uint64_t timer, woken; } cases[] = { { 4000000, 1 }, { 1000000, 0 } };

	for (size_t i = 0; i < N(cases); i++) {
		const struct guest_intent plan[] = {
			{ .kind = GUEST_I_TIMER, .cycles = cases[i].timer },
			{ .kind = GUEST_I_IDLE },
		};
		struct machine m;

		share_a_cpu(&m, plan, N(plan), &start);
		assert_int_equal(m.r.vcpu[0].exits[V2_TRAP_HDEC], 1);
		assert_int_equal(m.r.wake_latency.count, cases[i].woken);
		if (cases[i].woken)
			assert_int_equal(m.r.wake_latency.min, 2500 + 2200 + 2100 + 5900);
		v2_result_done(&m.r);
	}
}

/* The run ends at 7000, in the exit through L0 that began at 5900: no path was walked to its end. */
static void the_end_cuts_a_phase(void **state)
{
	static const struct guest_intent plan[] = { { .kind = GUEST_I_HCALL } };
	struct machine m = { .plan = { { plan, N(plan) } } };

	set_up(&m, 1, 1);
	m.s.duration = 7000;
	v2_run(&m.s, &m.r);
	assert_int_equal(m.r.total.cycles[V2_CUT], 1100);
	assert_int_equal(m.r.total.cycles[V2_IN_L0], 1500);
	assert_int_equal(m.r.paths[V2_L0_EXIT], 0);
	assert_int_equal(m.r.total.exits[V2_TRAP_HCALL], 0);
	v2_result_done(&m.r);
}

/* Straight lines between the stated shares: 3 is half way from 2 to 4, 5 a quarter from 4 to 8. */
static void shares_lie_on_lines(void **state)
{
	static const uint32_t by_hand[] = { 1000, 600, 500, 400, 362, 325, 287, 250 };
	struct smt_rule rule = { 0 };

	smt_fill(&rule, 600, 400, 250);
	rule.weight[SMT_ACTIVE] = 1000;
	for (uint32_t n = 0; n < N(by_hand); n++) {
		const uint32_t siblings[SMT_ACTIVITIES] = { [SMT_ACTIVE] = n };

		assert_int_equal(smt_rate(&rule, siblings), by_hand[n]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_is_cached_until_the_next_run),
		cmocka_unit_test(an_expiry_in_the_past_is_queued_at_once),
		cmocka_unit_test(cancel_keeps_what_has_expired),
		cmocka_unit_test(a_timer_that_fires_on_the_way_to_sleep),
		cmocka_unit_test(an_interrupt_on_the_way_to_sleep),
		cmocka_unit_test(turns_that_do_not_enter_look_too),
		cmocka_unit_test(a_sibling_that_starts_slows_what_is_left),
		cmocka_unit_test(the_guests_timer_interrupts_its_work),
		cmocka_unit_test(an_interrupt_ends_a_turn),
		cmocka_unit_test(a_small_decrementer_wakes_in_between),
		cmocka_unit_test(a_timer_due_while_l1_works_costs_no_turn),
		cmocka_unit_test(a_wake_up_ends_the_host_timer),
		cmocka_unit_test(an_idle_cpu_has_no_tick),
		cmocka_unit_test(a_slice_ends_at_a_tick),
		cmocka_unit_test(who_wakes_takes_over_after_a_while),
		cmocka_unit_test(a_host_timer_takes_over_after_a_while),
		cmocka_unit_test(the_end_cuts_a_phase),
		cmocka_unit_test(shares_lie_on_lines),
	};

	return cmocka_run_group_tests_name("v2_turn", tests, NULL, NULL);
}
