/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One CPU of a guest: what it wants to do next, whatever hypervisor runs it.
 *
 * The hypervisor asks guest_next() what the guest does, lets it do that for as
 * long as it can, and tells what happened: so much work done, the decrementer
 * expired, H_CEDE came back, an interrupt was delivered. Draws are keyed by
 * the index of the guest's own intent, so a policy that changes when or how
 * often the guest runs does not shift them.
 *
 * Times are core cycles of the run; work is cycles of an undisturbed thread.
 */
#ifndef HVSIM_GUEST_GUEST_H
#define HVSIM_GUEST_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/dec.h"
#include "engine/clk.h"
#include "engine/rnd.h"
#include "guest/idle.h"
#include "guest/plan.h"

#define GUEST_NEVER UINT64_MAX

/* What a CPU of the guest runs. A mean or period of 0 switches a stream off. */
struct guest_load {
	bool loop;                 /* an endless busy loop: never idle */
	uint64_t loop_ucycles;     /* millionths of a cycle of one iteration */
	uint64_t sleep;            /* a task sleeps this many cycles, works, sleeps again … */
	uint64_t sleep_work;
	uint64_t timer_mean;       /* timers at exponential intervals of this mean, cycles */
	uint64_t timer_work;       /* work each of them starts */
	uint64_t fault_mean;       /* a page fault after exponential work of this mean */
	uint64_t hcall_mean;       /* an hcall other than H_CEDE likewise */
	uint64_t ipi_mean;         /* an IPI to the next CPU likewise */
	uint64_t ipi_work;         /* work an IPI starts where it arrives */
	const struct guest_plan *plan; /* carried out beside all that; NULL for none; not with loop */
};

/* Kernel work around events, in cycles: priced paths. */
struct guest_costs {
	uint64_t tick;       /* the decrementer interrupt */
	uint64_t idle_enter; /* from the idle loop to polling or to `sc 1` of H_CEDE */
	uint64_t idle_exit;  /* from there back to the idle loop */
	uint64_t irq;        /* an external interrupt */
	/*
	 * From a wake-up out of H_CEDE for nothing to the next H_CEDE, as a recording
	 * has it: the governor isn't asked, as what it chose is in there. 0: unknown.
	 */
	uint64_t respin;
};

/* Shared by all CPUs of a guest; outlives them. */
struct guest_setup {
	struct clk clock;
	struct idle_model idle;
	struct guest_costs costs;
	uint64_t tick_period;  /* cycles; the guest's HZ */
	uint64_t seed;
	bool small_dec;        /* LPCR[LD] is 0: its decrementer has 32 bits */
	/*
	 * Idle periods of plans come from a recording: the guest ceded there, whatever
	 * this governor would choose, and no tick of its own ended one. The governor is
	 * asked when a policy wakes the guest for nothing.
	 */
	bool recorded;
};

enum guest_act {
	GUEST_WORK,   /* compute: `work` cycles, then ask again */
	GUEST_SNOOZE, /* poll at low priority until cycle `until` */
	GUEST_CEDE,   /* H_CEDE */
	GUEST_HCALL,  /* another hcall */
	GUEST_FAULT,  /* touch a page the hypervisor has to map */
	GUEST_IPI,    /* H_INT_ESB or the like: an IPI to the CPU `target` */
	GUEST_OTHER,  /* something else that leaves the guest */
	GUEST_STOP,   /* its plan is at the end: it does nothing any more */
};

#define GUEST_NEXT_CPU UINT32_MAX

struct guest_want {
	enum guest_act act;
	bool kernel;    /* GUEST_WORK: kernel overhead, not the workload's own */
	uint64_t work;  /* GUEST_WORK; GUEST_NEVER for an endless loop */
	uint64_t until; /* GUEST_SNOOZE */
	uint32_t target; /* GUEST_IPI: a CPU or GUEST_NEXT_CPU; GUEST_FAULT: 1 for an instruction */
};

struct guest_counts {
	uint64_t work;    /* cycles of the workload's own */
	uint64_t wakes;   /* timers and sleeps that ended */
	uint64_t ticks;   /* decrementer interrupts */
	uint64_t cedes, snoozes;
};

struct guest {
	const struct guest_setup *setup;
	struct guest_load load;
	uint32_t cpu;
	uint64_t kernel_work, task_work;      /* still to do */
	uint64_t to_fault, to_hcall, to_ipi;  /* work until the next one */
	struct rnd fault_draw, hcall_draw, ipi_draw, timer_draw, respin_draw;
	uint64_t faults, hcalls, ipis, timers, respins; /* drawn so far: the index of the next draw */
	uint64_t tick_phase, next_tick, next_timer, next_sleep;
	struct dec decrementer;
	uint64_t dec_when, dec;               /* guest_dec()'s last answer, and what for */
	bool idle;         /* in the idle loop */
	bool chosen;       /* the governor has chosen a state; its entry work may not be done yet */
	bool asleep;       /* in that state: polling or ceded */
	bool tick_stopped;
	bool respinning;   /* kernel_work is what a wake-up for nothing takes: a real one ends it */
	unsigned state;    /* which state */
	struct guest_plan_at plan;
	uint64_t slept_at, snooze_until;
	struct idle_governor governor;
	struct guest_counts counts;
};

/* A CPU at cycle 0, its streams drawn. setup must outlive it. */
void guest_init(struct guest *g, const struct guest_setup *setup, const struct guest_load *load,
		uint32_t cpu);

/* What the CPU does at `now`. Calling it twice without telling it anything gives the same. */
void guest_next(struct guest *g, uint64_t now, struct guest_want *want);

/* It worked that much of the GUEST_WORK it wanted. */
void guest_worked(struct guest *g, const struct guest_want *want, uint64_t work);

/* The act it wanted, GUEST_HCALL or one after it, has happened. */
void guest_did(struct guest *g, enum guest_act act);

/*
 * The cycle its decrementer expires at, on a timebase tick: the next tick or timer, or the longest
 * it can be set for where that is earlier. What has changed since the last call is written now.
 */
uint64_t guest_dec(struct guest *g, uint64_t now);

/* The decrementer interrupt at `now` (>= guest_dec()) has been taken. */
void guest_dec_interrupt(struct guest *g, uint64_t now);

/*
 * H_CEDE returned, or the polling time is over. Before guest_interrupt(), when
 * an interrupt is what ended it.
 */
void guest_woke(struct guest *g, uint64_t now);

/* An external interrupt has been delivered. */
void guest_interrupt(struct guest *g, uint64_t now);

/*
 * It lost so many cycles, as recorded: its plan's timer moves with it, as the
 * plan's idle periods don't count such time.
 */
void guest_away(struct guest *g, uint64_t cycles);

/* An interrupt that its plan names has reached it, whether or not it can be delivered yet. */
void guest_arrival(struct guest *g);

#endif
