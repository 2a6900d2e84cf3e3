// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/timeline.h"

#include <stdlib.h>

#include "base/mem.h"

#define NO_STATE UINT32_MAX

struct rep_timeline_vcpu {
	uint64_t since;
	unsigned state;       /* NO_STATE before the first */
	const char *path, *next_path;
	bool pending, before; /* now, and when the window began */
};

static struct rep_timeline_vcpu *vcpu_of(struct rep_timeline *t, uint32_t vcpu)
{
	size_t old = t->vcpus;

	if (vcpu < t->vcpus)
		return &t->vcpu[vcpu];
	t->vcpu = mem_grow(t->vcpu, &t->vcpus, vcpu + 1, sizeof(*t->vcpu));
	for (size_t i = old; i < t->vcpus; i++)
		t->vcpu[i] = (struct rep_timeline_vcpu){ .state = NO_STATE };
	return &t->vcpu[vcpu];
}

/* Keep what reaches into the window. */
static void add(struct rep_timeline *t, struct rep_mark m, uint64_t at)
{
	if (clk_ns(&t->watch.clock, at) < t->from_ns)
		return;
	if (t->n == t->limit) {
		t->dropped++;
		return;
	}
	t->mark = mem_grow(t->mark, &t->room, t->n + 1, sizeof(*t->mark));
	t->mark[t->n++] = m;
}

static void end_slice(struct rep_timeline *t, uint32_t vcpu, struct rep_timeline_vcpu *v,
		      uint64_t now)
{
	if (v->state != NO_STATE && now > v->since)
		add(t, (struct rep_mark){ .kind = REP_SLICE, .vcpu = vcpu, .start = v->since,
					  .end = now, .what = v->state, .path = v->path }, now);
}

static void on_state(void *ctx, uint64_t now, uint32_t vcpu, unsigned state)
{
	struct rep_timeline *t = ctx;
	struct rep_timeline_vcpu *v = vcpu_of(t, vcpu);

	if (state == v->state && v->path == v->next_path && !v->path)
		return; /* goes on */
	end_slice(t, vcpu, v, now);
	v->since = now;
	v->state = state;
	v->path = v->next_path;
	v->next_path = NULL;
}

static void on_path(void *ctx, uint64_t now, uint32_t vcpu, const char *path)
{
	vcpu_of(ctx, vcpu)->next_path = path;
}

static void on_exit_seen(void *ctx, uint64_t now, uint32_t vcpu, unsigned trap, bool entered,
			 bool ceded)
{
	add(ctx, (struct rep_mark){ .kind = REP_EXIT, .vcpu = vcpu, .start = now, .what = trap,
				    .yes = entered, .yes2 = ceded }, now);
}

static void on_pending(void *ctx, uint64_t now, uint32_t vcpu, bool pending)
{
	struct rep_timeline *t = ctx;
	struct rep_timeline_vcpu *v = vcpu_of(t, vcpu);

	if (v->pending == pending)
		return;
	v->pending = pending;
	if (clk_ns(&t->watch.clock, now) < t->from_ns)
		v->before = pending;
	add(t, (struct rep_mark){ .kind = REP_PENDING, .vcpu = vcpu, .start = now,
				   .what = pending }, now);
}

static void on_timer(void *ctx, uint64_t now, uint32_t vcpu, uint64_t due, bool in_guest)
{
	add(ctx, (struct rep_mark){ .kind = REP_TIMER, .vcpu = vcpu, .start = due, .end = now,
				    .yes = in_guest }, due);
}

void rep_timeline_init(struct rep_timeline *t, uint64_t from_ns, uint64_t to_ns, size_t limit)
{
	*t = (struct rep_timeline){ .from_ns = from_ns, .limit = limit };
	t->observer =
		(struct hv_observer){ t, on_state, on_exit_seen, on_path, on_pending, on_timer };
	t->watch.observer = &t->observer;
	t->watch.until_ns = to_ns;
}

void rep_timeline_done(struct rep_timeline *t)
{
	free(t->mark);
	free(t->vcpu);
}

void rep_timeline_end(struct rep_timeline *t)
{
	for (uint32_t i = 0; i < t->vcpus && i < t->watch.vcpus; i++)
		end_slice(t, i, &t->vcpu[i], t->watch.end);
}

bool rep_timeline_before(const struct rep_timeline *t, uint32_t vcpu)
{
	return vcpu < t->vcpus && t->vcpu[vcpu].before;
}
