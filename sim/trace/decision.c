// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/lift.h"

static const struct { const char *name, *sure, *text; } decisions[TRACE_DECISIONS] = {
	[TRACE_X_HDEC_GRID] = { "hdec-on-grid", "sure",
		"HV_DECREMENTER exits on L1's tick grid: L1's, as ticks" },
	[TRACE_X_HDEC_OFF] = { "hdec-off-grid", "likely",
		"HV_DECREMENTER exits off a tick grid: L1's, late ticks or other timers" },
	[TRACE_X_NOT_ENTERED] = { "not-entered", "sure", "turns that didn't enter: left out" },
	[TRACE_X_LATE] = { "late-timers", "likely",
		"runs of those: L1's timer interrupt came late" },
	[TRACE_X_AWAY] = { "away", "likely",
		"long gaps after exits that didn't block: the thread lost its CPU" },
	[TRACE_X_SPURIOUS] = { "spurious-cedes", "sure",
		"cedes that came straight back, an exception pending: part of an idle period" },
	[TRACE_X_LOST_CPU] = { "long-gaps", "likely",
		"long gaps after such cedes: the thread lost its CPU, part of an idle period" },
	[TRACE_X_MERGED] = { "merged-idle", "likely", "idle periods those were merged into" },
	[TRACE_X_IDLE_TIMER] = { "idle-timer", "sure", "idle periods a timer ended" },
	[TRACE_X_IDLE_IRQ] = { "idle-irq", "sure", "idle periods an interrupt ended" },
	[TRACE_X_IDLE_UNKNOWN] = { "idle-unknown", "undecided",
		"idle periods ended by what the trace doesn't show: kept, as a timer" },
	[TRACE_X_SHORT] = { "short-idle", "undecided",
		"of all these, cedes that came straight back: kept as idle periods" },
	[TRACE_X_BURST_WORK] = { "long-stretch", "undecided",
		"stretches in the guest too long for a spurious wake-up: kept, as work" },
	[TRACE_X_HOST] = { "host-interrupts", "likely", "exits for the hypervisor's interrupts" },
	[TRACE_X_RETURN] = { "returns", "likely",
		"returns to the host that were no cedes: L1's, left out" },
	[TRACE_X_HCALL] = { "hcalls", "sure", "hcalls" },
	[TRACE_X_HCALL_UNNAMED] = { "hcalls-unnamed", "undecided",
		"hcalls without their kvm_hcall_enter: kept, name unknown" },
	[TRACE_X_IPI] = { "ipis", "sure", "IPIs by H_IPI" },
	[TRACE_X_FAULT] = { "faults", "sure", "page faults" },
	[TRACE_X_OTHER] = { "others", "sure", "other exits the guest caused" },
	[TRACE_X_UNPAIRED] = { "unpaired", "undecided",
		"exits without their entry: the work before them is unknown" },
	[TRACE_X_OPEN] = { "open", "undecided", "idle periods the end of the trace cut" },
};

const char *trace_decision_text(enum trace_decision d)
{
	return decisions[d].text;
}

const char *trace_decision_sure(enum trace_decision d)
{
	return decisions[d].sure;
}

const char *trace_decision_name(enum trace_decision d)
{
	return decisions[d].name;
}
