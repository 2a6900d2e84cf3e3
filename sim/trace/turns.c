// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/turns.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void trace_turns_init(struct trace_turns *t, struct trace_reader *reader,
		      const struct trace_limits *limits)
{
	*t = (struct trace_turns){ .reader = reader, .limits = *limits };
}

void trace_turns_done(struct trace_turns *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->sorted[i]);
	free(t->sorted);
	*t = (struct trace_turns){ 0 };
}

/* The first of the sorted whose (tid, vcpu) isn't before the given one. */
static size_t lower_bound(const struct trace_turns *t, int64_t tid, uint32_t vcpu)
{
	size_t lo = 0, hi = t->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct trace_vcpu *v = t->sorted[mid];

		if (v->tid < tid || (v->tid == tid && v->vcpu < vcpu))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Whose event it is; NULL when there are too many vCPUs or it can't be told. */
static struct trace_vcpu *find_vcpu(struct trace_turns *t, const struct trace_event *ev)
{
	struct trace_vcpu *v = t->last;
	size_t at;

	if (v && v->tid == ev->tid && v->vcpu == ev->vcpu)
		return v;
	at = lower_bound(t, ev->tid, ev->vcpu == TRACE_NO_VCPU ? 0 : ev->vcpu);
	v = at < t->n ? t->sorted[at] : NULL;
	if (v && v->tid == ev->tid && (v->vcpu == ev->vcpu || ev->vcpu == TRACE_NO_VCPU)) {
		t->last = v;
		return v;
	}
	if (ev->vcpu == TRACE_NO_VCPU || t->n == TRACE_VCPUS_MAX)
		return NULL;
	v = mem_zalloc(1, sizeof(*v));
	*v = (struct trace_vcpu){ .vcpu = ev->vcpu, .tid = ev->tid, .index = (uint32_t)t->n,
				  .losses = t->reader->losses };
	t->sorted = mem_grow(t->sorted, &t->cap, t->n + 1, sizeof(*t->sorted));
	memmove(t->sorted + at + 1, t->sorted + at, (t->n - at) * sizeof(*t->sorted));
	t->sorted[at] = v;
	t->n++;
	t->last = v;
	return v;
}

struct trace_vcpu *trace_turns_find(const struct trace_turns *t, const struct trace_event *ev)
{
	size_t at = lower_bound(t, ev->tid, ev->vcpu);
	struct trace_vcpu *v = at < t->n ? t->sorted[at] : NULL;

	return v && v->tid == ev->tid && v->vcpu == ev->vcpu ? v : NULL;
}

static int problem(struct trace_turns *t, enum trace_problem kind, uint64_t line, struct err *err)
{
	return trace_problem(&t->reader->problems, kind, line, err);
}

static int entry(struct trace_turns *t, const struct trace_event *ev, struct trace_step *step,
		 struct err *err)
{
	struct trace_vcpu *v = step->v;
	int status = 0;

	if (v->in_guest)
		status = problem(t, TRACE_P_NO_EXIT, v->enter_line, err);
	else if (v->left) {
		step->gap = true;
		step->gap_ceded = v->ceded;
		step->gap_cause = v->cause;
		step->gap_ns = ev->ns - v->exit_ns;
		step->blocked = v->ceded && step->gap_ns > t->limits.block_ns;
	}
	v->in_guest = true;
	v->left = false;
	v->enter_ns = ev->ns;
	v->enter_pc = ev->pc;
	v->enter_line = ev->line;
	v->pexcp = ev->pexcp;
	return status;
}

/* L1's timer, and nothing to show that the guest ran. */
static bool hdec_same_pc(const struct trace_turns *t, const struct trace_vcpu *v,
			 const struct trace_event *ev)
{
	return !ev->x86 && !ev->ceded && ev->pc == v->enter_pc &&
	       t->reader->parser.causes.w[ev->cause].value == TRACE_TRAP_HDEC;
}

static int leave(struct trace_turns *t, const struct trace_event *ev, struct trace_step *step,
		 struct err *err)
{
	struct trace_vcpu *v = step->v;
	int status = 0;

	step->turn = true;
	step->how = TRACE_UNPAIRED;
	step->exit_ns = ev->ns;
	if (v->in_guest) {
		step->enter_ns = v->enter_ns;
		step->pexcp = v->pexcp;
		step->same_pc = hdec_same_pc(t, v, ev);
		step->how = step->same_pc && ev->ns - v->enter_ns <= t->limits.not_entered_ns
				    ? TRACE_NOT_ENTERED
				    : TRACE_ENTERED;
	} else {
		status = problem(t, TRACE_P_NO_ENTRY, ev->line, err);
	}
	v->in_guest = false;
	v->left = true;
	v->ceded = ev->ceded;
	v->cause = ev->cause;
	v->exit_ns = ev->ns;
	return status;
}

int trace_turns_feed(struct trace_turns *t, const struct trace_event *ev, struct trace_step *step,
		     struct err *err)
{
	struct trace_vcpu *v;

	*step = (struct trace_step){ 0 };
	if (ev->kind != TRACE_ENTER && ev->kind != TRACE_EXIT)
		return 0;
	v = step->v = find_vcpu(t, ev);
	if (!v)
		return problem(t, t->n == TRACE_VCPUS_MAX ? TRACE_P_MANY : TRACE_P_VCPU, ev->line,
			       err);
	if (v->losses != t->reader->losses) {
		v->in_guest = v->left = false;
		v->losses = t->reader->losses;
		step->broken = true;
	}
	if (ev->ns < v->last_ns) {
		v->in_guest = v->left = false;
		v->last_ns = ev->ns;
		step->broken = true;
		if (problem(t, TRACE_P_BACKWARDS, ev->line, err) < 0)
			return -1;
	}
	v->last_ns = ev->ns;
	return ev->kind == TRACE_ENTER ? entry(t, ev, step, err) : leave(t, ev, step, err);
}
