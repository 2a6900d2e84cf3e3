// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/live.h"

#include <string.h>

#define KEY_BYTES 16 /* struct static_key */

static const struct kelf_jump *jump_at(const struct kelf_image *img, uint32_t sec, uint64_t off)
{
	size_t lo = 0, hi = img->njump;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct kelf_jump *j = &img->jump[mid];

		if (j->sec < sec || (j->sec == sec && j->off < off))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < img->njump && img->jump[lo].sec == sec && img->jump[lo].off == off ?
	       &img->jump[lo] : NULL;
}

/*
 * Whether a site jumps. Keys of CPU and MMU features follow the features; keys
 * with a state given follow it; for all others the file has the initial state.
 */
static bool site_jumps(const struct kelf_live *live, const struct kelf_jump *j, bool in_file)
{
	uint64_t index = j->key_off / KEY_BYTES;

	for (size_t i = 0; i < live->nkey; i++) {
		struct kelf_key *key = &live->key[i];

		if (strcmp(key->name, j->key) || (key->index >= 0 && (uint64_t)key->index != index))
			continue;
		key->used++;
		return key->on != j->branch;
	}
	if (!strcmp(j->key, "cpu_feature_keys") && index < 64)
		return (live->feature[KELF_FTR_CPU] >> index & 1) != j->branch;
	if (!strcmp(j->key, "mmu_feature_keys") && index < 64)
		return (live->feature[KELF_FTR_MMU] >> index & 1) != j->branch;
	return in_file;
}

/* The last feature section on a place that replaces its code, or NULL: later entries win. */
static const struct kelf_fixup *replaced(const struct kelf_image *img,
					 const struct kelf_live *live, uint32_t sec, uint64_t off)
{
	const struct kelf_fixup *found = NULL;

	for (size_t i = 0; i < img->nfixup; i++) {
		const struct kelf_fixup *fix = &img->fixup[i];

		if (fix->sec == sec && off >= fix->start && off < fix->end &&
		    (live->feature[fix->which] & fix->mask) != fix->value)
			found = fix;
	}
	return found;
}

static struct kelf_live_insn nop_at(uint32_t sec, uint64_t off)
{
	return (struct kelf_live_insn){
		.insn = { .class = KELF_WORK, .size = 4 }, .nop = true, .sec = sec, .off = off };
}

struct kelf_live_insn kelf_live_at(const struct kelf_image *img, const struct kelf_live *live,
				   const struct kelf_func *f, uint64_t off)
{
	struct kelf_live_insn li = { .sec = f->sec, .off = f->off + off };
	const struct kelf_fixup *fix = replaced(img, live, li.sec, li.off);
	const struct kelf_jump *j;

	if (fix) {
		li.off = fix->alt_start + (li.off - fix->start);
		if (li.off >= fix->alt_end || img->sec[fix->alt_sec].size - li.off < 4)
			return nop_at(f->sec, f->off + off);
		li.sec = fix->alt_sec;
	}
	li.insn = kelf_insn_at(img, &img->sec[li.sec], li.off);
	j = jump_at(img, li.sec, li.off);
	if (j) {
		bool jumps = site_jumps(live, j, li.insn.class == KELF_BRANCH);

		li = nop_at(li.sec, li.off);
		if (!jumps)
			return li;
		li.nop = false;
		li.insn.class = KELF_BRANCH;
		li.jump = j;
	}
	if (kelf_becomes_lwsync(img, li.sec, li.off))
		li.insn = (struct kelf_insn){ .class = KELF_LWSYNC, .size = 4, .level = 1 };
	if (!fix && kelf_calls_mcount(img, f, off, &li.insn))
		return nop_at(li.sec, li.off);
	return li;
}

bool kelf_live_target(const struct kelf_image *img, const struct kelf_live_insn *li,
		      struct kelf_target *to)
{
	if (!li->jump)
		return kelf_branch_target(img, li->sec, li->off, &li->insn, to);
	*to = (struct kelf_target){ .sec = li->jump->target_sec, .sec_off = li->jump->target };
	to->func = kelf_func_at(img, to->sec, to->sec_off);
	if (to->func) {
		to->name = to->func->name;
		to->off = to->sec_off - to->func->off;
	}
	return true;
}
