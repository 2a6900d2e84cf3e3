// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One turn of L1's loop, step by step (kernel: kvmhv_run_single_vcpu(),
 * kvmhv_p9_guest_entry(), kvmhv_vcpu_entry_nestedv2() in
 * arch/powerpc/kvm/book3s_hv.c). The steps are numbered as in docs/model.md.
 */
#include <assert.h>

#include "hv/v2_sim.h"

static bool woken(const struct vcpu *v)
{
	return v->pending_dec || v->pending_ext;
}

/* The recorded host took the CPU away; what L1's timer would have done there is done then. */
static void go_away(struct v2_sim *sim, struct vcpu *v)
{
	guest_away(&v->guest, v->away);
	v2_phase_start(sim, v, PH_AWAY, V2_NEVER, sim->now + v->away);
	if (v->tick_until)
		v->tick_until += v->away;
	v->away = 0;
}

static void come_back(struct v2_sim *sim, struct vcpu *v)
{
	struct l1_cpu *cpu = &sim->cpu[v->cpu];

	if (v2_l1_next_timer(sim, cpu) <= sim->now)
		v2_l1_timer_interrupt(sim, cpu);
	v2_turn_begin(sim, v);
}

/*
 * Steps 1 to 5 begin: leave when the scheduler wants the CPU, else offer what is pending.
 * Interrupts have been enabled up to here: a timer that is due and not late is taken first.
 */
void v2_turn_begin(struct v2_sim *sim, struct vcpu *v)
{
	if (v2_l1_timer_fires(sim, &sim->cpu[v->cpu])) {
		v2_phase_work(sim, v, PH_TICK, V2_L1_TICK, 0, 0);
		return;
	}
	/* Turns that don't enter because the timer is late come first, as they did. */
	if (v->away && v2_l1_next_timer(sim, &sim->cpu[v->cpu]) > sim->now) {
		go_away(sim, v);
		return;
	}
	if (v2_l1_need_resched(sim, &sim->cpu[v->cpu])) {
		v->yields = true;
		v2_phase_work(sim, v, PH_BLOCK, V2_L1_BLOCK, v->late_gets, 0);
		v->late_gets = 0;
		return;
	}
	v->ceded = false;
	if (sim->s->dec_cancel == V2_CLEAR_ON_DELIVERY)
		v->pending_dec = false;
	v2_phase_work(sim, v, PH_ENTER, V2_L1_ENTER, v->late_gets, 0);
	v->late_gets = 0;
}

/* Step 8, the policy: look at a pending DEC. Returns the H_GUEST_GET_STATE that took. */
static uint32_t look_at_dec(struct v2_sim *sim, struct vcpu *v)
{
	uint32_t gets;

	if (!v->pending_dec)
		return 0;
	v->r.dec_pending_turns++;
	if (sim->s->dec_cancel != V2_CANCEL)
		return 0;
	gets = v2_state_read(sim, v, sim->s->elements.read[V2_STEP_CANCEL]);
	if (sim->now < v2_state_dec_expiry(sim, v))
		v->pending_dec = false;
	return gets;
}

/*
 * The rest of a turn that doesn't enter. Where a recording says how long such turns took, they take
 * as long again, from ENTER on.
 */
static void not_entered(struct v2_sim *sim, struct vcpu *v)
{
	uint64_t enter = sim->s->cost[V2_L1_ENTER];
	uint32_t gets = look_at_dec(sim, v);

	if (v->late_turn)
		v2_phase_recorded(sim, v, PH_NOT_ENTERED, V2_L1_NOT_ENTERED,
				  v->late_turn > enter ? v->late_turn - enter : 1);
	else
		v2_phase_work(sim, v, PH_NOT_ENTERED, V2_L1_NOT_ENTERED, gets, 0);
}

/* The first of the turns that a recording counts has had its ENTER. */
static uint64_t late_from_here(const struct v2_sim *sim, const struct vcpu *v)
{
	uint64_t enter = sim->s->cost[V2_L1_ENTER];

	if (!v->late_turn)
		return v->late;
	return v->late > enter ? v->late - enter : 0;
}

/* Steps 5 and 6: no entry when L1's timer is due; it is the time limit otherwise. */
static void enter_or_not(struct v2_sim *sim, struct vcpu *v)
{
	if (v->late && sim->now <= v->late_until)
		v2_l1_be_late(sim, &sim->cpu[v->cpu], late_from_here(sim, v));
	v->late = 0;
	v->limit = v2_l1_next_timer(sim, &sim->cpu[v->cpu]);
	v->overdue = false;
	if (sim->now >= v->limit) {
		v->trap = V2_TRAP_HDEC;
		not_entered(sim, v);
		return;
	}
	v->late_turn = 0;
	v->valid = 0;
	v2_phase_work(sim, v, PH_FLUSH, V2_L1_FLUSH, 0, v->wide_dirty);
	v->wide_dirty = false;
}

