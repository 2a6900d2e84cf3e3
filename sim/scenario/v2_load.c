// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/v2.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "cpu/spr.h"
#include "path/path.h"
#include "scenario/elements.h"

#define DURATION_MS_MAX 3600000

#define MICRO INT64_C(1000000)

struct topology {
	int64_t l2_vcpus, l1_cpus, smt, l1_hz, l2_hz;
	int64_t slice_us, wake_granularity_us, l1_idle_exit_us;
};

struct guest_block {
	const char *idle;
	bool tick_stopped_rule;
};

struct load_block {
	const char *name, *vcpus;
	int64_t loop_cycles, sleep_us, sleep_work_us, timer_hz, timer_work_us;
	int64_t fault_hz, hcall_hz, ipi_hz, ipi_work_us;
};

static const struct jfield scenario_fields[] = {
	SCN_COMMON_FIELDS(struct scn_v2),
	{ "duration_ms", JK_INT, offsetof(struct scn_v2, duration_ms), .lo = 1, .hi = DURATION_MS_MAX },
	{ "topology", JK_OBJECT, offsetof(struct scn_v2, topology) },
	{ "guest", JK_OBJECT, offsetof(struct scn_v2, guest) },
	{ "workload", JK_ARRAY, offsetof(struct scn_v2, workload) },
	{ "trace", JK_TEXT, offsetof(struct scn_v2, trace) },
	{ "elements", JK_TEXT, offsetof(struct scn_v2, elements) },
};

#define TOP(key) #key, JK_INT, offsetof(struct topology, key)

static const struct jfield topology_fields[] = {
	{ TOP(l2_vcpus), .lo = 1, .hi = V2_VCPUS_MAX },
	{ TOP(l1_cpus), .lo = 1, .hi = V2_VCPUS_MAX },
	{ TOP(smt), .lo = 1, .hi = SMT_THREADS_MAX },
	{ TOP(l1_hz), .lo = 1, .hi = 10000 },
	{ TOP(l2_hz), .lo = 1, .hi = 10000 },
	{ TOP(slice_us), .lo = 1, .hi = 1000000 },
	{ TOP(wake_granularity_us), .lo = 0, .hi = 1000000 },
	{ "l1_idle_exit_us", JK_MICRO, offsetof(struct topology, l1_idle_exit_us),
	  .lo = 0, .hi = 10000 * MICRO },
	{ "note", JK_NOTE },
};
#undef TOP

static const struct jfield guest_fields[] = {
	{ "idle", JK_TEXT, offsetof(struct guest_block, idle) },
	{ "tick_stopped_rule", JK_TRUTH, offsetof(struct guest_block, tick_stopped_rule) },
	{ "note", JK_NOTE },
};

#define RATE(key) { #key, JK_MICRO, offsetof(struct load_block, key), .lo = 0, .hi = 100000 * MICRO }
#define SPAN(key) { #key, JK_MICRO, offsetof(struct load_block, key), .lo = 0, .hi = 10000000 * MICRO }

static const struct jfield load_fields[] = {
	{ "name", JK_TEXT, offsetof(struct load_block, name), .required = true },
	{ "vcpus", JK_TEXT, offsetof(struct load_block, vcpus), .required = true },
	{ "loop_cycles", JK_MICRO, offsetof(struct load_block, loop_cycles), .lo = 1,
	  .hi = 1000000 * MICRO },
	SPAN(sleep_us), SPAN(sleep_work_us), RATE(timer_hz), SPAN(timer_work_us),
	RATE(fault_hz), RATE(hcall_hz), RATE(ipi_hz), SPAN(ipi_work_us),
	{ "note", JK_NOTE },
};

struct idle_file {
	const struct jnode *states;
};

static const struct jfield idle_fields[] = {
	{ "schema", JK_NOTE, 0, .required = true },
	{ "summary", JK_NOTE },
	{ "source", JK_NOTE },
	{ "states", JK_ARRAY, offsetof(struct idle_file, states), .required = true },
};

struct idle_block {
	const char *name;
	int64_t exit_latency_us, target_residency_us, timeout_us;
	bool cede, polling;
};

#define IDLE_US(key) JK_MICRO, offsetof(struct idle_block, key), .lo = 0, .hi = 1000000 * MICRO

