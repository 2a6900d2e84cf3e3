// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * L1's CPUs: their timer (the tick and the host timers of vCPUs that block),
 * and a round-robin scheduler for when vCPUs outnumber CPUs. A CPU with nothing
 * to run stops its tick (NO_HZ idle).
 */
#include <assert.h>

#include "base/mem.h"
#include "engine/rnd.h"
#include "hv/v2_sim.h"

/* How late the CPU's next timer interrupt comes. */
static uint64_t draw_lateness(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	struct rnd late = { sim->s->guest.seed, cpu->index, rnd_purpose("l1 timer late") };
	struct rnd how = { sim->s->guest.seed, cpu->index, rnd_purpose("l1 timer lateness") };

	if (!sim->s->timer_lateness || !rnd_chance(&late, cpu->interrupts, sim->s->timer_late * 1000))
		return 0;
	return rnd_exp(&how, cpu->interrupts, sim->s->timer_lateness);
}

void v2_l1_init(struct v2_sim *sim, struct l1_cpu *cpu, uint32_t index)
{
	uint32_t vcpus = sim->s->vcpus, cpus = sim->s->l1_cpus;

	*cpu = (struct l1_cpu){ .index = index, .first = index, .next_tick = V2_NEVER,
				.idle_until = V2_NEVER };
	cpu->core = index / sim->s->smt * sim->s->smt;
	cpu->siblings = cpus - cpu->core < sim->s->smt ? cpus - cpu->core : sim->s->smt;
	cpu->threads[SMT_IDLE] = cpu->siblings;
	cpu->room = index < vcpus ? (vcpus - index + cpus - 1) / cpus : 0;
	cpu->queue = mem_zalloc(cpu->room, sizeof(*cpu->queue));
	cpu->lateness = draw_lateness(sim, cpu);
	cpu->tick_phase = sim->s->l1_tick_at && sim->s->l1_tick_at[index] ?
		sim->s->l1_tick_at[index] % sim->s->l1_tick_period : sim->l1_tick_phase;
}

static uint64_t tick_after(const struct v2_sim *sim, const struct l1_cpu *cpu, uint64_t now)
{
	uint64_t period = sim->s->l1_tick_period, phase = cpu->tick_phase;

	if (now < cpu->given_until)
		now = cpu->given_until;
	return now < phase ? phase : phase + ((now - phase) / period + 1) * period;
}

/* Up to `until` the CPU's ticks arrive from a recording. */
void v2_l1_ticks_given(struct v2_sim *sim, struct l1_cpu *cpu, uint64_t until)
{
	if (until > cpu->given_until)
		cpu->given_until = until;
	if (cpu->next_tick != V2_NEVER && cpu->next_tick > sim->now &&
	    cpu->next_tick <= cpu->given_until)
		cpu->next_tick = tick_after(sim, cpu, sim->now);
}

static uint64_t next_host_timer(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	uint64_t next = V2_NEVER;

	for (uint32_t i = cpu->first; i < sim->s->vcpus; i += sim->s->l1_cpus)
		if (sim->vcpu[i].host_timer < next)
			next = sim->vcpu[i].host_timer;
	return next;
}

/* When the CPU's decrementer, as L1 sees it, is due. */
uint64_t v2_l1_next_timer(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	uint64_t host = next_host_timer(sim, cpu);

	return host < cpu->next_tick ? host : cpu->next_tick;
}

static void enqueue(struct l1_cpu *cpu, struct vcpu *v)
{
	assert(cpu->queued < cpu->room);
	cpu->queue[(cpu->head + cpu->queued++) % cpu->room] = v->index;
}

static struct vcpu *dequeue(struct v2_sim *sim, struct l1_cpu *cpu)
{
	uint32_t index = cpu->queue[cpu->head];

	cpu->head = (cpu->head + 1) % cpu->room;
	cpu->queued--;
	return &sim->vcpu[index];
}

static void go_idle(struct v2_sim *sim, struct l1_cpu *cpu)
{
	cpu->current = NULL;
	cpu->next_tick = V2_NEVER;
	cpu->need_resched = false;
	v2_set_activity(sim, cpu, SMT_IDLE);
	cpu->idle_until = next_host_timer(sim, cpu);
	if (cpu->idle_until != V2_NEVER)
		dlq_set(&sim->deadlines, sim->s->vcpus + cpu->index,
			cpu->idle_until > sim->now ? cpu->idle_until : sim->now);
}

static void run_on(struct v2_sim *sim, struct l1_cpu *cpu, struct vcpu *v)
{
	dlq_clear(&sim->deadlines, sim->s->vcpus + cpu->index);
	v2_phase_end(sim, v);
	cpu->current = v;
	cpu->slice_start = sim->now;
	cpu->need_resched = false;
	if (cpu->next_tick == V2_NEVER)
		cpu->next_tick = tick_after(sim, cpu, sim->now);
	v2_set_activity(sim, cpu, SMT_ACTIVE);
	v2_phase_work(sim, v, PH_WAKE, V2_L1_WAKE, 0, 0);
}

