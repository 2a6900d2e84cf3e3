/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lifting: from recorded turns, which depend on the policy they were recorded
 * under, to what the guest wanted, which does not. docs/lifting.md gives the
 * rules and the reasons.
 */
#ifndef HVSIM_TRACE_LIFT_H
#define HVSIM_TRACE_LIFT_H

#include "trace/native.h"
#include "trace/sink.h"
#include "trace/stats.h"

/* L1's tick rate where a trace doesn't show it: CONFIG_HZ of Debian's kernels. */
#define TRACE_L1_HZ UINT64_C(250)

/* Entry and exit take no longer anywhere: emulated 27 to 77 us, on a processor a few. */
#define TRACE_FLOOR_MAX_NS UINT64_C(100000)

/* How much of a trace is looked at to learn its facts. */
#define TRACE_SAMPLE_EVENTS UINT64_C(200000)

/* What a sample of the trace shows. */
struct trace_facts {
	uint64_t floor_ns;      /* the shortest entered turn: entry and exit, hardly any guest */
	bool floor_capped;      /* that was longer than TRACE_FLOOR_MAX_NS, which stands for it */
	uint64_t pending,
		straight; /* cedes with an exception pending at entry; that came back at once */
	uint64_t straight_dec, straight_ext; /* of the latter: decrementer, external interrupt pending */
	bool spins;             /* most of them did: L1 leaves the exception pending */
	uint64_t spin_ns;       /* median time in the guest from a spurious wake-up to the next cede */
	uint64_t spin_period_ns;/* mean time from one such wake-up to the next, in the guest and out */
	uint64_t spin_limit_ns; /* longer: the guest did something */
	uint64_t l1_hz;         /* L1's tick rate, as HV_DECREMENTER exits show it or the caller says, */
	bool hz_assumed;        /* or TRACE_L1_HZ, as neither does */
	uint64_t grid_n, grid_on; /* exits looked at, and those in one quarter of the period */
	uint64_t grid_start_ns; /* when in its period a tick is due, at the best guess */
	uint64_t *vcpu_start_ns;/* [vcpus] by index: the same of the CPU of L1 that each ran on */
	size_t vcpus;
	uint64_t events;
	bool whole;             /* the sample is the whole trace */
};

/*
 * Read the first TRACE_SAMPLE_EVENTS. l1_hz 0: find it. -1 with *err set.
 * trace_facts_done() frees what *f holds, after an error too.
 */
int trace_facts_read(struct trace_facts *f, struct trace_reader *reader,
		     const struct trace_limits *limits, uint64_t l1_hz, struct err *err);

void trace_facts_done(struct trace_facts *f);

enum trace_decision {
	TRACE_X_HDEC_GRID,    /* HV_DECREMENTER exits on L1's tick grid */
	TRACE_X_HDEC_OFF,     /* off the grid, or no grid known */
	TRACE_X_NOT_ENTERED,
	TRACE_X_SPURIOUS,     /* cedes that came straight back, merged into an idle period */
	TRACE_X_LOST_CPU,     /* gaps like a block in such a period */
	TRACE_X_MERGED,       /* idle periods that hold spurious cedes */
	TRACE_X_IDLE_TIMER, TRACE_X_IDLE_IRQ, TRACE_X_IDLE_UNKNOWN,
	TRACE_X_SHORT,        /* cedes that came straight back for no reason the trace shows */
	TRACE_X_BURST_WORK,   /* work of the guest inside a spinning period, by its length */
	TRACE_X_LATE,         /* runs of turns that didn't enter: L1's timer interrupt was late */
	TRACE_X_AWAY,         /* long gaps after exits that didn't block */
	TRACE_X_HOST,         /* exits for the hypervisor's interrupts */
	TRACE_X_RETURN,       /* returns to the host that weren't cedes */
	TRACE_X_HCALL, TRACE_X_HCALL_UNNAMED, TRACE_X_IPI, TRACE_X_FAULT, TRACE_X_OTHER,
	TRACE_X_UNPAIRED,     /* exits without an entry: what came before is unknown */
	TRACE_X_OPEN,         /* what the end of the trace cut */
	TRACE_DECISIONS,
};

/* What a decision says, and how sure it is: "sure", "likely" or "undecided". */
const char *trace_decision_text(enum trace_decision d);
const char *trace_decision_sure(enum trace_decision d);
const char *trace_decision_name(enum trace_decision d);

struct trace_lifted {
	uint64_t count[TRACE_DECISIONS];
	uint64_t events, turns, intents, doubts;
	uint64_t span_ns;
	uint32_t vcpus;
};

/*
 * Lift a whole trace into the sink. The reader is at its start. -1 with *err set;
 * the sink stays the caller's.
 */
int trace_lift(struct trace_lifted *l, struct trace_reader *reader,
	       const struct trace_limits *limits, const struct trace_facts *facts,
	       struct trace_sink *sink, struct err *err);

#endif
