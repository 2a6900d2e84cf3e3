// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The x86 loop in time. Cancel counts are those of the kernel's NMI/PMI patch
 * discussion; cycle counts are added up by hand from the parameters set here.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "hv/x86_loop.h"

static struct mem *mem;
static struct x86_model *model;
static struct x86_cpu *cpu;

static int load(void **state)
{
	const char *data = getenv("HVSIM_DATA");
	struct err err = ERR_INIT;

	mem = mem_new();
	model = x86_model_load(mem, mem_printf(mem, "%s/models/x86/requests.json", data), &err);
	cpu = x86_cpu_load(mem, mem_printf(mem, "%s/models/sapphire-rapids.json", data), &err);
	if (!model || !cpu)
		fail_msg("%s", err.text);
	return 0;
}

static int unload(void **state)
{
	mem_free(mem);
	return 0;
}

static unsigned request(const char *name)
{
	struct err err = ERR_INIT;

	return (unsigned)x86_request_find(model, name, NULL, &err);
}

#define BIT_OF(name) (UINT64_C(1) << request(name))

/* One busy vCPU, nothing happening, ten million cycles. */
static struct x86_setup quiet(const char *order, const char *config)
{
	struct x86_setup s = {
		.model = model, .cpu = cpu, .config = x86_set_default(model), .vcpus = 1,
		.busy = 1, .causes = 3, .cause = { "EXTERNAL_INTERRUPT", "HLT", "OTHER" },
		.cause_interrupt = 0, .cause_halt = 1, .length = 10000000, .seed = 1,
	};
	struct x86_set all = x86_set_all(model);
	struct err err = ERR_INIT;

	s.order = x86_order_parse(mem, model, order, &err);
	assert_non_null(s.order);
	assert_int_equal(x86_set_parse(model, config, &all, &err), 0);
	for (unsigned a = 0; a < model->axes; a++)
		if (!(all.allow[a] & (all.allow[a] - 1)))
			s.config.allow[a] = all.allow[a];
	for (unsigned i = 0; i < X86_REQUESTS_MAX; i++)
		s.on_request[i] = X86_NONE;
	return s;
}

static struct x86_source *add(struct x86_setup *s, const char *name, enum x86_clock clock,
			      enum x86_route route, uint64_t mean, uint64_t raises)
{
	struct x86_source *src = &s->source[s->sources++];

	*src = (struct x86_source){ .name = name, .clock = clock, .route = route, .mean = mean,
				    .raises = raises, .vcpus = UINT64_MAX, .cause = 2,
				    .handle = 350, .reaction = X86_NONE };
	return src;
}

static struct x86_result run(const struct x86_setup *s)
{
	struct err err = ERR_INIT;
	struct x86_result r;

	if (x86_loop_run(s, &r, &err) < 0)
		fail_msg("%s", err.text);
	for (unsigned n = 0; n < s->vcpus; n++) {
		uint64_t sum = 0;

		for (unsigned i = 0; i < X86_STATES; i++)
			sum += r.vcpu[n].cycles[i];
		assert_int_equal(sum, s->length);
	}
	return r;
}

static uint64_t cancels(const struct x86_result *r, unsigned vcpus)
{
	uint64_t n = 0;

	for (unsigned v = 0; v < vcpus; v++)
		for (unsigned i = 0; i < X86_REASONS; i++)
			n += r->vcpu[v].cancels[i];
	return n;
}

