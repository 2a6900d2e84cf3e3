// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One vCPU's way through the loop. A stage is scheduled to its end; what it
 * means is decided when it ends, so that whatever arrived meanwhile counts.
 */
#include <assert.h>

#include "hv/x86_sim.h"

#define BIT(i) (UINT64_C(1) << (i))
#define TRIES_MAX 100000 /* passes without an entry: requests that raise each other for ever */

static const enum x86_state state_of[] = {
	[AT_HALT] = X86_IN_HALT,     [AT_POLL] = X86_IN_POLL,        [AT_WAKE] = X86_IN_WAKE,
	[AT_WORK] = X86_IN_WORK,     [AT_OUTER] = X86_IN_PASS,       [AT_SCAN] = X86_IN_PASS,
	[AT_HANDLER] = X86_IN_PASS,  [AT_PREPARE] = X86_IN_PASS,     [AT_FINAL] = X86_IN_PASS,
	[AT_ENTRY] = X86_IN_ENTRY,   [AT_GUEST] = X86_IN_TASK,       [AT_EXIT] = X86_IN_EXIT,
	[AT_FAST] = X86_IN_HANDLE,   [AT_HANDLE] = X86_IN_HANDLE,    [AT_CANCEL] = X86_IN_CANCELLED,
};

static uint64_t cost(const struct x86_sim *s, enum x86_param id)
{
	return x86_cost(s->setup->cpu, id);
}

void x86_vcpu_account(struct x86_sim *s, struct x86_vcpu *v, uint64_t now)
{
	uint64_t cycles = now - v->since, interrupts = v->dilated;
	enum x86_state state = state_of[v->stage];

	v->since = now;
	if (v->stage == AT_GUEST) {
		state = v->active == X86_NONE ? X86_IN_TASK : X86_IN_HANDLER;
		if (v->active == X86_NONE)
			v->task_done += cycles;
		else
			v->part_left -= cycles;
	}
	/* At the end of the run an interrupt may be half way through. */
	if (interrupts > cycles)
		interrupts = cycles;
	v->dilated -= interrupts;
	v->out->cycles[X86_IN_INTERRUPT] += interrupts;
	/* A pass is put where it belongs once it is known whether it was cancelled. */
	if (state == X86_IN_PASS)
		v->pass += cycles - interrupts;
	else
		v->out->cycles[state] += cycles - interrupts;
}

/* Interrupts that came while they were off run at the start of a stage that has them on. */
void x86_vcpu_begin(struct x86_sim *s, struct x86_vcpu *v, enum x86_stage stage,
		    uint64_t cycles)
{
	bool on = stage < AT_FINAL || stage > AT_FAST;

	v->stage = stage;
	v->since = x86_now(s);
	v->dilated = 0;
	if (on && v->irqs) {
		v->dilated = v->irq_cycles;
		v->work |= v->irq_work;
		v->irq_cycles = v->irqs = v->irq_work = 0;
	}
	x86_observe(s, v, state_of[stage]);
	v->event = evq_schedule(&s->queue, x86_now(s) + cycles + v->dilated, v->index,
				X86_KIND_STAGE);
}

/* vcpu_run() between two turns: task work first, then the pass. */
void x86_vcpu_outer(struct x86_sim *s, struct x86_vcpu *v)
{
	if (v->work) {
		v->work = false;
		x86_vcpu_begin(s, v, AT_WORK, cost(s, X86_TASK_WORK));
		return;
	}
	v->outer_at = x86_now(s);
	v->own = 0;
	v->out->attempts++;
	x86_vcpu_begin(s, v, AT_OUTER, cost(s, X86_OUTER));
}

static bool too_many(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_model *m = s->setup->model;

	if (++v->tries < TRIES_MAX)
		return false;
	err_set(s->err, "vCPU %u never enters the guest in order '%s': request %s is set again in "
		"every pass; give the edges behind it a 'chance' or a 'when'", v->index,
		s->setup->order->name,
		v->bits ? m->request[__builtin_ctzll(v->bits)].name : "of the host's work");
	s->stuck = true;
	return true;
}

/* Test bits from v->pos on, up to the first that is set. */
static void skip(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_order *o = s->setup->order;

	v->target = s->setup->model->requests;
	for (uint64_t bits = v->bits; bits; bits &= bits - 1) {
		unsigned pos = o->pos[__builtin_ctzll(bits)];

		if (pos >= v->pos && pos < v->target)
			v->target = pos;
	}
	x86_vcpu_begin(s, v, AT_SCAN, (v->target - v->pos) * cost(s, X86_CHECK));
	v->skip_from = x86_now(s) + v->dilated;
}

/* kvm_request_pending() is one test: a pass that finds no bit tests no others. */
static void scan(struct x86_sim *s, struct x86_vcpu *v)
{
	v->out->scans++;
	v->pos = 0;
	if (v->bits)
		skip(s, v);
	else
		x86_vcpu_begin(s, v, AT_PREPARE, cost(s, X86_PREPARE));
}

static void at_scan(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_setup *t = s->setup;

	v->pos = v->target;
	if (v->pos < t->model->requests) {
		v->request = t->order->at[v->pos];
		v->bits &= ~BIT(v->request);
		x86_vcpu_begin(s, v, AT_HANDLER,
			       (uint64_t)t->model->request[v->request].cycles.value);
	} else if (t->order->rescan && v->bits) {
		if (!too_many(s, v))
			scan(s, v);
	} else {
		x86_vcpu_begin(s, v, AT_PREPARE, cost(s, X86_PREPARE));
	}
}

