// SPDX-License-Identifier: GPL-2.0-or-later
#include "hv/v2.h"

/* Names as the kernel's tracepoints print them (arch/powerpc/kvm/trace_book3s.h). */
static const char *const trap_names[] = {
	[V2_TRAP_CEDE] = "0x0 (H_CEDE)",
	[V2_TRAP_HDEC] = "HV_DECREMENTER",
	[V2_TRAP_HCALL] = "SYSCALL",
	[V2_TRAP_FAULT] = "H_DATA_STORAGE",
	[V2_TRAP_EXTERNAL] = "EXTERNAL",
	[V2_TRAP_HVIRT] = "H_VIRT",
	[V2_TRAP_IFAULT] = "H_INST_STORAGE",
	[V2_TRAP_OTHER] = "other",
};

static const char *const cycles_names[] = {
	[V2_IN_GUEST] = "guest",
	[V2_IN_KERNEL] = "guest kernel",
	[V2_IN_SNOOZE] = "guest snooze",
	[V2_IN_L0] = "L0",
	[V2_IN_L1] = "L1",
	[V2_IN_GSB] = "state hcalls",
	[V2_BLOCKED] = "blocked",
	[V2_RUNNABLE] = "runnable",
	[V2_SMT] = "smt",
	[V2_CUT] = "cut by the end",
};

static const char *const path_files[] = {
	[V2_L1_ENTER] = "nestedv2-l1-enter",
	[V2_L1_NOT_ENTERED] = "nestedv2-l1-notentered",
	[V2_L1_FLUSH] = "nestedv2-l1-flush",
	[V2_L0_ENTER] = "nestedv2-l0-enter",
	[V2_L0_EXIT] = "nestedv2-l0-exit",
	[V2_L1_EXIT] = "nestedv2-l1-exit",
	[V2_L1_HCALL] = "nestedv2-l1-hcall",
	[V2_L1_FAULT] = "nestedv2-l1-fault",
	[V2_L1_BLOCK] = "nestedv2-l1-block",
	[V2_L1_WAKE] = "nestedv2-l1-wake",
	[V2_L1_TICK] = "nestedv2-l1-tick",
	[V2_GSB_GET] = "nestedv2-gsb-get",
	[V2_GSB_SET] = "nestedv2-gsb-set",
};

_Static_assert(sizeof(trap_names) / sizeof(trap_names[0]) == V2_TRAPS, "a name a trap");
_Static_assert(sizeof(cycles_names) / sizeof(cycles_names[0]) == V2_CYCLES, "a name a state");
_Static_assert(sizeof(path_files) / sizeof(path_files[0]) == V2_PATHS, "a file a path");

const char *v2_trap_name(enum v2_trap trap)
{
	return trap_names[trap];
}

const char *v2_cycles_name(enum v2_cycles where)
{
	return cycles_names[where];
}

const char *v2_path_file(enum v2_path path)
{
	return path_files[path];
}
