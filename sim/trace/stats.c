// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const struct { const char *name, *text; } dists[TRACE_DISTS] = {
	[TRACE_D_GUEST] = { "guest", "entered turns" },
	[TRACE_D_FAILED] = { "not-entered", "turns that didn't enter" },
	[TRACE_D_HV] = { "hypervisor", "exit to entry, blocks left out" },
	[TRACE_D_CEDE] = { "cede", "ceded exit to entry" },
	[TRACE_D_BLOCK] = { "block", "blocks" },
	[TRACE_D_BURST] = { "burst", "turns of a burst that didn't enter" },
};

const char *trace_dist_name(enum trace_dist d)
{
	return dists[d].name;
}

const char *trace_dist_text(enum trace_dist d)
{
	return dists[d].text;
}

static struct trace_vstats *stats_of(struct trace_stats *s, const struct trace_vcpu *v)
{
	while (s->n <= v->index) {
		s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof(*s->v));
		s->v[s->n++] = (struct trace_vstats){ .vcpu = TRACE_NO_VCPU, .tid = -1,
						      .first_ns = UINT64_MAX };
	}
	if (!s->v[v->index].dist && v->index < TRACE_DIST_VCPUS) {
		s->v[v->index].dist = mem_zalloc(TRACE_DISTS, sizeof(struct hist));
		for (int d = 0; d < TRACE_DISTS; d++)
			hist_init(&s->v[v->index].dist[d]);
	}
	s->v[v->index].vcpu = v->vcpu;
	s->v[v->index].tid = v->tid;
	return &s->v[v->index];
}

static struct trace_cause_count *cause_of(struct trace_vstats *v, size_t cause)
{
	if (cause >= v->n_causes) {
		size_t cap = v->n_causes;

		v->causes = mem_grow(v->causes, &cap, cause + 1, sizeof(*v->causes));
		memset(v->causes + v->n_causes, 0, (cap - v->n_causes) * sizeof(*v->causes));
		v->n_causes = cap;
	}
	return &v->causes[cause];
}

static void add(struct trace_stats *s, struct trace_vstats *v, enum trace_dist d, uint64_t value)
{
	hist_add(&s->dist[d], value, 1);
	if (v->dist)
		hist_add(&v->dist[d], value, 1);
}

static bool passes(const struct trace_stats *s, const struct trace_vstats *v, uint32_t cause)
{
	const struct trace_filter *f = &s->filter;

	return (f->vcpu < 0 || f->vcpu == (int64_t)v->vcpu) &&
	       (!f->cause || !strcmp(f->cause, s->turns.reader->parser.causes.w[cause].s));
}

static void end_burst(struct trace_stats *s, struct trace_vstats *v)
{
	if (v->burst_now && (s->filter.vcpu < 0 || s->filter.vcpu == (int64_t)v->vcpu))
		add(s, v, TRACE_D_BURST, v->burst_now);
	v->burst_now = 0;
}

static void take_turn(struct trace_stats *s, struct trace_vstats *v, const struct trace_event *ev,
		      const struct trace_step *step)
{
	uint64_t ns = step->exit_ns - step->enter_ns;
	bool pass = passes(s, v, ev->cause);

	v->turns[step->how]++;
	cause_of(v, ev->cause)->how[step->how]++;
	v->ceded += ev->ceded;
	if (step->how == TRACE_NOT_ENTERED) {
		v->bursts += v->burst_now == 0;
		if (++v->burst_now > v->burst_max)
			v->burst_max = v->burst_now;
		v->failed_ns += ns;
		if (pass)
			add(s, v, TRACE_D_FAILED, ns);
	} else {
		end_burst(s, v);
	}
	if (step->how == TRACE_ENTERED) {
		v->guest_ns += ns;
		v->same_pc += step->same_pc;
		if (pass)
			add(s, v, TRACE_D_GUEST, ns);
	}
	v->pending_dec += step->how != TRACE_UNPAIRED && (step->pexcp & TRACE_PEXCP_DEC);
	v->pending_ext += step->how != TRACE_UNPAIRED && (step->pexcp & TRACE_PEXCP_EXT);
}

