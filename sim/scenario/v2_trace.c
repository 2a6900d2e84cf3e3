// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/v2_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/native.h"

/* Longer than any run, and a thousandth of what 64 bits hold: progress is kept in thousandths. */
#define SPAN_MAX (UINT64_C(1) << 52)

static const char *find(struct mem *mem, const char *name, struct err *err)
{
	const char *data, *there;

	if (*name == '/' || access(name, F_OK) == 0)
		return name;
	data = file_data_dir(mem, err);
	if (!data)
		return NULL;
	there = mem_printf(mem, "%s/%s", data, name);
	return access(there, F_OK) == 0 ? there : name;
}

/* A trace may be longer than what file_read() takes. */
static int note_input(struct mem *mem, const char *file, struct err *err)
{
	FILE *f = fopen(file, "rb");
	uint64_t h = MEM_FNV1A;
	char buf[16384];
	size_t n;

	if (!f)
		return err_at(err, file, 0, "%s", strerror(errno));
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		h = mem_fnv1a(h, buf, n);
	fclose(f);
	mem_note_digest(mem, file, h);
	return 0;
}

static bool hosts(const struct trace_intent *i)
{
	return i->kind == TRACE_I_HOST || i->kind == TRACE_I_LATE || i->kind == TRACE_I_AWAY ||
	       i->kind == TRACE_I_OVERRUN;
}

static bool arrives(const struct trace_intent *i)
{
	return i->kind == TRACE_I_IRQ || hosts(i);
}

static uint8_t host_trap(const struct trace_plan *plan, const struct trace_intent *i)
{
	return !strcmp(plan->native->names.w[i->name].s, v2_trap_name(V2_TRAP_HVIRT)) ?
		V2_TRAP_HVIRT : V2_TRAP_EXTERNAL;
}

static struct guest_intent intent_of(const struct trace_intent *i, const struct clk *clock)
{
	static const uint8_t kinds[TRACE_I_KINDS] = {
		[TRACE_I_COMPUTE] = GUEST_I_COMPUTE, [TRACE_I_TIMER] = GUEST_I_TIMER,
		[TRACE_I_IDLE] = GUEST_I_IDLE, [TRACE_I_IRQ] = GUEST_I_IRQ,
		[TRACE_I_HCALL] = GUEST_I_HCALL, [TRACE_I_FAULT] = GUEST_I_FAULT,
		[TRACE_I_IPI] = GUEST_I_IPI, [TRACE_I_OTHER] = GUEST_I_OTHER,
	};

	uint64_t cycles = clk_ns_cycles(clock, i->ns);

	return (struct guest_intent){ .kind = kinds[i->kind], .target = i->target,
				      .cycles = cycles < SPAN_MAX ? cycles : SPAN_MAX };
}

static struct v2_arrival arrival_of(const struct trace_plan *plan, const struct trace_intent *i,
				    const struct clk *clock)
{
	static const uint8_t kinds[TRACE_I_KINDS] = {
		[TRACE_I_IRQ] = V2_A_IRQ, [TRACE_I_HOST] = V2_A_HOST,
		[TRACE_I_LATE] = V2_A_LATE, [TRACE_I_AWAY] = V2_A_AWAY,
		[TRACE_I_OVERRUN] = V2_A_OVERRUN,
	};
	struct v2_arrival a = { .at = clk_ns_cycles(clock, i->ns), .kind = kinds[i->kind] };

	if (i->kind == TRACE_I_HOST)
		a.trap = host_trap(plan, i);
	else
		a.span = clk_ns_cycles(clock, i->target);
	return a;
}

