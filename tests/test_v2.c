// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The nestedv2 run loop against docs/model.md: what follows from the kernel's
 * steps by hand, and properties that hold whatever the numbers.
 */
#include "check.h"

#include "v2_fixture.h"

static const struct guest_load sleeper = { .sleep = 10 * FX_MS, .sleep_work = 50 * FX_US };
static const struct guest_load looper = { .loop = true, .loop_ucycles = 12000000 };
static const struct guest_load idler = { 0 };

static uint64_t sum_cycles(const struct v2_vcpu_result *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_CYCLES; i++)
		sum += r->cycles[i];
	return sum;
}

static uint64_t sum_exits(const struct v2_vcpu_result *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_TRAPS; i++)
		sum += r->exits[i];
	return sum;
}

/* No ticks at all, and CEDE the only idle state: what is left can be followed by hand. */
static void calm(struct v2_setup *s)
{
	s->l1_tick_period = s->guest.tick_period = UINT64_C(1) << 60;
	s->guest.idle.state[0] = s->guest.idle.state[1];
	s->guest.idle.n = 1;
}

/*
 * One vCPU that sleeps 10 ms, worked out by hand. Cycle 0: wake 3000, enter
 * 1000, flush 400, L0 1500; the guest goes idle (300) and cedes at 6200; L0
 * 1600, exit 900, block 2100: blocked at 10800 until its timer at 20480000.
 * Then the same way in: at 20485900 it wakes (200), takes its interrupt (1000),
 * works 102400, goes idle (300), cedes, and is blocked when the run ends.
 */
static void one_sleep_by_hand(void **state)
{
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, &sleeper, 1, 1, 1);
	calm(&s);
	s.duration = 30000000;
	v2_run(&s, &r);
	assert_int_equal(r.total.exits[V2_TRAP_CEDE], 2);
	assert_int_equal(sum_exits(&r.total), 2);
	assert_int_equal(r.total.blocks, 2);
	assert_int_equal(r.total.cycles[V2_IN_GUEST], 102400);
	assert_int_equal(r.total.cycles[V2_IN_KERNEL], 300 + 200 + 1000 + 300);
	assert_int_equal(r.total.cycles[V2_IN_L0], 2 * (1500 + 1600));
	assert_int_equal(r.total.cycles[V2_IN_L1], 2 * (3000 + 1000 + 400 + 900 + 2100));
	assert_int_equal(r.total.cycles[V2_BLOCKED], 30000000 - 102400 - 1800 - 6200 - 14800);
	assert_int_equal(r.wake_latency.min, 5900);
	assert_int_equal(r.wake_latency.count, 1);
	v2_result_done(&r);
}

/*
 * docs/model.md works the nine cells out: an idle guest blocks for good only
 * with a DEC that is cleared (cancel, clear-on-delivery) and an expiry that is
 * fresh (returned, by-hcall). 1 s of 10 ms sleeps is some 99 sleeps; in a cell
 * that spins nothing blocks any more after the first wake-up.
 */
static void nine_cells_spin_or_block(void **state)
{
	for (unsigned cancel = V2_KEEP; cancel <= V2_CLEAR_ON_DELIVERY; cancel++) {
		for (unsigned expiry = V2_RETURNED; expiry <= V2_STALE; expiry++) {
			bool spins = cancel == V2_KEEP || expiry == V2_STALE;
			struct v2_result r;
			struct v2_setup s;

			fx_setup(&s, &sleeper, 1, 1, 1);
			s.dec_cancel = cancel;
			s.dec_expiry = expiry;
			v2_run(&s, &r);
			if (spins) {
				assert_true(r.total.ceded_spins > 200);
				assert_in_range(r.total.blocks, 1, 3);
			} else {
				assert_in_range(r.total.blocks, 95, 105);
				assert_true(r.total.ceded_spins <= 3);
			}
			v2_result_done(&r);
		}
	}
}

/* Without the governor's polling state nothing damps the spin: each turn is a cede. */
static void spin_is_undamped_without_snooze(void **state)
{
	uint64_t turn = FX_ENTER + FX_FLUSH + FX_L0_ENTER + 200 + 300 + FX_L0_EXIT + FX_EXIT;
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, &sleeper, 1, 1, 1);
	calm(&s);
	s.dec_cancel = V2_KEEP;
	v2_run(&s, &r);
	/* It spins from the first wake-up, at 10 ms, in all but the 1 % it works and ticks. */
	assert_in_range(r.total.ceded_spins, (s.duration - 20480000) / turn * 98 / 100,
			(s.duration - 20480000) / turn);
	v2_result_done(&r);
}

static void run_by_hcall(enum v2_dec_cancel cancel, struct v2_result *r)
{
	struct v2_setup s;

	fx_setup(&s, &sleeper, 1, 1, 1);
	calm(&s);
	s.dec_cancel = cancel;
	s.dec_expiry = V2_BY_HCALL;
	v2_run(&s, r);
}

