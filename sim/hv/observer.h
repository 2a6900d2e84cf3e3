/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HVSIM_HV_OBSERVER_H
#define HVSIM_HV_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whatever watches a run of any of the loops. Calls come in order of time for
 * one vCPU. Any member may be NULL.
 */
struct hv_observer {
	void *ctx;
	/* The vCPU begins to spend its time so (enum v2_cycles, enum x86_state). */
	void (*state)(void *ctx, uint64_t now, uint32_t vcpu, unsigned state);
	/* A turn reached the tracepoint kvm_guest_exit or kvm_exit. trap: x86: the exit's cause. */
	void (*exit)(void *ctx, uint64_t now, uint32_t vcpu, unsigned trap, bool entered,
		     bool ceded);
};

#endif
