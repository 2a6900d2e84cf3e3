/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries and exits paired into turns of the run loop, per vCPU.
 *
 * A vCPU is told apart by its number and its thread, because a trace of a
 * whole machine holds several guests. An x86 exit of kernels before 5.10 has
 * no vCPU number: its thread says whose it is.
 */
#ifndef HVSIM_TRACE_TURNS_H
#define HVSIM_TRACE_TURNS_H

#include "trace/reader.h"

#define TRACE_VCPUS_MAX 4096

/* What a trace doesn't say and times decide. */
struct trace_limits {
	uint64_t not_entered_ns;
	uint64_t block_ns;
};

/*
 * A HV_DECREMENTER turn whose pc didn't change and that lasted at most 60 us
 * didn't enter the guest (L1's timer was due). The time is needed because a
 * guest in a short loop leaves where it entered: in the captures such turns
 * last 2.7 ms and more, turns that didn't enter at most 57 us, and the
 * shortest turns that did enter 76 us.
 *
 * A gap over 500 us between a ceded exit and the next entry is a block. In the
 * captures the gaps of a spinning vCPU are below 0.46 ms, those of a vCPU that
 * blocked 1.5 ms and more; a vCPU that lost its CPU looks like one that blocked.
 */
#define TRACE_NOT_ENTERED_NS UINT64_C(60000)
#define TRACE_BLOCK_NS UINT64_C(500000)

enum trace_how {
	TRACE_ENTERED,
	TRACE_NOT_ENTERED,
	TRACE_UNPAIRED,     /* an exit whose entry isn't in the trace: can't be told */
};

struct trace_vcpu {
	uint32_t vcpu;      /* TRACE_NO_VCPU when no event of its thread had a number */
	int64_t tid;        /* -1 when lines hold none */
	uint32_t index;     /* in the order of first events */
	bool in_guest;      /* an entry waits for its exit */
	bool left, ceded;   /* an exit waits for the next entry, and it was a cede */
	uint64_t enter_ns, enter_pc, enter_line, pexcp;
	uint64_t exit_ns, last_ns;
	uint32_t cause;     /* of the last exit */
	uint64_t losses;    /* the reader's, at the last event */
};

struct trace_turns {
	struct trace_reader *reader; /* the caller's */
	struct trace_limits limits;
	struct trace_vcpu **sorted;  /* by thread, then number */
	size_t n, cap;
	struct trace_vcpu *last;
};

/* What one event meant. */
struct trace_step {
	struct trace_vcpu *v;  /* NULL: the event is no entry or exit, or of no known vCPU */
	bool broken;           /* a loss or time running backwards ended what was open before this */
	bool turn;             /* a turn ended: the fields below */
	enum trace_how how;
	bool same_pc;          /* HV_DECREMENTER, and left where it entered; paired turns only */
	uint64_t enter_ns, exit_ns; /* enter_ns only when paired */
	uint64_t pexcp;        /* at entry, when paired */
	bool gap;              /* an entry after an exit: the time between is gap_ns */
	bool gap_ceded;        /* and that exit was a cede */
	bool blocked;          /* and the time is that of a block */
	uint32_t gap_cause;    /* that exit's */
	uint64_t gap_ns;
};

void trace_turns_init(struct trace_turns *t, struct trace_reader *reader,
		      const struct trace_limits *limits);
void trace_turns_done(struct trace_turns *t);

/* The vCPU an event other than entry and exit belongs to, when it is known already; else NULL. */
struct trace_vcpu *trace_turns_find(const struct trace_turns *t, const struct trace_event *ev);

/* Take one event. Problems are counted in the reader's. -1 with *err set when strict. */
int trace_turns_feed(struct trace_turns *t, const struct trace_event *ev, struct trace_step *step,
		     struct err *err);

#endif