/* An idle CPU has been interrupted: it needs idle_exit before it runs the vCPU. */
static void start_from_idle(struct v2_sim *sim, struct l1_cpu *cpu)
{
	cpu->idle_until = V2_NEVER;
	dlq_set(&sim->deadlines, sim->s->vcpus + cpu->index, sim->now + sim->s->idle_exit);
}

static void make_runnable(struct v2_sim *sim, struct vcpu *v)
{
	v2_phase_end(sim, v);
	v->host_timer = V2_NEVER;
	v2_phase_wait(sim, v, PH_RUNNABLE);
	enqueue(&sim->cpu[v->cpu], v);
}

/* Host timers that are due: queue DEC and wake (kvmppc_decrementer_func()). */
static void fire_host_timers(struct v2_sim *sim, struct l1_cpu *cpu)
{
	const struct hv_observer *o = sim->s->observer;

	for (uint32_t i = cpu->first; i < sim->s->vcpus; i += sim->s->l1_cpus) {
		struct vcpu *v = &sim->vcpu[i];

		if (v->host_timer > sim->now)
			continue;
		if (o && o->timer && v->phase == PH_BLOCKED)
			o->timer(o->ctx, sim->now, v->index, v->host_timer, false);
		v->host_timer = V2_NEVER;
		v->pending_dec = true;
		if (v->phase == PH_BLOCKED)
			make_runnable(sim, v);
	}
}

static void decide_resched(struct v2_sim *sim, struct l1_cpu *cpu, uint64_t allowance)
{
	if (cpu->queued && cpu->current && sim->now - cpu->slice_start >= allowance)
		cpu->need_resched = true;
}

/* How late it is seen in the guest, where L0's timer stands for it. */
uint64_t v2_l1_hdec_lateness(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	struct rnd how = { sim->s->guest.seed, cpu->index, rnd_purpose("l1 hdec lateness") };

	return sim->s->hdec_lateness ? rnd_exp(&how, cpu->interrupts, sim->s->hdec_lateness) : 0;
}

/* As recorded: its timer is due now, and the interrupt comes so much later. */
void v2_l1_be_late(struct v2_sim *sim, struct l1_cpu *cpu, uint64_t span)
{
	uint64_t due = v2_l1_next_timer(sim, cpu);

	if (due > sim->now)
		cpu->next_tick = due = sim->now;
	cpu->lateness = sim->now - due + span;
}

/* Whether L1, which has just enabled interrupts, takes its timer's. */
bool v2_l1_timer_fires(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	uint64_t due = v2_l1_next_timer(sim, cpu);

	return due != V2_NEVER && sim->now >= due && sim->now - due >= cpu->lateness;
}

void v2_l1_timer_interrupt(struct v2_sim *sim, struct l1_cpu *cpu)
{
	uint32_t before = cpu->queued;

	cpu->interrupts++;
	cpu->lateness = draw_lateness(sim, cpu);
	if (cpu->next_tick <= sim->now) {
		cpu->next_tick = tick_after(sim, cpu, sim->now);
		decide_resched(sim, cpu, sim->s->slice);
	}
	fire_host_timers(sim, cpu);
	if (cpu->queued > before)
		decide_resched(sim, cpu, sim->s->wake_granularity);
}

bool v2_l1_need_resched(const struct v2_sim *sim, const struct l1_cpu *cpu)
{
	return cpu->need_resched;
}

/* Wake a blocked vCPU from another CPU (an IPI for it has arrived). */
void v2_l1_wake(struct v2_sim *sim, struct vcpu *v)
{
	struct l1_cpu *cpu = &sim->cpu[v->cpu];
	bool starting = !cpu->current && cpu->queued;

	make_runnable(sim, v);
	if (starting)
		return;
	if (!cpu->current) {
		start_from_idle(sim, cpu);
		return;
	}
	decide_resched(sim, cpu, sim->s->wake_granularity);
	if (cpu->need_resched && cpu->current->phase == PH_GUEST)
		v2_guest_kick(sim, cpu->current, V2_TRAP_EXTERNAL);
}

/* The current vCPU leaves its CPU, to sleep or to wait; the next one runs. */
void v2_l1_leave(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase)
{
	struct l1_cpu *cpu = &sim->cpu[v->cpu];

	v2_phase_wait(sim, v, phase);
	if (phase == PH_RUNNABLE)
		enqueue(cpu, v);
	if (cpu->queued)
		run_on(sim, cpu, dequeue(sim, cpu));
	else
		go_idle(sim, cpu);
}

/* An idle CPU's deadline: its timer, or the end of waking up. */
void v2_l1_idle_event(struct v2_sim *sim, struct l1_cpu *cpu)
{
	if (cpu->idle_until != V2_NEVER) {
		fire_host_timers(sim, cpu);
		start_from_idle(sim, cpu);
		return;
	}
	if (!cpu->queued) {
		go_idle(sim, cpu);
		return;
	}
	run_on(sim, cpu, dequeue(sim, cpu));
}