/*
 * Firmware that doesn't return the expiry: one H_GUEST_GET_STATE for each turn
 * with DEC pending under cancel, and one for each block. A turn that is both
 * reads it once: what step 8 read is still cached in step 10 (the sleeper's
 * wake-up turns are all so; its very first block is not).
 */
static void by_hcall_reads_are_counted(void **state)
{
	struct v2_result keep, cancel, clear;

	run_by_hcall(V2_KEEP, &keep);
	run_by_hcall(V2_CANCEL, &cancel);
	run_by_hcall(V2_CLEAR_ON_DELIVERY, &clear);
	assert_int_equal(keep.total.dec_gets, keep.total.blocks);
	assert_int_equal(clear.total.dec_gets, clear.total.blocks);
	assert_int_equal(clear.total.dec_pending_turns, 0);
	assert_int_equal(cancel.total.dec_pending_turns, cancel.total.blocks - 1);
	assert_int_equal(cancel.total.dec_gets, cancel.total.dec_pending_turns + 1);
	assert_int_equal(cancel.paths[V2_GSB_GET], cancel.total.gets);
	v2_result_done(&keep);
	v2_result_done(&cancel);
	v2_result_done(&clear);
}

/* Two busy threads of a core get 600 per mille each (the fixture's share): the rest is `smt`. */
static void smt_dilation_is_attributed(void **state)
{
	const struct guest_load loads[] = { looper, looper };
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, loads, 2, 2, 2);
	calm(&s);
	v2_run(&s, &r);
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t *c = r.vcpu[i].cycles;

		assert_in_range(c[V2_IN_GUEST] / 1000, s.duration * 6 / 10000 - 10,
				s.duration * 6 / 10000);
		assert_in_range(c[V2_SMT] / 1000, s.duration * 4 / 10000 - 10,
				s.duration * 4 / 10000 + 1);
		assert_int_equal(sum_cycles(&r.vcpu[i]), s.duration);
		assert_int_equal(r.vcpu[i].loops, c[V2_IN_GUEST] / 12);
	}
	v2_result_done(&r);
}

/* A sibling that polls at low priority counts 200 per mille: 1000 - 0.2 * 400 = 920 are left. */
static void a_polling_sibling_costs_its_weight(void **state)
{
	const struct guest_load loads[] = { looper, idler };
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, loads, 2, 2, 2);
	calm(&s);
	s.guest.idle.state[0] = (struct idle_state){ .name = "snooze", .timeout_ns = IDLE_NEVER_NS };
	v2_run(&s, &r);
	assert_in_range(r.vcpu[0].cycles[V2_IN_GUEST] / 1000, s.duration * 92 / 100000 - 10,
			s.duration * 92 / 100000 + 10);
	v2_result_done(&r);
}

/* Four busy vCPUs on one CPU of L1 share it in slices; waiting is `runnable`. */
static void vcpus_share_a_cpu(void **state)
{
	const struct guest_load loads[] = { looper, looper, looper, looper };
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, loads, 4, 1, 1);
	v2_run(&s, &r);
	for (unsigned i = 0; i < 4; i++) {
		assert_in_range(r.vcpu[i].cycles[V2_IN_GUEST] * 100 / s.duration, 23, 25);
		assert_in_range(r.vcpu[i].cycles[V2_RUNNABLE] * 100 / s.duration, 73, 77);
		assert_int_equal(sum_cycles(&r.vcpu[i]), s.duration);
	}
	v2_result_done(&r);
}

/*
 * A busy vCPU leaves for each tick of L1, 250 a second. When the interrupt comes
 * late the loop goes round in turns of 1500 cycles that don't enter.
 */
static void late_interrupts_make_bursts(void **state)
{
	struct v2_result r;
	struct v2_setup s;
	uint64_t turns;

	fx_setup(&s, &looper, 1, 1, 1);
	v2_run(&s, &r);
	assert_in_range(r.total.exits[V2_TRAP_HDEC], 249, 252);
	assert_in_range(r.total.not_entered, 0, 2);
	v2_result_done(&r);
	s.timer_late = 1000;
	s.timer_lateness = 100 * FX_US;
	v2_run(&s, &r);
	turns = r.total.exits[V2_TRAP_HDEC] - r.total.not_entered;
	assert_in_range(turns, 249, 252);
	/* 100 us are 136 turns; the mean of 250 exponential draws is within a fifth (three sigma). */
	assert_in_range(r.total.not_entered / turns, 109, 164);
	v2_result_done(&r);
}

static const struct guest_load busy_mix[] = {
	{ .loop = true, .loop_ucycles = 9000000, .fault_mean = 3 * FX_MS, .hcall_mean = 5 * FX_MS },
	{ .timer_mean = FX_MS, .timer_work = 30 * FX_US, .ipi_mean = 100 * FX_US,
	  .ipi_work = 20 * FX_US },
	{ .sleep = 2 * FX_MS, .sleep_work = 90 * FX_US, .fault_mean = 50 * FX_US },
	{ .timer_mean = 5 * FX_MS, .timer_work = 10 * FX_US },
	{ .loop = true, .loop_ucycles = 9000000 },
	{ 0 },
};

