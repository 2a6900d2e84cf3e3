/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/trace: what the two halves of lifting share, the guest's (lift.c) and the host's. */
#ifndef HVSIM_TRACE_LIFT_PART_H
#define HVSIM_TRACE_LIFT_PART_H

#include "trace/lift.h"

struct trace_lift_cpu {
	bool known;
	bool idle;            /* since idle_from: it has ceded and nothing shows that it woke */
	bool merged;          /* spurious cedes were merged into this idle period */
	bool pending;         /* an exception was pending at the last entry */
	bool hcall_waits;     /* a SYSCALL exit whose hcall hasn't been seen yet */
	bool doubt;           /* `work` is what an undecided rule left */
	uint64_t idle_from;
	uint64_t idle_away;   /* of the time since then, without a CPU */
	uint64_t last;        /* its last entry or exit */
	uint64_t stretch;     /* in the guest since the last spurious wake-up, floor taken off */
	uint64_t stretch_real;/* the same with the floor */
	uint64_t stretch_from;/* when it began: its turns may lie apart */
	uint64_t work;        /* not yet written */
	uint64_t late_from, late_to; /* the run of turns that didn't enter; late_to 0: none */
	uint32_t late_turns;         /* how many they are */
	uint64_t ran_from;           /* since when it hasn't blocked */
	bool power;                  /* it is one that L1's timer takes out of its guest */
};

struct trace_lifter {
	struct trace_lifted *l;
	const struct trace_facts *f;
	struct trace_turns turns;
	struct trace_sink *sink;
	struct trace_lift_cpu *cpu;  /* by index of the vCPU */
	size_t n, cap;
	uint64_t start;
	bool started;
	struct text out;
};

static inline uint32_t trace_lift_index(const struct trace_lifter *x,
					const struct trace_lift_cpu *c)
{
	return (uint32_t)(c - x->cpu);
}

/* Write an intent; count a decision. */
void trace_lift_put(struct trace_lifter *x, const struct trace_intent *i, const char *name);
void trace_lift_decide(struct trace_lifter *x, enum trace_decision d);

/* How long after the capture's start the vCPU's CPU of L1 ticks first. */
uint64_t trace_lift_tick_after_start(const struct trace_lifter *x, uint32_t vcpu);

/* A span of the host's: a late, away or ran line; at most what a line holds. */
void trace_lift_span(struct trace_lifter *x, const struct trace_lift_cpu *c,
		     enum trace_intent_kind kind, uint64_t from, uint64_t ns);

/* It ran up to `to`, and does so again from `again`. */
void trace_lift_end_run(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t to,
			uint64_t again);

/* A turn that didn't enter; the end of a run of those. */
void trace_lift_late(struct trace_lifter *x, struct trace_lift_cpu *c,
		     const struct trace_step *step);
void trace_lift_end_late(struct trace_lifter *x, struct trace_lift_cpu *c);

/* An entered turn that L1's timer ended. */
void trace_lift_tick(struct trace_lifter *x, struct trace_lift_cpu *c,
		     const struct trace_event *ev);

#endif
