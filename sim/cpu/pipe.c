// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu/pipe.h"

#include <string.h>

/* Which rule an op follows; the parameter is its constant where it has one. */
enum rule {
	R_WORK,
	R_READ,    /* R2 */
	R_WRITE,   /* R1 */
	R_TB,      /* R3 */
	R_SYNC,    /* R4: drain, c + f */
	R_FLUSH,   /* R4: drain, then a constant of refetching */
	R_RENAMED, /* R5 */
	R_BARRIER, /* R6 */
	R_SLBREAD, /* R7 */
	R_SLBWRITE,
	R_MEMORY,  /* a constant of dispatch time */
	R_STORE,
	R_LOAD,
};

static const struct {
	uint8_t rule, param;
} rules[OP_KINDS] = {
	[OP_WORK] = { R_WORK, 0 },
	[OP_MFSPR] = { R_READ, CPU_L_R },
	[OP_MTSPR] = { R_WRITE, CPU_TAU_W },
	[OP_MFTB] = { R_TB, CPU_L_R },
	[OP_MFMSR] = { R_READ, CPU_L_R },
	[OP_MTMSRD0] = { R_SYNC, CPU_F },
	[OP_MTMSRD1] = { R_WRITE, CPU_TAU_W },
	[OP_MFCR] = { R_RENAMED, CPU_L_RENAMED },
	[OP_MTCRF] = { R_RENAMED, CPU_L_RENAMED },
	[OP_MFFS] = { R_RENAMED, CPU_L_FPSCR },
	[OP_MTFSF] = { R_RENAMED, CPU_L_FPSCR },
	[OP_MFVSCR] = { R_RENAMED, CPU_L_FPSCR },
	[OP_MTVSCR] = { R_RENAMED, CPU_L_FPSCR },
	[OP_ISYNC] = { R_SYNC, CPU_F },
	[OP_HWSYNC] = { R_BARRIER, CPU_HWSYNC },
	[OP_LWSYNC] = { R_BARRIER, CPU_LWSYNC },
	[OP_EIEIO] = { R_MEMORY, CPU_EIEIO },
	[OP_PTESYNC] = { R_BARRIER, CPU_PTESYNC },
	[OP_TLBSYNC] = { R_BARRIER, CPU_TLBSYNC },
	[OP_TLBIE] = { R_MEMORY, CPU_TLBIE },
	[OP_TLBIEL] = { R_MEMORY, CPU_TLBIEL },
	[OP_SLBMTE] = { R_SLBWRITE, CPU_SLBMTE },
	[OP_SLBMFEE] = { R_SLBREAD, CPU_L_SLB },
	[OP_SLBMFEV] = { R_SLBREAD, CPU_L_SLB },
	[OP_SLBIA] = { R_SLBWRITE, CPU_SLBMTE },
	[OP_SC] = { R_FLUSH, CPU_INTERRUPT },
	[OP_RFID] = { R_FLUSH, CPU_INTERRUPT },
	[OP_HRFID] = { R_FLUSH, CPU_INTERRUPT },
	[OP_INTERRUPT] = { R_FLUSH, CPU_INTERRUPT },
	[OP_REAL_ENTRY] = { R_FLUSH, CPU_MMU_OFF_ENTRY },
	[OP_MSGSND] = { R_MEMORY, CPU_MSGSND },
	[OP_MSGSYNC] = { R_MEMORY, CPU_MSGSND },
	[OP_LARX] = { R_LOAD, 0 },
	[OP_STCX] = { R_MEMORY, CPU_LARX_STCX },
	[OP_LOAD] = { R_LOAD, 0 },
	[OP_STORE] = { R_STORE, 0 },
	[OP_MMIO_LOAD] = { R_MEMORY, CPU_MMIO_LOAD },
	[OP_MMIO_STORE] = { R_STORE, CPU_MMIO_STORE },
	[OP_CP_ABORT] = { R_MEMORY, CPU_CP_ABORT },
	[OP_STOP] = { R_SYNC, CPU_F },
};

static const char *const class_names[] = {
	[PIPE_ISSUE] = "issue", [PIPE_SCOREBOARD] = "scoreboard",
	[PIPE_SERIAL] = "serialisation", [PIPE_DRAIN] = "drain",
	[PIPE_MEMORY] = "memory", [PIPE_REFETCH] = "refetch",
};

const char *pipe_class_name(enum pipe_class class)
{
	return class_names[class];
}

