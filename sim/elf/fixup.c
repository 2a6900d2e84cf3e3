// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/fixup.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY_BYTES 48

/*
 * One of the four fields of an entry that say where code is. In an object the
 * relocation gives symbol + addend, and the addend counts from the start of
 * the entry as well as from the field: the code is at S + A - (field - entry).
 * In a linked image the field is relative to the entry.
 */
static bool read_place(const struct kelf_image *img, const struct kelf_sec *table, uint64_t entry,
		       unsigned field, uint32_t *sec, uint64_t *off)
{
	const struct kelf_reloc *r;
	uint64_t end = 0;

	if (img->linked) {
		end = table->addr + entry + kelf_u64(img, table->bytes + entry + field);
		/* The end of a section is no address in it: look up the byte before. */
		if (kelf_locate(img, end, sec, off))
			return true;
		if (!kelf_locate(img, end - 4, sec, off))
			return false;
		*off += 4;
		return true;
	}
	r = kelf_reloc_at(table, entry + field);
	if (!r || r->type != KELF_R_REL64 || !r->sec)
		return false;
	*sec = r->sec;
	*off = r->value + (uint64_t)r->addend - field;
	return *off <= img->sec[*sec].size;
}

static bool read_entry(const struct kelf_image *img, const struct kelf_sec *table, uint64_t entry,
		       struct kelf_fixup *fix)
{
	uint32_t end_sec, alt_end_sec;

	fix->mask = kelf_u64(img, table->bytes + entry);
	fix->value = kelf_u64(img, table->bytes + entry + 8);
	if (!read_place(img, table, entry, 16, &fix->sec, &fix->start) ||
	    !read_place(img, table, entry, 24, &end_sec, &fix->end) || end_sec != fix->sec ||
	    fix->start > fix->end || !img->sec[fix->sec].code)
		return false;
	if (!read_place(img, table, entry, 32, &fix->alt_sec, &fix->alt_start) ||
	    !read_place(img, table, entry, 40, &alt_end_sec, &fix->alt_end) ||
	    alt_end_sec != fix->alt_sec || fix->alt_start > fix->alt_end ||
	    !img->sec[fix->alt_sec].code)
		fix->alt_sec = 0, fix->alt_start = fix->alt_end = 0;
	return true;
}

int kelf_load_fixups(struct kelf_image *img, struct mem *mem, struct err *err)
{
	static const char *const names[] = { "__ftr_fixup", "__mmu_ftr_fixup", "__fw_ftr_fixup" };
	const struct kelf_sec *table[3];
	size_t n = 0;

	for (unsigned k = 0; k < 3; k++) {
		table[k] = kelf_section(img, names[k]);
		if (!table[k])
			continue;
		if (kelf_load_relocs(img, mem, (uint32_t)(table[k] - img->sec), err) < 0)
			return -1;
		n += table[k]->size / ENTRY_BYTES;
	}
	img->fixup = mem_alloc(mem, n, sizeof(*img->fixup));
	for (unsigned k = 0; k < 3; k++)
		for (uint64_t e = 0; table[k] && e + ENTRY_BYTES <= table[k]->size;
		     e += ENTRY_BYTES) {
			struct kelf_fixup fix = { .which = k };

			if (read_entry(img, table[k], e, &fix))
				img->fixup[img->nfixup++] = fix;
		}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct kelf_place *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	return x->off < y->off ? -1 : x->off > y->off;
}

int kelf_load_lwsync(struct kelf_image *img, struct mem *mem, struct err *err)
{
	const struct kelf_sec *table = kelf_section(img, "__lwsync_fixup");

	if (!table)
		return 0;
	if (kelf_load_relocs(img, mem, (uint32_t)(table - img->sec), err) < 0)
		return -1;
	img->lwsync = mem_alloc(mem, table->size / 8, sizeof(*img->lwsync));
	for (uint64_t at = 0; at + 8 <= table->size; at += 8) {
		struct kelf_place *p = &img->lwsync[img->nlwsync];

		img->nlwsync += read_place(img, table, at, 0, &p->sec, &p->off);
	}
	qsort(img->lwsync, img->nlwsync, sizeof(*img->lwsync), by_place);
	return 0;
}

bool kelf_becomes_lwsync(const struct kelf_image *img, uint32_t sec, uint64_t off)
{
	const struct kelf_place key = { sec, off };

	return img->nlwsync && bsearch(&key, img->lwsync, img->nlwsync, sizeof(key), by_place);
}
