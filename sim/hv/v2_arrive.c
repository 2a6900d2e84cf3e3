// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What reaches vCPUs from outside at times of its own: interrupts that a
 * recording holds, and the start of vCPUs that weren't there from the first.
 */
#include "hv/v2_sim.h"

static const struct v2_arrivals *arrivals_of(const struct v2_sim *sim, const struct vcpu *v)
{
	return &sim->s->arrivals[v->index];
}

bool v2_arrive_left(const struct v2_sim *sim, const struct vcpu *v)
{
	return sim->s->arrivals && v->next_arrival < arrivals_of(sim, v)->n;
}

static void arm_next(struct v2_sim *sim, const struct vcpu *v)
{
	const struct v2_arrivals *a = arrivals_of(sim, v);
	uint32_t owner = sim->s->vcpus + sim->s->l1_cpus + v->index;
	uint64_t at;

	if (v->next_arrival == a->n)
		return;
	at = a->arrival[v->next_arrival].at;
	dlq_set(&sim->deadlines, owner, at > sim->now ? at : sim->now);
}

static void start(struct v2_sim *sim, struct vcpu *v)
{
	v->started = true;
	v2_l1_wake(sim, v);
}

/* vCPUs whose arrivals don't begin with their start are there from cycle 0. */
void v2_arrive_start(struct v2_sim *sim)
{
	for (uint32_t i = 0; i < sim->s->vcpus; i++) {
		struct vcpu *v = &sim->vcpu[i];
		const struct v2_arrivals *a = sim->s->arrivals ? arrivals_of(sim, v) : NULL;

		if (!a || !a->n || a->arrival[0].kind != V2_A_START)
			start(sim, v);
		if (a)
			arm_next(sim, v);
	}
}

/* An external interrupt is pending for the vCPU: wake it, or make it come out to take it. */
void v2_arrive_external(struct v2_sim *sim, struct vcpu *v)
{
	v->pending_ext = true;
	if (v->phase == PH_BLOCKED && v->started)
		v2_l1_wake(sim, v);
	else if (v->phase == PH_GUEST)
		v2_guest_kick(sim, v, V2_TRAP_EXTERNAL);
}

static bool on_a_cpu(const struct vcpu *v)
{
	return v->phase != PH_BLOCKED && v->phase != PH_RUNNABLE;
}

/*
 * In the recording it ended a turn. Here the vCPU may be between two: then it ends the next, if
 * that begins within a quarter of a tick, for replays drift.
 */
static void tick(struct v2_sim *sim, struct vcpu *v)
{
	if (v->phase == PH_GUEST)
		v2_guest_tick(sim, v);
	else if (on_a_cpu(v))
		v->tick_until = (v->phase == PH_AWAY ? v->until : sim->now) +
				sim->s->l1_tick_period / 4;
}

void v2_arrive_event(struct v2_sim *sim, struct vcpu *v)
{
	const struct v2_arrival *a = &arrivals_of(sim, v)->arrival[v->next_arrival++];

	switch (a->kind) {
	case V2_A_START:
		start(sim, v);
		break;
	case V2_A_IRQ:
		guest_arrival(&v->guest);
		v2_arrive_external(sim, v);
		break;
	case V2_A_HOST:
		if (v->phase == PH_GUEST)
			v2_guest_kick(sim, v, a->trap);
		break;
	case V2_A_LATE:
		v->late += a->span;
		v->late_turn = a->turns > a->span ? 1 : a->turns ? a->span / a->turns : 0;
		v->late_until = on_a_cpu(v) ? V2_NEVER : sim->now + a->span;
		break;
	case V2_A_AWAY:
		v->away += on_a_cpu(v) ? a->span : 0;
		break;
	case V2_A_TICK:
		if (!sim->s->own_ticks)
			tick(sim, v);
		break;
	case V2_A_RAN:
		if (sim->s->own_ticks)
			break;
		v2_l1_ticks_given(sim, &sim->cpu[v->cpu], sim->now + a->span);
		if (v->phase == PH_GUEST)
			v2_guest_new_limit(sim, v);
		break;
	}
	arm_next(sim, v);
}
