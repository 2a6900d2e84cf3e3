// SPDX-License-Identifier: GPL-2.0-or-later
/* Scenarios of kind "x86": topology, configuration, order, halt polling. */
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "scenario/x86.h"

#define MICRO INT64_C(1000000)

static const struct jfield scenario_fields[] = {
	SCN_COMMON_FIELDS(struct scn_x86),
	{ "requests", JK_TEXT, offsetof(struct scn_x86, requests) },
	{ "order", JK_TEXT, offsetof(struct scn_x86, order) },
	{ "duration_ms", JK_INT, offsetof(struct scn_x86, duration_ms), .required = true, .lo = 1,
	  .hi = 3600000 },
	{ "interval_ms", JK_INT, offsetof(struct scn_x86, interval_ms), .lo = 1, .hi = 3600000 },
	{ "mmu_reload_failures", JK_MICRO, offsetof(struct scn_x86, reload_failures), .lo = 0,
	  .hi = MICRO },
	{ "topology", JK_OBJECT, offsetof(struct scn_x86, topology), .required = true },
	{ "config", JK_OBJECT, offsetof(struct scn_x86, config) },
	{ "sources", JK_ARRAY, offsetof(struct scn_x86, sources), .required = true },
	{ "reactions", JK_ARRAY, offsetof(struct scn_x86, reactions) },
	{ "halt", JK_OBJECT, offsetof(struct scn_x86, halt) },
};

struct topology {
	int64_t vcpus;
	const char *busy;
};

static const struct jfield topology_fields[] = {
	{ "vcpus", JK_INT, offsetof(struct topology, vcpus), .required = true, .lo = 1,
	  .hi = X86_VCPUS_MAX },
	{ "busy", JK_TEXT, offsetof(struct topology, busy) },
	{ "note", JK_NOTE, 0 },
};

struct halt_block {
	int64_t max_us, start_us, grow, shrink;
};

#define HALT(key) #key, JK_INT, offsetof(struct halt_block, key)

static const struct jfield halt_fields[] = {
	{ HALT(max_us), .lo = 0, .hi = 1000000 }, { HALT(start_us), .lo = 0, .hi = 1000000 },
	{ HALT(grow), .lo = 1, .hi = 100 },       { HALT(shrink), .lo = 0, .hi = 100 },
	{ "note", JK_NOTE, 0 },
};
#undef HALT

int scn_x86_set_model(struct mem *mem, struct jnode *root, const char *name, const char *value,
		      struct err *err)
{
	const char *names[X86_PARAM_COUNT], *near;

	for (unsigned i = 0; i < X86_PARAM_COUNT; i++)
		names[i] = x86_param_name(i);
	near = text_nearest(name, names, X86_PARAM_COUNT);
	if (x86_param_find(name) < 0)
		return err_set(err, "--set model.%s: no such parameter (%s'model.%s'%s)", name,
			       near ? "did you mean " : "the first is ", near ? near : names[0],
			       near ? "?" : "");
	return jdoc_set(mem, root, mem_printf(mem, "params.%s.value", name), value, err);
}

static int load_topology(struct scn_x86 *x, struct err *err)
{
	struct topology t = { 0 };
	const struct jnode *busy;

	if (JFIELDS(x->topology, topology_fields, &t, err) < 0)
		return -1;
	x->setup.vcpus = (unsigned)t.vcpus;
	busy = jnode_get(x->topology, "busy");
	if (!t.busy)
		return 0;
	return scn_x86_vcpus(busy, t.busy, x->setup.vcpus, &x->setup.busy, err);
}

/* Given axes as given, one value each; the others their default. */
static int load_config(struct scn_x86 *x, struct err *err)
{
	const struct x86_model *m = x->setup.model;
	struct x86_set given = x86_set_all(m);

	x->setup.config = x86_set_default(m);
	if (!x->config)
		return 0;
	if (x86_set_from(m, x->config, &given, err) < 0)
		return -1;
	for (unsigned a = 0; a < m->axes; a++) {
		const struct jnode *node = jnode_get(x->config, m->axis[a].name);

		if (node && given.allow[a] & (given.allow[a] - 1))
			return jnode_err(node, err, "must be one value in a run");
		if (node)
			x->setup.config.allow[a] = given.allow[a];
	}
	return 0;
}

