// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/elf_diff.h"

#include "report/elf_list.h"

static struct scn_cell difference(int64_t v)
{
	return (struct scn_cell){ .kind = SCN_COUNT, .v = v };
}

/* "mtspr -2, mftb +1": the op classes that differ. */
static const char *changes(struct mem *mem, const struct kelf_side side[2])
{
	struct text out = { 0 };
	const char *copy;

	for (unsigned c = 0; c < KELF_NCLASSES; c++) {
		long long v = kelf_diff_class(side, c);

		if (kelf_class_is_op(c) && v)
			text_add(&out, "%s%s %+lld", out.len ? ", " : "", kelf_class_name(c), v);
	}
	copy = out.len ? mem_strdup(mem, out.s) : NULL;
	text_free(&out);
	return copy;
}

static void functions(struct scn_result *r, const struct kelf_diff *d)
{
	static const char *const column[] = { "old bytes", "new bytes", "old cycles", "new cycles",
					      "difference", "ops" };
	struct scn_table *t = scn_table_new(r, "functions", "Functions whose ops differ",
					    "function", column, 6);

	for (size_t i = 0; i < d->n; i++) {
		const struct kelf_side *side = d->row[i].side;
		const char *text = changes(r->mem, side);
		struct scn_cell *cell;

		if (!text)
			continue;
		cell = scn_table_row(t, rep_elf_name(r->mem, d->row[i].name));
		for (unsigned s = 0; s < 2; s++) {
			if (!side[s].funcs)
				continue;
			cell[s] = scn_count(side[s].bytes);
			cell[2 + s] = scn_count(side[s].cycles);
		}
		cell[4] = difference((int64_t)side[1].cycles - (int64_t)side[0].cycles);
		if (!side[0].funcs || !side[1].funcs)
			text = mem_printf(r->mem, "only in %s: %s", side[0].funcs ? "old" : "new",
					  text);
		cell[5] = scn_text(text);
	}
}

/* Cycles are known by op kind; a kind that several classes share has them in one row. */
static void class_row(struct scn_table *t, const struct kelf_side side[2], enum kelf_class class,
		      uint64_t done[OP_KINDS])
{
	struct kelf_insn insn = { .class = (uint8_t)class, .spr = SPR_NUMBER_MAX };
	enum op_kind kind = kelf_op_kind(&insn);
	int64_t cycles = (int64_t)side[1].by_kind[kind] - (int64_t)side[0].by_kind[kind];
	struct scn_cell *cell;

	if (!kelf_class_is_op(class) || !(side[0].count.n[class] + side[1].count.n[class]))
		return;
	cell = scn_table_row(t, kelf_class_name(class));
	for (unsigned s = 0; s < 2; s++)
		cell[s] = scn_count(side[s].count.n[class]);
	cell[2] = difference(kelf_diff_class(side, class));
	if (!done[kind])
		cell[3] = difference(cycles);
	done[kind] = 1;
}

static void put_line(struct scn_table *t, const char *name, uint64_t old, uint64_t new,
		     bool cycles)
{
	struct scn_cell *cell = scn_table_row(t, name);

	cell[0] = scn_count(old);
	cell[1] = scn_count(new);
	cell[2] = difference((int64_t)new - (int64_t)old);
	if (cycles)
		cell[3] = cell[2];
}

static void classes(struct scn_result *r, const struct kelf_diff *d)
{
	static const char *const column[] = { "old", "new", "difference", "cycles" };
	struct scn_table *t = scn_table_new(r, "ops", "Ops", "op", column, 4);
	uint64_t done[OP_KINDS] = { 0 };
	int64_t rest = 0;

	for (unsigned c = 0; c < KELF_NCLASSES; c++)
		class_row(t, d->sum, c, done);
	for (unsigned k = 0; k < OP_KINDS; k++)
		if (!done[k])
			rest += (int64_t)d->sum[1].by_kind[k] - (int64_t)d->sum[0].by_kind[k];
	put_line(t, "instructions", d->sum[0].count.insns, d->sum[1].count.insns, false);
	t->row[t->rows - 1].cell[3] = difference(rest);
	put_line(t, "predicted cycles", d->sum[0].cycles, d->sum[1].cycles, true);
}

void rep_elf_diff(struct scn_result *r, const struct kelf_diff *d)
{
	if (d->n)
		functions(r, d);
	classes(r, d);
}