static const struct jfield state_fields[] = {
	{ "name", JK_TEXT, offsetof(struct idle_block, name), .required = true },
	{ "exit_latency_us", IDLE_US(exit_latency_us) },
	{ "target_residency_us", IDLE_US(target_residency_us) },
	{ "timeout_us", IDLE_US(timeout_us) },
	{ "cede", JK_TRUTH, offsetof(struct idle_block, cede) },
	{ "polling", JK_TRUTH, offsetof(struct idle_block, polling) },
};

static int load_idle(struct mem *mem, const char *name, struct idle_model *idle, struct err *err)
{
	const char *file = file_find(mem, "models/idle", name, err);
	struct jnode *root = file ? jdoc_load(mem, file, err) : NULL;
	struct idle_file f = { 0 };

	if (!root || jdoc_schema(root, "idle", 1, err) < 0 || JFIELDS(root, idle_fields, &f, err) < 0)
		return -1;
	if (!f.states->n || f.states->n > IDLE_STATES_MAX)
		return jnode_err(f.states, err, "must have 1 to %u states", IDLE_STATES_MAX);
	for (const struct jnode *c = f.states->child; c; c = c->next) {
		struct idle_block b = { .timeout_us = -1 };

		if (JFIELDS(c, state_fields, &b, err) < 0)
			return -1;
		idle->state[idle->n++] = (struct idle_state){
			.name = b.name, .cede = b.cede, .polling = b.polling,
			.exit_latency_ns = b.exit_latency_us / 1000,
			.target_residency_ns = b.target_residency_us / 1000,
			.timeout_ns = b.timeout_us < 0 ? IDLE_NEVER_NS : b.timeout_us / 1000,
		};
	}
	return 0;
}

/* Millionths of a microsecond to cycles. */
static uint64_t us_cycles(const struct v2_setup *s, int64_t us_micro)
{
	return clk_ns_cycles(&s->clock, (uint64_t)us_micro / 1000);
}

/* Cycles between events at a rate in millionths of a hertz; 0 for none. */
static uint64_t period(const struct v2_setup *s, int64_t hz_micro)
{
	if (!hz_micro)
		return 0;
	return (uint64_t)((unsigned __int128)s->clock.core_hz * MICRO / (uint64_t)hz_micro);
}

static void merge_load(const struct v2_setup *s, const struct load_block *b, struct guest_load *l)
{
	if (b->loop_cycles) {
		l->loop = true;
		l->loop_ucycles = (uint64_t)b->loop_cycles;
	}
	if (b->sleep_us) {
		l->sleep = us_cycles(s, b->sleep_us);
		l->sleep_work = us_cycles(s, b->sleep_work_us);
	}
	if (b->timer_hz) {
		l->timer_mean = period(s, b->timer_hz);
		l->timer_work = us_cycles(s, b->timer_work_us);
	}
	if (b->fault_hz)
		l->fault_mean = period(s, b->fault_hz);
	if (b->hcall_hz)
		l->hcall_mean = period(s, b->hcall_hz);
	if (b->ipi_hz) {
		l->ipi_mean = period(s, b->ipi_hz);
		l->ipi_work = us_cycles(s, b->ipi_work_us);
	}
}

/* The next of "3", "0-2", "1-" (to the last) in a list; false when it isn't one. */
static bool next_range(const char **p, uint32_t vcpus, unsigned *first, unsigned *last)
{
	int used = 0;

	if (sscanf(*p, "%5u%n", first, &used) != 1)
		return false;
	*p += used;
	*last = *first;
	if (**p != '-')
		return true;
	++*p;
	*last = vcpus - 1;
	if (sscanf(*p, "%5u%n", last, &used) == 1)
		*p += used;
	return true;
}

/* Apply a load to each vCPU that its "vcpus" names. */
static int apply_load(const struct v2_setup *s, const struct jnode *node,
		      const struct load_block *b, struct guest_load *loads, struct err *err)
{
	const struct jnode *at = jnode_get(node, "vcpus");
	const char *p = strcmp(b->vcpus, "all") ? b->vcpus : "0-";
	unsigned first, last;

	do {
		if (!next_range(&p, s->vcpus, &first, &last))
			break;
		if (first > last || last >= s->vcpus)
			return jnode_err(at, err, "must name vCPUs from 0 to %u, not %s",
					 s->vcpus - 1, b->vcpus);
		for (unsigned i = first; i <= last; i++)
			merge_load(s, b, &loads[i]);
	} while (*p == ',' && p++);
	if (*p || p == b->vcpus)
		return jnode_err(at, err, "must be \"all\" or a list like \"0\", \"1-7\", \"1-\" or "
				 "\"0,2-3\", not %s", b->vcpus);
	return 0;
}