/* The field 'order' of the scenario wins over the policy. */
static int load_order(const struct scenario *scn, const struct scn_view *view, struct scn_x86 *x,
		      struct err *err)
{
	const struct jnode *node = jnode_get(view->root, "order");
	const char *name = x->order ? x->order : policy_get(&view->policy, "x86.request_order");
	struct err inner = ERR_INIT;

	if (!name)
		return err_set(err, "models/policies.json lacks x86.request_order");
	x->setup.order = x86_order_parse(scn->mem, x->setup.model, name, &inner);
	if (x->setup.order)
		return 0;
	if (node)
		return jnode_err(node, err, "is no order: %.900s", inner.text);
	return err_at(err, scn->file, 0, "%.900s", inner.text);
}

static int load_halt(const struct scn_view *view, struct scn_x86 *x, struct err *err)
{
	/* virt/kvm/kvm_main.c and arch/x86: 200 us, 10 us, times 2, and back to nothing */
	struct halt_block b = { .max_us = 200, .start_us = 10, .grow = 2 };
	const char *poll = policy_get(&view->policy, "x86.halt_poll");
	uint64_t hz = x86_cost(x->setup.cpu, X86_CORE_HZ);

	if (x->halt && JFIELDS(x->halt, halt_fields, &b, err) < 0)
		return -1;
	x->setup.halt = (struct x86_halt){
		.max = hz / 1000000 * (uint64_t)b.max_us,
		.start = hz / 1000000 * (uint64_t)b.start_us,
		.grow = (unsigned)b.grow, .shrink = (unsigned)b.shrink,
		.poll = poll && !strcmp(poll, "none") ? X86_POLL_NONE :
			poll && !strcmp(poll, "always") ? X86_POLL_ALWAYS : X86_POLL_DYNAMIC,
	};
	return 0;
}

static const struct x86_model *load_requests(const struct scenario *scn, const char *name,
					     struct err *err)
{
	struct jnode *root;
	const char *file;

	file = strchr(name, '/') || strchr(name, '.') ? name :
		file_find(scn->mem, mem_printf(scn->mem, "models/%s", name), "requests", err);
	root = file ? jdoc_load(scn->mem, file, err) : NULL;
	return root ? x86_model_from(scn->mem, root, err) : NULL;
}

static uint64_t ms_cycles(const struct x86_setup *s, int64_t ms)
{
	return (uint64_t)((unsigned __int128)x86_cost(s->cpu, X86_CORE_HZ) * (uint64_t)ms / 1000);
}

int scn_x86_load(const struct scenario *scn, const struct scn_view *view, struct scn_x86 *x,
		 struct err *err)
{
	struct x86_setup *s = &x->setup;

	*x = (struct scn_x86){ .requests = "x86" };
	if (JFIELDS(view->root, scenario_fields, x, err) < 0)
		return -1;
	if (!view->cpu)
		return err_at(err, scn->file, 0, "needs a 'cpu': an x86 model in models/");
	s->cpu = x86_cpu_from(scn->mem, view->cpu, err);
	s->model = s->cpu ? load_requests(scn, x->requests, err) : NULL;
	if (!s->model || load_topology(x, err) < 0 || load_config(x, err) < 0 ||
	    load_order(scn, view, x, err) < 0 || load_halt(view, x, err) < 0 ||
	    scn_x86_sources(scn, view, x, err) < 0)
		return -1;
	s->reload_fails = (uint32_t)x->reload_failures;
	s->length = ms_cycles(s, x->duration_ms);
	s->interval = ms_cycles(s, x->interval_ms);
	s->seed = scn->seed;
	return 0;
}
