/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86 vCPU loop in time: vcpu_run() and vcpu_enter_guest() of
 * arch/x86/kvm/x86.c over a request model, an order and a workload.
 *
 * A turn: host task work is done if there is any; the pass checks the request
 * bits in order, running handlers; the switch to the guest is prepared;
 * interrupts go off; the final check cancels the entry when a bit is set or
 * the host has task work, which costs one software pass and no VM entry.
 * Otherwise the guest runs until something makes it exit. A bit or host work
 * can arrive at any cycle, from other CPUs or from interrupts.
 *
 * Each vCPU has a CPU of its own. Time is core cycles; every cycle of a vCPU is
 * in one state. Draws are keyed by the source's name and the index of the
 * arrival, so variants of the loop see the same arrivals.
 */
#ifndef HVSIM_HV_X86_LOOP_H
#define HVSIM_HV_X86_LOOP_H

#include "hv/observer.h"
#include "hv/x86_cpu.h"
#include "hv/x86_model.h"

#define X86_VCPUS_MAX 64
#define X86_SOURCES_MAX 32
#define X86_CAUSES_MAX 32
#define X86_NONE UINT32_MAX

/* Which time a source's arrivals are spaced in. */
enum x86_clock {
	X86_WALL, /* time of the host */
	X86_TASK, /* cycles of the guest's task on this vCPU: handlers and the host stop it */
	X86_HALT, /* so long after the vCPU halts, one at a time: a closed loop */
};

enum x86_spread { X86_EVEN, X86_EXPONENTIAL };

/* How an arrival reaches its vCPU. */
enum x86_route {
	X86_EXIT,      /* the guest exits: an instruction, or a counter's NMI to the host */
	X86_REQUEST,   /* another CPU sets request bits and kicks or wakes the vCPU */
	X86_POSTED,    /* a posted interrupt: no exit, no bit; wakes the vCPU */
	X86_INTERRUPT, /* an interrupt of the host on the vCPU's CPU; nothing for the guest */
};

/*
 * What the guest does about something: `cycles` of handler, in the course of
 * which it exits `exits` times at even distances. An index into
 * setup->reaction, or X86_NONE.
 */
struct x86_reaction {
	uint64_t cycles;
	unsigned exits;
	unsigned cause;    /* of these exits */
	uint64_t raises;   /* bits each of them raises */
	uint64_t handle;   /* cycles of the host's handler */
};

struct x86_source {
	const char *name;
	enum x86_clock clock;
	enum x86_spread spread;
	enum x86_route route;
	uint64_t mean;       /* cycles between arrivals, at least 1 */
	uint64_t vcpus;      /* a bit for each vCPU it is for */
	bool together;       /* WALL: one arrival is for all of them at once */
	bool asleep;         /* REQUEST: a halted vCPU stays so (KVM_REQUEST_NO_WAKEUP) */
	bool remote;         /* EXIT: what it raises is for the next vCPU, not the one that exits */
	bool fast;           /* EXIT: handled before interrupts are on, and entered again */
	unsigned cause;      /* EXIT: exit cause */
	uint64_t handle;     /* EXIT, INTERRUPT: cycles of the host's handler */
	uint64_t raises;     /* request bits */
	uint32_t task_work;  /* chance in a million that it leaves task work for the host */
	unsigned reaction;   /* of the guest, however it was told; X86_NONE */
};

enum x86_poll { X86_POLL_NONE, X86_POLL_ALWAYS, X86_POLL_DYNAMIC };

/* KVM's halt polling (virt/kvm/kvm_main.c), cycles. */
struct x86_halt {
	enum x86_poll poll;
	uint64_t max, start; /* longest time polled; where growing starts from nothing */
	unsigned grow, shrink; /* factors; shrink 0 goes to nothing */
};

struct x86_setup {
	const struct x86_model *model;
	const struct x86_order *order;
	const struct x86_cpu *cpu;
	struct x86_set config;               /* one value an axis */
	unsigned vcpus;
	uint64_t busy;                       /* vCPUs that always have work; the others halt */
	struct x86_source source[X86_SOURCES_MAX];
	struct x86_reaction reaction[X86_SOURCES_MAX];
	const char *cause[X86_CAUSES_MAX];
	unsigned sources, reactions, causes;
	unsigned cause_interrupt, cause_halt; /* causes of the loop's own exits */
	unsigned on_request[X86_REQUESTS_MAX]; /* reaction when it was delivered; X86_NONE */
	uint32_t reload_fails;               /* chance in a million that the MMU can't be loaded */
	struct x86_halt halt;
	uint64_t length, interval;           /* cycles; interval 0: none */
	uint64_t seed;
	const struct hv_observer *observer;  /* NULL for none */
};

/*
 * An observer hears X86_IN_PASS when a pass begins, whatever comes of it, and
 * X86_IN_CANCELLED while it is taken back; host interrupts it doesn't hear.
 */
enum x86_state {
	X86_IN_TASK,      /* guest: its task */
	X86_IN_HANDLER,   /* guest: handlers of what it was told */
	X86_IN_EXIT,      /* hardware exit */
	X86_IN_HANDLE,    /* the exit's handler in the host */
	X86_IN_PASS,      /* passes that led to an entry */
	X86_IN_CANCELLED, /* passes that did not, and taking them back */
	X86_IN_ENTRY,     /* hardware entry */
	X86_IN_INTERRUPT, /* host interrupts */
	X86_IN_WORK,      /* host task work */
	X86_IN_POLL,      /* halt polling */
	X86_IN_WAKE,      /* waking up */
	X86_IN_HALT,      /* blocked */
	X86_STATES
};

enum x86_reason {
	X86_BACK_EDGE, /* a handler of this pass raised a request it had already checked */
	X86_REMOTE,    /* another CPU raised one */
	X86_WORK,      /* the host had task work */
	X86_RELOAD,    /* the MMU could not be loaded */
	X86_REASONS
};

/* Totals of one vCPU. */
struct x86_vcpu_result {
	uint64_t cycles[X86_STATES];
	uint64_t entries, attempts, scans, cancels[X86_REASONS];
	uint64_t exits[X86_CAUSES_MAX];
	uint64_t fast;                        /* exits that never left the fast path */
	uint64_t window;                      /* cycles from the task work test to the final check */
	uint64_t wakes, polled;               /* halts ended; by polling */
};

/* Totals of the VM; what an interval has is the difference of two. */
struct x86_counts {
	uint64_t cancels, entries, exits;
};

struct x86_result {
	struct x86_vcpu_result vcpu[X86_VCPUS_MAX];
	uint64_t handled[X86_REQUESTS_MAX];    /* handlers run */
	uint64_t delivered[X86_REQUESTS_MAX];  /* of those, with the gate open */
	uint64_t coalesced[X86_REQUESTS_MAX];  /* raised while the bit was set */
	uint64_t arrivals[X86_SOURCES_MAX];
	struct x86_counts *at;                 /* totals at the end of each interval; malloc'ed */
	size_t intervals;
	uint64_t events;                       /* of the simulation */
};

const char *x86_state_name(enum x86_state state);
const char *x86_reason_name(enum x86_reason reason);

/*
 * Run. The result is filled (x86_result_done() frees what it holds) and the
 * setup left alone. -1 when a vCPU can't enter the guest any more because its
 * requests raise each other for ever, or when the events exceed any use.
 */
int x86_loop_run(const struct x86_setup *setup, struct x86_result *result, struct err *err);
void x86_result_done(struct x86_result *result);

#endif