static void take_gap(struct trace_stats *s, struct trace_vstats *v, const struct trace_step *step)
{
	if (step->gap_ceded) {
		v->blocked += step->blocked;
		v->not_blocked += !step->blocked;
	}
	if (step->blocked)
		v->blocked_ns += step->gap_ns;
	else
		v->hv_ns += step->gap_ns;
	if (!passes(s, v, step->gap_cause))
		return;
	if (step->gap_ceded)
		add(s, v, TRACE_D_CEDE, step->gap_ns);
	add(s, v, step->blocked ? TRACE_D_BLOCK : TRACE_D_HV, step->gap_ns);
}

static void take(struct trace_stats *s, const struct trace_event *ev,
		 const struct trace_step *step)
{
	struct trace_vstats *v = stats_of(s, step->v);

	if (ev->ns < v->first_ns)
		v->first_ns = ev->ns;
	if (ev->ns > v->last_ns)
		v->last_ns = ev->ns;
	v->entries += ev->kind == TRACE_ENTER;
	if (step->turn)
		take_turn(s, v, ev, step);
	if (step->gap)
		take_gap(s, v, step);
}

int trace_stats_read(struct trace_stats *s, struct trace_reader *reader,
		     const struct trace_limits *limits, const struct trace_filter *filter,
		     struct err *err)
{
	struct trace_event ev;
	struct trace_step step;
	int got;

	*s = (struct trace_stats){ .first_ns = UINT64_MAX, .filter.vcpu = -1 };
	if (filter)
		s->filter = *filter;
	for (int d = 0; d < TRACE_DISTS; d++)
		hist_init(&s->dist[d]);
	trace_turns_init(&s->turns, reader, limits);
	while ((got = trace_reader_next(reader, &ev, err)) > 0) {
		if (ev.ns < s->first_ns)
			s->first_ns = ev.ns;
		if (ev.ns > s->last_ns)
			s->last_ns = ev.ns;
		if (trace_turns_feed(&s->turns, &ev, &step, err) < 0)
			return -1;
		if (step.v)
			take(s, &ev, &step);
	}
	for (size_t i = 0; i < s->n; i++)
		end_burst(s, &s->v[i]);
	s->events = reader->events;
	if (s->first_ns > s->last_ns)
		s->first_ns = s->last_ns;
	return got < 0 ? -1 : trace_reader_check(reader, err);
}

void trace_stats_done(struct trace_stats *s)
{
	trace_turns_done(&s->turns);
	for (size_t i = 0; i < s->n; i++) {
		for (int d = 0; d < TRACE_DISTS && s->v[i].dist; d++)
			hist_done(&s->v[i].dist[d]);
		free(s->v[i].dist);
		free(s->v[i].causes);
	}
	free(s->v);
	for (int d = 0; d < TRACE_DISTS; d++)
		hist_done(&s->dist[d]);
	*s = (struct trace_stats){ 0 };
}

uint64_t trace_vstats_turns(const struct trace_vstats *v)
{
	return v->turns[TRACE_ENTERED] + v->turns[TRACE_NOT_ENTERED] + v->turns[TRACE_UNPAIRED];
}

void trace_vstats_add(struct trace_vstats *a, const struct trace_vstats *b)
{
	for (int h = 0; h < TRACE_HOWS; h++)
		a->turns[h] += b->turns[h];
	for (size_t i = 0; i < b->n_causes; i++)
		for (int h = 0; h < TRACE_HOWS; h++)
			cause_of(a, i)->how[h] += b->causes[i].how[h];
	a->entries += b->entries;
	a->same_pc += b->same_pc;
	a->pending_dec += b->pending_dec;
	a->pending_ext += b->pending_ext;
	a->ceded += b->ceded;
	a->blocked += b->blocked;
	a->not_blocked += b->not_blocked;
	a->bursts += b->bursts;
	if (b->burst_max > a->burst_max)
		a->burst_max = b->burst_max;
	a->guest_ns += b->guest_ns;
	a->failed_ns += b->failed_ns;
	a->hv_ns += b->hv_ns;
	a->blocked_ns += b->blocked_ns;
	if (b->first_ns < a->first_ns)
		a->first_ns = b->first_ns;
	if (b->last_ns > a->last_ns)
		a->last_ns = b->last_ns;
}
