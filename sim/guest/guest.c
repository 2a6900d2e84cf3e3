// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/guest.h"

#include <assert.h>

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct rnd stream(const struct guest *g, const char *purpose)
{
	return (struct rnd){ g->setup->seed, g->cpu, rnd_purpose(purpose) };
}

/* The next of a stream of exponential gaps, at least one cycle; never when it is off. */
static uint64_t draw(const struct rnd *r, uint64_t *index, uint64_t mean)
{
	uint64_t v;

	if (!mean)
		return GUEST_NEVER;
	v = rnd_exp(r, (*index)++, mean);
	return v ? v : 1;
}

static uint64_t tick_after(const struct guest *g, uint64_t now, uint64_t phase)
{
	uint64_t period = g->setup->tick_period;

	return now < phase ? phase : phase + ((now - phase) / period + 1) * period;
}

/* All CPUs of a guest tick together; where in the period is a draw of the guest's. */
static uint64_t tick_phase(const struct guest *g)
{
	struct rnd r = { g->setup->seed, 0, rnd_purpose("guest tick phase") };

	return rnd_below(&r, 0, g->setup->tick_period);
}

void guest_init(struct guest *g, const struct guest_setup *setup, const struct guest_load *load,
		uint32_t cpu)
{
	*g = (struct guest){ .setup = setup, .load = *load, .cpu = cpu };
	g->fault_draw = stream(g, "guest page fault");
	g->hcall_draw = stream(g, "guest hcall");
	g->ipi_draw = stream(g, "guest ipi");
	g->timer_draw = stream(g, "guest timer");
	g->respin_draw = stream(g, "guest respin");
	g->to_fault = draw(&g->fault_draw, &g->faults, load->fault_mean);
	g->to_hcall = draw(&g->hcall_draw, &g->hcalls, load->hcall_mean);
	g->to_ipi = draw(&g->ipi_draw, &g->ipis, load->ipi_mean);
	g->next_timer = draw(&g->timer_draw, &g->timers, load->timer_mean);
	g->next_sleep = load->sleep ? load->sleep : GUEST_NEVER;
	g->tick_phase = tick_phase(g);
	g->next_tick = tick_after(g, 0, g->tick_phase);
	g->plan.timer = GUEST_NEVER;
	g->decrementer.bits = setup->small_dec ? DEC_BITS_SMALL : DEC_BITS_LARGE;
	idle_init(&g->governor);
	if (load->plan)
		idle_settle(&g->governor, (uint32_t)(setup->idle.tick_ns / 1000));
}

static void leave_idle(struct guest *g, uint64_t now)
{
	g->idle = false;
	g->chosen = false;
	g->plan.holds_tick = false;
	if (g->tick_stopped) {
		g->tick_stopped = false;
		g->next_tick = tick_after(g, now, g->tick_phase);
	}
}

/* What its plan has next when there is no work before it. */
static const struct guest_intent *plan_act(const struct guest *g)
{
	return g->load.plan && !g->task_work ? guest_plan_act(g->load.plan, &g->plan) : NULL;
}

static bool busy(const struct guest *g, const struct guest_intent *plans)
{
	return g->load.loop || g->task_work || plans;
}

/*
 * Fields one by one: a compound literal is made aside and copied sixteen bytes
 * at a time, which waits for its parts to be in memory.
 */
static void set_want(struct guest_want *want, enum guest_act act, uint64_t work, uint32_t target)
{
	want->act = act;
	want->kernel = false;
	want->work = work;
	want->until = 0;
	want->target = target;
}

static void next_work(const struct guest *g, const struct guest_intent *plans,
		      struct guest_want *want)
{
	static const enum guest_act acts[] = {
		[GUEST_I_HCALL] = GUEST_HCALL, [GUEST_I_FAULT] = GUEST_FAULT,
		[GUEST_I_IPI] = GUEST_IPI, [GUEST_I_OTHER] = GUEST_OTHER,
	};
	uint64_t work = min_u64(g->to_fault, min_u64(g->to_hcall, g->to_ipi));

	if (!g->load.loop)
		work = min_u64(work, g->task_work);
	if (plans)
		set_want(want, acts[plans->kind], 0, plans->target);
	else if (!g->to_fault)
		set_want(want, GUEST_FAULT, work, 0);
	else if (!g->to_hcall)
		set_want(want, GUEST_HCALL, work, GUEST_NEXT_CPU);
	else if (!g->to_ipi)
		set_want(want, GUEST_IPI, work, GUEST_NEXT_CPU);
	else
		set_want(want, GUEST_WORK, work, GUEST_NEXT_CPU);
}

static int64_t ns_until(const struct guest *g, uint64_t now, uint64_t when)
{
	uint64_t ns;

	if (when == GUEST_NEVER)
		return IDLE_NEVER_NS;
	ns = when > now ? clk_ns(&g->setup->clock, when - now) : 0;
	return ns > INT64_MAX ? IDLE_NEVER_NS : (int64_t)ns;
}

