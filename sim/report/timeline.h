/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timelines: what vCPUs did when, recorded by an observer, as Chrome trace event
 * JSON (https://ui.perfetto.dev opens it) or drawn in text.
 *
 * The JSON has a track a vCPU and level, on which slices of states hold slices
 * of the paths walked; a track for timers that were due; counters of exits and
 * of pending timer exceptions; arrows from a timer's expiry to what it led to.
 */
#ifndef HVSIM_REPORT_TIMELINE_H
#define HVSIM_REPORT_TIMELINE_H

#include "base/text.h"
#include "scenario/watch.h"

enum rep_mark_kind { REP_SLICE, REP_EXIT, REP_PENDING, REP_TIMER };

/* Something that happened. Times are cycles. */
struct rep_mark {
	enum rep_mark_kind kind;
	uint32_t vcpu;
	uint64_t start, end;   /* REP_TIMER: due, taken; REP_EXIT, REP_PENDING: start alone */
	unsigned what;         /* state, trap, whether pending */
	bool yes, yes2;        /* REP_EXIT: entered, ceded; REP_TIMER: in the guest */
	const char *path;      /* REP_SLICE: or NULL */
};

struct rep_timeline {
	struct scn_watch watch;
	struct hv_observer observer;
	uint64_t from_ns;
	size_t limit;          /* marks; what is over is dropped and counted */
	struct rep_mark *mark; /* in the order of their ends */
	size_t n, room, dropped;
	struct rep_timeline_vcpu *vcpu;
	size_t vcpus;
};

/* Set up its observer; watch.observer points to it. Free with rep_timeline_done(). */
void rep_timeline_init(struct rep_timeline *t, uint64_t from_ns, uint64_t to_ns, size_t limit);
void rep_timeline_done(struct rep_timeline *t);

/* After the run: end what is still open. */
void rep_timeline_end(struct rep_timeline *t);

/* Whether a timer exception of the vCPU was pending when the window began. */
bool rep_timeline_before(const struct rep_timeline *t, uint32_t vcpu);

void rep_timeline_json(struct text *out, const struct rep_timeline *t);

/* One line a vCPU, `width` columns of time; the state that took most of a column is its mark. */
void rep_timeline_text(struct text *out, const struct rep_timeline *t, unsigned width);

#endif