static bool taken(struct x86_sim *s, struct x86_vcpu *v, unsigned edge)
{
	const struct x86_edge *e = &s->setup->model->edge[edge];
	struct rnd r = { s->setup->seed, v->index, s->edge_purpose + edge };

	return x86_set_meet(s->setup->model, &e->when, &s->setup->config, NULL) &&
	       (e->chance == X86_MICRO ||
		rnd_chance(&r, v->handles[e->from], (uint32_t)e->chance));
}

static void at_handler(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_model *m = s->setup->model;
	const struct x86_request *r = &m->request[v->request];
	unsigned reaction = s->setup->on_request[v->request];

	s->result->handled[v->request]++;
	if (!(v->closed & BIT(v->request))) {
		s->result->delivered[v->request]++;
		if (r->gate && x86_set_meet(m, &r->closes, &s->setup->config, NULL))
			v->closed |= BIT(v->request);
		for (unsigned i = r->edge; i < r->edge + r->edges; i++) {
			if (!taken(s, v, i))
				continue;
			x86_raise(s, v, BIT(m->edge[i].to));
			v->own |= BIT(m->edge[i].to);
		}
		if (reaction != X86_NONE)
			v->pending[reaction]++;
	}
	v->handles[v->request]++;
	v->pos++;
	skip(s, v);
}

static void cancel(struct x86_sim *s, struct x86_vcpu *v, enum x86_reason reason)
{
	if (v->bits & v->own)
		reason = X86_BACK_EDGE;
	v->out->cancels[reason]++;
	v->out->cycles[X86_IN_CANCELLED] += v->pass;
	v->pass = 0;
	if (!too_many(s, v))
		x86_vcpu_begin(s, v, AT_CANCEL, cost(s, X86_CANCEL));
}

static void at_prepare(struct x86_sim *s, struct x86_vcpu *v)
{
	struct rnd r = { s->setup->seed, v->index, s->reload_purpose };

	if (s->setup->reload_fails && rnd_chance(&r, v->out->attempts, s->setup->reload_fails))
		cancel(s, v, X86_RELOAD);
	else
		x86_vcpu_begin(s, v, AT_FINAL, cost(s, X86_FINAL));
}

static void enter(struct x86_sim *s, struct x86_vcpu *v)
{
	v->tries = 0;
	v->out->entries++;
	x86_vcpu_begin(s, v, AT_ENTRY, cost(s, X86_VM_ENTRY));
}

static void at_final(struct x86_sim *s, struct x86_vcpu *v)
{
	v->out->window += x86_now(s) - v->outer_at;
	if (v->bits || v->work) {
		cancel(s, v, v->bits ? X86_REMOTE : X86_WORK);
		return;
	}
	v->out->cycles[X86_IN_PASS] += v->pass;
	v->pass = 0;
	enter(s, v);
}

/* An interrupt that waited for the entry makes the guest exit at once. */
static void at_entry(struct x86_sim *s, struct x86_vcpu *v)
{
	const struct x86_exit e = { .handle = cost(s, X86_EXIT_HANDLE), .source = X86_NONE };

	if (!v->irqs) {
		x86_inside_enter(s, v);
		return;
	}
	v->stage = AT_GUEST;
	v->event = EVQ_NO_ID;
	x86_inside_leave(s, v, s->setup->cause_interrupt, &e);
}

static void at_exit(struct x86_sim *s, struct x86_vcpu *v)
{
	if (v->exit.fast)
		x86_vcpu_begin(s, v, AT_FAST, cost(s, X86_FASTPATH));
	else
		x86_vcpu_begin(s, v, AT_HANDLE, v->exit.handle);
}

static void apply_exit(struct x86_sim *s, struct x86_vcpu *v)
{
	if (v->exit.source != X86_NONE)
		x86_effects(s, v, v->exit.source);
	x86_raise(s, v, v->exit.raises);
	v->exit.source = X86_NONE;
	v->exit.raises = 0;
}

static void at_fast(struct x86_sim *s, struct x86_vcpu *v)
{
	apply_exit(s, v);
	v->exit.fast = false;
	if (v->bits || v->work) {
		x86_vcpu_begin(s, v, AT_HANDLE, v->exit.handle);
		return;
	}
	v->out->fast++;
	enter(s, v);
}

static void at_handle(struct x86_sim *s, struct x86_vcpu *v)
{
	apply_exit(s, v);
	if (v->exit.halt && !v->bits && !x86_inside_has_work(s, v))
		x86_halted(s, v);
	else
		x86_vcpu_outer(s, v);
}

void x86_vcpu_stage_end(struct x86_sim *s, struct x86_vcpu *v)
{
	x86_vcpu_account(s, v, x86_now(s));
	v->event = EVQ_NO_ID;
	switch (v->stage) {
	case AT_POLL:
		v->stage = AT_HALT;
		x86_observe(s, v, X86_IN_HALT);
		return;
	case AT_WAKE:
	case AT_WORK:
	case AT_CANCEL:
		x86_vcpu_outer(s, v);
		return;
	case AT_OUTER:
		scan(s, v);
		return;
	case AT_SCAN:
		at_scan(s, v);
		return;
	case AT_HANDLER:
		at_handler(s, v);
		return;
	case AT_PREPARE:
		at_prepare(s, v);
		return;
	case AT_FINAL:
		at_final(s, v);
		return;
	case AT_ENTRY:
		at_entry(s, v);
		return;
	case AT_GUEST:
		x86_inside_event(s, v);
		return;
	case AT_EXIT:
		at_exit(s, v);
		return;
	case AT_FAST:
		at_fast(s, v);
		return;
	case AT_HANDLE:
		at_handle(s, v);
		return;
	case AT_HALT:
		assert(!"a blocked vCPU has no end of its stage");
	}
}
