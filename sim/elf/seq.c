// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/seq.h"

#include <stdlib.h>

/*
 * Kinds by class. Forms that sim/cpu has no kind for are priced as the nearest
 * that has the same effect on the pipeline.
 */
static const uint8_t kinds[KELF_NCLASSES] = {
	[KELF_WORK] = OP_WORK,
	[KELF_LOAD] = OP_WORK,
	[KELF_STORE] = OP_WORK,
	[KELF_BRANCH] = OP_WORK,
	[KELF_CALL] = OP_WORK,
	[KELF_MFSPR] = OP_MFSPR,
	[KELF_MTSPR] = OP_MTSPR,
	[KELF_MFTB] = OP_MFTB,
	[KELF_MFMSR] = OP_MFMSR,
	[KELF_MTMSR] = OP_MTMSRD0,
	[KELF_MTMSRD] = OP_MTMSRD0,
	[KELF_MTMSRD_L1] = OP_MTMSRD1,
	[KELF_ISYNC] = OP_ISYNC,
	[KELF_HWSYNC] = OP_HWSYNC,
	[KELF_LWSYNC] = OP_LWSYNC,
	[KELF_PTESYNC] = OP_PTESYNC,
	[KELF_SYNC] = OP_HWSYNC,
	[KELF_EIEIO] = OP_EIEIO,
	[KELF_TLBIE] = OP_TLBIE,
	[KELF_TLBIEL] = OP_TLBIEL,
	[KELF_TLBSYNC] = OP_TLBSYNC,
	[KELF_SLBMTE] = OP_SLBMTE,
	[KELF_SLBMFEE] = OP_SLBMFEE,
	[KELF_SLBMFEV] = OP_SLBMFEV,
	[KELF_SLBFEE] = OP_SLBMFEE,
	[KELF_SLBIE] = OP_SLBIA,
	[KELF_SLBIEG] = OP_TLBIE,
	[KELF_SLBIA] = OP_SLBIA,
	[KELF_SLBIAG] = OP_TLBIE,
	[KELF_SLBSYNC] = OP_TLBSYNC,
	[KELF_RFID] = OP_RFID,
	[KELF_HRFID] = OP_HRFID,
	[KELF_RFSCV] = OP_RFID,
	[KELF_SC] = OP_SC,
	[KELF_SCV] = OP_SC,
	[KELF_LARX] = OP_LARX,
	[KELF_STCX] = OP_STCX,
	[KELF_MSGSND] = OP_MSGSND,
	[KELF_MSGCLR] = OP_MSGSND,
	[KELF_MSGSYNC] = OP_MSGSYNC,
	[KELF_MSGSNDP] = OP_MSGSND,
	[KELF_MSGCLRP] = OP_MSGSND,
	[KELF_CP_ABORT] = OP_CP_ABORT,
	[KELF_STOP] = OP_STOP,
	[KELF_CI_LOAD] = OP_MMIO_LOAD,
	[KELF_CI_STORE] = OP_MMIO_STORE,
	[KELF_MFCR] = OP_WORK,
	[KELF_MTCR] = OP_WORK,
	[KELF_MFFS] = OP_MFFS,
	[KELF_MTFSF] = OP_MTFSF,
	[KELF_MFVSCR] = OP_MFVSCR,
	[KELF_MTVSCR] = OP_MTVSCR,
};

enum op_kind kelf_op_kind(const struct kelf_insn *insn)
{
	if ((insn->class == KELF_MFSPR || insn->class == KELF_MTSPR) && !kelf_is_op(insn))
		return OP_WORK;
	if (insn->class == KELF_MTMSR && insn->level)
		return OP_MTMSRD1;
	return kinds[insn->class];
}

void kelf_seq_init(struct kelf_seq *seq, struct mem *mem, const struct spr_table *sprs)
{
	*seq = (struct kelf_seq){ .mem = mem, .sprs = sprs };
}