struct watched {
	uint64_t exits, not_entered, last;
	uint64_t in_state[8][V2_CYCLES];
	uint64_t since[8];
	unsigned state[8];
	bool backwards;
};

static void on_exit_seen(void *ctx, uint64_t now, uint32_t vcpu, unsigned trap, bool entered,
			 bool ceded)
{
	struct watched *w = ctx;

	w->exits++;
	w->not_entered += !entered;
	w->backwards |= now < w->last;
	w->last = now;
}

static void on_state(void *ctx, uint64_t now, uint32_t vcpu, unsigned state)
{
	struct watched *w = ctx;

	w->in_state[vcpu][w->state[vcpu]] += now - w->since[vcpu];
	w->since[vcpu] = now;
	w->state[vcpu] = state;
	w->backwards |= now < w->last;
	w->last = now;
}

/* Whatever the machine: cycles sum to the run, an observer counts the same exits, time only goes on. */
static void sums_hold_for_every_policy(void **state)
{
	static const struct { uint32_t cpus, smt; } machines[] = { { 6, 1 }, { 6, 2 }, { 6, 8 },
								    { 2, 2 }, { 4, 4 } };

	for (unsigned m = 0; m < 5; m++) {
		for (unsigned cell = 0; cell < 9; cell++) {
			struct watched w = { .state = { V2_BLOCKED, V2_BLOCKED, V2_BLOCKED,
							V2_BLOCKED, V2_BLOCKED, V2_BLOCKED } };
			const struct hv_observer o = { &w, on_state, on_exit_seen };
			struct v2_result r;
			struct v2_setup s;

			fx_setup(&s, busy_mix, 6, machines[m].cpus, machines[m].smt);
			s.duration = 200 * FX_MS;
			s.dec_cancel = cell / 3;
			s.dec_expiry = cell % 3;
			s.observer = &o;
			v2_run(&s, &r);
			for (unsigned i = 0; i < 6; i++)
				assert_int_equal(sum_cycles(&r.vcpu[i]), s.duration);
			assert_int_equal(sum_exits(&r.total), w.exits);
			assert_int_equal(r.total.not_entered, w.not_entered);
			assert_false(w.backwards);
			assert_true(w.in_state[2][V2_BLOCKED] <= r.vcpu[2].cycles[V2_BLOCKED]);
			v2_result_done(&r);
		}
	}
}

/* Same inputs, same bytes; and no policy changes what the guest draws for itself. */
static void guests_are_the_same_under_every_policy(void **state)
{
	struct v2_result a, b, c;
	struct v2_setup s;

	fx_setup(&s, busy_mix, 6, 6, 2);
	v2_run(&s, &a);
	v2_run(&s, &b);
	assert_memory_equal(a.vcpu, b.vcpu, 6 * sizeof(*a.vcpu));
	s.dec_cancel = V2_KEEP;
	v2_run(&s, &c);
	/* Timers are absolute: the same ones have fired, but for the last that fits. */
	for (unsigned i = 0; i < 6; i++) {
		uint64_t more = a.vcpu[i].guest.wakes, less = c.vcpu[i].guest.wakes;

		if (i != 2)
			assert_in_range(more + 1 - less, 0, 2);
	}
	v2_result_done(&a);
	v2_result_done(&b);
	v2_result_done(&c);
}

/* An IPI wakes a vCPU that is blocked for good; its work gets done. */
static void an_ipi_wakes_the_next_vcpu(void **state)
{
	const struct guest_load loads[] = {
		{ .loop = true, .loop_ucycles = 1000000, .ipi_mean = 10 * FX_MS,
		  .ipi_work = 40 * FX_US },
		{ .ipi_work = 40 * FX_US },
	};
	struct v2_result r;
	struct v2_setup s;

	fx_setup(&s, loads, 2, 2, 1);
	calm(&s);
	v2_run(&s, &r);
	assert_in_range(r.vcpu[0].exits[V2_TRAP_HCALL], 60, 140);
	/* The receiver's work is its own load's: 40 us for each IPI, the last perhaps cut. */
	assert_in_range(r.vcpu[1].guest.work / (40 * FX_US), r.vcpu[0].exits[V2_TRAP_HCALL] - 1,
			r.vcpu[0].exits[V2_TRAP_HCALL]);
	v2_result_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sleep_by_hand),
		cmocka_unit_test(nine_cells_spin_or_block),
		cmocka_unit_test(spin_is_undamped_without_snooze),
		cmocka_unit_test(by_hcall_reads_are_counted),
		cmocka_unit_test(smt_dilation_is_attributed),
		cmocka_unit_test(a_polling_sibling_costs_its_weight),
		cmocka_unit_test(vcpus_share_a_cpu),
		cmocka_unit_test(late_interrupts_make_bursts),
		cmocka_unit_test(sums_hold_for_every_policy),
		cmocka_unit_test(guests_are_the_same_under_every_policy),
		cmocka_unit_test(an_ipi_wakes_the_next_vcpu),
	};

	return cmocka_run_group_tests_name("v2", tests, NULL, NULL);
}
