// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/symbols.h"

#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/fixup.h"

#define OPD_BYTES 24

static bool has_terminator(const struct kelf_image *img, size_t strings)
{
	return strings && strings < img->nsec && img->sec[strings].size &&
	       !img->sec[strings].bytes[img->sec[strings].size - 1];
}

int kelf_open_symtab(struct kelf_image *img, struct err *err)
{
	struct kelf_symtab *tab = &img->symtab;

	for (size_t i = 1; i < img->nsec; i++) {
		Elf_Scn *scn = elf_getscn(img->elf, i);
		Elf_Data *data;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || !img->sec[i].size ||
		    (sh.sh_type != SHT_SYMTAB && sh.sh_type != SHT_SYMTAB_SHNDX))
			continue;
		data = elf_getdata(scn, NULL);
		if (!data || !data->d_buf)
			return err_at(err, img->name, 0, "'%.60s' is malformed", img->sec[i].name);
		if (sh.sh_type == SHT_SYMTAB_SHNDX) {
			tab->xindex = data->d_buf;
			tab->nxindex = data->d_size / sizeof(*tab->xindex);
			continue;
		}
		if (tab->sym)
			return err_at(err, img->name, 0, "has two symbol tables");
		if (!has_terminator(img, sh.sh_link))
			return err_at(err, img->name, 0,
				      "the names of the symbols are missing or have no end");
		tab->sym = data->d_buf;
		tab->n = data->d_size / sizeof(*tab->sym);
		tab->strings = sh.sh_link;
	}
	return 0;
}

void kelf_get_symbol(const struct kelf_image *img, size_t i, struct kelf_sym *out)
{
	const struct kelf_symtab *tab = &img->symtab;
	const Elf64_Sym *sym = &tab->sym[i];
	const struct kelf_sec *strings = &img->sec[tab->strings];
	uint32_t sec = sym->st_shndx;

	if (sec == SHN_XINDEX)
		sec = i < tab->nxindex ? tab->xindex[i] : UINT32_MAX;
	else if (sec >= SHN_LORESERVE)
		sec = 0;
	*out = (struct kelf_sym){
		.name = sym->st_name < strings->size ?
			(const char *)strings->bytes + sym->st_name : "",
		.value = sym->st_value,
		.size = sym->st_size,
		.sec = sec < img->nsec ? sec : 0,
		.outside = sec >= img->nsec,
		.type = ELF64_ST_TYPE(sym->st_info),
		.bind = ELF64_ST_BIND(sym->st_info),
		.other = sym->st_other,
	};
	if (out->sec && img->linked)
		out->value -= img->sec[out->sec].addr;
}

bool kelf_follow_opd(const struct kelf_image *img, uint32_t *sec, uint64_t *off)
{
	const struct kelf_sec *opd = &img->sec[*sec];
	const struct kelf_reloc *r;

	if (img->abi != 1 || strcmp(opd->name, ".opd") || opd->size < 8 || *off > opd->size - 8)
		return false;
	if (img->linked)
		return kelf_locate(img, kelf_u64(img, opd->bytes + *off), sec, off);
	r = kelf_reloc_at(opd, *off);
	if (!r || r->type != KELF_R_ADDR64 || !r->sec || !img->sec[r->sec].code)
		return false;
	*sec = r->sec;
	*off = r->value + (uint64_t)r->addend;
	return *off < img->sec[*sec].size;
}

/* A place in code that has a name, before it is known whether a function starts there. */
struct mark {
	const char *name;
	uint64_t off, size;
	uint32_t sec;
	uint8_t rank, local_entry; /* lowest rank: the best name of its place */
	bool data;
};

static int by_place(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	if (x->off != y->off)
		return x->off < y->off ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	return strcmp(x->name, y->name);
}

static uint8_t local_entry(const struct kelf_image *img, const struct kelf_sym *sym)
{
	unsigned code = sym->other >> 5;

	return img->abi == 2 && code > 1 && code < 7 ? (uint8_t)(1u << code) : 0;
}

/* Whether a symbol names a place in code; the mark is filled if so. */
static bool mark_of(struct kelf_image *img, struct kelf_sym *sym, struct mark *m)
{
	if (sym->type != STT_FUNC && sym->type != STT_NOTYPE && sym->type != STT_OBJECT &&
	    sym->type != STT_GNU_IFUNC)
		return false;
	if (!*sym->name || !strncmp(sym->name, ".L", 2) || *sym->name == '$')
		return false;
	if (!sym->sec) {
		img->outside += sym->outside;
		return false;
	}
	if (sym->value > img->sec[sym->sec].size && img->sec[sym->sec].code) {
		img->outside++;
		return false;
	}
	if (!kelf_follow_opd(img, &sym->sec, &sym->value) && !img->sec[sym->sec].code)
		return false;
	if (sym->value >= img->sec[sym->sec].size || sym->value & 3)
		return false; /* "_etext": the end of a section */
	*m = (struct mark){ sym->name, sym->value, sym->size, sym->sec };
	m->local_entry = local_entry(img, sym);
	m->data = sym->type == STT_OBJECT;
	m->rank = (uint8_t)((sym->size ? 0 : 8) + (sym->type == STT_NOTYPE ? 4 : 0) +
			    (sym->bind == STB_LOCAL ? 2 : 0) + (*sym->name == '.' ? 1 : 0));
	return true;
}

