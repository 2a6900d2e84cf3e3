// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "hv/x86_cpu.h"

#define HZ_MAX INT64_C(20000000000)

static const char *const names[] = {
#define X86_PARAM_NAME(id, name, unit) name,
	X86_PARAMS(X86_PARAM_NAME)
};

static const char *const units[] = {
#define X86_PARAM_UNIT(id, name, unit) unit,
	X86_PARAMS(X86_PARAM_UNIT)
};

const char *x86_param_name(enum x86_param id)
{
	return names[id];
}

int x86_param_find(const char *name)
{
	for (int i = 0; i < X86_PARAM_COUNT; i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

struct cpu_file {
	const char *name, *summary;
	const struct jnode *params, *covariance;
};

static const struct jfield cpu_fields[] = {
	{ "schema", JK_NOTE, 0, true },
	{ "name", JK_TEXT, offsetof(struct cpu_file, name), true },
	{ "summary", JK_TEXT, offsetof(struct cpu_file, summary), true },
	{ "params", JK_OBJECT, offsetof(struct cpu_file, params), true },
	{ "covariance", JK_OBJECT, offsetof(struct cpu_file, covariance) },
};

struct params_file {
	const struct jnode *param[X86_PARAM_COUNT];
};

static int load_params(struct x86_cpu *cpu, const struct jnode *obj, struct err *err)
{
	struct jfield fields[X86_PARAM_COUNT];
	struct params_file f = { 0 };

	for (size_t i = 0; i < X86_PARAM_COUNT; i++)
		fields[i] = (struct jfield){ .key = names[i], .kind = JK_OBJECT, .required = true,
					     .offset = offsetof(struct params_file, param) +
						       i * sizeof(f.param[0]) };
	if (jnode_fields(obj, fields, X86_PARAM_COUNT, &f, err) < 0)
		return -1;
	for (size_t i = 0; i < X86_PARAM_COUNT; i++) {
		if (x86_cycles_from(f.param[i], i == X86_CORE_HZ ? HZ_MAX : INT32_MAX,
				    &cpu->param[i], err) < 0)
			return -1;
		if (strcmp(cpu->param[i].unit, units[i]))
			return jnode_err(f.param[i], err, "must be in %s, not '%.40s'", units[i],
					 cpu->param[i].unit);
	}
	if (cpu->param[X86_CORE_HZ].lo < 1000000)
		return jnode_err(f.param[X86_CORE_HZ], err, "must be at least 1 MHz");
	return 0;
}

struct x86_cpu *x86_cpu_from(struct mem *mem, const struct jnode *root, struct err *err)
{
	struct x86_cpu *cpu = mem_alloc(mem, 1, sizeof(*cpu));
	struct cpu_file f = { 0 };

	if (jdoc_schema(root, "x86-cpu", 1, err) < 0 || JFIELDS(root, cpu_fields, &f, err) < 0 ||
	    load_params(cpu, f.params, err) < 0 ||
	    cpu_covariance_read(root, &cpu->covariance, err) < 0)
		return NULL;
	cpu->name = f.name;
	cpu->summary = f.summary;
	cpu->file = root->file;
	return cpu;
}

struct x86_cpu *x86_cpu_load(struct mem *mem, const char *file, struct err *err)
{
	struct jnode *root = jdoc_load(mem, file, err);

	return root ? x86_cpu_from(mem, root, err) : NULL;
}

uint64_t x86_software_pass(const struct x86_cpu *cpu)
{
	return x86_cost(cpu, X86_OUTER) + x86_cost(cpu, X86_PREPARE) + x86_cost(cpu, X86_FINAL) +
	       x86_cost(cpu, X86_CANCEL);
}