static int load_workload(struct mem *mem, const struct scn_v2 *v, const struct scn_v2_trace *t,
			 struct v2_setup *s, struct err *err)
{
	struct guest_load *loads = mem_alloc(mem, s->vcpus, sizeof(*loads));

	for (const struct jnode *c = v->workload ? v->workload->child : NULL; c; c = c->next) {
		struct load_block b = { 0 };

		if (JFIELDS(c, load_fields, &b, err) < 0 || apply_load(s, c, &b, loads, err) < 0)
			return -1;
	}
	s->load = loads;
	for (uint32_t i = 0; t && i < t->vcpus; i++) {
		if (loads[i].loop)
			return jnode_err(v->workload, err, "must not give vCPU %u an endless loop: "
					 "it carries out the trace", i);
		loads[i].plan = &t->plan[i];
	}
	return 0;
}

/* A CPU of L1 ticks as that of the first vCPU that it runs here did. */
static const uint64_t *tick_times(struct mem *mem, const struct scn_v2_trace *t, uint32_t cpus)
{
	uint64_t *at = mem_alloc(mem, cpus, sizeof(*at));

	for (uint32_t i = 0; i < cpus && i < t->vcpus; i++)
		at[i] = t->l1_tick_at[i];
	return at;
}

/*
 * What a trace says beside the plans. A spurious wake-up takes as long as it
 * did: what this model's own turn costs is a part of that. vCPUs beyond those
 * of the trace are there from the first.
 */
static void take_trace(struct mem *mem, const struct scn_v2_trace *t, struct v2_setup *s)
{
	struct v2_arrivals *a = mem_alloc(mem, s->vcpus, sizeof(*a));
	uint64_t turn = s->cost[V2_L1_ENTER] + s->cost[V2_L1_FLUSH] + s->cost[V2_L0_ENTER] +
			s->cost[V2_L0_EXIT] + s->cost[V2_L1_EXIT];

	memcpy(a, t->arrivals, t->vcpus * sizeof(*a));
	s->arrivals = a;
	if (t->spin > turn)
		s->guest.costs.respin = t->spin - turn;
	s->guest.recorded = t->host_recorded;
	if (t->host_recorded)
		s->timer_lateness = 0;
	s->l1_tick_at = tick_times(mem, t, s->l1_cpus);
}

static int load_topology(const struct scn_v2 *v, const struct cpu_model *m,
			 const struct scn_v2_trace *trace, struct v2_setup *s, struct err *err)
{
	struct topology t = { .smt = 1, .l1_hz = trace && trace->l1_hz ? trace->l1_hz : 250,
			      .l2_hz = 250, .slice_us = 3000, .wake_granularity_us = 1000,
			      .l1_idle_exit_us = 2 * MICRO,
			      .l2_vcpus = trace ? trace->vcpus : 0 };
	const struct jnode *smt;

	if (v->topology && JFIELDS(v->topology, topology_fields, &t, err) < 0)
		return -1;
	if (!t.l2_vcpus)
		return jnode_err(v->topology, err, "needs 'l2_vcpus'");
	if (trace && t.l2_vcpus < trace->vcpus)
		return jnode_err(jnode_get(v->topology, "l2_vcpus"), err, "must be at least the %u "
				 "vCPUs of the trace, not %lld", trace->vcpus,
				 (long long)t.l2_vcpus);
	if (!t.l1_cpus)
		t.l1_cpus = t.l2_vcpus;
	smt = v->topology ? jnode_get(v->topology, "smt") : NULL;
	if (t.smt & (t.smt - 1) || t.smt > cpu_model_whole(m, CPU_SMT_THREADS))
		return jnode_err(smt ? smt : v->topology, err, "must be a power of two up to the "
				 "%lld threads of a %s core, not %lld",
				 (long long)cpu_model_whole(m, CPU_SMT_THREADS), m->name,
				 (long long)t.smt);
	s->vcpus = (uint32_t)t.l2_vcpus;
	s->l1_cpus = (uint32_t)t.l1_cpus;
	s->smt = (uint32_t)t.smt;
	s->l1_tick_period = s->clock.core_hz / (uint64_t)t.l1_hz;
	s->own_ticks = trace && trace->l1_hz && t.l1_hz != trace->l1_hz;
	s->guest.tick_period = s->clock.core_hz / (uint64_t)t.l2_hz;
	s->guest.idle.tick_ns = 1000000000 / t.l2_hz;
	s->slice = us_cycles(s, t.slice_us * MICRO);
	s->wake_granularity = us_cycles(s, t.wake_granularity_us * MICRO);
	s->idle_exit = us_cycles(s, t.l1_idle_exit_us);
	return 0;
}

