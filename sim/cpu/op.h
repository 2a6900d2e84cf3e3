/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ops: the architectural steps of a path, and their text.
 *
 *   mtspr LPCR            mfspr SPR823        mtmsrd L=1       sc 1
 *   work 12               work 120 loads 30 stores 12 branches 20
 *   work 108  load=26 store=32 branch=15   interrupt 0x980
 *
 * Text after " @" is the place it was executed at; op_parse() leaves it out.
 */
#ifndef HVSIM_CPU_OP_H
#define HVSIM_CPU_OP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "cpu/spr.h"

#define OP_WORK_MAX 1000000 /* instructions in one work op */

enum op_kind {
	OP_WORK,
	OP_MFSPR,
	OP_MTSPR,
	OP_MFTB,
	OP_MFMSR,
	OP_MTMSRD0, /* mtmsrd L=0: context synchronising */
	OP_MTMSRD1, /* mtmsrd L=1: EE and RI only */
	OP_MFCR,
	OP_MTCRF,
	OP_MFFS,
	OP_MTFSF,
	OP_MFVSCR,
	OP_MTVSCR,
	OP_ISYNC,
	OP_HWSYNC,
	OP_LWSYNC,
	OP_EIEIO,
	OP_PTESYNC,
	OP_TLBSYNC,
	OP_TLBIE,
	OP_TLBIEL,
	OP_SLBMTE,
	OP_SLBMFEE,
	OP_SLBMFEV,
	OP_SLBIA,
	OP_SC,        /* arg: level */
	OP_RFID,
	OP_HRFID,
	OP_INTERRUPT, /* arg: vector */
	OP_REAL_ENTRY, /* the interrupt arrived with the MMU off: turning it on */
	OP_MSGSND,
	OP_MSGSYNC,
	OP_LARX,
	OP_STCX,
	OP_LOAD,
	OP_STORE,
	OP_MMIO_LOAD,
	OP_MMIO_STORE,
	OP_CP_ABORT,
	OP_STOP,
	OP_KINDS
};

struct op {
	uint16_t kind;          /* enum op_kind */
	uint16_t arg;           /* sc level, interrupt vector */
	uint32_t n;             /* instructions: 1 unless work */
	uint32_t loads, stores, branches; /* of work */
	const struct spr *spr;  /* mfspr, mtspr */
};

/* Parse one op. The error has no position: the caller knows it. 0 or -1. */
int op_parse(const struct spr_table *sprs, const char *text, struct op *op, struct err *err);

/* Append the op's text; parsing it again gives the same op. */
void op_text(const struct op *op, struct text *out);

/* "mtspr", "work", ... */
const char *op_kind_name(enum op_kind kind);

#endif
