// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/v2_trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/native.h"

/* Longer than any run, and a thousandth of what 64 bits hold: progress is kept in thousandths. */
#define SPAN_MAX (UINT64_C(1) << 52)

#define INTENTS_MAX (UINT64_C(1) << 25) /* 512 MiB */

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

static bool hosts(const struct trace_intent *i)
{
	return i->kind == TRACE_I_HOST || i->kind == TRACE_I_LATE || i->kind == TRACE_I_AWAY ||
	       i->kind == TRACE_I_TICK || i->kind == TRACE_I_RAN;
}

static bool arrives(const struct trace_intent *i)
{
	return i->kind == TRACE_I_IRQ || hosts(i);
}

static uint8_t host_trap(const struct trace_native *n, const struct trace_intent *i)
{
	return !strcmp(n->names.w[i->name].s, v2_trap_name(V2_TRAP_HVIRT)) ?
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

static struct v2_arrival arrival_of(const struct trace_native *n, const struct trace_intent *i,
				    const struct clk *clock)
{
	static const uint8_t kinds[TRACE_I_KINDS] = {
		[TRACE_I_IRQ] = V2_A_IRQ, [TRACE_I_HOST] = V2_A_HOST,
		[TRACE_I_LATE] = V2_A_LATE, [TRACE_I_AWAY] = V2_A_AWAY,
		[TRACE_I_TICK] = V2_A_TICK, [TRACE_I_RAN] = V2_A_RAN,
	};
	struct v2_arrival a = { .at = clk_ns_cycles(clock, i->ns), .kind = kinds[i->kind] };

	if (i->kind == TRACE_I_HOST)
		a.trap = host_trap(n, i);
	else
		a.span = clk_ns_cycles(clock, i->target);
	a.turns = i->turns;
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

/* A trace being read: what each vCPU has so far, in the run's cycles. */
struct vcpu_so_far {
	struct guest_intent *intent;
	struct v2_arrival *arrival;    /* the first is its start */
	size_t intents, arrivals, intent_room, arrival_room;
	uint32_t sender;               /* a vCPU that sends this one an IPI, and one more; 0: none */
};

struct loading {
	struct trace_native *native;
	const struct clk *clock;
	struct vcpu_so_far *vcpu;      /* [TRACE_NATIVE_VCPUS_MAX] */
};

static struct v2_arrival *next_arrival(struct vcpu_so_far *v)
{
	v->arrival = mem_grow(v->arrival, &v->arrival_room, v->arrivals + 1, sizeof(*v->arrival));
	return &v->arrival[v->arrivals++];
}

static void take(struct loading *l, const struct trace_intent *i)
{
	struct vcpu_so_far *v = &l->vcpu[i->vcpu];

	if (i->kind == TRACE_I_IPI)
		l->vcpu[i->target].sender = i->vcpu + 1;
	if (arrives(i)) {
		uint32_t order = (uint32_t)v->arrivals;
		struct v2_arrival *a;

		if (!order)
			next_arrival(v)->kind = V2_A_START;
		a = next_arrival(v);
		*a = arrival_of(l->native, i, l->clock);
		a->order = order;
	}
	if (hosts(i))
		return;
	if (v->intents == v->intent_room)
		v->intent = mem_grow(v->intent, &v->intent_room, v->intents + 1,
				     sizeof(*v->intent));
	v->intent[v->intents++] = intent_of(i, l->clock);
}

static int take_all(struct loading *l, const char *file, struct err *err)
{
	struct trace_intent i;
	uint64_t n = 0;
	int got;

	while ((got = trace_native_next(l->native, &i, err)) > 0) {
		if (n++ == INTENTS_MAX)
			return err_at(err, file, 0, "over %llu intents; cut the trace",
				      (unsigned long long)INTENTS_MAX);
		take(l, &i);
	}
	return got;
}

/* An IPI to a vCPU that isn't there has nowhere to go. */
static int check_targets(const struct loading *l, const char *file, struct err *err)
{
	if (!l->native->vcpus)
		return err_at(err, file, 0, "declares no vCPU: nothing to replay");
	for (uint32_t v = 0; v < TRACE_NATIVE_VCPUS_MAX; v++)
		if (l->vcpu[v].sender && !l->native->declared[v])
			return err_at(err, file, 0, "vCPU %u sends an IPI to vCPU %u, which the "
				      "trace doesn't declare", l->vcpu[v].sender - 1, v);
	return 0;
}

/* What the vCPU has becomes the pool's. */
static void keep(struct mem *mem, struct loading *l, uint32_t vcpu, struct scn_v2_trace *t)
{
	struct vcpu_so_far *v = &l->vcpu[vcpu];
	const struct trace_native *n = l->native;

	if (!v->arrivals)
		next_arrival(v);
	v->arrival[0] = (struct v2_arrival){
		.kind = V2_A_START,
		.at = n->declared[vcpu] ? clk_ns_cycles(l->clock, n->at[vcpu]) : V2_NEVER,
	};
	sort_arrivals(v->arrival + 1, v->arrivals - 1);
	t->plan[vcpu] = (struct guest_plan){ mem_take(mem, v->intent), v->intents };
	t->arrivals[vcpu] = (struct v2_arrivals){ mem_take(mem, v->arrival), v->arrivals };
	v->intent = NULL;
	v->arrival = NULL;
}

static struct scn_v2_trace *make(struct mem *mem, struct loading *l)
{
	const struct trace_native_head *h = &l->native->head;
	struct scn_v2_trace *t = mem_alloc(mem, 1, sizeof(*t));

	t->core_hz = l->clock->core_hz;
	t->vcpus = l->native->vcpus;
	t->end = clk_ns_cycles(l->clock, h->end_ns);
	t->spin = clk_ns_cycles(l->clock, h->spin_ns);
	t->l1_hz = (int64_t)h->l1_hz;
	t->host_recorded = h->host_recorded;
	t->plan = mem_alloc(mem, t->vcpus, sizeof(*t->plan));
	t->arrivals = mem_alloc(mem, t->vcpus, sizeof(*t->arrivals));
	t->l1_tick_at = mem_alloc(mem, t->vcpus, sizeof(*t->l1_tick_at));
	for (uint32_t v = 0; v < t->vcpus; v++) {
		keep(mem, l, v, t);
		t->l1_tick_at[v] = clk_ns_cycles(l->clock, l->native->tick[v]);
	}
	return t;
}

static struct scn_v2_trace *load(struct mem *mem, const char *file, const struct clk *clock,
				 struct err *err)
{
	struct loading l = { trace_native_open(file, err), clock, NULL };
	struct scn_v2_trace *t = NULL;

	if (!l.native)
		return NULL;
	l.vcpu = mem_zalloc(TRACE_NATIVE_VCPUS_MAX, sizeof(*l.vcpu));
	if (take_all(&l, file, err) == 0 && check_targets(&l, file, err) == 0) {
		t = make(mem, &l);
		mem_note_digest(mem, file, digest_end(&l.native->digest));
	}
	for (uint32_t v = 0; v < TRACE_NATIVE_VCPUS_MAX; v++) {
		free(l.vcpu[v].intent);
		free(l.vcpu[v].arrival);
	}
	free(l.vcpu);
	trace_native_close(l.native);
	return t;
}

const struct scn_v2_trace *scn_v2_trace(struct scn_v2_traces *all, struct mem *mem,
					const char *name, const struct clk *clock,
					struct err *err)
{
	struct scn_v2_trace *t;
	const char *file;

	for (t = all->first; t; t = t->next)
		if (!strcmp(t->name, name) && t->core_hz == clock->core_hz)
			return t;
	file = find(mem, name, err);
	t = file ? load(mem, file, clock, err) : NULL;
	if (!t)
		return NULL;
	t->name = mem_strdup(mem, name);
	t->next = all->first;
	all->first = t;
	return t;
}
