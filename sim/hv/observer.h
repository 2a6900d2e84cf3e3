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
	/* Just before `state`, for a vCPU that walks a priced path: the path's name. */
	void (*path)(void *ctx, uint64_t now, uint32_t vcpu, const char *path);
	/* Just before `state`: whether a timer exception of the guest is pending in the hypervisor. */
	void (*pending)(void *ctx, uint64_t now, uint32_t vcpu, bool pending);
	/*
	 * A timer that was due at `due`: the guest takes its interrupt (in_guest), or
	 * the hypervisor's own timer ends the vCPU's sleep.
	 */
	void (*timer)(void *ctx, uint64_t now, uint32_t vcpu, uint64_t due, bool in_guest);
};

#endif
