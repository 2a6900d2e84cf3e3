/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Special-purpose registers as data (models/spr.json): numbers, names, who may
 * access them, and how the pipeline tracks them.
 */
#ifndef HVSIM_CPU_SPR_H
#define HVSIM_CPU_SPR_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/jdoc.h"
#include "base/mem.h"

#define SPR_NUMBER_MAX 1023 /* the instruction's field has ten bits */

enum spr_class {
	SPR_RENAMED,      /* renamed or history-buffered: no scoreboard */
	SPR_SCOREBOARDED, /* one architected copy, guarded by the SPR scoreboard */
	SPR_UNIMPLEMENTED, /* no register behind it; the move is still decoded as one */
};

/* The part of the core a register belongs to, for models that tell units apart. */
enum spr_unit {
	SPR_PLAIN,
	SPR_TIMER,
	SPR_MMU,
	SPR_PMU,         /* counters and sampled addresses */
	SPR_PMU_CONTROL, /* MMCRs */
	SPR_TM,
	SPR_EBB,
	SPR_DEBUG,
	SPR_UNITS
};

enum spr_privilege { SPR_USER, SPR_SUPERVISOR, SPR_HYPERVISOR };

struct spr {
	int64_t number;           /* as in the instruction, halves in reading order */
	const char *name;         /* ISA name; kernel names are aliases */
	const char *const *alias; /* n_alias other names */
	size_t n_alias;
	unsigned class;           /* enum spr_class */
	unsigned unit;            /* enum spr_unit */
	unsigned privilege;       /* enum spr_privilege: the least that may read it */
	const char *source;
};

struct spr_table {
	const struct spr *sprs; /* by rising number */
	size_t n;
	const struct spr *by_number[SPR_NUMBER_MAX + 1];
	const struct spr *other; /* "SPRn" by number: plain and scoreboarded, for numbers without
				    an entry */
};

/* models/spr.json of the data folder. Owned by the pool; NULL on error. */
const struct spr_table *spr_load(struct mem *mem, struct err *err);

/* The same from a document already read. */
const struct spr_table *spr_from_node(struct mem *mem, const struct jnode *root, struct err *err);

/* NULL when the number has no entry: callers keep the number. */
const struct spr *spr_by_number(const struct spr_table *table, unsigned number);

/*
 * By name or alias, in any case, or by number as "SPRn" or "n": a number without
 * an entry is kept as a plain register called SPRn. NULL when there is none.
 */
const struct spr *spr_by_name(const struct spr_table *table, const char *name);

/* The nearest name for a message, or NULL. */
const char *spr_suggest(const struct spr_table *table, const char *name);

#endif