static int by_time(const void *a, const void *b)
{
	const struct v2_arrival *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void sort_arrivals(struct v2_arrival *a, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (a[i].at < a[i - 1].at) {
			qsort(a, n, sizeof(*a), by_time);
			return;
		}
}

static void translate(struct mem *mem, const struct trace_plan *plan, uint32_t vcpu,
		      const struct clk *clock, struct scn_v2_trace *t)
{
	const struct trace_plan_vcpu *from = &plan->vcpu[vcpu];
	struct guest_intent *intent;
	struct v2_arrival *arrival;
	size_t coming = 1, intents = 0, n = 0;

	for (size_t i = 0; i < from->n; i++) {
		coming += arrives(&from->intent[i]);
		intents += !hosts(&from->intent[i]);
	}
	intent = mem_alloc(mem, intents, sizeof(*intent));
	arrival = mem_alloc(mem, coming, sizeof(*arrival));
	arrival[n++] = (struct v2_arrival){
		.kind = V2_A_START,
		.at = plan->native->declared[vcpu] ? clk_ns_cycles(clock, from->at_ns) : V2_NEVER,
	};
	intents = 0;
	for (size_t i = 0; i < from->n; i++) {
		const struct trace_intent *in = &from->intent[i];

		if (!hosts(in))
			intent[intents++] = intent_of(in, clock);
		if (!arrives(in))
			continue;
		arrival[n] = arrival_of(plan, in, clock);
		arrival[n].order = (uint32_t)n;
		n++;
	}
	sort_arrivals(arrival + 1, n - 1);
	t->plan[vcpu] = (struct guest_plan){ .intent = intent, .n = intents };
	t->arrivals[vcpu] = (struct v2_arrivals){ .arrival = arrival, .n = n };
}

/* An IPI to a vCPU that isn't there has nowhere to go. */
static int check_targets(const struct trace_plan *plan, const char *file, struct err *err)
{
	for (uint32_t v = 0; v < plan->vcpus; v++)
		for (size_t i = 0; i < plan->vcpu[v].n; i++) {
			const struct trace_intent *in = &plan->vcpu[v].intent[i];

			if (in->kind == TRACE_I_IPI && (in->target >= plan->vcpus ||
							!plan->native->declared[in->target]))
				return err_at(err, file, 0, "vCPU %u sends an IPI to vCPU %u, which "
					      "the trace doesn't declare", v, in->target);
		}
	if (!plan->vcpus)
		return err_at(err, file, 0, "declares no vCPU: nothing to replay");
	return 0;
}

static struct scn_v2_trace *make(struct mem *mem, const struct trace_plan *plan,
				 const struct clk *clock)
{
	const struct trace_native_head *h = &plan->native->head;
	struct scn_v2_trace *t = mem_alloc(mem, 1, sizeof(*t));

	t->core_hz = clock->core_hz;
	t->vcpus = plan->vcpus;
	t->end = clk_ns_cycles(clock, h->end_ns);
	t->spin = clk_ns_cycles(clock, h->spin_ns);
	t->l1_hz = (int64_t)h->l1_hz;
	t->l1_tick_at = clk_ns_cycles(clock, h->l1_tick_ns);
	t->host_recorded = h->host_recorded;
	t->plan = mem_alloc(mem, t->vcpus, sizeof(*t->plan));
	t->arrivals = mem_alloc(mem, t->vcpus, sizeof(*t->arrivals));
	for (uint32_t v = 0; v < t->vcpus; v++)
		translate(mem, plan, v, clock, t);
	return t;
}

const struct scn_v2_trace *scn_v2_trace(struct scn_v2_traces *all, struct mem *mem,
					const char *name, const struct clk *clock,
					struct err *err)
{
	struct scn_v2_trace *t;
	struct trace_plan plan;
	const char *file;

	for (t = all->first; t; t = t->next)
		if (!strcmp(t->name, name) && t->core_hz == clock->core_hz)
			return t;
	file = find(mem, name, err);
	if (!file)
		return NULL;
	if (trace_plan_load(&plan, file, err) == 0 && check_targets(&plan, file, err) == 0 &&
	    note_input(mem, file, err) == 0) {
		t = make(mem, &plan, clock);
		t->name = mem_strdup(mem, name);
		t->next = all->first;
		all->first = t;
	}
	trace_plan_done(&plan);
	return t;
}
