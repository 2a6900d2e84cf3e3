/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the stages of x86's vCPU loop cost on one processor, as data (models/NAME.json). */
#ifndef HVSIM_HV_X86_CPU_H
#define HVSIM_HV_X86_CPU_H

#include "cpu/covariance.h"
#include "hv/x86_model.h"

/* The one list of parameters: identifier, name in files, unit. */
#define X86_PARAMS(X)                        \
	X(CORE_HZ, "core_hz", "Hz")          \
	X(VM_EXIT, "vm_exit", "cycles")      \
	X(VM_ENTRY, "vm_entry", "cycles")    \
	X(EXIT_HANDLE, "exit_handle", "cycles") \
	X(FASTPATH, "fastpath", "cycles")    \
	X(OUTER, "pass_outer", "cycles")     \
	X(CHECK, "pass_check", "cycles")     \
	X(PREPARE, "pass_prepare", "cycles") \
	X(FINAL, "pass_final", "cycles")     \
	X(CANCEL, "pass_cancel", "cycles")   \
	X(KICK, "kick", "cycles")            \
	X(TASK_WORK, "task_work", "cycles")  \
	X(WAKE, "wake", "cycles")            \
	X(POLL_WAKE, "poll_wake", "cycles")

enum x86_param {
#define X86_PARAM_ID(id, name, unit) X86_##id,
	X86_PARAMS(X86_PARAM_ID)
#undef X86_PARAM_ID
	X86_PARAM_COUNT
};

struct x86_cpu {
	const char *name, *summary, *file;
	struct x86_cycles param[X86_PARAM_COUNT];
	struct cpu_covariance covariance; /* of parameters that were fitted together */
};

/* Load a model. Every parameter must be there. Owned by the pool. NULL on error. */
struct x86_cpu *x86_cpu_load(struct mem *mem, const char *file, struct err *err);
struct x86_cpu *x86_cpu_from(struct mem *mem, const struct jnode *root, struct err *err);

const char *x86_param_name(enum x86_param id);
int x86_param_find(const char *name); /* -1 when there is none */

static inline uint64_t x86_cost(const struct x86_cpu *cpu, enum x86_param id)
{
	return (uint64_t)cpu->param[id].value;
}

/* What an attempt that is cancelled costs without any handlers: the software pass. */
uint64_t x86_software_pass(const struct x86_cpu *cpu);

#endif
