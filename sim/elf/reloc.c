// SPDX-License-Identifier: GPL-2.0-or-later
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/image.h"
#include "elf/symbols.h"

static int by_offset(const void *a, const void *b)
{
	const struct kelf_reloc *x = a, *y = b;

	return x->off < y->off ? -1 : x->off > y->off;
}

static void fill_reloc(const struct kelf_image *img, const Elf64_Rela *rela,
		       struct kelf_reloc *out)
{
	struct kelf_sym sym;

	*out = (struct kelf_reloc){
		.off = rela->r_offset,
		.type = (uint32_t)ELF64_R_TYPE(rela->r_info),
		.addend = rela->r_addend,
		.name = "",
	};
	if (ELF64_R_SYM(rela->r_info) >= img->symtab.n || !ELF64_R_SYM(rela->r_info))
		return;
	kelf_get_symbol(img, ELF64_R_SYM(rela->r_info), &sym);
	out->name = sym.type == STT_SECTION ? "" : sym.name;
	out->sec = sym.sec;
	out->value = sym.value;
	if (sym.sec)
		kelf_follow_opd(img, &out->sec, &out->value);
}

int kelf_load_relocs(struct kelf_image *img, struct mem *mem, uint32_t index, struct err *err)
{
	struct kelf_sec *sec = &img->sec[index];
	const Elf64_Rela *rela;
	bool sorted = true;
	Elf_Data *data;

	if (!sec->rela || sec->reloc)
		return 0;
	data = elf_getdata(elf_getscn(img->elf, sec->rela), NULL);
	if (!data || !data->d_buf || data->d_type != ELF_T_RELA)
		return err_at(err, img->name, 0, "relocation section '%.60s' is malformed",
			      img->sec[sec->rela].name);
	rela = data->d_buf;
	sec->nreloc = data->d_size / sizeof(*rela);
	sec->reloc = mem_alloc(mem, sec->nreloc, sizeof(*sec->reloc));
	for (size_t i = 0; i < sec->nreloc; i++) {
		fill_reloc(img, &rela[i], &sec->reloc[i]);
		sorted &= !i || sec->reloc[i].off >= sec->reloc[i - 1].off;
	}
	if (!sorted)
		qsort(sec->reloc, sec->nreloc, sizeof(*sec->reloc), by_offset);
	return 0;
}

const struct kelf_reloc *kelf_reloc_at(const struct kelf_sec *sec, uint64_t off)
{
	size_t lo = 0, hi = sec->nreloc;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (sec->reloc[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < sec->nreloc && sec->reloc[lo].off == off ? &sec->reloc[lo] : NULL;
}

static bool land(const struct kelf_image *img, uint32_t sec, uint64_t off, struct kelf_target *to)
{
	if (sec >= img->nsec || !img->sec[sec].code || off >= img->sec[sec].size)
		return false;
	to->sec = sec;
	to->sec_off = off;
	to->func = kelf_func_at(img, sec, off);
	if (to->func) {
		to->name = to->func->name;
		to->off = off - to->func->off;
		if (to->off == to->func->local_entry)
			to->off = 0;
	}
	return true;
}

static bool by_reloc(const struct kelf_image *img, const struct kelf_reloc *r,
		     struct kelf_target *to)
{
	if (!r->sec) {
		to->name = r->name;
		to->off = (uint64_t)r->addend;
		return *r->name;
	}
	if (!land(img, r->sec, r->value + (uint64_t)r->addend, to))
		return false;
	/* The linker sends a call that keeps the TOC to the local entry. */
	if (r->type == KELF_R_REL24 && to->func && to->sec_off == to->func->off)
		to->sec_off += to->func->local_entry;
	return true;
}

static bool is_branch_reloc(uint32_t type)
{
	return type == KELF_R_REL24 || type == KELF_R_REL24_NOTOC ||
	       type == KELF_R_REL24_P9NOTOC || type == KELF_R_REL14 ||
	       type == KELF_R_REL14_BRTAKEN || type == KELF_R_REL14_BRNTAKEN;
}

bool kelf_branch_target(const struct kelf_image *img, uint32_t sec, uint64_t off,
			const struct kelf_insn *insn, struct kelf_target *to)
{
	const struct kelf_sec *s = &img->sec[sec];
	const struct kelf_reloc *r = kelf_reloc_at(s, off);
	uint64_t place;
	uint32_t in;

	*to = (struct kelf_target){ 0 };
	if (insn->branch & KELF_BR_INDIRECT)
		return false;
	if (r && is_branch_reloc(r->type))
		return by_reloc(img, r, to);
	if (r)
		return false; /* whatever it means, the offset in the instruction isn't it */
	if (insn->branch & KELF_BR_ABS)
		return img->linked &&
		       kelf_locate(img, (uint64_t)(int64_t)insn->disp, &in, &place) &&
		       land(img, in, place, to);
	if (land(img, sec, off + (uint64_t)(int64_t)insn->disp, to))
		return true;
	/* A linked image's sections are one address space: .init.text calls into .text. */
	return img->linked &&
	       kelf_locate(img, s->addr + off + (uint64_t)(int64_t)insn->disp, &in, &place) &&
	       land(img, in, place, to);
}