/* The next timer that someone waits for: not the tick. */
static uint64_t next_wait(const struct guest *g)
{
	return min_u64(g->plan.timer, min_u64(g->next_timer, g->next_sleep));
}

static unsigned ceding_state(const struct idle_model *m)
{
	unsigned i = m->n - 1;

	while (i && !m->state[i].cede)
		i--;
	return i;
}

/*
 * A recorded idle period began with a cede, and no tick of the guest ended it: its end is in the
 * plan. Under a policy that wakes the guest before that, what its governor learns of such wake-ups
 * counts: it chooses again, with the tick as it would have it, and chooses how the next period begins.
 */
static bool as_recorded(const struct guest *g)
{
	return g->setup->recorded && g->plan.idle && !g->plan.began &&
	       (!g->plan.disturbed || g->setup->costs.respin);
}

static void begin_recorded(struct guest *g)
{
	g->state = ceding_state(&g->setup->idle);
	g->plan.holds_tick = !g->tick_stopped;
	g->tick_stopped = true;
}

static void release_tick(struct guest *g, uint64_t now)
{
	g->plan.holds_tick = false;
	g->tick_stopped = false;
	g->next_tick = tick_after(g, now, g->tick_phase);
}

/*
 * What the guest's kernel did around its work is in a recording's work already, but for what a
 * policy makes it do that wakes it for nothing.
 */
static bool costs_recorded(const struct guest *g)
{
	return g->setup->recorded && g->load.plan && !g->plan.spurious && !g->plan.disturbed;
}

static void choose_state(struct guest *g, uint64_t now)
{
	struct idle_choice c;

	if (g->plan.holds_tick)
		release_tick(g, now);
	c = idle_select(&g->governor, &g->setup->idle,
			ns_until(g, now, next_wait(g)),
			ns_until(g, now, g->next_tick), g->tick_stopped);
	g->state = c.state;
	g->tick_stopped |= c.stop_tick;
	if (as_recorded(g))
		begin_recorded(g);
	g->plan.began = true;
	g->plan.spurious |= g->plan.ceded;
	g->plan.ceded |= g->setup->idle.state[g->state].cede;
	g->chosen = true;
	if (!costs_recorded(g))
		g->kernel_work += g->setup->costs.idle_enter;
}

/* There is work: what a wake-up for nothing would go on taking isn't done. */
static void stop_respinning(struct guest *g)
{
	if (!g->respinning)
		return;
	g->respinning = false;
	g->chosen = false;
	g->kernel_work = 0;
}

static void fall_asleep(struct guest *g, uint64_t now, struct guest_want *want)
{
	const struct idle_state *s = &g->setup->idle.state[g->state];

	if (!g->asleep) {
		g->asleep = true;
		g->slept_at = now;
		g->snooze_until = GUEST_NEVER;
		if (s->cede)
			g->counts.cedes++;
		else
			g->counts.snoozes++;
		if (!s->cede && s->timeout_ns != IDLE_NEVER_NS)
			g->snooze_until = now + clk_ns_cycles(&g->setup->clock,
							      (uint64_t)s->timeout_ns);
	}
	set_want(want, s->cede ? GUEST_CEDE : GUEST_SNOOZE, 0, 0);
	want->until = s->cede ? 0 : g->snooze_until;
}

/* Where a recording ends nobody knows what comes next, and a CPU that has other loads goes on. */
static bool at_end(const struct guest *g)
{
	return g->load.plan && !g->plan.idle && g->plan.next == g->load.plan->n &&
	       g->next_timer == GUEST_NEVER && g->next_sleep == GUEST_NEVER;
}

/* What it does when the kernel has nothing to do first. False: now it has. */
static bool next_of_tasks(struct guest *g, uint64_t now, struct guest_want *want)
{
	const struct guest_intent *plans;

	if (g->load.plan && !g->task_work)
		g->task_work = guest_plan_advance(g->load.plan, &g->plan, now);
	plans = plan_act(g);
	if (busy(g, plans)) {
		guest_woke(g, now);
		if (g->kernel_work)
			return false;
		if (g->idle)
			leave_idle(g, now);
		next_work(g, plans, want);
		return true;
	}
	if (at_end(g)) {
		set_want(want, GUEST_STOP, 0, 0);
		return true;
	}
	g->idle = true;
	if (!g->chosen) {
		choose_state(g, now);
		if (g->kernel_work)
			return false;
	}
	fall_asleep(g, now, want);
	return true;
}

void guest_next(struct guest *g, uint64_t now, struct guest_want *want)
{
	if (!g->kernel_work && next_of_tasks(g, now, want))
		return;
	set_want(want, GUEST_WORK, g->kernel_work, 0);
	want->kernel = true;
}

static void count_down(uint64_t *left, uint64_t work)
{
	if (*left != GUEST_NEVER)
		*left -= min_u64(*left, work);
}

