// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu/model.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define MICRO 1000000

static const struct {
	const char *name, *unit, *meaning;
} defs[] = {
#define CPU_PARAM_DEF(id, param_name, param_unit, text) \
	[CPU_##id] = { param_name, param_unit, text },
	CPU_PARAMS(CPU_PARAM_DEF)
#undef CPU_PARAM_DEF
};

const char *const cpu_param_kinds[] = { "doc", "meas", "derived", "fitted", "assumed", NULL };
static const char *const scoreboard_names[] = { "one", "unit", NULL };
static const char *const reads_names[] = { "pipelined", "serial", "shared", NULL };
static const char *const moves_names[] = { "behind", "held", NULL };
static const char *const stall_names[] = { "all", "bubble", "sticky", NULL };

struct doc {
	const char *name, *summary, *isa;
	const struct jnode *rules, *params, *state, *covariance;
};

static const struct jfield doc_fields[] = {
	{ "schema", JK_NOTE },
	{ "name", JK_TEXT, offsetof(struct doc, name), true },
	{ "summary", JK_TEXT, offsetof(struct doc, summary), true },
	{ "isa", JK_TEXT, offsetof(struct doc, isa), true },
	{ "rules", JK_OBJECT, offsetof(struct doc, rules), true },
	{ "state", JK_OBJECT, offsetof(struct doc, state) },
	{ "params", JK_OBJECT, offsetof(struct doc, params), true },
	{ "covariance", JK_OBJECT, offsetof(struct doc, covariance) },
};

static const struct jfield rule_fields[] = {
	{ "scoreboard", JK_NAME, offsetof(struct cpu_rules, scoreboard), true,
	  .names = scoreboard_names },
	{ "reads", JK_NAME, offsetof(struct cpu_rules, reads), true, .names = reads_names },
	{ "moves", JK_NAME, offsetof(struct cpu_rules, moves), true, .names = moves_names },
	{ "stall", JK_NAME, offsetof(struct cpu_rules, stall), true, .names = stall_names },
	{ "source", JK_NOTE },
};

struct row {
	struct cpu_param param;
	const char *unit, *as;
	const struct jnode *range;
};

static const struct jfield row_fields[] = {
	{ "value", JK_MICRO, offsetof(struct row, param.micro) },
	{ "as", JK_TEXT, offsetof(struct row, as) },
	{ "unit", JK_TEXT, offsetof(struct row, unit), true },
	{ "kind", JK_NAME, offsetof(struct row, param.kind), true, .names = cpu_param_kinds },
	{ "range", JK_ARRAY, offsetof(struct row, range), true },
	{ "source", JK_TEXT, offsetof(struct row, param.source), true },
};

int cpu_param_find(const char *name)
{
	for (int i = 0; i < CPU_PARAM_COUNT; i++)
		if (!strcmp(defs[i].name, name))
			return i;
	return -1;
}

const char *cpu_param_name(enum cpu_param_id id)
{
	return defs[id].name;
}

const char *cpu_param_kind_name(enum cpu_param_kind kind)
{
	return cpu_param_kinds[kind];
}

static const char *nearest_param(const char *name)
{
	const char *names[CPU_PARAM_COUNT];

	for (int i = 0; i < CPU_PARAM_COUNT; i++)
		names[i] = defs[i].name;
	return text_nearest(name, names, CPU_PARAM_COUNT);
}

static int read_range(const struct jnode *range, struct cpu_param *param, struct err *err)
{
	const struct jnode *lo = range->child, *hi = lo ? lo->next : NULL;

	if (range->n != 2 || lo->type != J_NUMBER || hi->type != J_NUMBER || lo->micro < 0 ||
	    lo->micro > hi->micro)
		return jnode_err(range, err, "must be two numbers, the lower first");
	param->lo = lo->micro;
	param->hi = hi->micro;
	return 0;
}

/* A value set on the command line may leave the range: it is an experiment. */
static int read_param(const struct jnode *node, struct cpu_model *model, struct err *err)
{
	int id = cpu_param_find(node->key);
	struct row row = { .param.node = node };
	const struct jnode *value;

	if (id < 0 && nearest_param(node->key))
		return jnode_err(node, err, "is not a known parameter (did you mean '%s'?)",
				 nearest_param(node->key));
	if (id < 0)
		return jnode_err(node, err, "is not a known parameter");
	if (JFIELDS(node, row_fields, &row, err) < 0 ||
	    read_range(row.range, &row.param, err) < 0)
		return -1;
	if (strcmp(row.unit, defs[id].unit))
		return jnode_err(jnode_get(node, "unit"), err, "must be \"%s\"", defs[id].unit);
	value = jnode_get(node, "value");
	row.param.as = row.as && !value ? cpu_param_find(row.as) : -1;
	if (row.as ? cpu_param_find(row.as) < 0 : !value)
		return jnode_err(node, err, row.as ? "takes its value from no known parameter" :
				 "needs a 'value'");
	if (value && value->line && (row.param.micro < row.param.lo || row.param.micro > row.param.hi))
		return jnode_err(value, err, "must be within the parameter's own range, not %s",
				 value->text);
	row.param.name = defs[id].name;
	row.param.unit = defs[id].unit;
	model->params[id] = row.param;
	return 0;
}

/* What the arithmetic needs, beyond each parameter's own range. */
static int check_values(const struct cpu_model *model, struct err *err)
{
	static const struct { enum cpu_param_id id; int64_t lo, hi; } limits[] = {
		{ CPU_CORE_HZ, 1000000, 100000000000 }, { CPU_TIMEBASE_HZ, 1000, 10000000000 },
		{ CPU_SMT_THREADS, 1, 8 },          { CPU_WINDOW, 1, 1024 },
	};
	static const enum cpu_param_id rates[] = { CPU_IPC, CPU_LOADS, CPU_STORES, CPU_BRANCHES };

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const struct cpu_param *p = &model->params[limits[i].id];

		if (p->micro % MICRO || p->micro / MICRO < limits[i].lo ||
		    p->micro / MICRO > limits[i].hi)
			return jnode_err(p->node, err, "must be a whole number from %lld to %lld",
					 (long long)limits[i].lo, (long long)limits[i].hi);
	}
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const struct cpu_param *p = &model->params[rates[i]];

		if (p->micro < MICRO / 100 || p->micro > 100 * (int64_t)MICRO)
			return jnode_err(p->node, err, "must be a number from 0.01 to 100");
	}
	for (int i = CPU_TIMEBASE_HZ + 1; i < CPU_PARAM_COUNT; i++)
		if (model->params[i].micro > MICRO * (int64_t)MICRO)
			return jnode_err(model->params[i].node, err, "must be at most 1000000");
	return 0;
}

