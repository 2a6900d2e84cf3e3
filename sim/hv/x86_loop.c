// SPDX-License-Identifier: GPL-2.0-or-later
/* Running the x86 loop: events in order, intervals, the end. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "hv/x86_sim.h"

#define EVENTS_MAX UINT64_C(2000000000)

static const char *const state_names[] = {
	[X86_IN_TASK] = "guest task",       [X86_IN_HANDLER] = "guest handlers",
	[X86_IN_EXIT] = "VM exit",          [X86_IN_HANDLE] = "exit handlers",
	[X86_IN_PASS] = "passes",           [X86_IN_CANCELLED] = "cancelled passes",
	[X86_IN_ENTRY] = "VM entry",        [X86_IN_INTERRUPT] = "host interrupts",
	[X86_IN_WORK] = "host task work",   [X86_IN_POLL] = "halt polling",
	[X86_IN_WAKE] = "waking up",        [X86_IN_HALT] = "halted",
};

static const char *const reason_names[] = {
	[X86_BACK_EDGE] = "back edge",
	[X86_REMOTE] = "request of another CPU",
	[X86_WORK] = "host task work",
	[X86_RELOAD] = "MMU not loaded",
};

const char *x86_state_name(enum x86_state state)
{
	return state_names[state];
}

const char *x86_reason_name(enum x86_reason reason)
{
	return reason_names[reason];
}

static void total(const struct x86_sim *s, struct x86_counts *c)
{
	*c = (struct x86_counts){ 0 };
	for (unsigned n = 0; n < s->setup->vcpus; n++) {
		const struct x86_vcpu_result *r = &s->result->vcpu[n];

		c->entries += r->entries;
		for (unsigned i = 0; i < X86_REASONS; i++)
			c->cancels += r->cancels[i];
		for (unsigned i = 0; i < s->setup->causes; i++)
			c->exits += r->exits[i];
	}
}

static void interval(struct x86_sim *s)
{
	struct x86_result *r = s->result;

	total(s, &r->at[r->intervals++]);
	if (s->setup->interval <= s->setup->length - x86_now(s))
		evq_schedule(&s->queue, x86_now(s) + s->setup->interval, 0, X86_KIND_INTERVAL);
}

static void purposes(struct x86_sim *s)
{
	char name[128];

	for (unsigned i = 0; i < s->setup->sources; i++) {
		s->purpose[i] = rnd_purpose(s->setup->source[i].name);
		snprintf(name, sizeof(name), "%.100s task work", s->setup->source[i].name);
		s->chance_purpose[i] = rnd_purpose(name);
	}
	s->edge_purpose = rnd_purpose("x86 edge");
	s->reload_purpose = rnd_purpose("x86 reload");
	s->target_purpose = rnd_purpose("x86 target");
}

static void start(struct x86_sim *s, const struct x86_setup *setup, struct x86_result *result)
{
	s->setup = setup;
	s->result = result;
	evq_init(&s->queue, 256);
	purposes(s);
	if (setup->interval) {
		result->at = mem_zalloc(setup->length / setup->interval + 1, sizeof(*result->at));
		if (setup->interval <= setup->length)
			evq_schedule(&s->queue, setup->interval, 0, X86_KIND_INTERVAL);
	}
	for (unsigned n = 0; n < setup->vcpus; n++) {
		struct x86_vcpu *v = &s->vcpu[n];

		v->index = n;
		v->active = X86_NONE;
		v->out = &result->vcpu[n];
		v->poll = setup->halt.poll == X86_POLL_ALWAYS ? setup->halt.max : 0;
	}
	x86_arrive_start(s);
	for (unsigned n = 0; n < setup->vcpus; n++)
		x86_vcpu_outer(s, &s->vcpu[n]);
}

static void finish(struct x86_sim *s)
{
	for (unsigned n = 0; n < s->setup->vcpus; n++) {
		struct x86_vcpu *v = &s->vcpu[n];

		x86_vcpu_account(s, v, s->setup->length);
		v->out->cycles[X86_IN_PASS] += v->pass;
	}
}

static int events(struct x86_sim *s)
{
	struct evq_event e;

	while (!s->stuck && evq_peek_time(&s->queue) <= s->setup->length &&
	       evq_pop(&s->queue, &e)) {
		struct x86_vcpu *v = &s->vcpu[e.owner];

		if (e.kind == X86_KIND_STAGE)
			x86_vcpu_stage_end(s, v);
		else if (e.kind == X86_KIND_INTERVAL)
			interval(s);
		else
			x86_arrive(s, v, e.kind - X86_KIND_SOURCE);
		if (++s->result->events > EVENTS_MAX)
			return err_set(s->err, "the run has over %llu events: make it shorter or its "
				       "sources rarer", (unsigned long long)EVENTS_MAX);
	}
	return s->stuck ? -1 : 0;
}

int x86_loop_run(const struct x86_setup *setup, struct x86_result *result, struct err *err)
{
	struct x86_sim *s = mem_zalloc(1, sizeof(*s));
	int status;

	assert(setup->vcpus >= 1 && setup->vcpus <= X86_VCPUS_MAX);
	*result = (struct x86_result){ 0 };
	s->err = err;
	start(s, setup, result);
	status = events(s);
	if (!status)
		finish(s);
	else
		x86_result_done(result);
	evq_done(&s->queue);
	free(s);
	return status;
}

void x86_result_done(struct x86_result *result)
{
	free(result->at);
	result->at = NULL;
	result->intervals = 0;
}