/* Steps 7 and 8: H_CEDE is taken note of; what is in the output buffer is cached now. */
static void back_in_l1(struct v2_sim *sim, struct vcpu *v)
{
	const struct v2_elements *e = &sim->s->elements;

	v->valid |= e->returned[v->trap];
	if (sim->s->dec_expiry != V2_BY_HCALL)
		v->valid |= e->dec_expiry;
	v->ceded = v->trap == V2_TRAP_CEDE;
	v2_phase_work(sim, v, PH_EXIT, V2_L1_EXIT, look_at_dec(sim, v), 0);
}

static void handle_trap(struct v2_sim *sim, struct vcpu *v);

/* Step 9: the tracepoint; then interrupts are enabled, and L1's timer may be due. */
static void count_exit(struct v2_sim *sim, struct vcpu *v, bool entered)
{
	const struct hv_observer *o = sim->s->observer;

	v->r.exits[v->trap]++;
	v->r.not_entered += !entered;
	v->r.bursts += !entered && v->entered;
	v->entered = entered;
	if (o && o->exit)
		o->exit(o->ctx, sim->now, v->index, v->trap, entered, v->ceded);
	if (v2_l1_timer_fires(sim, &sim->cpu[v->cpu]))
		v2_phase_work(sim, v, PH_IRQ, V2_L1_TICK, 0, 0);
	else
		handle_trap(sim, v);
}

/* Step 10: nothing woke the ceded vCPU. Sleep, unless the decrementer has expired already. */
static void cede(struct v2_sim *sim, struct vcpu *v)
{
	uint32_t gets = v2_state_read(sim, v, sim->s->elements.read[V2_STEP_BLOCK]);
	uint64_t expiry = v2_state_dec_expiry(sim, v);

	if (expiry <= sim->now) {
		v->pending_dec = true;
		v->r.ceded_spins++;
		v->late_gets = gets;
		v2_turn_begin(sim, v);
		return;
	}
	v->host_timer = expiry;
	v->yields = false;
	v2_phase_work(sim, v, PH_BLOCK, V2_L1_BLOCK, gets, 0);
}

static void end_turn(struct v2_sim *sim, struct vcpu *v)
{
	if (v->ceded && !woken(v)) {
		cede(sim, v);
		return;
	}
	v->r.ceded_spins += v->ceded;
	v2_turn_begin(sim, v);
}

static void handle_trap(struct v2_sim *sim, struct vcpu *v)
{
	bool fault = v->trap == V2_TRAP_FAULT || v->trap == V2_TRAP_IFAULT;
	enum v2_step step = fault ? V2_STEP_FAULT : V2_STEP_HCALL;

	if (!fault && v->trap != V2_TRAP_HCALL && v->trap != V2_TRAP_OTHER) {
		end_turn(sim, v);
		return;
	}
	v->wide_dirty |= sim->s->elements.write_wide[step] != 0;
	v2_phase_work(sim, v, PH_HANDLE, fault ? V2_L1_FAULT : V2_L1_HCALL,
		      v2_state_read(sim, v, sim->s->elements.read[step]), 0);
}

/* An IPI's hcall has been handled: its target has an external interrupt pending. */
static void deliver_ipi(struct v2_sim *sim, struct vcpu *from)
{
	from->sends_ipi = false;
	v2_arrive_external(sim, &sim->vcpu[from->ipi_target]);
}

/* The end of step 10, or of giving the CPU up. */
static void off_the_cpu(struct v2_sim *sim, struct vcpu *v)
{
	if (v->yields) {
		v->yields = false;
		v2_l1_leave(sim, v, PH_RUNNABLE);
		return;
	}
	if (v->host_timer <= sim->now)
		v->pending_dec = true;
	if (woken(v)) {
		v->host_timer = V2_NEVER;
		v->r.ceded_spins++;
		v2_turn_begin(sim, v);
		return;
	}
	v->r.blocks++;
	v2_l1_leave(sim, v, PH_BLOCKED);
}

/* A phase of L1 or L0 has come to its end: what is next. */
void v2_turn_next(struct v2_sim *sim, struct vcpu *v)
{
	v2_phase_end(sim, v);
	switch (v->phase) {
	case PH_ENTER:
		enter_or_not(sim, v);
		break;
	case PH_NOT_ENTERED:
		count_exit(sim, v, false);
		break;
	case PH_FLUSH:
		v2_phase_work(sim, v, PH_L0_ENTER, V2_L0_ENTER, 0, 0);
		break;
	case PH_L0_ENTER:
		v2_guest_enter(sim, v);
		break;
	case PH_L0_EXIT:
		back_in_l1(sim, v);
		break;
	case PH_EXIT:
		count_exit(sim, v, true);
		break;
	case PH_IRQ:
		v2_l1_timer_interrupt(sim, &sim->cpu[v->cpu]);
		handle_trap(sim, v);
		break;
	case PH_TICK:
		v2_l1_timer_interrupt(sim, &sim->cpu[v->cpu]);
		v2_turn_begin(sim, v);
		break;
	case PH_HANDLE:
		if (v->sends_ipi)
			deliver_ipi(sim, v);
		end_turn(sim, v);
		break;
	case PH_BLOCK:
		off_the_cpu(sim, v);
		break;
	case PH_AWAY:
		come_back(sim, v);
		break;
	case PH_WAKE:
		v2_turn_begin(sim, v);
		break;
	default:
		assert(!"a vCPU that waits has no deadline");
	}
}
