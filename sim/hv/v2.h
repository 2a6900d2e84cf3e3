/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PAPR nestedv2 run loop: L1 Linux with KVM HV, a pseries guest of L0,
 * runs the vCPUs of an L2 through H_GUEST_RUN_VCPU (kernel:
 * arch/powerpc/kvm/book3s_hv.c, kvmhv_run_single_vcpu(), and
 * book3s_hv_nestedv2.c). docs/model.md tells the steps and every assumption.
 */
#ifndef HVSIM_HV_V2_H
#define HVSIM_HV_V2_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/clk.h"
#include "engine/hist.h"
#include "guest/guest.h"
#include "hv/observer.h"
#include "hv/smt.h"

#define V2_NEVER UINT64_MAX
#define V2_VCPUS_MAX 4096

/* L1's policy for a pending DEC: what step 8 does. */
enum v2_dec_cancel { V2_KEEP, V2_CANCEL, V2_CLEAR_ON_DELIVERY };

/* What becomes of an external interrupt that L1 passes on as LPCR[MER]. */
enum v2_ext_pending {
	V2_EXT_DELIVERED, /* L0 delivers it when the guest runs */
	V2_EXT_STUCK,     /* one has been pending since before the run, and L0 never delivers any */
};

/* L0's firmware: what reading DEC_EXPIRY_TB gives and costs. */
enum v2_dec_expiry { V2_RETURNED, V2_BY_HCALL, V2_STALE };

/* Why a turn ended, in the order of the tables. */
enum v2_trap {
	V2_TRAP_CEDE,     /* H_CEDE: handled at once, the trap becomes 0x0 */
	V2_TRAP_HDEC,     /* 0x980 HV_DECREMENTER: L1's timer is due */
	V2_TRAP_HCALL,    /* 0xc00 SYSCALL */
	V2_TRAP_FAULT,    /* 0xe00 H_DATA_STORAGE */
	V2_TRAP_EXTERNAL, /* 0x500 EXTERNAL: L1 was interrupted */
	V2_TRAP_HVIRT,    /* 0xea0 H_VIRT: likewise, and replayed only */
	V2_TRAP_IFAULT,   /* 0xe20 H_INST_STORAGE: replayed only */
	V2_TRAP_OTHER,    /* whatever else a replayed guest left with */
	V2_TRAPS,
};

/* The priced paths of the loop. */
enum v2_path {
	V2_L1_ENTER, V2_L1_NOT_ENTERED, V2_L1_FLUSH, V2_L0_ENTER, V2_L0_EXIT, V2_L1_EXIT, V2_L1_HCALL,
	V2_L1_FAULT, V2_L1_BLOCK, V2_L1_WAKE, V2_L1_TICK, V2_GSB_GET, V2_GSB_SET,
	V2_PATHS,
};

/* Steps of L1 that read elements of the guest's state. */
enum v2_step { V2_STEP_CANCEL, V2_STEP_BLOCK, V2_STEP_HCALL, V2_STEP_FAULT, V2_STEPS };

/* Where the cycles of a vCPU go. They add up to the length of the run. */
enum v2_cycles {
	V2_IN_GUEST,   /* the workload's own work */
	V2_IN_KERNEL,  /* the guest kernel's: ticks, idle entry and exit */
	V2_IN_SNOOZE,  /* the guest polls */
	V2_IN_L0,
	V2_IN_L1,
	V2_IN_GSB,     /* H_GUEST_GET_STATE and H_GUEST_SET_STATE, L1 to L0 and back */
	V2_BLOCKED,    /* ceded, waiting for the host timer */
	V2_RUNNABLE,   /* waiting for a CPU of L1 */
	V2_SMT,        /* what siblings took while it worked */
	V2_CUT,        /* the phase that the end of the run cut */
	V2_CYCLES,
};

/* Guest state elements are bits of a mask; which bit is the loader's choice. */
struct v2_elements {
	uint64_t returned[V2_TRAPS];   /* what L0's output buffer holds after this exit */
	uint64_t read[V2_STEPS];       /* what this step reads */
	uint64_t write_wide[V2_STEPS]; /* guest-wide elements it dirties: a SET_STATE before the run */
	uint64_t dec_expiry;           /* the bit of DEC_EXPIRY_TB */
};