void guest_worked(struct guest *g, const struct guest_want *want, uint64_t work)
{
	if (want->kernel) {
		g->kernel_work -= min_u64(g->kernel_work, work);
		g->respinning &= g->kernel_work != 0;
		return;
	}
	g->counts.work += work;
	count_down(&g->to_fault, work);
	count_down(&g->to_hcall, work);
	count_down(&g->to_ipi, work);
	g->task_work -= min_u64(g->task_work, work);
}

void guest_did(struct guest *g, enum guest_act act)
{
	if (plan_act(g))
		g->plan.next++;
	else if (act == GUEST_FAULT)
		g->to_fault = draw(&g->fault_draw, &g->faults, g->load.fault_mean);
	else if (act == GUEST_HCALL)
		g->to_hcall = draw(&g->hcall_draw, &g->hcalls, g->load.hcall_mean);
	else if (act == GUEST_IPI)
		g->to_ipi = draw(&g->ipi_draw, &g->ipis, g->load.ipi_mean);
}

/* The largest the kernel writes (decrementer_max in arch/powerpc/kernel/time.c): no sign bit. */
static uint64_t dec_max(const struct guest *g)
{
	return (UINT64_C(1) << (g->decrementer.bits - 1)) - 1;
}

/*
 * mtspr DEC at `now` so that it is pending from `when` on, or as late as it can be. The exception
 * comes with -1: set_dec() writes one less.
 */
static uint64_t write_dec(struct guest *g, uint64_t now, uint64_t when)
{
	const struct clk *clock = &g->setup->clock;
	uint64_t tb = clk_ticks(clock, now), left = dec_max(g), tick;

	if (when != GUEST_NEVER) {
		tick = clk_ticks(clock, when);
		if (clk_cycles(clock, tick) < when)
			tick++;
		if (tick <= tb)
			return clk_cycles(clock, tick);
		left = min_u64(left, tick - tb);
	}
	dec_write(&g->decrementer, tb, left - 1);
	return clk_cycles(clock, dec_due(&g->decrementer, tb));
}

uint64_t guest_dec(struct guest *g, uint64_t now)
{
	uint64_t when = next_wait(g);

	if (!g->tick_stopped)
		when = min_u64(when, g->next_tick);
	if (when == g->dec_when) /* asked for many times a turn */
		return g->dec;
	g->dec_when = when;
	g->dec = when == GUEST_NEVER && !g->setup->small_dec ? GUEST_NEVER : write_dec(g, now, when);
	return g->dec;
}

static void expire_timers(struct guest *g, uint64_t now)
{
	while (g->next_timer <= now) {
		g->task_work += g->load.timer_work;
		g->counts.wakes++;
		g->next_timer += draw(&g->timer_draw, &g->timers, g->load.timer_mean);
	}
	if (guest_plan_expire(&g->plan, now))
		g->counts.wakes++;
	if (g->next_sleep <= now) {
		g->task_work += g->load.sleep_work;
		g->counts.wakes++;
		/* The task sleeps again when its work is done: about then, on its own clock. */
		g->next_sleep = now + g->load.sleep_work + g->load.sleep;
	}
}

void guest_dec_interrupt(struct guest *g, uint64_t now)
{
	assert(now >= guest_dec(g, now));
	g->counts.ticks++;
	g->dec_when = 0; /* a small decrementer has to be written anew for the same timer */
	if (next_wait(g) <= now)
		stop_respinning(g);
	if (!costs_recorded(g))
		g->kernel_work += g->setup->costs.tick;
	if (!g->tick_stopped && g->next_tick <= now)
		g->next_tick = tick_after(g, now, g->tick_phase);
	expire_timers(g, now);
}

/* As recorded on average, from half of it to one and a half: else it falls into step with a tick. */
static uint64_t draw_respin(struct guest *g)
{
	uint64_t mean = g->setup->costs.respin;

	return rnd_between(&g->respin_draw, g->respins++, mean - mean / 2, mean + mean / 2);
}

void guest_woke(struct guest *g, uint64_t now)
{
	if (!g->asleep)
		return;
	idle_reflect(&g->governor, &g->setup->idle,
		     (int64_t)clk_ns(&g->setup->clock, now - g->slept_at));
	g->asleep = false;
	if (g->setup->costs.respin && g->setup->idle.state[g->state].cede && now < guest_dec(g, now)) {
		g->kernel_work += draw_respin(g);
		g->respinning = true;
		return;
	}
	g->chosen = false;
	if (!costs_recorded(g))
		g->kernel_work += g->setup->costs.idle_exit;
}

void guest_interrupt(struct guest *g, uint64_t now)
{
	stop_respinning(g);
	if (!costs_recorded(g))
		g->kernel_work += g->setup->costs.irq;
	g->task_work += g->load.ipi_work;
	guest_plan_interrupt(&g->plan);
	if (g->task_work)
		guest_woke(g, now);
}

void guest_arrival(struct guest *g)
{
	g->plan.irqs_come++;
}

void guest_away(struct guest *g, uint64_t cycles)
{
	if (g->plan.timer < GUEST_NEVER - cycles)
		g->plan.timer += cycles;
}