/* A rate of zero would stop time; more than a whole thread would make it. */
static int check_shares(const struct cpu_model *m, struct err *err)
{
	static const struct { enum cpu_param_id id; int64_t lo; } shares[] = {
		{ CPU_SMT_SHARE_2, 1 }, { CPU_SMT_SHARE_4, 1 }, { CPU_SMT_SHARE_8, 1 },
		{ CPU_SMT_SNOOZE_WEIGHT, 0 }, { CPU_SMT_IDLE_WEIGHT, 0 }, { CPU_L1_TIMER_LATE, 0 },
	};

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		int64_t v = cpu_model_whole(m, shares[i].id);

		if (v < shares[i].lo || v > SMT_FULL)
			return jnode_err(m->params[shares[i].id].node, err, "must be from %lld to %u "
					 "per mille, not %lld", (long long)shares[i].lo, SMT_FULL,
					 (long long)v);
	}
	return 0;
}

static void take_model(const struct cpu_model *m, struct v2_setup *s)
{
	clk_init(&s->clock, (uint64_t)cpu_model_whole(m, CPU_CORE_HZ),
		 (uint64_t)cpu_model_whole(m, CPU_TIMEBASE_HZ));
	s->guest.clock = s->clock;
	smt_fill(&s->smt_rule, (uint32_t)cpu_model_whole(m, CPU_SMT_SHARE_2),
		 (uint32_t)cpu_model_whole(m, CPU_SMT_SHARE_4),
		 (uint32_t)cpu_model_whole(m, CPU_SMT_SHARE_8));
	s->smt_rule.weight[SMT_IDLE] = (uint32_t)cpu_model_whole(m, CPU_SMT_IDLE_WEIGHT);
	s->smt_rule.weight[SMT_POLL] = (uint32_t)cpu_model_whole(m, CPU_SMT_SNOOZE_WEIGHT);
	s->smt_rule.weight[SMT_ACTIVE] = SMT_FULL;
	s->timer_late = (uint32_t)cpu_model_whole(m, CPU_L1_TIMER_LATE);
	s->timer_lateness = us_cycles(s, m->params[CPU_L1_TIMER_LATENCY].micro);
	s->hdec_lateness = us_cycles(s, m->params[CPU_L1_HDEC_LATENCY].micro);
}

static int price_one(struct path_lib *lib, struct pricer *pricer, const struct cond_bits *bits,
		     const char *name, struct price *out, struct err *err)
{
	const struct path *path = path_load(lib, name, err);

	if (!path)
		return -1;
	*out = *price_path(pricer, path, bits);
	return 0;
}

static int price_all(const struct scn_view *view, struct path_lib *lib, struct pricer *pricer,
		     struct scn_v2 *v, struct err *err)
{
	struct cond_bits bits = policy_bits(&view->policy);
	struct guest_costs *g = &v->setup.guest.costs;
	const struct { const char *name; uint64_t *to; } guest[] = {
		{ "nestedv2-l2-tick", &g->tick }, { "nestedv2-l2-cede", &g->idle_enter },
		{ "nestedv2-l2-wake", &g->idle_exit }, { "nestedv2-l2-irq", &g->irq },
	};
	struct price p;

	for (unsigned i = 0; i < V2_PATHS; i++) {
		if (price_one(lib, pricer, &bits, v2_path_file(i), &v->price[i], err) < 0)
			return -1;
		v->setup.cost[i] = v->price[i].cycles;
	}
	for (size_t i = 0; i < sizeof(guest) / sizeof(guest[0]); i++) {
		if (price_one(lib, pricer, &bits, guest[i].name, &p, err) < 0)
			return -1;
		*guest[i].to = p.cycles;
	}
	return 0;
}

static int load_prices(struct mem *mem, const struct scenario *scn, const struct scn_view *view,
		       struct scn_v2 *v, struct err *err)
{
	const struct spr_table *sprs = spr_load(mem, err);
	struct pricer *pricer;
	int rc;