/* What reaches a vCPU from outside at a time of its own. */
enum v2_arrival_kind {
	V2_A_START,  /* it starts to run; before that it doesn't exist */
	V2_A_IRQ,    /* an external interrupt for it */
	V2_A_HOST,   /* an interrupt for L1, which makes the guest exit with `trap` if it runs */
	V2_A_LATE,   /* L1's timer interrupt is due and comes `span` late, if the vCPU runs meanwhile */
	V2_A_AWAY,   /* after its turn its thread gets no CPU for `span`, if the vCPU runs */
	V2_A_TICK,   /* L1's timer ends its turn, or the next one if that begins soon */
	V2_A_RAN,    /* L1's ticks for `span` are those that arrive: its CPU has none of its own */
};

struct v2_arrival {
	uint64_t at, span; /* cycles */
	uint8_t kind;      /* enum v2_arrival_kind */
	uint8_t trap;      /* enum v2_trap */
	uint32_t turns;    /* V2_A_LATE: that don't enter in `span`; 0: as many as fit */
	uint32_t order;    /* of those at one cycle */
};

/* Those of one vCPU, in order of time. */
struct v2_arrivals {
	const struct v2_arrival *arrival;
	size_t n;
};

struct v2_setup {
	struct clk clock;
	uint64_t duration;              /* cycles */
	uint32_t vcpus, l1_cpus;        /* vCPU v runs on L1 CPU v % l1_cpus */
	uint32_t smt;                   /* L1 CPUs a core; CPU c is on core c / smt */
	struct smt_rule smt_rule;
	uint64_t l1_tick_period;        /* cycles of L1's HZ */
	bool own_ticks;                 /* L1 ticks by its period: those that arrive are not for it */
	const uint64_t *l1_tick_at;     /* [l1_cpus]: a cycle at which each ticks; NULL or 0: the seed's */
	uint64_t slice, wake_granularity; /* L1's scheduler, cycles */
	uint32_t timer_late;            /* per mille of L1's timer interrupts that come late, */
	uint64_t timer_lateness;        /* by so many cycles on average (exponential) */
	uint64_t hdec_lateness;         /* how late that timer ends a turn in the guest, on average */
	uint64_t idle_exit; /* from an interrupt to the first instruction of an idle L1 CPU */
	enum v2_dec_cancel dec_cancel;
	enum v2_dec_expiry dec_expiry;
	enum v2_ext_pending ext_pending;
	struct v2_elements elements;
	uint64_t cost[V2_PATHS];        /* cycles of each path, undisturbed */
	struct guest_setup guest;
	const struct guest_load *load;  /* one a vCPU */
	const struct v2_arrivals *arrivals; /* one a vCPU, or NULL: none, and all start at cycle 0 */
	const struct hv_observer *observer; /* NULL for none */
};

struct v2_vcpu_result {
	uint64_t cycles[V2_CYCLES];
	uint64_t exits[V2_TRAPS];
	uint64_t not_entered;           /* turns; also in exits[V2_TRAP_HDEC] */
	uint64_t bursts;                /* runs of turns that didn't enter */
	uint64_t blocks;                /* ceded turns that slept */
	uint64_t ceded_spins;           /* ceded turns that came straight back */
	uint64_t dec_pending_turns;     /* turns that reached step 8 with DEC pending */
	uint64_t gets, sets;            /* H_GUEST_GET_STATE, H_GUEST_SET_STATE */
	uint64_t dec_gets;              /* of these, for DEC_EXPIRY_TB */
	uint64_t loops;                 /* iterations of its busy loop */
	struct guest_counts guest;
};

struct v2_result {
	uint32_t vcpus;
	struct v2_vcpu_result *vcpu;    /* owned: v2_result_done() */
	struct v2_vcpu_result total;
	uint64_t paths[V2_PATHS];       /* how often each was walked to its end */
	uint64_t events;                /* deadlines fired */
	struct hist wake_latency;       /* decrementer expiry to its interrupt in L2, cycles */
};

/* Run it. The setup is valid: a broken one is an assertion. */
void v2_run(const struct v2_setup *setup, struct v2_result *result);
void v2_result_done(struct v2_result *result);

/* Linux's name of a trap, and short names of the rest, for tables. */
const char *v2_trap_name(enum v2_trap trap);
const char *v2_cycles_name(enum v2_cycles where);
const char *v2_path_file(enum v2_path path); /* its name in models/paths */

#endif
