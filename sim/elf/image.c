// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "elf/image.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/fixup.h"
#include "elf/symbols.h"

uint32_t kelf_u32(const struct kelf_image *img, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return img->big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? v : __builtin_bswap32(v);
}

uint64_t kelf_u64(const struct kelf_image *img, const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return img->big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? v : __builtin_bswap64(v);
}

static int read_header(struct kelf_image *img, struct err *err)
{
	GElf_Ehdr eh;

	if (elf_kind(img->elf) != ELF_K_ELF || !gelf_getehdr(img->elf, &eh))
		return err_at(err, img->name, 0, "is not an ELF file: expected vmlinux, .ko or .o");
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_machine != EM_PPC64)
		return err_at(err, img->name, 0,
			      "is ELF for another machine (class %u, machine %u): expected 64-bit "
			      "PowerPC", eh.e_ident[EI_CLASS], eh.e_machine);
	if (eh.e_type != ET_REL && eh.e_type != ET_EXEC && eh.e_type != ET_DYN)
		return err_at(err, img->name, 0,
			      "is ELF of type %u: expected an object, a module or vmlinux",
			      eh.e_type);
	img->big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	img->linked = eh.e_type != ET_REL;
	img->abi = eh.e_flags & 3;
	return 0;
}

static int read_section(struct kelf_image *img, size_t i, const char *bytes, size_t len,
			size_t strings, struct err *err)
{
	Elf_Scn *scn = elf_getscn(img->elf, i);
	struct kelf_sec *sec = &img->sec[i];
	const char *name;
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh))
		return err_at(err, img->name, 0, "section %zu has no readable header", i);
	name = elf_strptr(img->elf, strings, sh.sh_name);
	sec->name = name ? name : "";
	sec->addr = sh.sh_addr;
	sec->room = sh.sh_flags & SHF_ALLOC ? sh.sh_size : 0;
	if (sh.sh_type == SHT_NOBITS || sh.sh_type == SHT_NULL)
		return 0;
	if (sh.sh_offset > len || sh.sh_size > len - sh.sh_offset)
		return err_at(
			err, img->name, 0,
			"section %zu '%.60s' reaches past the end of the file: is it cut short?", i,
			sec->name);
	if (img->linked && sh.sh_addr + sh.sh_size < sh.sh_addr)
		return err_at(err, img->name, 0, "section %zu '%.60s' wraps the address space", i,
			      sec->name);
	if (sh.sh_flags & SHF_COMPRESSED && sh.sh_flags & SHF_ALLOC)
		return err_at(err, img->name, 0, "section %zu '%.60s' is compressed code or data",
			      i, sec->name);
	sec->size = sh.sh_size;
	sec->bytes = (const uint8_t *)bytes + sh.sh_offset;
	sec->code = sh.sh_type == SHT_PROGBITS && sh.sh_flags & SHF_EXECINSTR &&
		    sh.sh_flags & SHF_ALLOC;
	return 0;
}

static int by_bytes(const void *a, const void *b)
{
	const struct kelf_sec *x = *(const struct kelf_sec *const *)a;
	const struct kelf_sec *y = *(const struct kelf_sec *const *)b;

	return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Sections that share bytes would make work without bound out of a small file. */
static int check_overlap(struct kelf_image *img, struct err *err)
{
	const struct kelf_sec **order = mem_zalloc(img->nsec, sizeof(*order));
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < img->nsec; i++)
		if (img->sec[i].size)
			order[n++] = &img->sec[i];
	qsort(order, n, sizeof(*order), by_bytes);
	for (size_t i = 1; i < n && !rc; i++)
		if (order[i]->bytes < order[i - 1]->bytes + order[i - 1]->size)
			rc = err_at(err, img->name, 0, "sections '%.60s' and '%.60s' overlap",
				    order[i - 1]->name, order[i]->name);
	free(order);
	return rc;
}

/* A table of relocations is about code or data, not about itself or another one. */
static bool may_be_relocated(const struct kelf_image *img, size_t target)
{
	GElf_Shdr sh;

	return target && target < img->nsec && gelf_getshdr(elf_getscn(img->elf, target), &sh) &&
	       sh.sh_type != SHT_RELA && sh.sh_type != SHT_SYMTAB && sh.sh_type != SHT_STRTAB;
}

