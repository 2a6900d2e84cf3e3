/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU models: the timing parameters of one processor, as data (models/NAME.json),
 * each with its unit, what kind of fact it is, the range it may have and its source.
 */
#ifndef HVSIM_CPU_MODEL_H
#define HVSIM_CPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/jdoc.h"
#include "base/mem.h"
#include "cpu/covariance.h"

/*
 * The one list of parameters: identifier, name in files, unit, meaning. Cycles
 * are core cycles of one thread running alone.
 */
#define CPU_PARAMS(X)                                                                              \
	X(CORE_HZ, "core_hz", "Hz", "core clock")                                                  \
	X(TIMEBASE_HZ, "timebase_hz", "Hz", "timebase and decrementer clock")                      \
	X(SMT_THREADS, "smt_threads", "threads", "hardware threads of a core")                     \
	X(SMT_SHARE_2, "smt_share_2", "permille", "throughput of each of 2 busy threads, of one alone") \
	X(SMT_SHARE_4, "smt_share_4", "permille", "throughput of each of 4 busy threads, of one alone") \
	X(SMT_SHARE_8, "smt_share_8", "permille", "throughput of each of 8 busy threads, of one alone") \
	X(SMT_SNOOZE_WEIGHT, "smt_snooze_weight", "permille", \
	  "a thread polling at very low priority counts as this much of a busy one")               \
	X(SMT_IDLE_WEIGHT, "smt_idle_weight", "permille", \
	  "an idle thread counts as this much of a busy one")                                      \
	X(L1_TIMER_LATE, "l1_timer_late", "permille", "L1's timer interrupts that come late")       \
	X(L1_TIMER_LATENCY, "l1_timer_latency", "us", "how late they come, on average (exponential)") \
	X(L1_HDEC_LATENCY, "l1_hdec_latency", "us", "how late L1's timer ends a turn (exponential)") \
	X(IPC, "ipc", "per cycle", "instructions of ordinary path code dispatched a cycle")        \
	X(WINDOW, "window", "instructions", "instructions in flight between dispatch and completion") \
	X(LOADS, "loads_per_cycle", "per cycle", "loads started a cycle")                          \
	X(STORES, "stores_per_cycle", "per cycle", "stores finished a cycle")                      \
	X(BRANCHES, "branches_per_cycle", "per cycle", "branches resolved a cycle")                \
	X(LOAD_MISS, "load_miss", "permille", "loads of path code that miss the first-level cache") \
	X(LOAD_MISS_COST, "load_miss_cost", "cycles", "dispatch time lost to such a miss")         \
	X(BRANCH_MISS, "branch_miss", "permille", "branches of path code that are mispredicted")   \
	X(BRANCH_MISS_COST, "branch_miss_cost", "cycles", "dispatch time lost to a misprediction") \
	X(L_R, "l_r", "cycles", "mfspr: latency of the result")                                    \
	X(READ_GAP, "read_gap", "cycles", "mfspr: time until the next can start")                  \
	X(READ_GAP_PMU, "read_gap_pmu", "cycles", "the same for a PMU register")                   \
	X(C, "c", "cycles", "restart bubble after dispatch was held")                              \
	X(TAU_W, "tau_w", "cycles", "mtspr: completion time of a plain register, and of mtmsrd L=1") \
	X(TAU_W_TIMER, "tau_w_timer", "cycles", "the same for a timer register")                   \
	X(TAU_W_MMU, "tau_w_mmu", "cycles", "the same for an MMU register")                        \
	X(TAU_W_PMU, "tau_w_pmu", "cycles", "the same for a PMU register")                         \
	X(TAU_W_PMU_CONTROL, "tau_w_pmu_control", "cycles", "the same for an MMCR")                \
	X(TAU_W_TM, "tau_w_tm", "cycles", "the same for a transactional memory register")          \
	X(TAU_W_EBB, "tau_w_ebb", "cycles", "the same for an event-based branch register")         \
	X(TAU_W_DEBUG, "tau_w_debug", "cycles", "the same for a watch or break point register")    \
	X(F, "f", "cycles", "refetch after a context synchronising op")                            \
	X(L_RENAMED, "l_renamed", "cycles", "moves of LR, CTR, TAR, CR and XER: latency")          \
	X(L_FPSCR, "l_fpscr", "cycles", "moves of FPSCR and VSCR: latency")                        \
	X(HWSYNC, "hwsync", "cycles", "hwsync, after older stores")                                \
	X(LWSYNC, "lwsync", "cycles", "lwsync, after older stores")                                \
	X(EIEIO, "eieio", "cycles", "eieio")                                                       \
	X(PTESYNC, "ptesync", "cycles", "ptesync, after older stores")                             \
	X(TLBSYNC, "tlbsync", "cycles", "tlbsync, after older stores")                             \
	X(TLBIE, "tlbie", "cycles", "tlbie")                                                       \
	X(TLBIEL, "tlbiel", "cycles", "tlbiel")                                                    \
	X(LARX_STCX, "larx_stcx", "cycles", "an uncontended larx and stcx pair")                   \
	X(MMIO_LOAD, "mmio_load", "cycles", "cache-inhibited load")                                \
	X(MMIO_STORE, "mmio_store", "cycles", "cache-inhibited store")                             \
	X(SLBMTE, "slbmte", "cycles", "slbmte and slbia: completion time")                         \
	X(L_SLB, "l_slb", "cycles", "slbmfee, slbmfev: latency, not pipelined")                    \
	X(INTERRUPT, "interrupt", "cycles", "sc, interrupt entry, rfid, hrfid, after the drain")   \
	X(MMU_OFF_ENTRY, "mmu_off_entry", "cycles", \
	  "hypervisor interrupt that arrives with the MMU off: switching it on")                   \
	X(MSGSND, "msgsnd", "cycles", "msgsnd, msgsync")                                           \
	X(CP_ABORT, "cp_abort", "cycles", "cp_abort")

