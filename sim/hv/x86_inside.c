// SPDX-License-Identifier: GPL-2.0-or-later
/* A vCPU in guest mode: its task, and handlers of what it was told. */
#include <assert.h>

#include "hv/x86_sim.h"

#define BIT(i) (UINT64_C(1) << (i))

static bool busy(const struct x86_sim *s, const struct x86_vcpu *v)
{
	return s->setup->busy >> v->index & 1;
}

bool x86_inside_has_work(const struct x86_sim *s, const struct x86_vcpu *v)
{
	if (v->active != X86_NONE || busy(s, v))
		return true;
	for (unsigned i = 0; i < s->setup->reactions; i++)
		if (v->pending[i])
			return true;
	return false;
}

/* The part of a handler up to its next exit, or its end. */
static uint64_t part(const struct x86_reaction *r, unsigned exits_left)
{
	uint64_t even = r->cycles / (r->exits + 1);

	return exits_left ? even : r->cycles - even * r->exits;
}

static void pick_reaction(struct x86_sim *s, struct x86_vcpu *v)
{
	for (unsigned i = 0; v->active == X86_NONE && i < s->setup->reactions; i++) {
		if (!v->pending[i])
			continue;
		v->pending[i]--;
		v->active = i;
		v->exits_left = s->setup->reaction[i].exits;
		v->part_left = part(&s->setup->reaction[i], v->exits_left);
	}
}

/* When the guest does something next by itself. */
static uint64_t next_event(const struct x86_sim *s, const struct x86_vcpu *v)
{
	uint64_t next = UINT64_MAX;

	if (v->active != X86_NONE)
		return v->part_left;
	for (unsigned i = 0; i < s->setup->sources; i++)
		if (s->setup->source[i].clock == X86_TASK && v->due[i] - v->task_done < next)
			next = v->due[i] - v->task_done;
	return next;
}

static void plan(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_exit halt = { .handle = x86_cost(s->setup->cpu, X86_EXIT_HANDLE),
				       .source = X86_NONE, .halt = true };
	uint64_t now = x86_now(s), next;

	pick_reaction(s, v);
	if (v->active == X86_NONE && !busy(s, v)) {
		x86_inside_leave(s, v, s->setup->cause_halt, &halt);
		return;
	}
	x86_observe(s, v, v->active == X86_NONE ? X86_IN_TASK : X86_IN_HANDLER);
	next = next_event(s, v);
	v->event = EVQ_NO_ID;
	/* What lies beyond the end of the run needs no event. */
	if (next <= s->setup->length - now)
		v->event = evq_schedule(&s->queue, now + next, v->index, X86_KIND_STAGE);
}

void x86_inside_enter(struct x86_sim *s, struct x86_vcpu *v)
{
	v->stage = AT_GUEST;
	v->since = x86_now(s);
	v->dilated = 0;
	plan(s, v);
}

void x86_inside_replan(struct x86_sim *s, struct x86_vcpu *v)
{
	x86_vcpu_account(s, v, x86_now(s));
	evq_cancel(&s->queue, v->event);
	plan(s, v);
}

void x86_inside_leave(struct x86_sim *s, struct x86_vcpu *v, unsigned cause,
		      const struct x86_exit *e)
{
	const struct hv_observer *o = s->setup->observer;

	x86_vcpu_account(s, v, x86_now(s));
	evq_cancel(&s->queue, v->event);
	v->out->exits[cause]++;
	if (o && o->exit)
		o->exit(o->ctx, x86_now(s), v->index, cause, true, e->halt);
	v->exit = *e;
	x86_vcpu_begin(s, v, AT_EXIT, x86_cost(s->setup->cpu, X86_VM_EXIT));
}

/* A handler came to its next exit or its end; the end opens the gates it was behind. */
static void reaction_event(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_reaction *r = &s->setup->reaction[v->active];
	const struct x86_exit e = { .handle = r->handle, .raises = r->raises,
				    .source = X86_NONE };

	if (v->exits_left) {
		v->part_left = part(r, --v->exits_left);
		x86_inside_leave(s, v, r->cause, &e);
		return;
	}
	for (unsigned i = 0; i < s->setup->model->requests; i++)
		if (s->setup->on_request[i] == v->active)
			v->closed &= ~BIT(i);
	v->active = X86_NONE;
	plan(s, v);
}

void x86_inside_event(struct x86_sim *s, struct x86_vcpu *v)
{
	unsigned i = 0;

	if (v->active != X86_NONE) {
		assert(!v->part_left);
		reaction_event(s, v);
		return;
	}
	while (s->setup->source[i].clock != X86_TASK || v->due[i] != v->task_done)
		i++;
	const struct x86_source *src = &s->setup->source[i];
	const struct x86_exit e = { .handle = src->handle, .source = i, .fast = src->fast };

	v->due[i] = v->task_done + x86_next_arrival(s, v, i);
	x86_inside_leave(s, v, src->cause, &e);
}
