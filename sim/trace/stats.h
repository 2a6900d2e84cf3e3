/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace holds: turns, exits by cause, cedes, per vCPU and together. */
#ifndef HVSIM_TRACE_STATS_H
#define HVSIM_TRACE_STATS_H

#include "engine/hist.h"
#include "trace/turns.h"

#define TRACE_HOWS 3 /* enum trace_how */

/* Distributions: times in nanoseconds, bursts in turns. */
enum trace_dist {
	TRACE_D_GUEST,      /* entered turns, from entry to exit */
	TRACE_D_FAILED,     /* turns that didn't enter */
	TRACE_D_HV,         /* from an exit to the next entry, blocks not counted */
	TRACE_D_CEDE,       /* from a ceded exit to the next entry, blocks counted */
	TRACE_D_BLOCK,      /* those that were blocks */
	TRACE_D_BURST,      /* lengths of bursts */
	TRACE_DISTS,
};

/* A name for machines ("guest") and what it is. */
const char *trace_dist_name(enum trace_dist d);
const char *trace_dist_text(enum trace_dist d);

/* Distributions are kept for the first vCPUs only, to bound memory; those of all vCPUs always. */
#define TRACE_DIST_VCPUS 128

/* Which turns go into the distributions; a gap belongs to the turn before it. */
struct trace_filter {
	const char *cause;  /* NULL: any */
	int64_t vcpu;       /* -1: any */
};

struct trace_cause_count {
	uint64_t how[TRACE_HOWS];
};

struct trace_vstats {
	uint32_t vcpu;
	int64_t tid;
	uint64_t entries;
	uint64_t turns[TRACE_HOWS];
	uint64_t same_pc;        /* entered HV_DECREMENTER turns that left where they entered */
	uint64_t pending_dec;    /* paired turns that started with a decrementer pending */
	uint64_t pending_ext;    /* and with an external interrupt pending */
	uint64_t ceded;          /* = blocked + not blocked + those without a next entry */
	uint64_t blocked, not_blocked;
	uint64_t bursts;         /* runs of turns that didn't enter */
	uint64_t burst_now, burst_max;
	uint64_t guest_ns;       /* in entered turns */
	uint64_t failed_ns;      /* in turns that didn't enter */
	uint64_t hv_ns;          /* between an exit and the next entry, blocks not counted */
	uint64_t blocked_ns;
	uint64_t first_ns, last_ns;
	struct trace_cause_count *causes; /* [n_causes], by word of the parser's .causes */
	size_t n_causes;
	struct hist *dist;       /* [TRACE_DISTS], or NULL */
};

struct trace_stats {
	struct trace_turns turns;
	struct trace_vstats *v;  /* in the order of first events */
	size_t n, cap;
	uint64_t events;
	uint64_t first_ns, last_ns;
	struct trace_filter filter;
	struct hist dist[TRACE_DISTS]; /* of all vCPUs */
};

/*
 * Read a trace to its end. The filter may be NULL; it acts on distributions
 * only. -1 with *err set; trace_stats_done() either way.
 */
int trace_stats_read(struct trace_stats *s, struct trace_reader *reader,
		     const struct trace_limits *limits, const struct trace_filter *filter,
		     struct err *err);
void trace_stats_done(struct trace_stats *s);

/* All turns of a vCPU. */
uint64_t trace_vstats_turns(const struct trace_vstats *v);

/* Add b to a; a's number and thread stay. a->causes grows. */
void trace_vstats_add(struct trace_vstats *a, const struct trace_vstats *b);

#endif