enum cpu_param_id {
#define CPU_PARAM_ID(id, name, unit, text) CPU_##id,
	CPU_PARAMS(CPU_PARAM_ID)
#undef CPU_PARAM_ID
	CPU_PARAM_COUNT
};

enum cpu_param_kind { CPU_DOC, CPU_MEAS, CPU_DERIVED, CPU_FITTED, CPU_ASSUMED };

struct cpu_param {
	const char *name, *unit;
	int64_t micro;  /* the value in millionths of the unit */
	int64_t lo, hi; /* its range, millionths */
	unsigned kind;  /* enum cpu_param_kind */
	const char *source;
	int as;         /* the parameter it takes its value from, or -1 */
	const struct jnode *node; /* where it was read: for errors */
};

/* Alternatives to the pipeline's rules, as data, so that they can be compared. */
enum cpu_scoreboard { CPU_SB_ONE, CPU_SB_UNIT }; /* one bit a thread, or one a unit */
enum cpu_reads { CPU_READS_PIPELINED, CPU_READS_SERIAL, CPU_READS_SHARED };
enum cpu_moves { CPU_MOVES_BEHIND, CPU_MOVES_HELD }; /* moves in progress: dispatch runs on, or the
							next move holds it until the unit is free */
/*
 * A read after a write: waits for pending writes and loses the bubble; loses the
 * bubble alone; or the bit stays set until a read finds it or dispatch drains, so
 * that the first read always pays.
 */
enum cpu_stall { CPU_STALL_ALL, CPU_STALL_BUBBLE, CPU_STALL_STICKY };

struct cpu_rules {
	unsigned scoreboard; /* enum cpu_scoreboard */
	unsigned reads;      /* enum cpu_reads: overlap, one read at a time, or one move at a time */
	unsigned moves;      /* enum cpu_moves */
	unsigned stall;      /* enum cpu_stall: what a read after a write pays */
};

struct cpu_model {
	const char *name, *summary, *isa, *file;
	struct cpu_param params[CPU_PARAM_COUNT];
	struct cpu_rules rules;
	struct cpu_covariance covariance; /* of parameters that were fitted together */
	const struct jnode *state; /* object: conditions that hold on this processor; or NULL */
};

/*
 * Load models/NAME.json (or a file: a name with a slash or ending in .json).
 * Every parameter must be there; unknown ones are errors with a suggestion. A
 * parameter has a "value", or takes another's: "as": "tau_w".
 * Owned by the pool. NULL on error.
 */
struct cpu_model *cpu_model_load(struct mem *mem, const char *name, struct err *err);

/*
 * The same from a document, after --set has changed it. "model.NAME=VALUE"
 * sets a parameter's value: cpu_model_set() does that on the document, whether
 * NAME is a parameter or "rules.RULE".
 */
struct cpu_model *cpu_model_from_node(struct mem *mem, const struct jnode *root, struct err *err);
int cpu_model_set(struct mem *mem, struct jnode *root, const char *name, const char *value,
		  struct err *err);

/* By name, or NULL when no parameter has it. */
const struct cpu_param *cpu_model_param(const struct cpu_model *model, const char *name);

/* Index by name, or -1; and the list, for messages and documents. */
int cpu_param_find(const char *name);
const char *cpu_param_name(enum cpu_param_id id);
const char *cpu_param_kind_name(enum cpu_param_kind kind);
/* The names of the kinds in the order of enum cpu_param_kind, NULL last: for field tables. */
extern const char *const cpu_param_kinds[];

/* Give parameters that take their value from another that value again, after changing some. */
void cpu_model_tie(struct cpu_model *model);

/* Value in whole units, rounded down. */
int64_t cpu_model_whole(const struct cpu_model *model, enum cpu_param_id id);

#endif
