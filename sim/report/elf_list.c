// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/elf_list.h"

#include <stdio.h>
#include <string.h>

#include "elf/count.h"

/* Columns of the tables for people: classes that matter together share one. */
static const struct {
	const char *title;
	uint8_t class[10]; /* ended by KELF_WORK */
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
	{ "other", { KELF_RFID, KELF_HRFID, KELF_RFSCV, KELF_SC, KELF_SCV, KELF_MSGSYNC,
		     KELF_CP_ABORT, KELF_STOP } },
};

/* The messages between threads do not fit the last row above. */
static const uint8_t messages[] = { KELF_MSGSND, KELF_MSGCLR, KELF_MSGSNDP, KELF_MSGCLRP };

#define NGROUPS (sizeof(groups) / sizeof(groups[0]))

static uint32_t group_count(const struct kelf_count *c, size_t g)
{
	uint32_t n = 0;

	for (size_t i = 0; i < sizeof(groups[g].class) && groups[g].class[i]; i++)
		n += c->n[groups[g].class[i]];
	if (g == NGROUPS - 1)
		for (size_t i = 0; i < sizeof(messages); i++)
			n += c->n[messages[i]];
	return n;
}

static void add_counts(struct kelf_count *sum, const struct kelf_count *c)
{
	for (unsigned i = 0; i < KELF_NCLASSES; i++)
		sum->n[i] += c->n[i];
	sum->insns += c->insns;
	sum->loads += c->loads;
	sum->stores += c->stores;
	sum->branches += c->branches;
}

static void grid_row(struct rep_grid *g, enum rep_format format, const char *file,
		     const char *name, uint64_t size, const struct kelf_count *c)
{
	rep_grid_text(g, "%s", name);
	if (file)
		rep_grid_text(g, "%s", file);
	rep_grid_count(g, format, size);
	if (format == REP_CSV) {
		rep_grid_count(g, format, c->insns);
		for (unsigned i = 0; i < KELF_NCLASSES; i++)
			rep_grid_count(g, format, c->n[i]);
		return;
	}
	for (size_t i = 0; i < NGROUPS; i++) {
		uint32_t n = group_count(c, i);

		if (n)
			rep_grid_count(g, format, n);
		else
			rep_grid_text(g, "-");
	}
	rep_grid_count(g, format, c->n[KELF_CALL]);
}

static void grid_heading(struct rep_grid *g, enum rep_format format, bool file)
{
	unsigned columns = 2 + file;

	columns += format == REP_CSV ? 1 + KELF_NCLASSES : (unsigned)NGROUPS + 1;
	rep_grid_init(g, columns);
	rep_grid_text(g, "function");
	if (file)
		rep_grid_text(g, "file");
	rep_grid_text(g, "bytes");
	if (format == REP_CSV) {
		rep_grid_text(g, "instructions");
		for (unsigned i = 0; i < KELF_NCLASSES; i++)
			rep_grid_text(g, "%s", kelf_class_name(i));
		return;
	}
	for (size_t i = 0; i < NGROUPS; i++)
		rep_grid_text(g, "%s", groups[i].title);
	rep_grid_text(g, "call");
}

static void json_function(struct text *out, const struct kelf_image *img,
			  const struct kelf_func *f, const struct kelf_count *c, bool first)
{
	bool comma = false;

	text_add(out, "%s\n  {\"name\": ", first ? "" : ",");
	rep_json_text(out, f->name);
	text_add(out, ", \"file\": ");
	rep_json_text(out, kelf_short_name(img));
	text_add(out, ", \"section\": ");
	rep_json_text(out, img->sec[f->sec].name);
	text_add(out, ", \"offset\": %llu, \"bytes\": %llu, \"instructions\": %u, \"counts\": {",
		 (unsigned long long)f->off, (unsigned long long)f->size, c->insns);
	for (unsigned i = 0; i < KELF_NCLASSES; i++) {
		if (!c->n[i])
			continue;
		text_add(out, "%s\"%s\": %u", comma ? ", " : "", kelf_class_name(i), c->n[i]);
		comma = true;
	}
	text_add(out, "}}");
}

static void json_head(struct text *out, const char *name)
{
	text_add(out, "{\"schema\": \"hvsim-elf/1\", \"kernel\": ");
	rep_json_text(out, name);
	text_add(out, ", \"functions\": [");
}

