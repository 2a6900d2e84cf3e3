// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside L2, between H_GUEST_RUN_VCPU and its return. L2's own decrementer
 * interrupts are taken here and cost no exit (kvm-nested.rst: L0 owns them).
 */
#include <assert.h>

#include "hv/v2_sim.h"

static void exit_guest(struct v2_sim *sim, struct vcpu *v, enum v2_trap trap)
{
	v->trap = trap;
	v2_phase_work(sim, v, PH_L0_EXIT, V2_L0_EXIT, 0, 0);
}

static void take_dec(struct v2_sim *sim, struct vcpu *v)
{
	const struct hv_observer *o = sim->s->observer;
	uint64_t due = guest_dec(&v->guest, sim->now);

	hist_add(&sim->result->wake_latency, sim->now - due, 1);
	if (o && o->timer)
		o->timer(o->ctx, sim->now, v->index, due, true);
	guest_dec_interrupt(&v->guest, sim->now);
}

static uint64_t until_interrupted(const struct v2_sim *sim, struct vcpu *v)
{
	uint64_t dec = guest_dec(&v->guest, sim->now);

	return dec < v->limit ? dec : v->limit;
}

static void leave_with(struct v2_sim *sim, struct vcpu *v, enum guest_act act)
{
	uint32_t target = v->want.target;

	guest_did(&v->guest, act);
	v->sends_ipi = act == GUEST_IPI;
	if (v->sends_ipi)
		v->ipi_target = target == GUEST_NEXT_CPU ? (v->index + 1) % sim->s->vcpus : target;
	if (act == GUEST_CEDE)
		exit_guest(sim, v, V2_TRAP_CEDE);
	else if (act == GUEST_FAULT)
		exit_guest(sim, v, target ? V2_TRAP_IFAULT : V2_TRAP_FAULT);
	else
		exit_guest(sim, v, act == GUEST_OTHER ? V2_TRAP_OTHER : V2_TRAP_HCALL);
}

/*
 * Its plan is over: it makes no more turns. While there are arrivals to come
 * it was still running in the recording, with work that nobody knows.
 */
static void stop(struct v2_sim *sim, struct vcpu *v)
{
	if (v2_arrive_left(sim, v)) {
		v->want = (struct guest_want){ .act = GUEST_WORK, .kernel = true, .work = GUEST_NEVER };
		v2_phase_start(sim, v, PH_GUEST, V2_NEVER, until_interrupted(sim, v));
		return;
	}
	v->started = false;
	v2_l1_leave(sim, v, PH_BLOCKED);
}

/* Let the guest go on from now, until it leaves or something has to be waited for. */
static void go_on(struct v2_sim *sim, struct vcpu *v)
{
	struct guest *g = &v->guest;

	for (;;) {
		if (sim->now >= v->limit && !v->overdue) {
			v->overdue = true;
			v->limit += v2_l1_hdec_lateness(sim, &sim->cpu[v->cpu]);
		}
		if (sim->now >= v->limit) {
			exit_guest(sim, v, V2_TRAP_HDEC);
			return;
		}
		if (sim->now >= guest_dec(g, sim->now)) {
			take_dec(sim, v);
			continue;
		}
		guest_next(g, sim->now, &v->want);
		if (v->want.act == GUEST_WORK) {
			v2_phase_start(sim, v, PH_GUEST, v->want.work, until_interrupted(sim, v));
			return;
		}
		if (v->want.act == GUEST_STOP) {
			stop(sim, v);
			return;
		}
		if (v->want.act != GUEST_SNOOZE) {
			leave_with(sim, v, v->want.act);
			return;
		}
		if (v->want.until > sim->now) {
			uint64_t until = until_interrupted(sim, v);

			v2_phase_start(sim, v, PH_GUEST, V2_NEVER,
				       v->want.until < until ? v->want.until : until);
			return;
		}
		guest_woke(g, sim->now);
	}
}

/* L1's timer is due now, and seen at once. */
static void tick_now(struct v2_sim *sim, struct vcpu *v)
{
	sim->cpu[v->cpu].next_tick = v->limit = sim->now;
	v->overdue = true;
	v->tick_until = 0;
}

/* L1's next timer has changed while the guest ran. */
void v2_guest_new_limit(struct v2_sim *sim, struct vcpu *v)
{
	v2_phase_end(sim, v);
	v->limit = v2_l1_next_timer(sim, &sim->cpu[v->cpu]);
	v->overdue = false;
	go_on(sim, v);
}

void v2_guest_tick(struct v2_sim *sim, struct vcpu *v)
{
	v2_phase_end(sim, v);
	tick_now(sim, v);
	go_on(sim, v);
}

void v2_guest_enter(struct v2_sim *sim, struct vcpu *v)
{
	struct guest *g = &v->guest;

	if (g->asleep && sim->s->guest.idle.state[g->state].cede)
		guest_woke(g, sim->now);
	if (v->pending_ext && sim->s->ext_pending == V2_EXT_DELIVERED) {
		v->pending_ext = false;
		guest_interrupt(g, sim->now);
	}
	if (v->tick_until >= sim->now)
		tick_now(sim, v);
	v->tick_until = 0;
	go_on(sim, v);
}

void v2_guest_event(struct v2_sim *sim, struct vcpu *v)
{
	v2_phase_end(sim, v);
	go_on(sim, v);
}

/* L1 is interrupted: L0 leaves the guest with that trap. */
void v2_guest_kick(struct v2_sim *sim, struct vcpu *v, enum v2_trap trap)
{
	assert(v->phase == PH_GUEST);
	v2_phase_end(sim, v);
	exit_guest(sim, v, trap);
}
