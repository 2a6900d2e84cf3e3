// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jump labels. An entry of Linux 5.19 and later is {s32 code, s32 target, s64 key}, each
 * relative to itself; before, three absolute addresses of 8 bytes. In an object each field
 * has a relocation; in vmlinux the table lies in .rodata between two symbols.
 */
#include <stdlib.h>
#include <string.h>

#include "elf/live.h"
#include "elf/symbols.h"

#define RELATIVE_BYTES 16
#define ABSOLUTE_BYTES 24

/* Variables, to name keys by: sorted by section and offset. */
struct object {
	uint32_t sec;
	uint64_t off, size;
	const char *name;
};

struct table {
	struct kelf_image *img;
	uint32_t sec;
	uint64_t start, end; /* in the section */
	struct object *object;
	size_t nobject;
};

static int object_order(const void *a, const void *b)
{
	const struct object *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	return x->off < y->off ? -1 : x->off > y->off;
}

static int jump_order(const void *a, const void *b)
{
	const struct kelf_jump *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec < y->sec ? -1 : 1;
	return x->off < y->off ? -1 : x->off > y->off;
}

/* Collect variables, and where the table is. False when the image has none. */
static bool scan_symbols(struct table *t)
{
	const struct kelf_image *img = t->img;
	const struct kelf_sec *sec = kelf_section(img, "__jump_table");
	bool start = false, end = false;

	if (sec) {
		t->sec = (uint32_t)(sec - img->sec);
		t->end = sec->size;
		start = end = true;
	}
	t->object = mem_zalloc(img->symtab.n + 1, sizeof(*t->object));
	for (size_t i = 1; i < img->symtab.n; i++) {
		struct kelf_sym sym;

		kelf_get_symbol(img, i, &sym);
		if (sym.type == STT_OBJECT && sym.sec && sym.size)
			t->object[t->nobject++] =
				(struct object){ sym.sec, sym.value, sym.size, sym.name };
		if (!sec && sym.sec && !strcmp(sym.name, "__start___jump_table")) {
			t->sec = sym.sec;
			t->start = sym.value;
			start = true;
		}
		if (!sec && sym.sec && !strcmp(sym.name, "__stop___jump_table")) {
			t->end = sym.value;
			end = true;
		}
	}
	qsort(t->object, t->nobject, sizeof(*t->object), object_order);
	return start && end && t->start <= t->end && t->end <= img->sec[t->sec].size;
}

static void name_key(const struct table *t, uint32_t sec, uint64_t off, struct kelf_jump *j)
{
	size_t lo = 0, hi = t->nobject;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->object[mid].sec < sec ||
		    (t->object[mid].sec == sec && t->object[mid].off <= off))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || t->object[lo - 1].sec != sec ||
	    off - t->object[lo - 1].off >= t->object[lo - 1].size)
		return;
	j->key = t->object[lo - 1].name;
	j->key_off = off - t->object[lo - 1].off;
}

/* Any section that holds an address: keys are data. */
static bool locate_data(const struct kelf_image *img, uint64_t addr, uint32_t *sec, uint64_t *off)
{
	for (uint32_t i = 1; i < img->nsec; i++)
		if (img->sec[i].addr && addr - img->sec[i].addr < img->sec[i].room) {
			*sec = i;
			*off = addr - img->sec[i].addr;
			return true;
		}
	return false;
}

static bool read_linked(const struct table *t, uint64_t at, bool absolute, struct kelf_jump *j)
{
	const struct kelf_image *img = t->img;
	const struct kelf_sec *sec = &img->sec[t->sec];
	const uint8_t *p = sec->bytes + at;
	uint64_t here = sec->addr + at, code, target, key;
	uint32_t key_sec;
	uint64_t key_off;

	if (absolute) {
		code = kelf_u64(img, p);
		target = kelf_u64(img, p + 8);
		key = kelf_u64(img, p + 16);
	} else {
		code = here + (uint64_t)(int64_t)(int32_t)kelf_u32(img, p);
		target = here + 4 + (uint64_t)(int64_t)(int32_t)kelf_u32(img, p + 4);
		key = here + 8 + kelf_u64(img, p + 8);
	}
	j->branch = key & 1;
	if (!kelf_locate(img, code, &j->sec, &j->off) ||
	    !kelf_locate(img, target, &j->target_sec, &j->target))
		return false;
	if (locate_data(img, key & ~(uint64_t)3, &key_sec, &key_off))
		name_key(t, key_sec, key_off, j);
	return true;
}

static bool read_object(const struct table *t, uint64_t at, bool absolute, struct kelf_jump *j)
{
	const struct kelf_image *img = t->img;
	const struct kelf_sec *sec = &img->sec[t->sec];
	const struct kelf_reloc *code = kelf_reloc_at(sec, at);
	const struct kelf_reloc *target = kelf_reloc_at(sec, at + (absolute ? 8 : 4));
	const struct kelf_reloc *key = kelf_reloc_at(sec, at + (absolute ? 16 : 8));
	uint64_t off;

	if (!code || !target || !key || !code->sec || !target->sec)
		return false;
	j->sec = code->sec;
	j->off = code->value + (uint64_t)code->addend;
	j->target_sec = target->sec;
	j->target = target->value + (uint64_t)target->addend;
	off = key->value + (uint64_t)key->addend;
	j->branch = off & 1;
	if (!key->sec) {
		j->key = key->name;
		j->key_off = (uint64_t)key->addend & ~(uint64_t)3;
	} else {
		name_key(t, key->sec, off & ~(uint64_t)3, j);
	}
	return img->sec[j->sec].code && j->off < img->sec[j->sec].size &&
	       img->sec[j->target_sec].code && j->target < img->sec[j->target_sec].size;
}

/* Which of the two layouts: an object's relocations say it, in vmlinux what the first entry fits. */
static bool is_absolute(const struct table *t)
{
	struct kelf_jump j = { .key = "" };
	const struct kelf_reloc *r;

	if (!t->img->linked) {
		r = kelf_reloc_at(&t->img->sec[t->sec], t->start);
		return r && r->type == KELF_R_ADDR64;
	}
	return t->end - t->start >= ABSOLUTE_BYTES && !read_linked(t, t->start, false, &j);
}

int kelf_load_jumps(struct kelf_image *img, struct mem *mem, struct err *err)
{
	struct table t = { .img = img };
	bool absolute;
	uint64_t step;

	if (img->jump)
		return 0;
	img->jump = mem_alloc(mem, 0, sizeof(*img->jump));
	if (!scan_symbols(&t)) {
		free(t.object);
		return 0;
	}
	if (kelf_load_relocs(img, mem, t.sec, err) < 0) {
		free(t.object);
		return -1;
	}
	absolute = is_absolute(&t);
	step = absolute ? ABSOLUTE_BYTES : RELATIVE_BYTES;
	img->jump = mem_alloc(mem, (t.end - t.start) / step, sizeof(*img->jump));
	for (uint64_t at = t.start; at + step <= t.end; at += step) {
		struct kelf_jump j = { .key = "" };

		if (img->linked ? read_linked(&t, at, absolute, &j)
				: read_object(&t, at, absolute, &j))
			img->jump[img->njump++] = j;
	}
	qsort(img->jump, img->njump, sizeof(*img->jump), jump_order);
	free(t.object);
	return 0;
}
