/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nestedv2 model's insides, shared by the v2_*.c files only. */
#ifndef HVSIM_HV_V2_SIM_H
#define HVSIM_HV_V2_SIM_H

#include "engine/dlq.h"
#include "hv/v2.h"

#define V2_MILLI 1000 /* progress is kept in thousandths of a cycle of work */

/* What a vCPU is doing: the phases of a turn, and the waits between them. */
enum v2_phase {
	PH_ENTER,       /* L1, steps 1 to 5 */
	PH_NOT_ENTERED, /* L1, the rest of a turn whose timer was due */
	PH_FLUSH,       /* L1, step 6 up to the hcall */
	PH_L0_ENTER,
	PH_GUEST,
	PH_L0_EXIT,
	PH_EXIT,        /* L1, steps 7 to 9 */
	PH_HANDLE,      /* L1, an hcall or a fault */
	PH_IRQ,         /* L1's timer interrupt, after an exit */
	PH_TICK,        /* the same, before an entry */
	PH_BLOCK,       /* L1, step 10 on the way to sleep, or giving up the CPU */
	PH_BLOCKED,
	PH_RUNNABLE,
	PH_WAKE,        /* L1, from the interrupt back to the loop */
	PH_AWAY,        /* between turns, without a CPU, as recorded */
};

struct vcpu {
	struct guest guest;
	struct guest_want want;      /* PH_GUEST: what it is doing */
	enum v2_phase phase;
	uint32_t index, cpu;
	/* the running phase */
	uint64_t since;              /* progress is accounted up to here */
	uint64_t elapsed;            /* cycles of the phase so far */
	uint64_t todo;               /* thousandths of work left; V2_NEVER for no end of its own */
	uint64_t done;               /* thousandths of work done */
	uint32_t rate;               /* per mille of an undisturbed thread */
	uint64_t until;              /* absolute end that work does not move, or V2_NEVER */
	enum v2_path path;           /* of a priced phase */
	uint64_t phase_cost;         /* what that path costs, state hcalls left out */
	uint32_t gets, sets;         /* state hcalls made in the phase */
	/* the turn */
	enum v2_trap trap;
	uint64_t limit;              /* L1's next timer, as of entry */
	bool overdue;                /* and its lateness is in there */
	bool ceded;
	bool entered;                /* the last turn to be counted did */
	bool sends_ipi;              /* its hcall is an IPI, */
	uint32_t ipi_target;         /* to this vCPU */
	bool yields;                 /* PH_BLOCK leads to the run queue, not to sleep */
	uint32_t late_gets;          /* made at the end of a turn, paid for in the next */
	/* between turns */
	bool pending_dec, pending_ext;
	bool started;                /* it exists */
	size_t next_arrival;
	uint64_t late, away;         /* to come: lateness of L1's timer, time without a CPU */
	uint64_t late_turn;          /* cycles of a turn that doesn't enter while L1 is late, as recorded; or 0 */
	uint64_t late_until;         /* when `late` is nobody's any more */
	uint64_t tick_until;         /* a tick that has arrived ends its turn up to then; 0: none */
	uint64_t host_timer;         /* V2_NEVER when it isn't running */
	uint64_t valid;              /* state elements L1 has cached */
	bool wide_dirty;             /* guest-wide elements to set before the next run */
	uint64_t stale_expiry;       /* what stale firmware goes on answering */
	struct v2_vcpu_result r;
};

struct l1_cpu {
	uint32_t index, first;       /* vCPUs first, first + l1_cpus, … */
	uint32_t core, siblings;     /* its core's first CPU, and how many CPUs it has */
	struct vcpu *current;        /* NULL: idle */
	enum smt_activity activity;
	uint32_t threads[SMT_ACTIVITIES]; /* of a core's first CPU: how many of the core do each */
	uint64_t tick_phase;
	uint64_t next_tick;          /* V2_NEVER while idle (NO_HZ) */
	uint64_t given_until;        /* its ticks arrive up to then: it has none of its own */
	uint64_t slice_start;
	bool need_resched;
	uint64_t interrupts;         /* timer interrupts taken: the index of the next lateness */
	uint64_t lateness;           /* of the next one, cycles */
	uint32_t *queue;             /* runnable vCPUs, a ring */
	uint32_t head, queued, room;
	uint64_t idle_until;         /* idle: its timer's time */
};