static void add_func(struct kelf_image *img, const struct mark *m)
{
	uint64_t left = img->sec[m->sec].size - m->off;

	img->func[img->nfunc++] = (struct kelf_func){
		.name = m->name,
		.sec = m->sec,
		.off = m->off,
		.size = m->size < left ? m->size : left,
		.sized = m->size != 0,
		.data = m->data,
		.local_entry = m->local_entry,
	};
}

/*
 * Places become functions: a sized one holds all up to its end, save that
 * another sized one inside it cuts it short; one without size reaches to the
 * next place that has a name.
 */
static void make_funcs(struct kelf_image *img, const struct mark *mark, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct kelf_func *f = img->nfunc ? &img->func[img->nfunc - 1] : NULL;
		const struct mark *m = &mark[i];

		if (f && f->sec == m->sec && f->off == m->off)
			continue;
		if (f && f->sec == m->sec && f->sized && m->off - f->off < f->size) {
			if (!m->size)
				continue;
			f->size = m->off - f->off;
		}
		if (f && f->sec == m->sec && !f->sized)
			f->size = m->off - f->off;
		if (f && f->sec != m->sec && !f->sized)
			f->size = img->sec[f->sec].size - f->off;
		add_func(img, m);
	}
	if (img->nfunc && !img->func[img->nfunc - 1].sized) {
		struct kelf_func *f = &img->func[img->nfunc - 1];

		f->size = img->sec[f->sec].size - f->off;
	}
}

/* Alternatives follow the code of their object: they are not part of the last symbol's code. */
static void cut_alternatives(struct kelf_image *img)
{
	for (size_t i = 0; i < img->nfixup; i++) {
		const struct kelf_fixup *fix = &img->fixup[i];
		struct kelf_func *f;

		if (!fix->alt_sec || fix->alt_start == fix->alt_end)
			continue;
		f = (struct kelf_func *)kelf_func_at(img, fix->alt_sec, fix->alt_start);
		if (f && !f->sized && fix->alt_start > f->off)
			f->size = fix->alt_start - f->off;
	}
}

static void find_mcount(struct kelf_image *img)
{
	uint64_t off;
	const struct kelf_func *f = kelf_func_named(img, "_mcount", &off);

	if (f) {
		img->mcount_sec = f->sec;
		img->mcount_off = f->off + off;
	}
}

int kelf_load_symbols(struct kelf_image *img, struct mem *mem, struct err *err)
{
	struct mark *mark;
	size_t n = 0;

	if (!img->symtab.n)
		return err_at(err, img->name, 0,
			      "has no symbol table: a stripped file cannot be read");
	mark = mem_zalloc(img->symtab.n, sizeof(*mark));
	for (size_t i = 1; i < img->symtab.n; i++) {
		struct kelf_sym sym;

		kelf_get_symbol(img, i, &sym);
		n += mark_of(img, &sym, &mark[n]);
	}
	qsort(mark, n, sizeof(*mark), by_place);
	img->func = mem_alloc(mem, n, sizeof(*img->func));
	img->label = mem_alloc(mem, n, sizeof(*img->label));
	for (size_t i = 0; i < n; i++)
		img->label[i] = (struct kelf_label){ mark[i].name, mark[i].sec, mark[i].off };
	img->nlabel = n;
	make_funcs(img, mark, n);
	free(mark);
	cut_alternatives(img);
	find_mcount(img);
	return 0;
}

const struct kelf_func *kelf_func_at(const struct kelf_image *img, uint32_t sec, uint64_t off)
{
	size_t lo = 0, hi = img->nfunc;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct kelf_func *f = &img->func[mid];

		if (f->sec < sec || (f->sec == sec && f->off <= off))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || img->func[lo - 1].sec != sec ||
	    off - img->func[lo - 1].off >= img->func[lo - 1].size)
		return NULL;
	return &img->func[lo - 1];
}

const struct kelf_func *kelf_func_named(const struct kelf_image *img, const char *name,
					uint64_t *off)
{
	for (size_t i = 0; i < img->nlabel; i++) {
		const struct kelf_func *f;

		if (strcmp(img->label[i].name, name))
			continue;
		f = kelf_func_at(img, img->label[i].sec, img->label[i].off);
		if (f)
			*off = img->label[i].off - f->off;
		return f;
	}
	return NULL;
}

size_t kelf_stem(const char *name)
{
	static const char *const suffixes[] = { ".isra", ".constprop", ".part", ".cold", ".llvm",
						".lto_priv" };
	size_t len = strlen(name);

	for (const char *dot = strchr(name + (*name == '.'), '.'); dot; dot = strchr(dot + 1, '.'))
		for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
			size_t n = strlen(suffixes[i]);

			if (!strncmp(dot, suffixes[i], n) && (!dot[n] || dot[n] == '.'))
				return (size_t)(dot - name);
		}
	return len;
}
