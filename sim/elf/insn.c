// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/insn.h"

#include "elf/insn_table.h"

enum { SPR_XER = 1, SPR_LR = 8, SPR_CTR = 9, SPR_TB = 268, SPR_TBU = 269 };

static const char *const class_names[KELF_NCLASSES] = {
	[KELF_WORK] = "work",
	[KELF_LOAD] = "load",
	[KELF_STORE] = "store",
	[KELF_BRANCH] = "branch",
	[KELF_CALL] = "call",
	[KELF_MFSPR] = "mfspr",
	[KELF_MTSPR] = "mtspr",
	[KELF_MFTB] = "mftb",
	[KELF_MFMSR] = "mfmsr",
	[KELF_MTMSR] = "mtmsr",
	[KELF_MTMSRD] = "mtmsrd L=0",
	[KELF_MTMSRD_L1] = "mtmsrd L=1",
	[KELF_ISYNC] = "isync",
	[KELF_HWSYNC] = "hwsync",
	[KELF_LWSYNC] = "lwsync",
	[KELF_PTESYNC] = "ptesync",
	[KELF_SYNC] = "sync",
	[KELF_EIEIO] = "eieio",
	[KELF_TLBIE] = "tlbie",
	[KELF_TLBIEL] = "tlbiel",
	[KELF_TLBSYNC] = "tlbsync",
	[KELF_SLBMTE] = "slbmte",
	[KELF_SLBMFEE] = "slbmfee",
	[KELF_SLBMFEV] = "slbmfev",
	[KELF_SLBFEE] = "slbfee.",
	[KELF_SLBIE] = "slbie",
	[KELF_SLBIEG] = "slbieg",
	[KELF_SLBIA] = "slbia",
	[KELF_SLBIAG] = "slbiag",
	[KELF_SLBSYNC] = "slbsync",
	[KELF_RFID] = "rfid",
	[KELF_HRFID] = "hrfid",
	[KELF_RFSCV] = "rfscv",
	[KELF_SC] = "sc",
	[KELF_SCV] = "scv",
	[KELF_LARX] = "larx",
	[KELF_STCX] = "stcx",
	[KELF_MSGSND] = "msgsnd",
	[KELF_MSGCLR] = "msgclr",
	[KELF_MSGSYNC] = "msgsync",
	[KELF_MSGSNDP] = "msgsndp",
	[KELF_MSGCLRP] = "msgclrp",
	[KELF_CP_ABORT] = "cp_abort",
	[KELF_STOP] = "stop",
	[KELF_CI_LOAD] = "mmio-load",
	[KELF_CI_STORE] = "mmio-store",
	[KELF_MFCR] = "mfcr",
	[KELF_MTCR] = "mtcr",
	[KELF_MFFS] = "mffs",
	[KELF_MTFSF] = "mtfsf",
	[KELF_MFVSCR] = "mfvscr",
	[KELF_MTVSCR] = "mtvscr",
};

const char *kelf_class_name(enum kelf_class class)
{
	return class_names[class];
}

/* Sign-extend the low bits of a field. */
static int32_t extend(uint32_t field, unsigned bits)
{
	uint32_t sign = 1u << (bits - 1);

	return (int32_t)((field ^ sign) - sign);
}

/* The two halves of an SPR number are swapped in the word. */
static uint16_t spr_number(uint32_t w)
{
	return (uint16_t)((w >> 16 & 31) | (w >> 11 & 31) << 5);
}

static void decode_sync(struct kelf_insn *insn, uint32_t w)
{
	static const uint8_t by_level[8] = {
		KELF_HWSYNC, KELF_LWSYNC, KELF_PTESYNC, KELF_SYNC,
		KELF_SYNC, KELF_SYNC, KELF_SYNC, KELF_SYNC,
	};

	insn->level = w >> 21 & 7;
	insn->class = w >> 16 & 3 ? KELF_SYNC : by_level[insn->level];
}

static void decode_sc(struct kelf_insn *insn, uint32_t w)
{
	insn->level = w >> 5 & 0x7f;
	if ((w & 0x03fff003) == 2)
		insn->class = KELF_SC;
	else if ((w & 0x03fff003) == 1)
		insn->class = KELF_SCV;
	else
		*insn = (struct kelf_insn){ .class = KELF_WORK, .size = 4 };
}

/* Whether a BO field is one the ISA defines: z bits zero, hint bits "at" not 01. */
static bool bo_is_valid(unsigned bo)
{
	switch (bo & 20) {
	case 0:
		return !(bo & 1);
	case 4:
		return (bo & 3) != 1;
	case 16:
		return (bo & 9) != 1;
	default:
		return bo == 20;
	}
}

