/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dispatch and scoreboard pipeline: what a sequence of ops costs one thread.
 *
 * Ops dispatch in order, ordinary instructions `ipc` a cycle. An op's cost is
 * what it adds to dispatch time; what runs on behind dispatch (SPR writes, read
 * results, stores) is paid by the op that has to wait for it.
 *
 *  R1 mtspr, mtmsrd L=1: dispatch, set the scoreboard bit, complete in order on
 *     one serial completer, tau_w each (by the SPR's unit).
 *  R2 mfspr, mfmsr: when the bit is set hold dispatch until it clears, then a
 *     restart bubble c; the result is there l_r later.
 *  R3 mftb: hold dispatch until all older work is complete, then c + l_r.
 *  R4 isync, mtmsrd L=0: drain, then c + f. sc, interrupt, rfid, hrfid: drain, then
 *     `interrupt`.
 *  R5 renamed registers, FPSCR and VSCR: own latency, no scoreboard.
 *  R6 hwsync, lwsync, ptesync, tlbsync: wait for older stores, then a constant.
 *     Cache-inhibited stores are posted: a barrier waits for them. Cache-inhibited
 *     loads go one at a time and hold completion, not dispatch.
 *  R7 slbmfee, slbmfev: as R2 with l_slb and one at a time; slbmte as R1.
 *
 * Completion is in order within a window of `window` instructions.
 * Time is kept in millionths of a cycle; whole cycles are attributed so that the
 * classes always sum to the total.
 */
#ifndef HVSIM_CPU_PIPE_H
#define HVSIM_CPU_PIPE_H

#include <stdint.h>

#include "cpu/model.h"
#include "cpu/op.h"

#define PIPE_MICRO 1000000
#define PIPE_RING 1024 /* power of two, over the largest window */

enum pipe_class {
	PIPE_ISSUE,      /* dispatching instructions */
	PIPE_SCOREBOARD, /* a read held by a pending write, and its bubble */
	PIPE_SERIAL,     /* one at a time by nature: mftb, SLB reads, a full window */
	PIPE_DRAIN,      /* waiting until all older work is complete, and restarting */
	PIPE_MEMORY,     /* barriers, atomics, cache-inhibited accesses, cache misses */
	PIPE_REFETCH,    /* fetching again after a flush, interrupt or return */
	PIPE_CLASSES
};

/* A model turned into what the pipeline reads. Times in millionths of a cycle. */
struct pipe_cfg {
	uint64_t value[CPU_PARAM_COUNT];
	uint64_t store;                    /* one store, rounded down */
	uint64_t tau[SPR_UNITS];           /* R1 */
	uint8_t bit[SPR_UNITS];            /* scoreboard bit of each unit */
	uint32_t window;
	struct cpu_rules rules;
};

struct pipe {
	const struct pipe_cfg *cfg;
	uint64_t now;       /* when the next op can dispatch */
	uint64_t complete;  /* when all dispatched ops are complete */
	uint64_t writer;    /* when the serial completer is free */
	uint64_t reader;    /* when the read unit is free */
	uint64_t stores;    /* when all older stores are performed */
	uint64_t clear[SPR_UNITS]; /* when each scoreboard bit clears */
	uint64_t insns;     /* dispatched */
	uint64_t rem;       /* of dividing instructions by ipc, in millionths */
	uint64_t by_class[PIPE_CLASSES]; /* whole cycles; sum to now / PIPE_MICRO */
	struct { uint64_t insn, done; } ring[PIPE_RING]; /* slow completions in flight */
	uint32_t head, tail;
};

void pipe_cfg_init(struct pipe_cfg *cfg, const struct cpu_model *model);

/* A pipeline with nothing in flight at time 0. cfg must outlive it. */
void pipe_init(struct pipe *pipe, const struct pipe_cfg *cfg);

/* Dispatch one op. */
void pipe_op(struct pipe *pipe, const struct op *op);

/* Wait until all is complete, as at the end of a path. */
void pipe_drain(struct pipe *pipe);

/* Whole cycles so far. */
static inline uint64_t pipe_cycles(const struct pipe *pipe)
{
	return pipe->now / PIPE_MICRO;
}

const char *pipe_class_name(enum pipe_class class);

#endif