/* Delivered PMIs x back edges on their way: nothing else cancels an entry here. */
static void cancels_are_delivered_pmis_times_back_edges(void **state)
{
	static const struct { const char *order, *mode; unsigned back; } rows[] = {
		{ "old", "lvtpc=nmi", 1 },    { "old", "lvtpc=smi", 1 },
		{ "old", "lvtpc=fixed", 0 },
		{ "posted", "lvtpc=nmi", 0 }, { "posted", "lvtpc=smi", 1 },
		{ "posted", "lvtpc=fixed", 0 },
		{ "merged", "lvtpc=nmi", 0 }, { "merged", "lvtpc=smi", 0 },
		{ "merged", "lvtpc=fixed", 0 },
		{ "rescan", "lvtpc=nmi", 0 }, { "rescan", "lvtpc=smi", 0 },
		{ "old", "lvtpc=masked", 0 }, { "NMI,PMI,PMU", "lvtpc=nmi", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct x86_setup s = quiet(rows[i].order, rows[i].mode);
		struct x86_result r;
		uint64_t pmis;

		add(&s, "pmu", X86_TASK, X86_EXIT, 10000, BIT_OF("PMI"));
		s.reaction[s.reactions++] = (struct x86_reaction){ .cycles = 3000 };
		s.on_request[request("PMI")] = 0;
		r = run(&s);
		pmis = r.delivered[request("PMI")];
		assert_true(pmis > 500);
		assert_int_equal(r.vcpu[0].cancels[X86_BACK_EDGE], pmis * rows[i].back);
		assert_int_equal(cancels(&r, 1), pmis * rows[i].back);
		/* One a PMI, one a cancel, the first entry's; the run may end in one. */
		assert_in_range(r.vcpu[0].attempts, (1 + rows[i].back) * pmis + 1,
				(1 + rows[i].back) * (pmis + 1) + 1);
	}
}

static void an_emulated_overflow_has_two_back_edges_when_both_are_back(void **state)
{
	struct x86_setup s = quiet("NMI,PMI,PMU", "emulated_overflow=yes");
	struct x86_result r;

	add(&s, "pmu", X86_TASK, X86_EXIT, 10000, BIT_OF("PMU"));
	s.reaction[s.reactions++] = (struct x86_reaction){ .cycles = 3000 };
	s.on_request[request("PMI")] = 0;
	r = run(&s);
	/* PMU -> PMI and PMI -> NMI; the last overflow may be on its way at the end. */
	assert_in_range(r.vcpu[0].cancels[X86_BACK_EDGE], 2 * r.delivered[request("PMI")] - 1,
			2 * r.delivered[request("PMI")] + 1);
}

/* The same, a little longer if need be, so that the end is in the guest and not in a pass. */
static struct x86_result run_into_guest(struct x86_setup *s)
{
	struct x86_result r = run(s);

	while (r.vcpu[0].entries == r.vcpu[0].exits[2]) {
		s->length += 1500;
		r = run(s);
	}
	return r;
}

/*
 * By hand, old order: PMI is 20th, NMI 18th, EVENT 33rd of 33. The wasted pass is outer 100, 19
 * bits tested, handler 120, 13 more bits, prepare 240, final check 60, taken back 90: 642.
 */
static void a_wasted_pass_costs_what_its_parts_cost(void **state)
{
	struct x86_setup s = quiet("old", "lvtpc=nmi"), m;
	struct x86_result r, after;
	uint64_t pmis, wasted = 100 + 19 + 120 + 13 + 240 + 60 + 90;
	/* The merged order tests 18 bits, PMI, none, NMI after 1, EVENT after 12: one pass. */
	uint64_t second = 100 + 17 + 40 + 14 + 150 + 240 + 60;
	uint64_t single = 100 + 17 + 120 + 1 + 40 + 12 + 150 + 240 + 60;

	add(&s, "pmu", X86_TASK, X86_EXIT, 10000, BIT_OF("PMI"));
	r = run(&s);
	/* Without a reaction the gate stays shut after the first. */
	assert_int_equal(r.delivered[request("PMI")], 1);
	assert_int_equal(r.vcpu[0].cycles[X86_IN_CANCELLED], wasted);
	s.reaction[s.reactions++] = (struct x86_reaction){ .cycles = 0 };
	s.on_request[request("PMI")] = 0;
	r = run_into_guest(&s);
	pmis = r.delivered[request("PMI")];
	assert_int_equal(r.vcpu[0].cycles[X86_IN_CANCELLED], pmis * wasted);
	assert_int_equal(r.vcpu[0].entries, pmis + 1);
	assert_int_equal(r.vcpu[0].cycles[X86_IN_PASS], 100 + 240 + 60 + pmis * second);
	m = s;
	m.order = x86_order_find(model, "merged");
	after = run_into_guest(&m);
	pmis = after.delivered[request("PMI")];
	assert_int_equal(after.vcpu[0].entries, pmis + 1);
	assert_int_equal(after.vcpu[0].cycles[X86_IN_PASS], 100 + 240 + 60 + pmis * single);
	/* The nearest measurement of a pass, the one a timer fast path skips: 445 to 541 cycles. */
	assert_in_range(x86_software_pass(cpu), 445, 541);
}

/* PMIs arrive every 4000 cycles whatever the guest does; its handler takes 10000. */
static void a_masked_entry_delivers_nothing_until_the_guest_unmasks(void **state)
{
	static const char *const config[] = { "lvtpc_mask=on-delivery", "lvtpc_mask=never" };

	for (int never = 0; never < 2; never++) {
		struct x86_setup s = quiet("old", config[never]);
		struct x86_result r;
		unsigned pmi = request("PMI");

		add(&s, "pmu", X86_WALL, X86_REQUEST, 4000, BIT_OF("PMI"));
		s.reaction[s.reactions++] = (struct x86_reaction){ .cycles = 10000 };
		s.on_request[pmi] = 0;
		r = run(&s);
		assert_int_equal(r.vcpu[0].cancels[X86_BACK_EDGE], r.delivered[pmi]);
		if (never) {
			assert_int_equal(r.delivered[pmi], r.handled[pmi]);
			continue;
		}
		/*
		 * A kick costs 2500 cycles or so in the host, which leaves the handler 1500 of each
		 * 4000: it spans six arrivals or more, of which the first is delivered.
		 */
		assert_true(r.delivered[pmi] * 6 <= r.handled[pmi] + 6);
		assert_true(r.delivered[pmi] > 200);
		s.order = x86_order_find(model, "merged");
		r = run(&s);
		assert_int_equal(r.vcpu[0].cancels[X86_BACK_EDGE], 0);
		assert_true(r.delivered[pmi] > 200);
	}
}

static void a_bit_set_twice_is_delivered_once(void **state)
{
	struct x86_setup s = quiet("old", "lvtpc_mask=never");
	struct x86_result r;
	unsigned pmi = request("PMI");

	/* A slow handler keeps the vCPU in the host while more PMIs come. */
	add(&s, "pmu", X86_WALL, X86_REQUEST, 900, BIT_OF("PMI"))->spread = X86_EXPONENTIAL;
	r = run(&s);
	assert_true(r.coalesced[pmi] > 1000);
	assert_in_range(r.handled[pmi] + r.coalesced[pmi], r.arrivals[0] - 1, r.arrivals[0]);
	/* The NMI a PMI raises is a cancel of its own, whatever else cancels that pass. */
	assert_in_range(r.vcpu[0].cancels[X86_BACK_EDGE], r.delivered[pmi] - 1, r.delivered[pmi]);
	s.order = x86_order_find(model, "merged");
	r = run(&s);
	assert_int_equal(r.vcpu[0].cancels[X86_BACK_EDGE], 0);
	assert_true(r.vcpu[0].cancels[X86_REMOTE] > 0);
}

/*
 * A pass that finds no bit set tests none, so bits from other CPUs miss it from its start to the
 * final check: prepare and final, 300 cycles, out of one exit's round. Arrivals are exponential
 * and see time averages; five standard deviations of a count are allowed.
 */
static void requests_of_other_cpus_cancel_when_they_land_in_the_window(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	uint64_t n, expected, in_window, d;
	struct x86_result r;

	s.length = 2000000000;
	add(&s, "exits", X86_TASK, X86_EXIT, 3000, 0);
	add(&s, "steal", X86_WALL, X86_REQUEST, 100000, BIT_OF("STEAL_UPDATE"))->spread =
		X86_EXPONENTIAL;
	r = run(&s);
	n = r.vcpu[0].cancels[X86_REMOTE];
	assert_int_equal(n, cancels(&r, 1));
	in_window = r.vcpu[0].attempts * 300;
	expected = r.arrivals[1] * in_window / s.length;
	assert_true(expected > 1000);
	d = n > expected ? n - expected : expected - n;
	assert_true(d * d < 25 * expected);
}

/* Work that a tick leaves from the test for it to interrupts going off: 100 + 240 cycles. */
static void work_of_the_host_cancels_when_it_lands_in_the_window(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	uint64_t n, expected, d;
	struct x86_source *tick;
	struct x86_result r;

	s.length = 2000000000;
	add(&s, "exits", X86_TASK, X86_EXIT, 3000, 0);
	tick = add(&s, "tick", X86_WALL, X86_INTERRUPT, 100000, 0);
	tick->spread = X86_EXPONENTIAL;
	tick->task_work = 1000000;
	tick->handle = 0;
	r = run(&s);
	n = r.vcpu[0].cancels[X86_WORK];
	assert_int_equal(n, cancels(&r, 1));
	expected = r.arrivals[1] * (r.vcpu[0].attempts * 340) / s.length;
	assert_true(expected > 1000);
	d = n > expected ? n - expected : expected - n;
	assert_true(d * d < 25 * expected);
	/* All work is done: each tick's, less those that fell together. */
	assert_true(r.vcpu[0].cycles[X86_IN_WORK] / 6000 > r.arrivals[1] * 9 / 10);
}

/* Another vCPU, kicks, halts, posted interrupts, ticks: cycles still add up (run() looks). */
static struct x86_setup mixed(const char *order)
{
	struct x86_setup s = quiet(order, "lvtpc=nmi");
	struct x86_source *src;

	s.vcpus = 8;
	s.busy = 3;
	s.length = 30000000;
	s.interval = 10000000;
	s.reaction[0] = (struct x86_reaction){ .cycles = 2500, .exits = 3, .cause = 2,
					       .handle = 200, .raises = BIT_OF("PMU") };
	s.reaction[1] = (struct x86_reaction){ .cycles = 700 };
	s.reactions = 2;
	s.on_request[request("PMI")] = 0;
	add(&s, "pmu", X86_TASK, X86_EXIT, 20000, BIT_OF("PMI"))->spread = X86_EXPONENTIAL;
	src = add(&s, "ipi", X86_TASK, X86_EXIT, 30000, BIT_OF("EVENT"));
	src->remote = true;
	src->reaction = 1;
	add(&s, "flush", X86_WALL, X86_REQUEST, 90000, BIT_OF("TLB_FLUSH"))->together = true;
	add(&s, "device", X86_WALL, X86_POSTED, 50000, 0)->reaction = 1;
	add(&s, "tick", X86_WALL, X86_INTERRUPT, 70000, 0)->task_work = 300000;
	add(&s, "msr", X86_TASK, X86_EXIT, 11000, 0)->fast = true;
	s.reload_fails = 1000;
	return s;
}

static void all_cycles_and_attempts_add_up(void **state)
{
	struct x86_setup s = mixed("old");
	struct x86_result r = run(&s), again = run(&s);
	uint64_t pmis = r.delivered[request("PMI")], back = 0;

	assert_int_equal(r.intervals, 3);
	assert_int_equal(r.at[2].cancels, cancels(&r, 8));
	for (unsigned v = 0; v < 8; v++) {
		uint64_t n = 0, exits = 0;

		for (unsigned i = 0; i < X86_REASONS; i++)
			n += r.vcpu[v].cancels[i];
		for (unsigned i = 0; i < s.causes; i++)
			exits += r.vcpu[v].exits[i];
		/* Every attempt ended one way or the other but for one at the end of the run. */
		assert_in_range(r.vcpu[v].attempts + r.vcpu[v].fast, r.vcpu[v].entries + n,
				r.vcpu[v].entries + n + 1);
		assert_in_range(r.vcpu[v].entries, exits, exits + 1);
		back += r.vcpu[v].cancels[X86_BACK_EDGE];
		assert_true(v < 2 || r.vcpu[v].cycles[X86_IN_HALT] > 0);
		assert_true(v >= 2 || !r.vcpu[v].cycles[X86_IN_HALT]);
	}
	assert_true(pmis > 1000);
	assert_in_range(back, pmis - 2, pmis);
	/* The same seed, the same run. */
	assert_memory_equal(r.vcpu, again.vcpu, sizeof(r.vcpu));
	x86_result_done(&r);
	x86_result_done(&again);
}

/* What an observer hears, as cycles by state. */
struct watch {
	uint64_t since[X86_VCPUS_MAX], cycles[X86_VCPUS_MAX][X86_STATES];
	uint64_t exits[X86_CAUSES_MAX], halts;
	unsigned state[X86_VCPUS_MAX];
};

static void on_state(void *ctx, uint64_t now, uint32_t vcpu, unsigned state)
{
	struct watch *w = ctx;

	assert_true(now >= w->since[vcpu]);
	w->cycles[vcpu][w->state[vcpu]] += now - w->since[vcpu];
	w->since[vcpu] = now;
	w->state[vcpu] = state;
}

static void on_exit_seen(void *ctx, uint64_t now, uint32_t vcpu, unsigned cause, bool entered,
			 bool halted)
{
	struct watch *w = ctx;

	w->exits[cause]++;
	w->halts += halted;
}

/* Without host interrupts an observer hears all there is; cancelled passes begin as passes. */
static void an_observer_hears_all(void **state)
{
	struct watch *w = test_calloc(1, sizeof(*w));
	const struct hv_observer o = { w, on_state, on_exit_seen };
	struct x86_setup s = mixed("old");
	uint64_t halts = 0, exits = 0;
	struct x86_result r;

	s.sources = 4; /* no ticks */
	s.observer = &o;
	for (unsigned i = 0; i < s.sources; i++)
		s.source[i].raises = s.source[i].route == X86_REQUEST ? 0 : s.source[i].raises;
	s.source[2].route = X86_POSTED; /* no kicks either */
	s.source[1].raises = 0;
	r = run(&s);
	for (unsigned v = 0; v < s.vcpus; v++) {
		const uint64_t *heard = w->cycles[v], *was = r.vcpu[v].cycles;

		on_state(w, s.length, v, X86_IN_HALT);
		for (unsigned i = 0; i < X86_STATES; i++)
			if (i != X86_IN_PASS && i != X86_IN_CANCELLED)
				assert_int_equal(heard[i], was[i]);
		assert_int_equal(heard[X86_IN_PASS] + heard[X86_IN_CANCELLED],
				 was[X86_IN_PASS] + was[X86_IN_CANCELLED]);
		halts += r.vcpu[v].exits[s.cause_halt];
		exits += r.vcpu[v].exits[2];
	}
	assert_int_equal(w->halts, halts);
	assert_int_equal(w->exits[2], exits);
	assert_true(exits > 1000);
	x86_result_done(&r);
	test_free(w);
}

static void a_policy_does_not_shift_the_guests_draws(void **state)
{
	struct x86_setup s = mixed("old"), t = mixed("merged");
	struct x86_result a = run(&s), b = run(&t);

	/* Host time: the same arrivals to the last one. Guest time: the same as far as it got. */
	assert_int_equal(a.arrivals[2], b.arrivals[2]);
	assert_int_equal(a.arrivals[4], b.arrivals[4]);
	assert_in_range(b.arrivals[0], a.arrivals[0], a.arrivals[0] * 103 / 100);
	x86_result_done(&a);
	x86_result_done(&b);
}

/* Handler 350, outer 100, prepare 240, final 60 against the fast path's 500: 250 a turn. */
static void the_fast_path_skips_the_pass(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	struct x86_result slow, fast;

	add(&s, "timer", X86_TASK, X86_EXIT, 8000, 0);
	slow = run(&s);
	s.source[0].fast = true;
	fast = run(&s);
	assert_in_range(fast.vcpu[0].fast, fast.arrivals[0] - 1, fast.arrivals[0]);
	assert_int_equal(fast.vcpu[0].attempts, 1);
	/* A turn is 8000 and 550 + 450 and the rest; the phase is less than a turn. */
	assert_in_range(slow.arrivals[0], s.length / 9750 - 1, s.length / 9750 + 1);
	assert_in_range(fast.arrivals[0], s.length / 9500 - 1, s.length / 9500 + 1);
}

/*
 * A closed loop: 50000 cycles after each halt a posted interrupt, 1000 cycles of handler. A round
 * is 50000 of halt, the wake-up, outer to final 400, entry 450, handler, exit 550 and 350.
 */
static void halt_polling_saves_the_wake_up(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	uint64_t round = 50000 + 400 + 450 + 1000 + 550 + 350;
	struct x86_result none, always, dynamic;

	s.busy = 0;
	s.length = 100000000;
	s.halt = (struct x86_halt){ .max = 600000, .start = 30000, .grow = 2 };
	s.reaction[s.reactions++] = (struct x86_reaction){ .cycles = 1000 };
	add(&s, "net", X86_HALT, X86_POSTED, 50000, 0)->reaction = 0;
	none = run(&s);
	assert_in_range(none.arrivals[0], s.length / (round + 24000) - 1,
			s.length / (round + 24000) + 1);
	s.halt.poll = X86_POLL_ALWAYS;
	always = run(&s);
	assert_in_range(always.arrivals[0], s.length / (round + 600) - 1,
			s.length / (round + 600) + 1);
	assert_int_equal(always.vcpu[0].polled, always.vcpu[0].wakes);
	/* From nothing to 30000, then to 60000, which is enough: two wake-ups are lost. */
	s.halt.poll = X86_POLL_DYNAMIC;
	dynamic = run(&s);
	assert_int_equal(dynamic.vcpu[0].wakes - dynamic.vcpu[0].polled, 2);
	assert_in_range(dynamic.arrivals[0], always.arrivals[0] - 2, always.arrivals[0]);
}

static void requests_that_never_end_are_an_error(void **state)
{
	struct x86_setup s = quiet("merged", "tsc_khz=unknown");
	struct err err = ERR_INIT;
	struct x86_result r;

	add(&s, "clock", X86_TASK, X86_EXIT, 10000, BIT_OF("CLOCK_UPDATE"));
	/* Half the updates ask again: as many cancels as updates, within five deviations. */
	s.length = 100000000;
	r = run(&s);
	assert_true(r.arrivals[0] > 5000);
	assert_in_range(r.vcpu[0].cancels[X86_BACK_EDGE], r.arrivals[0] - 600, r.arrivals[0] + 600);
	for (unsigned i = 0; i < model->edges; i++)
		if (model->edge[i].from == model->edge[i].to)
			model->edge[i].chance = X86_MICRO;
	assert_int_equal(x86_loop_run(&s, &r, &err), -1);
	assert_error_has(err, "request CLOCK_UPDATE is set again");
	for (unsigned i = 0; i < model->edges; i++)
		if (model->edge[i].from == model->edge[i].to)
			model->edge[i].chance = X86_MICRO / 2;
}

/*
 * The window that a request of another CPU can land in: from after the host's
 * task work to the final check. With nothing to do that is outer 100, prepare 240
 * and the check's 60.
 */
static void the_window_is_a_pass(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	struct x86_result r;

	add(&s, "exit", X86_TASK, X86_EXIT, 10000, 0);
	r = run_into_guest(&s);
	assert_true(r.vcpu[0].entries > 500);
	assert_int_equal(r.vcpu[0].window, r.vcpu[0].entries * (100 + 240 + 60));
}

/* What a fast exit raises is not passed over: each takes the slow way, and is delivered. */
static void a_request_ends_the_fast_path(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	struct x86_result r;
	uint64_t exits;

	add(&s, "timer", X86_TASK, X86_EXIT, 10000, BIT_OF("TLB_FLUSH"))->fast = true;
	r = run_into_guest(&s);
	exits = r.vcpu[0].exits[2];
	assert_true(exits > 500);
	assert_int_equal(r.vcpu[0].fast, 0);
	assert_int_equal(r.delivered[request("TLB_FLUSH")], exits);
}

/* An MMU that can't be loaded one time in two: half of the attempts, for that reason. */
static void an_mmu_that_is_not_loaded_cancels(void **state)
{
	struct x86_setup s = quiet("merged", "lvtpc=nmi");
	const struct x86_vcpu_result *v;
	struct x86_result r;

	add(&s, "exit", X86_TASK, X86_EXIT, 10000, 0);
	s.reload_fails = 500000;
	r = run_into_guest(&s);
	v = &r.vcpu[0];
	assert_int_equal(cancels(&r, 1), v->cancels[X86_RELOAD]);
	assert_int_equal(v->attempts, v->entries + v->cancels[X86_RELOAD]);
	/* three standard deviations of over 1600 attempts: 4 % */
	assert_true(v->attempts > 1600);
	assert_in_range(v->cancels[X86_RELOAD] * 100 / v->attempts, 46, 53);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cancels_are_delivered_pmis_times_back_edges),
		cmocka_unit_test(an_emulated_overflow_has_two_back_edges_when_both_are_back),
		cmocka_unit_test(a_wasted_pass_costs_what_its_parts_cost),
		cmocka_unit_test(a_masked_entry_delivers_nothing_until_the_guest_unmasks),
		cmocka_unit_test(a_bit_set_twice_is_delivered_once),
		cmocka_unit_test(requests_of_other_cpus_cancel_when_they_land_in_the_window),
		cmocka_unit_test(work_of_the_host_cancels_when_it_lands_in_the_window),
		cmocka_unit_test(all_cycles_and_attempts_add_up),
		cmocka_unit_test(an_observer_hears_all),
		cmocka_unit_test(a_policy_does_not_shift_the_guests_draws),
		cmocka_unit_test(the_fast_path_skips_the_pass),
		cmocka_unit_test(halt_polling_saves_the_wake_up),
		cmocka_unit_test(requests_that_never_end_are_an_error),
		cmocka_unit_test(the_window_is_a_pass),
		cmocka_unit_test(a_request_ends_the_fast_path),
		cmocka_unit_test(an_mmu_that_is_not_loaded_cancels),
	};

	return cmocka_run_group_tests_name("x86_loop", tests, load, unload);
}