/* bc, bclr, bcctr, bctar. BO = 20 branches always; BO without 0b00100 decrements CTR. */
static void decode_cond(struct kelf_insn *insn, uint32_t w)
{
	unsigned bo = w >> 21 & 31;

	if ((bo & 20) != 20)
		insn->branch |= KELF_BR_COND;
	if (!(bo & 4))
		insn->branch |= KELF_BR_COUNT;
}

static void decode_branch(struct kelf_insn *insn, const struct kelf_row *row, uint32_t w)
{
	if (row->more != KELF_MORE_BRANCH_I && !bo_is_valid(w >> 21 & 31)) {
		insn->class = KELF_WORK;
		return;
	}
	insn->branch = row->arg | (w & 1 ? KELF_BR_LINK : 0);
	if (row->more == KELF_MORE_BRANCH_I)
		insn->disp = extend(w & 0x03fffffc, 26);
	if (row->more == KELF_MORE_BRANCH_B)
		insn->disp = extend(w & 0xfffc, 16);
	if (row->more != KELF_MORE_BRANCH_R && w & 2)
		insn->branch |= KELF_BR_ABS;
	if (row->more != KELF_MORE_BRANCH_I)
		decode_cond(insn, w);
	/* bcl 20,31,.+4 reads the address of the next instruction: it calls nothing. */
	if (insn->branch & KELF_BR_LINK && w != 0x429f0005)
		insn->class = KELF_CALL;
}

static bool is_one_bit(uint32_t field)
{
	return field && !(field & (field - 1));
}

static void decode_more(struct kelf_insn *insn, const struct kelf_row *row, uint32_t w)
{
	switch ((enum kelf_more)row->more) {
	case KELF_MORE_NONE:
		break;
	case KELF_MORE_SPR:
	case KELF_MORE_TBR:
		insn->spr = spr_number(w);
		if (insn->class == KELF_MFSPR && (insn->spr == SPR_TB || insn->spr == SPR_TBU))
			insn->class = KELF_MFTB;
		if (row->more == KELF_MORE_TBR && insn->spr != SPR_TB && insn->spr != SPR_TBU)
			insn->class = KELF_WORK;
		break;
	case KELF_MORE_SYNC:
		decode_sync(insn, w);
		break;
	case KELF_MORE_MSR_L:
		insn->level = w >> 16 & 1;
		if (insn->class == KELF_MTMSRD && insn->level)
			insn->class = KELF_MTMSRD_L1;
		break;
	case KELF_MORE_BRANCH_I:
	case KELF_MORE_BRANCH_B:
	case KELF_MORE_BRANCH_R:
		decode_branch(insn, row, w);
		break;
	case KELF_MORE_SC:
		decode_sc(insn, w);
		break;
	case KELF_MORE_CR:
		/* The one-field forms name exactly one field. */
		if (w & 0x00100000 && !is_one_bit(w >> 12 & 0xff))
			insn->class = KELF_WORK;
		if (insn->class == KELF_MFCR && !(w & 0x00100000) && w & 0x000ff000)
			insn->class = KELF_WORK;
		break;
	case KELF_MORE_SIZE:
		insn->level = row->arg;
		break;
	}
}

/* tdi, twi, td and tw with TO = 31 trap whatever the operands: BUG() and WARN(). */
static bool is_trap(uint32_t w)
{
	uint32_t to = w & 0xffe00000;

	if (to == 0x0be00000 || to == 0x0fe00000)
		return true;
	return to == 0x7fe00000 && ((w & 0x7ff) == 0x8 || (w & 0x7ff) == 0x88);
}

/* Opcodes whose lowest bits choose between loads and stores of the DS and DQ forms. */
static uint8_t low_bits_mem(unsigned opcode, uint32_t w)
{
	static const uint8_t op61[8] = {
		KELF_MEM_STORE, KELF_MEM_LOAD, KELF_MEM_STORE, KELF_MEM_STORE,
		KELF_MEM_STORE, KELF_MEM_STORE, KELF_MEM_STORE, KELF_MEM_STORE,
	};

	switch (opcode) {
	case 6: /* lxvp, stxvp */
		return (w & 0xf) == 0 ? KELF_MEM_LOAD : (w & 0xf) == 1 ? KELF_MEM_STORE : 0;
	case 57: /* lfdp, lxsd, lxssp */
		return (w & 3) == 1 ? 0 : KELF_MEM_LOAD;
	case 58: /* ld, ldu, lwa */
		return (w & 3) == 3 ? 0 : KELF_MEM_LOAD;
	case 61: /* stfdp, lxv, stxsd, stxssp, stxv */
		return op61[w & 7];
	case 62: /* std, stdu, stq */
		return (w & 3) == 3 ? 0 : KELF_MEM_STORE;
	default:
		return 0;
	}
}