struct v2_sim {
	const struct v2_setup *s;
	struct v2_result *result;
	struct dlq deadlines;        /* owners: the vCPUs, the L1 CPUs, the vCPUs' arrivals */
	uint64_t now;
	/* Per mille of an undisturbed thread, by how many siblings idle, poll and execute. */
	uint32_t rate[SMT_THREADS_MAX][SMT_THREADS_MAX][SMT_THREADS_MAX];
	bool watched;                /* an observer wants more than exits and timers */
	uint64_t l1_tick_phase;      /* of CPUs whose own isn't known */
	struct vcpu *vcpu;
	struct l1_cpu *cpu;
};

/* v2_run.c: phases and their progress */
void v2_phase_work(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, enum v2_path path,
		   uint32_t gets, uint32_t sets);
void v2_phase_recorded(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, enum v2_path path,
		       uint64_t cycles);
void v2_phase_wait(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase);
void v2_phase_start(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase, uint64_t work,
		    uint64_t until);
void v2_phase_end(struct v2_sim *sim, struct vcpu *v);
void v2_set_activity(struct v2_sim *sim, struct l1_cpu *cpu, enum smt_activity activity);

/* v2_turn.c: the steps of L1 */
void v2_turn_begin(struct v2_sim *sim, struct vcpu *v);
void v2_turn_next(struct v2_sim *sim, struct vcpu *v);

/* v2_guest.c: inside L2 */
void v2_guest_enter(struct v2_sim *sim, struct vcpu *v);
void v2_guest_event(struct v2_sim *sim, struct vcpu *v);
void v2_guest_new_limit(struct v2_sim *sim, struct vcpu *v);
void v2_guest_tick(struct v2_sim *sim, struct vcpu *v);
void v2_guest_kick(struct v2_sim *sim, struct vcpu *v, enum v2_trap trap);

/* v2_arrive.c: what comes from outside */
void v2_arrive_start(struct v2_sim *sim);
void v2_arrive_event(struct v2_sim *sim, struct vcpu *v);
bool v2_arrive_left(const struct v2_sim *sim, const struct vcpu *v);
void v2_arrive_external(struct v2_sim *sim, struct vcpu *v);

/* v2_state.c: the guest state cache */
uint32_t v2_state_read(struct v2_sim *sim, struct vcpu *v, uint64_t elements);
uint64_t v2_state_dec_expiry(const struct v2_sim *sim, struct vcpu *v);

/* v2_l1.c: timers and the scheduler of L1 */
void v2_l1_ticks_given(struct v2_sim *sim, struct l1_cpu *cpu, uint64_t until);
uint64_t v2_l1_next_timer(const struct v2_sim *sim, const struct l1_cpu *cpu);
bool v2_l1_timer_fires(const struct v2_sim *sim, const struct l1_cpu *cpu);
void v2_l1_timer_interrupt(struct v2_sim *sim, struct l1_cpu *cpu);
uint64_t v2_l1_hdec_lateness(const struct v2_sim *sim, const struct l1_cpu *cpu);
void v2_l1_be_late(struct v2_sim *sim, struct l1_cpu *cpu, uint64_t span);
void v2_l1_wake(struct v2_sim *sim, struct vcpu *v);
void v2_l1_leave(struct v2_sim *sim, struct vcpu *v, enum v2_phase phase);
void v2_l1_idle_event(struct v2_sim *sim, struct l1_cpu *cpu);
void v2_l1_init(struct v2_sim *sim, struct l1_cpu *cpu, uint32_t index);
bool v2_l1_need_resched(const struct v2_sim *sim, const struct l1_cpu *cpu);

#endif
