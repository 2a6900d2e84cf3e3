/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One Power instruction, decoded as far as an entry/exit path needs it.
 *
 * Encodings are those of the Power ISA 3.1B (books I-III). A word that fits no
 * row of the tables, or that has a reserved bit set, is ordinary work: the
 * decoder never fails.
 */
#ifndef HVSIM_ELF_INSN_H
#define HVSIM_ELF_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "cpu/spr.h"

enum kelf_class {
	KELF_WORK, /* anything not below */
	KELF_LOAD,
	KELF_STORE,
	KELF_BRANCH, /* every branch that is not a call, returns included */
	KELF_CALL,   /* a branch that sets LR, except bcl 20,31 to the next instruction */
	KELF_MFSPR,
	KELF_MTSPR,
	KELF_MFTB, /* mftb and mfspr 268, 269 */
	KELF_MFMSR,
	KELF_MTMSR,
	KELF_MTMSRD,    /* L=0 */
	KELF_MTMSRD_L1, /* L=1: only EE and RI */
	KELF_ISYNC,
	KELF_HWSYNC,
	KELF_LWSYNC,
	KELF_PTESYNC,
	KELF_SYNC, /* the remaining levels of sync */
	KELF_EIEIO,
	KELF_TLBIE,
	KELF_TLBIEL,
	KELF_TLBSYNC,
	KELF_SLBMTE,
	KELF_SLBMFEE,
	KELF_SLBMFEV,
	KELF_SLBFEE,
	KELF_SLBIE,
	KELF_SLBIEG,
	KELF_SLBIA,
	KELF_SLBIAG,
	KELF_SLBSYNC,
	KELF_RFID,
	KELF_HRFID,
	KELF_RFSCV,
	KELF_SC,
	KELF_SCV,
	KELF_LARX,
	KELF_STCX,
	KELF_MSGSND,
	KELF_MSGCLR,
	KELF_MSGSYNC,
	KELF_MSGSNDP,
	KELF_MSGCLRP,
	KELF_CP_ABORT,
	KELF_STOP,
	KELF_CI_LOAD,
	KELF_CI_STORE,
	KELF_MFCR, /* mfcr, mfocrf */
	KELF_MTCR, /* mtcrf, mtocrf */
	KELF_MFFS,
	KELF_MTFSF,
	KELF_MFVSCR,
	KELF_MTVSCR,
	KELF_NCLASSES
};

/* How a branch goes. */
#define KELF_BR_COND 0x01  /* may fall through */
#define KELF_BR_LINK 0x02  /* sets LR */
#define KELF_BR_ABS 0x04   /* disp is an address */
#define KELF_BR_LR 0x08    /* to LR */
#define KELF_BR_CTR 0x10   /* to CTR */
#define KELF_BR_TAR 0x20   /* to TAR */
#define KELF_BR_COUNT 0x40 /* decrements CTR: a loop */
#define KELF_BR_TRAP 0x80  /* no branch, but work that never goes on: an unconditional trap */
#define KELF_BR_INDIRECT (KELF_BR_LR | KELF_BR_CTR | KELF_BR_TAR)

/* Whether it reads or writes memory, whatever its class. */
#define KELF_MEM_LOAD 0x1
#define KELF_MEM_STORE 0x2

struct kelf_insn {
	uint8_t class;  /* enum kelf_class */
	uint8_t size;   /* bytes: 4, or 8 when prefixed */
	uint8_t level;  /* sync, sc, scv, mtmsr: the L or LEV field; larx and stcx: bytes */
	uint8_t mem;    /* KELF_MEM_* */
	uint8_t branch; /* KELF_BR_* */
	uint16_t spr;   /* mfspr, mtspr, mftb */
	int32_t disp;   /* direct branches: bytes from the instruction, or the address */
};

/*
 * Decode the instruction whose words are first and next. `next` matters only
 * to a prefixed one; have_next is false at the end of the code.
 */
struct kelf_insn kelf_decode(uint32_t first, uint32_t next, bool have_next);

/* "mtmsrd L=1", as in reports; the name of JSON and CSV columns too. */
const char *kelf_class_name(enum kelf_class class);

/*
 * Whether it is worth counting by itself. Ordinary work, loads, stores,
 * branches, moves of CR, FPSCR, VSCR and of the renamed registers XER, LR and
 * CTR are not.
 */
bool kelf_is_op(const struct kelf_insn *insn);

/* Whether the class alone makes a function worth listing. */
bool kelf_class_is_op(enum kelf_class class);

/*
 * Append the op as a path file has it: "mtspr LPCR", "sc 1"; a register that the
 * table (which may be NULL) doesn't know keeps its number: "mtspr SPR1000".
 */
void kelf_insn_text(const struct kelf_insn *insn, const struct spr_table *sprs,
		    struct text *out);

#endif