void pipe_cfg_init(struct pipe_cfg *cfg, const struct cpu_model *model)
{
	static const enum cpu_param_id tau[SPR_UNITS] = {
		[SPR_PLAIN] = CPU_TAU_W,   [SPR_TIMER] = CPU_TAU_W_TIMER,
		[SPR_MMU] = CPU_TAU_W_MMU, [SPR_PMU] = CPU_TAU_W_PMU,
		[SPR_TM] = CPU_TAU_W_TM,   [SPR_EBB] = CPU_TAU_W_EBB,
		[SPR_DEBUG] = CPU_TAU_W_DEBUG, [SPR_PMU_CONTROL] = CPU_TAU_W_PMU_CONTROL,
	};

	memset(cfg, 0, sizeof(*cfg));
	for (int i = 0; i < CPU_PARAM_COUNT; i++)
		cfg->value[i] = (uint64_t)model->params[i].micro;
	for (unsigned unit = 0; unit < SPR_UNITS; unit++) {
		cfg->tau[unit] = cfg->value[tau[unit]];
		cfg->bit[unit] = model->rules.scoreboard == CPU_SB_UNIT ? (uint8_t)unit : 0;
	}
	cfg->store = (uint64_t)PIPE_MICRO * PIPE_MICRO / cfg->value[CPU_STORES];
	cfg->window = (uint32_t)cpu_model_whole(model, CPU_WINDOW);
	cfg->rules = model->rules;
}

void pipe_init(struct pipe *pipe, const struct pipe_cfg *cfg)
{
	pipe->cfg = cfg;
	pipe->now = pipe->complete = pipe->writer = pipe->reader = pipe->stores = 0;
	memset(pipe->clear, 0, sizeof(pipe->clear));
	memset(pipe->by_class, 0, sizeof(pipe->by_class));
	pipe->insns = pipe->rem = 0;
	pipe->head = pipe->tail = 0;
}

/* Move dispatch on to a time, charging what is gained in whole cycles to a class. */
static inline void until(struct pipe *p, uint64_t when, enum pipe_class class)
{
	if (when <= p->now)
		return;
	p->by_class[class] += when / PIPE_MICRO - p->now / PIPE_MICRO;
	p->now = when;
}

