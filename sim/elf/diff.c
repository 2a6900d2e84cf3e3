// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/diff.h"

#include <stdlib.h>
#include <string.h>

/* A picked function under its stem. */
struct part {
	const char *stem;
	unsigned side;
	const struct kelf_pick *pick;
};

static int by_stem(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int rc = strcmp(x->stem, y->stem);

	return rc ? rc : (int)x->side - (int)y->side;
}

static void each_step(void *arg, const struct price_step *step)
{
	struct kelf_side *side = arg;

	/* The wait at the end belongs to no op: it is work's. */
	side->by_kind[step->item ? step->item->op.kind : OP_WORK] += step->cycles;
}

void kelf_side_seq(struct kelf_side *side, const struct kelf_seq *seq,
		   const struct pricer *pricer)
{
	struct path path = kelf_seq_path(seq, "");
	struct cond_bits bits = { 0 };
	struct price price;

	price_trace(pricer, &path, &bits, each_step, side, &price);
	side->cycles += price.cycles;
	for (unsigned c = 0; c < KELF_NCLASSES; c++)
		side->count.n[c] += seq->count.n[c];
	side->count.insns += seq->count.insns;
	side->count.loads += seq->count.loads;
	side->count.stores += seq->count.stores;
	side->count.branches += seq->count.branches;
	side->funcs++;
}

static void add_side(struct kelf_side *sum, const struct kelf_side *side)
{
	for (unsigned c = 0; c < KELF_NCLASSES; c++)
		sum->count.n[c] += side->count.n[c];
	for (unsigned k = 0; k < OP_KINDS; k++)
		sum->by_kind[k] += side->by_kind[k];
	sum->count.insns += side->count.insns;
	sum->bytes += side->bytes;
	sum->cycles += side->cycles;
	sum->funcs += side->funcs;
}

static struct part *collect(struct mem *mem, const struct kelf_pick *const pick[2],
			    const size_t n[2])
{
	struct part *part = mem_zalloc(n[0] + n[1] + 1, sizeof(*part));
	size_t k = 0;

	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < n[side]; i++) {
			const char *name = pick[side][i].name;

			part[k++] = (struct part){
				mem_printf(mem, "%.*s", (int)kelf_stem(name), name), side,
				&pick[side][i] };
		}
	qsort(part, k, sizeof(*part), by_stem);
	return part;
}

static void price_part(struct kelf_side *side, const struct kelf_pick *p, struct mem *mem,
		       const struct spr_table *sprs, const struct pricer *pricer)
{
	struct kelf_iter it = { .next = p->from };
	struct kelf_insn insn;
	struct kelf_seq seq;

	kelf_seq_init(&seq, mem, sprs);
	while (kelf_next(p->img, p->func, &it, &insn))
		kelf_seq_add(&seq, &insn, kelf_calls_mcount(p->img, p->func, it.off, &insn),
			     p->name, it.off);
	kelf_side_seq(side, &seq, pricer);
	side->bytes += p->func->size - p->from;
	kelf_seq_done(&seq);
}

/* A cheap look before pricing: most functions of a kernel have no ops at all. */
static bool has_ops(const struct part *part, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct kelf_count c = { 0 };

		kelf_count_func(part[i].pick->img, part[i].pick->func, &c);
		if (kelf_count_ops(&c))
			return true;
	}
	return false;
}

void kelf_diff_make(struct kelf_diff *d, struct mem *mem, const struct kelf_pick *const pick[2],
		    const size_t n[2], const struct spr_table *sprs, const struct pricer *pricer)
{
	struct part *part = collect(mem, pick, n);
	size_t total = n[0] + n[1], end;

	*d = (struct kelf_diff){ .row = mem_alloc(mem, total, sizeof(*d->row)) };
	for (size_t i = 0; i < total; i = end) {
		struct kelf_diff_row *row = &d->row[d->n];

		for (end = i + 1; end < total && !strcmp(part[end].stem, part[i].stem); end++)
			;
		if (!has_ops(part + i, end - i))
			continue;
		row->name = part[i].stem;
		for (size_t k = i; k < end; k++)
			price_part(&row->side[part[k].side], part[k].pick, mem, sprs, pricer);
		for (unsigned s = 0; s < 2; s++)
			add_side(&d->sum[s], &row->side[s]);
		d->n++;
	}
	free(part);
}

int64_t kelf_diff_class(const struct kelf_side side[2], enum kelf_class class)
{
	return (int64_t)side[1].count.n[class] - (int64_t)side[0].count.n[class];
}
