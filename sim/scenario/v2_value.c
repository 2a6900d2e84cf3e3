// SPDX-License-Identifier: GPL-2.0-or-later
/* The metrics of a nestedv2 run, by the names of the tracepoints and probes that count them. */
#include <string.h>

#include "scenario/v2.h"

static uint64_t exits(const struct v2_result *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_TRAPS; i++)
		sum += r->total.exits[i];
	return sum;
}

static struct scn_cell loops(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.loops);
}

static struct scn_cell guest_exit(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(exits(r));
}

static struct scn_cell entered(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(exits(r) - r->total.not_entered);
}

static struct scn_cell not_entered(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.not_entered);
}

static struct scn_cell gsb_recv(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.gets);
}

static struct scn_cell gsb_send(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.sets);
}

static struct scn_cell ceded(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.exits[V2_TRAP_CEDE]);
}

#define EXITS(name, trap)                                                                         \
	static struct scn_cell name(const struct v2_result *r, const struct v2_setup *s)          \
	{                                                                                         \
		return scn_count(r->total.exits[trap]);                                           \
	}

EXITS(syscalls, V2_TRAP_HCALL)
EXITS(data_faults, V2_TRAP_FAULT)
EXITS(inst_faults, V2_TRAP_IFAULT)
EXITS(externals, V2_TRAP_EXTERNAL)
EXITS(virts, V2_TRAP_HVIRT)
EXITS(others, V2_TRAP_OTHER)

static struct scn_cell hdec_entered(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.exits[V2_TRAP_HDEC] - r->total.not_entered);
}

static struct scn_cell blocks(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.blocks);
}

static struct scn_cell ceded_spins(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.ceded_spins);
}

static struct scn_cell wakes(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_count(r->total.guest.wakes);
}

static struct scn_cell guest_work(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_decimal((int64_t)(clk_ns(&s->clock, r->total.guest.work) / 1000), 3);
}

/* Ceded turns per millisecond and vCPU. */
static struct scn_cell ceded_rate(const struct v2_result *r, const struct v2_setup *s)
{
	uint64_t us = clk_ns(&s->clock, s->duration) / 1000;

	return scn_decimal((int64_t)(r->total.exits[V2_TRAP_CEDE] * UINT64_C(1000000000) /
				     (us ? us : 1) / r->vcpus), 3);
}

/* Of the ceded turns, the share in per cent that never blocked. */
static struct scn_cell never_blocked(const struct v2_result *r, const struct v2_setup *s)
{
	return scn_share(r->total.ceded_spins, r->total.blocks + r->total.ceded_spins, 2);
}

/* Turns of a burst that didn't enter, on average. */
static struct scn_cell burst_mean(const struct v2_result *r, const struct v2_setup *s)
{
	if (!r->total.bursts)
		return scn_count(0);
	return scn_decimal((int64_t)(r->total.not_entered * 1000000 / r->total.bursts), 2);
}

static struct scn_cell wake_us(const struct v2_result *r, const struct v2_setup *s, uint64_t num,
			       uint64_t den)
{
	return scn_decimal((int64_t)clk_ns(&s->clock, hist_quantile(&r->wake_latency, num, den)) *
			   1000, 2);
}

static struct scn_cell wake_p50(const struct v2_result *r, const struct v2_setup *s)
{
	return wake_us(r, s, 1, 2);
}

static struct scn_cell wake_p99(const struct v2_result *r, const struct v2_setup *s)
{
	return wake_us(r, s, 99, 100);
}

static const struct {
	const char *name;
	struct scn_cell (*value)(const struct v2_result *r, const struct v2_setup *s);
	const char *about;
} metrics[] = {
	{ "loops", loops,
	  "iterations of the guest's busy loops" },
	{ "kvm_hv:kvm_guest_exit", guest_exit,
	  "turns of the run loop that reached the tracepoint, entered or not" },
	{ "probe:kvmppc_gsb_recv", gsb_recv,
	  "H_GUEST_GET_STATE calls" },
	{ "probe:kvmppc_gsb_send", gsb_send,
	  "H_GUEST_SET_STATE calls" },
	{ "entered_turns", entered,
	  "turns that ran the guest" },
	{ "not_entered_turns", not_entered,
	  "turns that L1's timer ended before the guest ran" },
	{ "ceded_turns", ceded,
	  "turns that ended with H_CEDE" },
	{ "ceded_turns_per_ms_vcpu", ceded_rate,
	  "ceded turns a millisecond and vCPU" },
	{ "never_blocked_percent", never_blocked,
	  "share of the ceded turns that came straight back" },
	{ "not_entered_burst_mean", burst_mean,
	  "turns of a burst that didn't enter, on average" },
	{ "hv_decrementer_entered", hdec_entered,
	  "HV_DECREMENTER turns that ran the guest" },
	{ "syscall_turns", syscalls,
	  "turns that ended with an hcall that isn't H_CEDE" },
	{ "h_data_storage_turns", data_faults,
	  "turns that ended with a page fault on data" },
	{ "h_inst_storage_turns", inst_faults,
	  "turns that ended with a page fault on an instruction" },
	{ "external_turns", externals,
	  "turns that ended with an interrupt of L1, EXTERNAL" },
	{ "h_virt_turns", virts,
	  "likewise, H_VIRT" },
	{ "other_turns", others,
	  "turns that ended with another cause" },
	{ "blocks", blocks,
	  "ceded turns that put the vCPU to sleep" },
	{ "ceded_spins", ceded_spins,
	  "ceded turns that came straight back" },
	{ "guest_wakes", wakes,
	  "times the guest left its idle loop" },
	{ "guest_work_s", guest_work,
	  "seconds of the guest's own work, over all vCPUs" },
	{ "wake_latency_p50_us", wake_p50,
	  "decrementer expiry to its interrupt in L2, median" },
	{ "wake_latency_p99_us", wake_p99,
	  "the same, 99th percentile" },
};

#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

bool scn_v2_value(const struct v2_result *r, const struct v2_setup *setup, const char *metric,
		  struct scn_cell *out)
{
	for (size_t i = 0; i < METRICS; i++) {
		if (strcmp(metrics[i].name, metric))
			continue;
		*out = metrics[i].value(r, setup);
		return true;
	}
	return false;
}

const char *scn_v2_metric(size_t i, const char **about)
{
	if (i >= METRICS)
		return NULL;
	*about = metrics[i].about;
	return metrics[i].name;
}
