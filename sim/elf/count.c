// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/count.h"

#include <string.h>

bool kelf_next(const struct kelf_image *img, const struct kelf_func *f, struct kelf_iter *it,
	       struct kelf_insn *insn)
{
	const struct kelf_sec *sec = &img->sec[f->sec];

	while (f->size >= 4 && it->next <= f->size - 4 && !f->data) {
		const struct kelf_reloc *r = kelf_reloc_at(sec, f->off + it->next);

		if (r && (r->type == KELF_R_REL64 || r->type == KELF_R_ADDR64)) {
			it->next += 8;
			continue;
		}
		*insn = kelf_insn_at(img, sec, f->off + it->next);
		it->off = it->next;
		it->next += insn->size;
		return true;
	}
	return false;
}

bool kelf_calls_mcount(const struct kelf_image *img, const struct kelf_func *f, uint64_t off,
		       const struct kelf_insn *insn)
{
	const struct kelf_sec *sec = &img->sec[f->sec];
	const struct kelf_reloc *r;

	if (insn->class != KELF_CALL || insn->branch & KELF_BR_INDIRECT)
		return false;
	r = kelf_reloc_at(sec, f->off + off);
	if (r)
		return !strcmp(r->name, "_mcount");
	return img->mcount_sec && img->linked &&
	       sec->addr + f->off + off + (uint64_t)(int64_t)insn->disp ==
	       img->sec[img->mcount_sec].addr + img->mcount_off;
}

void kelf_count_insn(struct kelf_count *count, const struct kelf_insn *insn, bool nop)
{
	enum kelf_class class = insn->class;

	count->insns++;
	if (nop) {
		count->n[KELF_WORK]++;
		return;
	}
	if ((class == KELF_MFSPR || class == KELF_MTSPR) && !kelf_is_op(insn))
		class = KELF_WORK;
	count->n[class]++;
	count->loads += insn->mem == KELF_MEM_LOAD;
	count->stores += insn->mem == KELF_MEM_STORE;
	count->branches += class == KELF_BRANCH || class == KELF_CALL;
}

void kelf_count_func(const struct kelf_image *img, const struct kelf_func *f,
		     struct kelf_count *count)
{
	struct kelf_iter it = { 0 };
	struct kelf_insn insn;

	while (kelf_next(img, f, &it, &insn))
		kelf_count_insn(count, &insn, kelf_calls_mcount(img, f, it.off, &insn));
}

uint32_t kelf_count_ops(const struct kelf_count *count)
{
	uint32_t n = 0;

	for (unsigned c = 0; c < KELF_NCLASSES; c++)
		if (kelf_class_is_op(c))
			n += count->n[c];
	return n;
}