static int link_relocs(struct kelf_image *img, struct err *err)
{
	for (size_t i = 1; i < img->nsec; i++) {
		GElf_Shdr sh;

		if (!gelf_getshdr(elf_getscn(img->elf, i), &sh) || sh.sh_type != SHT_RELA ||
		    img->linked || !img->sec[i].size)
			continue;
		if (!may_be_relocated(img, sh.sh_info))
			return err_at(err, img->name, 0,
				      "relocation section '%.60s' applies to no section",
				      img->sec[i].name);
		img->sec[sh.sh_info].rela = (uint32_t)i;
	}
	return 0;
}

static int by_address(const void *a, const void *b, void *ctx)
{
	const struct kelf_sec *sec = ctx;
	uint64_t x = sec[*(const uint32_t *)a].addr, y = sec[*(const uint32_t *)b].addr;

	return x < y ? -1 : x > y;
}

static void sort_code(struct kelf_image *img, struct mem *mem)
{
	img->by_addr = mem_alloc(mem, img->nsec, sizeof(*img->by_addr));
	for (uint32_t i = 1; i < img->nsec; i++)
		if (img->sec[i].code && img->sec[i].size)
			img->by_addr[img->ncode++] = i;
	qsort_r(img->by_addr, img->ncode, sizeof(*img->by_addr), by_address, img->sec);
}

static int read_sections(struct kelf_image *img, struct mem *mem, char *bytes, size_t len,
			 struct err *err)
{
	size_t strings;

	if (elf_getshdrnum(img->elf, &img->nsec) || elf_getshdrstrndx(img->elf, &strings))
		return err_at(err, img->name, 0,
			      "the section headers are unreadable: is it cut short?");
	if (img->nsec < 2)
		return err_at(err, img->name, 0, "has no sections: a stripped file cannot be read");
	img->sec = mem_alloc(mem, img->nsec, sizeof(*img->sec));
	for (size_t i = 1; i < img->nsec; i++)
		if (read_section(img, i, bytes, len, strings, err) < 0)
			return -1;
	if (check_overlap(img, err) < 0)
		return -1;
	sort_code(img, mem);
	return link_relocs(img, err);
}

int kelf_image_init(struct kelf_image *img, struct mem *mem, const char *name, char *bytes,
		    size_t len, struct err *err)
{
	const struct kelf_sec *opd;

	*img = (struct kelf_image){ .name = name };
	elf_version(EV_CURRENT);
	img->elf = elf_memory(bytes, len);
	if (!img->elf)
		return err_at(err, name, 0, "is not an ELF file: expected vmlinux, .ko or .o");
	if (read_header(img, err) < 0 || read_sections(img, mem, bytes, len, err) < 0)
		return -1;
	if (kelf_open_symtab(img, err) < 0)
		return -1;
	opd = kelf_section(img, ".opd");
	if (!img->abi)
		img->abi = opd ? 1 : 2;
	/* Descriptors first: a relocation of code may name one. */
	if (opd && kelf_load_relocs(img, mem, (uint32_t)(opd - img->sec), err) < 0)
		return -1;
	for (uint32_t i = 1; i < img->nsec; i++)
		if (img->sec[i].code && kelf_load_relocs(img, mem, i, err) < 0)
			return -1;
	if (kelf_load_fixups(img, mem, err) < 0 || kelf_load_lwsync(img, mem, err) < 0)
		return -1;
	return kelf_load_symbols(img, mem, err);
}

void kelf_image_done(struct kelf_image *img)
{
	if (img->elf)
		elf_end(img->elf);
	img->elf = NULL;
}

const struct kelf_sec *kelf_section(const struct kelf_image *img, const char *name)
{
	for (size_t i = 1; i < img->nsec; i++)
		if (!strcmp(img->sec[i].name, name))
			return &img->sec[i];
	return NULL;
}

bool kelf_locate(const struct kelf_image *img, uint64_t addr, uint32_t *sec, uint64_t *off)
{
	size_t lo = 0, hi = img->ncode;
	const struct kelf_sec *s;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (img->sec[img->by_addr[mid]].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return false;
	s = &img->sec[img->by_addr[lo - 1]];
	if (addr - s->addr >= s->size)
		return false;
	*sec = img->by_addr[lo - 1];
	*off = addr - s->addr;
	return true;
}

struct kelf_insn kelf_insn_at(const struct kelf_image *img, const struct kelf_sec *sec,
			      uint64_t off)
{
	const uint8_t *p = sec->bytes + off;
	bool next = sec->size - off >= 8;

	return kelf_decode(kelf_u32(img, p), next ? kelf_u32(img, p + 4) : 0, next);
}
