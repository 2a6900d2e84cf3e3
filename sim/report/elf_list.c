// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/elf_list.h"

#include <string.h>

#define GROUP_CLASSES_MAX 12

/* Columns of the tables for people: classes that matter together share one. */
static const struct {
	const char *title;
	uint8_t class[GROUP_CLASSES_MAX]; /* ended by KELF_WORK */
} groups[] = {
	{ "mfspr", { KELF_MFSPR } },
	{ "mtspr", { KELF_MTSPR } },
	{ "mftb", { KELF_MFTB } },
	{ "mfmsr", { KELF_MFMSR } },
	{ "mtmsrd0", { KELF_MTMSRD, KELF_MTMSR } },
	{ "mtmsrd1", { KELF_MTMSRD_L1 } },
	{ "isync", { KELF_ISYNC } },
	{ "hwsync", { KELF_HWSYNC } },
	{ "lwsync", { KELF_LWSYNC } },
	{ "ptesync", { KELF_PTESYNC, KELF_SYNC } },
	{ "eieio", { KELF_EIEIO } },
	{ "tlb", { KELF_TLBIE, KELF_TLBIEL, KELF_TLBSYNC } },
	{ "slb", { KELF_SLBMTE, KELF_SLBMFEE, KELF_SLBMFEV, KELF_SLBFEE, KELF_SLBIE, KELF_SLBIEG,
		   KELF_SLBIA, KELF_SLBIAG, KELF_SLBSYNC } },
	{ "larx", { KELF_LARX } },
	{ "stcx", { KELF_STCX } },
	{ "mmio", { KELF_CI_LOAD, KELF_CI_STORE } },
	{ "rfid/sc", { KELF_RFID, KELF_HRFID, KELF_RFSCV, KELF_SC, KELF_SCV } },
	{ "other", { KELF_MSGSND, KELF_MSGCLR, KELF_MSGSYNC, KELF_MSGSNDP, KELF_MSGCLRP,
		     KELF_CP_ABORT, KELF_STOP } },
	{ "call", { KELF_CALL } },
};

#define NGROUPS (sizeof(groups) / sizeof(groups[0]))
#define COLUMNS_MAX (KELF_NCLASSES + 3)