static inline void spend(struct pipe *p, uint64_t time, enum pipe_class class)
{
	until(p, p->now + time, class);
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The last dispatched instruction is complete at `done`, and all before it too. */
static inline void completes(struct pipe *p, uint64_t done)
{
	p->complete = later(p->complete, done);
	if (p->complete <= p->now)
		return;
	p->ring[p->tail & (PIPE_RING - 1)].insn = p->insns;
	p->ring[p->tail & (PIPE_RING - 1)].done = p->complete;
	p->tail++;
}

/* n instructions at the path's IPC, with the division's remainder carried on. */
static inline void issue(struct pipe *p, uint64_t n)
{
	uint64_t ipc = p->cfg->value[CPU_IPC];
	uint64_t num = n * ((uint64_t)PIPE_MICRO * PIPE_MICRO) + p->rem;

	p->insns += n;
	p->rem = num % ipc;
	until(p, p->now + num / ipc, PIPE_ISSUE);
}

/* Dispatch n instructions, none more than a window ahead of the oldest incomplete one. */
static void dispatch(struct pipe *p, uint64_t n)
{
	while (p->head != p->tail) {
		uint64_t insn = p->ring[p->head & (PIPE_RING - 1)].insn;
		uint64_t done = p->ring[p->head & (PIPE_RING - 1)].done;
		uint64_t room = insn + p->cfg->window - 1;

		if (done > p->now) {
			if (p->insns + n <= room)
				break;
			if (room > p->insns) {
				n -= room - p->insns;
				issue(p, room - p->insns);
			}
			until(p, done, PIPE_SERIAL);
		}
		p->head++;
	}
	issue(p, n);
}

/* The time that a share of n accesses loses; the share is in millionths of a permille. */
static inline uint64_t missed(uint64_t n, uint64_t share, uint64_t cost)
{
	if (!n || !share)
		return 0;
	return (uint64_t)((unsigned __int128)n * share * cost / 1000 / PIPE_MICRO);
}

static void work(struct pipe *p, const struct op *op)
{
	const uint64_t *v = p->cfg->value;
	uint64_t start = p->now, unit = (uint64_t)PIPE_MICRO * PIPE_MICRO, port;

	dispatch(p, op->n);
	port = later(op->loads * unit / v[CPU_LOADS], op->branches * unit / v[CPU_BRANCHES]);
	until(p, start + port, PIPE_ISSUE);
	spend(p, missed(op->loads, v[CPU_LOAD_MISS], v[CPU_LOAD_MISS_COST]), PIPE_MEMORY);
	spend(p, missed(op->branches, v[CPU_BRANCH_MISS], v[CPU_BRANCH_MISS_COST]), PIPE_REFETCH);
	p->complete = later(p->complete, p->now);
	if (op->stores)
		p->stores = later(p->stores, p->complete) + op->stores * unit / v[CPU_STORES];
}

/* With rule "held" there is one SPR unit: the next move waits at dispatch until it is free. */
static void wait_unit(struct pipe *p)
{
	if (p->cfg->rules.moves == CPU_MOVES_HELD)
		until(p, later(p->reader, p->writer), PIPE_SERIAL);
}

static void write_spr(struct pipe *p, unsigned bit, uint64_t tau)
{
	wait_unit(p);
	dispatch(p, 1);
	p->writer = later(p->writer, p->now) + tau;
	if (p->cfg->rules.reads == CPU_READS_SHARED) {
		p->writer = later(p->writer, p->reader + tau);
		p->reader = p->writer;
	}
	completes(p, p->writer);
	p->clear[bit] = p->complete;
}

/* R2: hold dispatch while the bit is set, then the bubble. */
static void hold(struct pipe *p, unsigned bit)
{
	enum cpu_stall rule = (enum cpu_stall)p->cfg->rules.stall;

	if (rule == CPU_STALL_STICKY ? !p->clear[bit] : p->clear[bit] <= p->now)
		return;
	if (rule != CPU_STALL_BUBBLE)
		until(p, p->clear[bit], PIPE_SCOREBOARD);
	if (rule != CPU_STALL_ALL)
		p->clear[bit] = 0;
	spend(p, p->cfg->value[CPU_C], PIPE_SCOREBOARD);
}

static void read_spr(struct pipe *p, unsigned unit, uint64_t latency)
{
	uint64_t start, gap = p->cfg->value[unit == SPR_PMU || unit == SPR_PMU_CONTROL ?
					     CPU_READ_GAP_PMU : CPU_READ_GAP];

	hold(p, p->cfg->bit[unit]);
	wait_unit(p);
	dispatch(p, 1);
	start = p->now;
	if (p->cfg->rules.reads != CPU_READS_PIPELINED) {
		start = later(start, p->reader);
		p->reader = start + gap;
	}
	completes(p, start + latency);
}

static void read_slb(struct pipe *p, uint64_t latency)
{
	hold(p, p->cfg->bit[SPR_MMU]);
	dispatch(p, 1);
	spend(p, latency, PIPE_SERIAL);
	p->complete = later(p->complete, p->now);
}

static void serialise(struct pipe *p, uint64_t latency)
{
	dispatch(p, 1);
	until(p, p->complete, PIPE_SERIAL);
	spend(p, p->cfg->value[CPU_C] + latency, PIPE_SERIAL);
	p->complete = p->now;
}

/*
 * Nothing is in flight and the next fetch begins with a cycle: a path may be cut
 * here. Stores that were queued have been performed during the refetch.
 */
static void whole(struct pipe *p, enum pipe_class class)
{
	until(p, (p->now + PIPE_MICRO - 1) / PIPE_MICRO * PIPE_MICRO, class);
	p->complete = p->now;
	p->stores = p->reader = p->writer = 0;
	memset(p->clear, 0, sizeof(p->clear));
	p->rem = 0;
}

static void drain(struct pipe *p, uint64_t restart, uint64_t refetch)
{
	dispatch(p, 1);
	until(p, p->complete, PIPE_DRAIN);
	spend(p, restart, PIPE_DRAIN);
	spend(p, refetch, PIPE_REFETCH);
	whole(p, PIPE_REFETCH);
}

static void barrier(struct pipe *p, uint64_t constant)
{
	dispatch(p, 1);
	until(p, p->stores, PIPE_MEMORY);
	spend(p, constant, PIPE_MEMORY);
	p->complete = later(p->complete, p->now);
}

static void memory(struct pipe *p, uint64_t constant)
{
	dispatch(p, 1);
	spend(p, constant, PIPE_MEMORY);
	p->complete = later(p->complete, p->now);
}

/* Posted: performed one after the other behind completion; a barrier waits for it. */
static void store(struct pipe *p, uint64_t time)
{
	dispatch(p, 1);
	p->complete = later(p->complete, p->now);
	p->stores = later(p->stores, p->complete) + time;
}

static void renamed(struct pipe *p, uint64_t latency)
{
	dispatch(p, 1);
	completes(p, p->now + latency);
}

void pipe_op(struct pipe *p, const struct op *op)
{
	const struct pipe_cfg *cfg = p->cfg;
	uint64_t param = cfg->value[rules[op->kind].param];
	unsigned unit = op->spr ? op->spr->unit : SPR_PLAIN;

	switch (rules[op->kind].rule) {
	case R_WORK:
		work(p, op);
		break;
	case R_READ:
		if (op->spr && op->spr->class == SPR_RENAMED)
			renamed(p, cfg->value[CPU_L_RENAMED]);
		else
			read_spr(p, unit, param);
		break;
	case R_WRITE:
		if (op->spr && op->spr->class == SPR_RENAMED)
			renamed(p, cfg->value[CPU_L_RENAMED]);
		else
			write_spr(p, cfg->bit[unit], cfg->tau[unit]);
		break;
	case R_TB:
		serialise(p, param);
		break;
	case R_SYNC:
		drain(p, cfg->value[CPU_C], param);
		break;
	case R_FLUSH:
		drain(p, 0, param);
		break;
	case R_RENAMED:
		renamed(p, param);
		break;
	case R_BARRIER:
		barrier(p, param);
		break;
	case R_SLBREAD:
		read_slb(p, param);
		break;
	case R_SLBWRITE:
		write_spr(p, cfg->bit[SPR_MMU], param);
		break;
	case R_MEMORY:
		memory(p, param);
		break;
	case R_STORE:
		store(p, op->kind == OP_STORE ? cfg->store : param);
		break;
	default:
		dispatch(p, 1);
		p->complete = later(p->complete, p->now);
		break;
	}
}

void pipe_drain(struct pipe *p)
{
	until(p, p->complete, PIPE_DRAIN);
	whole(p, PIPE_DRAIN);
}