struct cpu_model *cpu_model_from_node(struct mem *mem, const struct jnode *root, struct err *err)
{
	struct cpu_model *model = mem_alloc(mem, 1, sizeof(*model));
	struct doc doc = { 0 };

	if (jdoc_schema(root, "cpu", 1, err) < 0 || JFIELDS(root, doc_fields, &doc, err) < 0 ||
	    JFIELDS(doc.rules, rule_fields, &model->rules, err) < 0)
		return NULL;
	model->name = doc.name;
	model->summary = doc.summary;
	model->isa = doc.isa;
	model->file = root->file;
	model->state = doc.state;
	for (const struct jnode *p = doc.params->child; p; p = p->next)
		if (read_param(p, model, err) < 0)
			return NULL;
	for (int i = 0; i < CPU_PARAM_COUNT; i++) {
		if (model->params[i].name)
			continue;
		jnode_err(doc.params, err, "needs a '%s' (%s, in %s)", defs[i].name,
			  defs[i].meaning, defs[i].unit);
		return NULL;
	}
	cpu_model_tie(model);
	for (int i = 0; i < CPU_PARAM_COUNT; i++) {
		const struct cpu_param *p = &model->params[i];

		if (p->as < 0 || model->params[p->as].as < 0)
			continue;
		jnode_err(p->node, err, "takes its value from one that takes its value too");
		return NULL;
	}
	if (check_values(model, err) < 0 || cpu_covariance_read(root, &model->covariance, err) < 0)
		return NULL;
	return model;
}

void cpu_model_tie(struct cpu_model *model)
{
	for (int i = 0; i < CPU_PARAM_COUNT; i++)
		if (model->params[i].as >= 0)
			model->params[i].micro = model->params[model->params[i].as].micro;
}

struct cpu_model *cpu_model_load(struct mem *mem, const char *name, struct err *err)
{
	const char *file = file_find(mem, "models", name, err);
	struct jnode *root = file ? jdoc_load(mem, file, err) : NULL;

	return root ? cpu_model_from_node(mem, root, err) : NULL;
}

int cpu_model_set(struct mem *mem, struct jnode *root, const char *name, const char *value,
		  struct err *err)
{
	const char *near;

	if (!strncmp(name, "rules.", 6))
		return jdoc_set(mem, root, name, value, err);
	if (cpu_param_find(name) >= 0)
		return jdoc_set(mem, root, mem_printf(mem, "params.%s.value", name), value, err);
	near = nearest_param(name);
	if (near)
		return err_set(err, "--set model.%s: no such parameter (did you mean 'model.%s'?)",
			       name, near);
	return err_set(err, "--set model.%s: no such parameter", name);
}

const struct cpu_param *cpu_model_param(const struct cpu_model *model, const char *name)
{
	int id = cpu_param_find(name);

	return id < 0 ? NULL : &model->params[id];
}

int64_t cpu_model_whole(const struct cpu_model *model, enum cpu_param_id id)
{
	return model->params[id].micro / MICRO;
}
