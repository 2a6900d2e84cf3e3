/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: what one CPU of a guest does, intent by intent, instead of (or
 * beside) the loads of struct guest_load. Whoever has a recorded trace makes
 * plans of it; they hold cycles of the run's clock and no names.
 */
#ifndef HVSIM_GUEST_PLAN_H
#define HVSIM_GUEST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum guest_intent_kind {
	GUEST_I_COMPUTE,  /* `cycles` of undisturbed work */
	GUEST_I_TIMER,    /* the decrementer expires `cycles` from here; the last setting counts */
	GUEST_I_IDLE,     /* nothing to do until that timer or an interrupt */
	GUEST_I_IRQ,      /* an interrupt from outside that the next idle period waits for */
	GUEST_I_HCALL,
	GUEST_I_FAULT,    /* target 1: of an instruction, 0: of data */
	GUEST_I_IPI,      /* target: the CPU */
	GUEST_I_OTHER,
};

struct guest_intent {
	uint64_t cycles;
	uint32_t target;
	uint8_t kind;     /* enum guest_intent_kind */
};

struct guest_plan {
	const struct guest_intent *intent;
	size_t n;
};

/* Where a CPU is in its plan. All zero but `timer`, which begins as GUEST_NEVER. */
struct guest_plan_at {
	size_t next;
	uint64_t timer;        /* when the timer it set expires */
	uint32_t irqs_due;     /* interrupts its plan has named so far, */
	uint32_t irqs_come;    /* and those that have come */
	bool idle;             /* in an idle period of the plan */
	bool began;            /* and the CPU has been on its way to sleep in it, */
	bool ceded, spurious;  /* has ceded, and was woken from that for nothing, */
	bool holds_tick;       /* has its tick stopped for the period's sake only */
	bool disturbed;        /* the last period with a cede was spurious */
	bool woken;            /* interrupted since the last idle period, outside of one */
	bool named;            /* the plan named an interrupt since the last idle period */
};

/*
 * Carry out at `now` what takes no time, up to the next compute, act or idle
 * period. Returns the cycles of computes begun: the caller's to work off before
 * the next call.
 */
uint64_t guest_plan_advance(const struct guest_plan *plan, struct guest_plan_at *at, uint64_t now);

/* The hcall, fault, IPI or other act that is next, or NULL: computing, idle, or at the end. */
const struct guest_intent *guest_plan_act(const struct guest_plan *plan,
					  const struct guest_plan_at *at);

/* The timer has expired by `now`: true, and an idle period ends. It isn't set any more. */
bool guest_plan_expire(struct guest_plan_at *at, uint64_t now);

/* An interrupt reached the CPU: an idle period ends. */
void guest_plan_interrupt(struct guest_plan_at *at);

#endif