	if (!sprs)
		return -1;
	pricer = price_new(view->model);
	rc = price_all(view, path_lib_new(mem, sprs, scn->policies), pricer, v, err);
	price_free(pricer);
	return rc;
}

/* A policy's value as an index into the model's own enum, in the order of the names here. */
static unsigned choice(const struct scn_view *view, const char *policy, const char *const *names)
{
	const char *value = policy_get(&view->policy, policy);
	unsigned i = 0;

	while (value && names[i] && strcmp(names[i], value))
		i++;
	return value && names[i] ? i : 0;
}

static void take_policies(const struct scn_view *view, struct v2_setup *s)
{
	static const char *const cancel[] = { "keep", "cancel", "clear-on-delivery", NULL };
	static const char *const expiry[] = { "returned", "by-hcall", "stale", NULL };
	static const char *const ext[] = { "delivered", "stuck", NULL };
	static const char *const large[] = { "off", "on", NULL };

	s->dec_cancel = choice(view, "nestedv2.dec_cancel", cancel);
	s->dec_expiry = choice(view, "nestedv2.dec_expiry", expiry);
	s->ext_pending = choice(view, "nestedv2.ext_pending", ext);
	s->guest.small_dec = choice(view, "guest.large_dec", large) == 0;
}

/* A scenario has a workload, a trace, or both; without a trace it must say the rest itself. */
static int check_fields(const struct scenario *scn, const struct scn_v2 *v, struct err *err)
{
	if (v->trace)
		return 0;
	if (!v->workload)
		return err_at(err, scn->file, 0, "needs a 'workload' or a 'trace'");
	if (!v->topology || !v->duration_ms)
		return err_at(err, scn->file, 0, "needs '%s' (only a 'trace' brings its own)",
			      v->topology ? "duration_ms" : "topology");
	return 0;
}

static int take_length(const struct scenario *scn, const struct scn_v2 *v,
		       const struct scn_v2_trace *t, struct v2_setup *s, struct err *err)
{
	s->duration = t ? t->end : 0;
	if (v->duration_ms)
		s->duration = clk_ns_cycles(&s->clock, (uint64_t)v->duration_ms * 1000000);
	if (!s->duration)
		return err_at(err, scn->file, 0, "needs 'duration_ms': the trace has no 'end'");
	if (s->duration > clk_ns_cycles(&s->clock, DURATION_MS_MAX * UINT64_C(1000000)))
		return err_at(err, scn->file, 0, "needs 'duration_ms', at most %d: the trace lasts over "
			      "an hour (hvsim trace info shows whether its clock jumps)",
			      DURATION_MS_MAX);
	return 0;
}

int scn_v2_load(const struct scenario *scn, const struct scn_view *view,
		struct scn_v2_traces *traces, struct scn_v2 *v, struct err *err)
{
	struct guest_block g = { .idle = "pseries-shared", .tick_stopped_rule = true };
	const struct scn_v2_trace *t = NULL;
	struct v2_setup *s = &v->setup;

	*v = (struct scn_v2){ .elements = "nestedv2-state" };
	if (JFIELDS(view->root, scenario_fields, v, err) < 0 || check_fields(scn, v, err) < 0)
		return -1;
	if (!view->model)
		return err_at(err, scn->file, 0, "needs a 'cpu': a model in models/");
	if (v->guest && JFIELDS(v->guest, guest_fields, &g, err) < 0)
		return -1;
	if (check_shares(view->model, err) < 0)
		return -1;
	take_model(view->model, s);
	take_policies(view, s);
	s->guest.seed = scn->seed;
	s->guest.idle.rules.tick_stopped_rule = g.tick_stopped_rule;
	if (v->trace && !(t = scn_v2_trace(traces, scn->mem, v->trace, &s->clock, err)))
		return -1;
	if (take_length(scn, v, t, s, err) < 0 ||
	    load_idle(scn->mem, g.idle, &s->guest.idle, err) < 0 ||
	    load_topology(v, view->model, t, s, err) < 0 ||
	    load_workload(scn->mem, v, t, s, err) < 0 ||
	    scn_elements_load(scn->mem, v->elements, &s->elements, err) < 0)
		return -1;
	if (load_prices(scn->mem, scn, view, v, err) < 0)
		return -1;
	if (t)
		take_trace(scn->mem, t, s);
	return 0;
}