void rep_elf_functions(const struct kelf_kernel *k, enum rep_format format, struct text *out)
{
	struct kelf_count sum = { 0 };
	struct rep_grid grid = { 0 };
	size_t listed = 0;
	uint64_t bytes = 0;

	if (format == REP_JSON)
		json_head(out, k->name);
	else
		grid_heading(&grid, format, k->n > 1);
	for (size_t i = 0; i < k->n; i++) {
		const struct kelf_image *img = &k->file[i]->img;

		for (size_t f = 0; f < img->nfunc; f++) {
			struct kelf_count c = { 0 };

			kelf_count_func(img, &img->func[f], &c);
			if (!kelf_count_ops(&c))
				continue;
			add_counts(&sum, &c);
			bytes += img->func[f].size;
			if (format == REP_JSON)
				json_function(out, img, &img->func[f], &c, !listed);
			else
				grid_row(&grid, format, k->n > 1 ? kelf_short_name(img) : NULL,
					 img->func[f].name, img->func[f].size, &c);
			listed++;
		}
	}
	if (format == REP_JSON) {
		text_add(out, "\n]}\n");
		return;
	}
	if (format != REP_CSV) {
		char name[40];

		snprintf(name, sizeof(name), "all %zu", listed);
		grid_row(&grid, format, k->n > 1 ? "" : NULL, name, bytes, &sum);
	}
	rep_grid_print(&grid, format, k->n > 1 ? 2 : 1, out);
	rep_grid_done(&grid);
}

/* "call mutex_lock+0x10", "branch load_fp_state", "call (CTR)". */
static void branch_text(const struct kelf_pick *p, uint64_t off, const struct kelf_insn *insn,
			struct text *out)
{
	struct kelf_target to;

	text_add(out, "%s ", kelf_class_name(insn->class));
	if (insn->branch & KELF_BR_INDIRECT)
		text_add(out, "(%s)", insn->branch & KELF_BR_CTR ? "CTR" :
			 insn->branch & KELF_BR_TAR ? "TAR" : "LR");
	else if (!kelf_branch_target(p->img, p->func->sec, p->func->off + off, insn, &to))
		text_add(out, "(outside all code)");
	else if (!to.name)
		text_add(out, "%s+0x%llx", p->img->sec[to.sec].name,
			 (unsigned long long)to.sec_off);
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

static bool op_line(const struct kelf_pick *p, uint64_t off, const struct kelf_insn *insn,
		    struct text *line)
{
	line->len = 0;
	if (shows_branch(p, off, insn))
		branch_text(p, off, insn, line);
	else if (insn->class != KELF_BRANCH && insn->class != KELF_CALL && kelf_is_op(insn))
		kelf_insn_text(insn, line);
	return line->len;
}

static void pick_ops(const struct kelf_pick *p, enum rep_format format, struct rep_grid *grid,
		     struct text *out)
{
	struct kelf_iter it = { .next = p->from };
	struct text line = { 0 };
	struct kelf_insn insn;
	bool first = true;

	while (kelf_next(p->img, p->func, &it, &insn)) {
		unsigned long long at = it.off - p->from;

		if (!op_line(p, it.off, &insn, &line))
			continue;
		if (format == REP_JSON) {
			text_add(out, "%s\n    {\"at\": %llu, \"op\": ", first ? "" : ",", at);
			rep_json_text(out, line.s);
			text_add(out, "}");
		} else {
			rep_grid_text(grid, "%s", p->name);
			rep_grid_text(grid, "+0x%llx", at);
			rep_grid_text(grid, "%s", line.s);
		}
		first = false;
	}
	text_free(&line);
}

void rep_elf_ops(const struct kelf_pick *pick, size_t n, enum rep_format format,
		 struct text *out)
{
	struct rep_grid grid = { 0 };

	if (format == REP_JSON)
		text_add(out, "{\"schema\": \"hvsim-elf-ops/1\", \"functions\": [");
	rep_grid_init(&grid, 3);
	rep_grid_text(&grid, "function");
	rep_grid_text(&grid, "offset");
	rep_grid_text(&grid, "op");
	for (size_t i = 0; i < n; i++) {
		if (format == REP_JSON) {
			text_add(out, "%s\n  {\"name\": ", i ? "," : "");
			rep_json_text(out, pick[i].name);
			text_add(out, ", \"file\": ");
			rep_json_text(out, kelf_short_name(pick[i].img));
			text_add(out, ", \"bytes\": %llu, \"ops\": [",
				 (unsigned long long)(pick[i].func->size - pick[i].from));
		}
		pick_ops(&pick[i], format, &grid, out);
		if (format == REP_JSON)
			text_add(out, "]}");
	}
	if (format == REP_JSON)
		text_add(out, "\n]}\n");
	else
		rep_grid_print(&grid, format, 3, out);
	rep_grid_done(&grid);
}