const char *rep_elf_name(struct mem *mem, const char *name)
{
	char *clean = mem_strdup(mem, name);

	for (char *p = clean; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return clean;
}

static uint32_t group_count(const struct kelf_count *c, size_t g)
{
	uint32_t n = 0;

	for (size_t i = 0; i < GROUP_CLASSES_MAX && groups[g].class[i]; i++)
		n += c->n[groups[g].class[i]];
	return n;
}

static void add_counts(struct kelf_count *sum, const struct kelf_count *c)
{
	for (unsigned i = 0; i < KELF_NCLASSES; i++)
		sum->n[i] += c->n[i];
	sum->insns += c->insns;
}

/* Which columns a listing has. */
struct shape {
	bool file;    /* the name of the file: when there are several */
	bool classes; /* every class, not groups of them */
};

static unsigned headings(const struct shape *shape, const char **column)
{
	unsigned n = 0;

	if (shape->file)
		column[n++] = "file";
	column[n++] = "bytes";
	if (shape->classes) {
		column[n++] = "instructions";
		for (unsigned i = 0; i < KELF_NCLASSES; i++)
			column[n++] = kelf_class_name(i);
		return n;
	}
	for (size_t i = 0; i < NGROUPS; i++)
		column[n++] = groups[i].title;
	return n;
}

static void put_count(struct scn_cell *cell, uint32_t n)
{
	if (n)
		*cell = scn_count(n);
}

static void put_row(struct scn_table *t, const struct shape *shape, const char *name,
		    const char *file, uint64_t bytes, const struct kelf_count *c)
{
	struct scn_cell *cell = scn_table_row(t, name);

	if (shape->file)
		*cell++ = scn_text(file);
	*cell++ = scn_count(bytes);
	if (shape->classes) {
		*cell++ = scn_count(c->insns);
		for (unsigned i = 0; i < KELF_NCLASSES; i++)
			put_count(cell++, c->n[i]);
		return;
	}
	for (size_t i = 0; i < NGROUPS; i++)
		put_count(cell++, group_count(c, i));
}

void rep_elf_functions(struct scn_result *r, const struct kelf_kernel *k, enum rep_format format)
{
	struct shape shape = { .file = k->n > 1,
			       .classes = format == REP_CSV || format == REP_JSON };
	const char *column[COLUMNS_MAX];
	unsigned columns = headings(&shape, column);
	struct scn_table *t = scn_table_new(r, "functions", NULL, "function", column, columns);
	struct kelf_count sum = { 0 };
	uint64_t bytes = 0;
	unsigned listed;

	for (size_t i = 0; i < k->n; i++) {
		const struct kelf_image *img = &k->file[i]->img;
		const char *file = rep_elf_name(r->mem, kelf_short_name(img));

		for (size_t f = 0; f < img->nfunc; f++) {
			const struct kelf_func *func = &img->func[f];
			struct kelf_count c = { 0 };

			kelf_count_func(img, func, &c);
			if (!kelf_count_ops(&c))
				continue;
			put_row(t, &shape, rep_elf_name(r->mem, func->name), file, func->size, &c);
			add_counts(&sum, &c);
			bytes += func->size;
		}
	}
	listed = t->rows;
	if (!shape.classes)
		put_row(t, &shape, mem_printf(r->mem, "all %u", listed), "", bytes, &sum);
}

void rep_elf_branch(const struct kelf_image *img, const struct kelf_func *f, uint64_t off,
		    const struct kelf_insn *insn, struct text *out)
{
	struct kelf_target to;

	text_add(out, "%s ", kelf_class_name(insn->class));
	if (insn->branch & KELF_BR_INDIRECT)
		text_add(out, "(%s)", insn->branch & KELF_BR_CTR ? "CTR" :
			 insn->branch & KELF_BR_TAR ? "TAR" : "LR");
	else if (!kelf_branch_target(img, f->sec, f->off + off, insn, &to))
		text_add(out, "(outside all code)");
	else if (!to.name)
		text_add(out, "%s+0x%llx", img->sec[to.sec].name, (unsigned long long)to.sec_off);
	else if (to.off)
		text_add(out, "%s+0x%llx", to.name, (unsigned long long)to.off);
	else
		text_add(out, "%s", to.name);
}

/* Whether a branch is worth a line: calls, and branches out of the function. */
static bool shows_branch(const struct kelf_pick *p, uint64_t off, const struct kelf_insn *insn)
{
	struct kelf_target to;

	if (insn->class == KELF_CALL)
		return !kelf_calls_mcount(p->img, p->func, off, insn);
	if (insn->class != KELF_BRANCH)
		return false;
	if (insn->branch & KELF_BR_INDIRECT)
		return !(insn->branch & KELF_BR_LR);
	return kelf_branch_target(p->img, p->func->sec, p->func->off + off, insn, &to) &&
	       to.func != p->func;
}

static void pick_ops(struct scn_table *t, const struct kelf_pick *p, const struct spr_table *sprs)
{
	struct kelf_iter it = { .next = p->from };
	struct text line = { 0 };
	struct kelf_insn insn;

	while (kelf_next(p->img, p->func, &it, &insn)) {
		const char *row;

		line.len = 0;
		if (shows_branch(p, it.off, &insn))
			rep_elf_branch(p->img, p->func, it.off, &insn, &line);
		else if (insn.class != KELF_BRANCH && insn.class != KELF_CALL && kelf_is_op(&insn))
			kelf_insn_text(&insn, sprs, &line);
		if (!line.len)
			continue;
		row = mem_printf(t->mem, "%s+0x%llx", p->name,
				 (unsigned long long)(it.off - p->from));
		*scn_table_row(t, rep_elf_name(t->mem, row)) =
			scn_text(rep_elf_name(t->mem, line.s));
	}
	text_free(&line);
}

void rep_elf_ops(struct scn_result *r, const struct kelf_pick *pick, size_t n,
		 const struct spr_table *sprs)
{
	static const char *const column[] = { "op" };
	struct scn_table *t = scn_table_new(r, "ops", NULL, "place", column, 1);

	for (size_t i = 0; i < n; i++)
		pick_ops(t, &pick[i], sprs);
}