void kelf_seq_done(struct kelf_seq *seq)
{
	free(seq->item);
	free(seq->at);
	*seq = (struct kelf_seq){ 0 };
}

static struct path_item *next_item(struct kelf_seq *seq, const char *in, uint64_t at)
{
	seq->item = mem_grow(seq->item, &seq->cap, seq->n + 1, sizeof(*seq->item));
	seq->at = mem_grow(seq->at, &seq->at_cap, seq->n + 1, sizeof(*seq->at));
	seq->at[seq->n] = at;
	seq->item[seq->n] = (struct path_item){ .is_op = true, .in = in, .op = { .n = 1 } };
	return &seq->item[seq->n++];
}

/* A register without an entry in spr.json: priced as a scoreboarded one, named by number. */
static const struct spr *unknown_spr(struct kelf_seq *seq, unsigned number)
{
	struct spr *spr;

	if (!seq->unknown)
		seq->unknown = mem_alloc(seq->mem, SPR_NUMBER_MAX + 1, sizeof(*seq->unknown));
	if (!seq->unknown[number]) {
		spr = mem_alloc(seq->mem, 1, sizeof(*spr));
		spr->number = number;
		spr->name = mem_printf(seq->mem, "SPR%u", number);
		spr->class = SPR_SCOREBOARDED;
		spr->unit = SPR_PLAIN;
		spr->source = "";
		seq->unknown[number] = spr;
		seq->nunknown++;
	}
	return seq->unknown[number];
}

static void add_work(struct kelf_seq *seq, const struct kelf_insn *insn, bool nop, const char *in,
		     uint64_t at)
{
	struct path_item *last = seq->n ? &seq->item[seq->n - 1] : NULL;

	if (!last || last->op.kind != OP_WORK || last->op.n >= OP_WORK_MAX || last->in != in) {
		last = next_item(seq, in, at);
		last->op.n = 0;
	}
	last->op.n++;
	if (nop)
		return;
	last->op.loads += insn->mem == KELF_MEM_LOAD;
	last->op.stores += insn->mem == KELF_MEM_STORE;
	last->op.branches += insn->class == KELF_BRANCH || insn->class == KELF_CALL;
}

void kelf_seq_add(struct kelf_seq *seq, const struct kelf_insn *insn, bool nop, const char *in,
		  uint64_t at)
{
	enum op_kind kind = nop ? OP_WORK : kelf_op_kind(insn);
	struct path_item *item;

	kelf_count_insn(&seq->count, insn, nop);
	if (kind == OP_WORK) {
		add_work(seq, insn, nop, in, at);
		return;
	}
	item = next_item(seq, in, at);
	item->op.kind = (uint16_t)kind;
	if (kind == OP_SC)
		item->op.arg = insn->level;
	if (kind != OP_MFSPR && kind != OP_MTSPR)
		return;
	item->op.spr = spr_by_number(seq->sprs, insn->spr);
	if (!item->op.spr)
		item->op.spr = unknown_spr(seq, insn->spr);
}

void kelf_seq_interrupt(struct kelf_seq *seq, unsigned vector, const char *in)
{
	struct path_item *item = next_item(seq, in, 0);

	item->op.kind = OP_INTERRUPT;
	item->op.arg = (uint16_t)vector;
}

void kelf_seq_func(struct kelf_seq *seq, const struct kelf_image *img, const struct kelf_func *f)
{
	struct kelf_iter it = { 0 };
	struct kelf_insn insn;

	while (kelf_next(img, f, &it, &insn))
		kelf_seq_add(seq, &insn, kelf_calls_mcount(img, f, it.off, &insn), f->name, it.off);
}

struct path kelf_seq_path(const struct kelf_seq *seq, const char *name)
{
	return (struct path){ .name = name, .summary = "", .source = "", .file = name,
			      .items = seq->item, .n = (uint32_t)seq->n };
}