/* A prefix whose suffix makes no instruction is a word of data: 4 bytes of work. */
static struct kelf_insn decode_prefixed(uint32_t prefix, uint32_t suffix)
{
	struct kelf_insn insn = { .class = KELF_WORK, .size = 4 };
	unsigned type = prefix >> 24 & 3, opcode = suffix >> 26;
	uint8_t kind = 0;

	if (!(type & 1) && prefix & 0x00100000 && suffix & 0x001f0000)
		return insn; /* relative to the instruction, yet with a base register */
	if (type == 0 && !(prefix & 0x00ec0000))
		kind = kelf_suffix_8ls[opcode];
	else if (type == 1 && !(prefix & 0x00ff0000) && opcode >= 32 && opcode <= 34)
		kind = KELF_PFX_PLAIN;
	else if (type == 2 && !(prefix & 0x00ec0000))
		kind = kelf_suffix_mls[opcode];
	else if (type == 3 && (prefix == 0x07000000 || (prefix >> 20 == 0x079 && opcode == 59)))
		kind = KELF_PFX_PLAIN;
	if (!kind)
		return insn;
	insn.size = 8;
	insn.mem = kind & (KELF_MEM_LOAD | KELF_MEM_STORE);
	if (insn.mem)
		insn.class = insn.mem == KELF_MEM_LOAD ? KELF_LOAD : KELF_STORE;
	return insn;
}

/* Moves of the floating-point and vector status registers: few enough for a list. */
static uint8_t status_class(uint32_t w)
{
	static const struct { uint32_t mask, value; uint8_t class; } rows[] = {
		{ 0xfc1ffffe, 0xfc00048e, KELF_MFFS },
		{ 0xfc0007fe, 0xfc00058e, KELF_MTFSF },
		{ 0xfc1fffff, 0x10000604, KELF_MFVSCR },
		{ 0xffff07ff, 0x10000644, KELF_MTVSCR },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((w & rows[i].mask) == rows[i].value)
			return rows[i].class;
	return KELF_WORK;
}

struct kelf_insn kelf_decode(uint32_t first, uint32_t next, bool have_next)
{
	struct kelf_insn insn = { .class = KELF_WORK, .size = 4 };
	unsigned opcode = first >> 26;
	const struct kelf_row *row = &kelf_primary[opcode];

	if (opcode == 4 || opcode == 63) {
		insn.class = status_class(first);
		return insn;
	}
	if (opcode == 1)
		return have_next ? decode_prefixed(first, next) : insn;
	if (opcode == 19)
		row = &kelf_ext19[first >> 1 & 0x3ff];
	else if (opcode == 31)
		row = &kelf_ext31[first >> 1 & 0x3ff];
	if (row->class == KELF_WORK) {
		insn.mem = low_bits_mem(opcode, first);
		if (insn.mem)
			insn.class = insn.mem == KELF_MEM_LOAD ? KELF_LOAD : KELF_STORE;
		if (is_trap(first))
			insn.branch = KELF_BR_TRAP;
		return insn;
	}
	if ((first & row->mask) != row->value)
		return insn;
	insn.class = row->class;
	insn.mem = row->mem;
	decode_more(&insn, row, first);
	return insn;
}

bool kelf_class_is_op(enum kelf_class class)
{
	switch (class) {
	case KELF_WORK:
	case KELF_LOAD:
	case KELF_STORE:
	case KELF_BRANCH:
	case KELF_CALL:
	case KELF_MFCR:
	case KELF_MTCR:
	case KELF_MFFS:
	case KELF_MTFSF:
	case KELF_MFVSCR:
	case KELF_MTVSCR:
		return false;
	default:
		return true;
	}
}

bool kelf_is_op(const struct kelf_insn *insn)
{
	if (insn->class == KELF_MFSPR || insn->class == KELF_MTSPR)
		return insn->spr != SPR_XER && insn->spr != SPR_LR && insn->spr != SPR_CTR;
	return kelf_class_is_op(insn->class);
}

void kelf_insn_text(const struct kelf_insn *insn, const struct spr_table *sprs,
		    struct text *out)
{
	text_add(out, "%s", class_names[insn->class]);
	if (insn->class == KELF_MFSPR || insn->class == KELF_MTSPR) {
		const struct spr *spr = sprs ? spr_by_number(sprs, insn->spr) : NULL;

		if (spr)
			text_add(out, " %s", spr->name);
		else
			text_add(out, " SPR%u", insn->spr);
	}
	if (insn->class == KELF_SC || insn->class == KELF_SCV || insn->class == KELF_SYNC)
		text_add(out, " %u", insn->level);
}
