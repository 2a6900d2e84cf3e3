// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/flow.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct block {
	uint32_t first, last; /* instructions, by index */
	uint32_t succ[2];     /* taken, fall through: blocks, or the exit block, or NONE */
};

struct kelf_flow {
	uint32_t n;          /* instructions */
	uint32_t *block_of;  /* by instruction */
	struct block *block; /* the last one is the exit */
	uint32_t nblock;
	size_t words;
	uint64_t *pdom;      /* nblock rows of bits: blocks that every way to the exit meets */
	bool *ends;          /* block can reach the exit: endless loops can't */
	uint64_t *closure;   /* blocks that closure_of depends on */
	uint32_t closure_of; /* block, or NONE */
};

static bool has(const uint64_t *row, uint32_t i)
{
	return row[i / 64] >> (i % 64) & 1;
}

static void put(uint64_t *row, uint32_t i)
{
	row[i / 64] |= UINT64_C(1) << (i % 64);
}

/* What an instruction does to the flow inside the function. */
struct step {
	bool ends;       /* a block */
	bool falls;      /* may go on to the next instruction */
	uint32_t target; /* instruction in the function, or NONE */
	bool leaves;     /* its other way is out of the function */
};

static struct step step_of(const struct kelf_image *img, const struct kelf_live *live,
			   const struct kelf_func *f, uint64_t off)
{
	struct kelf_live_insn li = kelf_live_at(img, live, f, off);
	struct step s = { .falls = true, .target = NONE };
	struct kelf_target to;

	if (li.nop)
		return s;
	switch (li.insn.class) {
	case KELF_RFID:
	case KELF_HRFID:
	case KELF_RFSCV:
		return (struct step){ .ends = true, .leaves = true, .target = NONE };
	case KELF_BRANCH:
		break;
	default:
		if (li.insn.branch & KELF_BR_TRAP)
			return (struct step){ .ends = true, .target = NONE };
		return s;
	}
	s.ends = true;
	s.falls = li.insn.branch & KELF_BR_COND;
	if (!(li.insn.branch & KELF_BR_INDIRECT) && kelf_live_target(img, &li, &to) &&
	    to.sec == f->sec && to.sec_off - f->off < f->size)
		s.target = (uint32_t)((to.sec_off - f->off) / 4);
	else
		s.leaves = true;
	return s;
}

static void mark_leaders(struct kelf_flow *w, const struct step *step, bool *leader)
{
	leader[0] = true;
	for (uint32_t i = 0; i < w->n; i++) {
		if (step[i].target != NONE)
			leader[step[i].target] = true;
		if (step[i].ends && i + 1 < w->n)
			leader[i + 1] = true;
	}
}

static void make_blocks(struct kelf_flow *w, struct mem *mem, const struct step *step,
			const bool *leader)
{
	uint32_t n = 0, exit_block;

	for (uint32_t i = 0; i < w->n; i++)
		n += leader[i];
	w->nblock = n + 1;
	exit_block = n;
	w->block = mem_alloc(mem, w->nblock, sizeof(*w->block));
	w->block_of = mem_alloc(mem, w->n, sizeof(*w->block_of));
	n = 0;
	for (uint32_t i = 0; i < w->n; i++) {
		if (leader[i])
			w->block[n++].first = i;
		w->block_of[i] = n - 1;
		w->block[n - 1].last = i;
	}
	for (uint32_t b = 0; b < n; b++) {
		const struct step *s = &step[w->block[b].last];
		uint32_t next = b + 1; /* the exit block, after the last */

		w->block[b].succ[0] = s->target != NONE ? w->block_of[s->target] :
				      s->leaves ? exit_block : NONE;
		w->block[b].succ[1] = s->falls ? next : NONE;
	}
	w->block[exit_block] = (struct block){ w->n, w->n, { NONE, NONE } };
}

/* Post-dominators by iteration from all bits set: few rounds for code of compilers. */
static void post_dominators(struct kelf_flow *w, struct mem *mem)
{
	uint64_t *meet = mem_zalloc(w->words, sizeof(*meet));
	bool changed = true;

	w->pdom = mem_alloc(mem, w->nblock * w->words, sizeof(*w->pdom));
	memset(w->pdom, 0xff, w->nblock * w->words * sizeof(*w->pdom));
	memset(w->pdom + (w->nblock - 1) * w->words, 0, w->words * sizeof(*w->pdom));
	put(w->pdom + (w->nblock - 1) * w->words, w->nblock - 1);
	while (changed) {
		changed = false;
		for (uint32_t b = w->nblock - 1; b-- > 0;) {
			uint64_t *row = w->pdom + b * w->words;

			memset(meet, 0xff, w->words * sizeof(*meet));
			for (unsigned k = 0; k < 2; k++)
				for (size_t i = 0; w->block[b].succ[k] != NONE && i < w->words; i++)
					meet[i] &= w->pdom[w->block[b].succ[k] * w->words + i];
			put(meet, b);
			if (memcmp(meet, row, w->words * sizeof(*meet))) {
				memcpy(row, meet, w->words * sizeof(*meet));
				changed = true;
			}
		}
	}
	free(meet);
}

static void find_ends(struct kelf_flow *w, struct mem *mem)
{
	bool changed = true;

	w->ends = mem_alloc(mem, w->nblock, sizeof(*w->ends));
	w->ends[w->nblock - 1] = true;
	while (changed) {
		changed = false;
		for (uint32_t b = w->nblock - 1; b-- > 0;)
			for (unsigned k = 0; k < 2; k++)
				if (!w->ends[b] && w->block[b].succ[k] != NONE &&
				    w->ends[w->block[b].succ[k]])
					changed = w->ends[b] = true;
	}
}

struct kelf_flow *kelf_flow_new(struct mem *mem, const struct kelf_image *img,
				const struct kelf_live *live, const struct kelf_func *f)
{
	struct kelf_flow *w = mem_alloc(mem, 1, sizeof(*w));
	struct step *step;
	bool *leader;

	w->n = (uint32_t)(f->size / 4);
	if (!w->n || f->size / 4 > KELF_FLOW_INSNS_MAX)
		return NULL;
	step = mem_zalloc(w->n, sizeof(*step));
	leader = mem_zalloc(w->n, sizeof(*leader));
	for (uint32_t i = 0; i < w->n; i++)
		step[i] = step_of(img, live, f, (uint64_t)i * 4);
	mark_leaders(w, step, leader);
	make_blocks(w, mem, step, leader);
	w->words = (w->nblock + 63) / 64;
	post_dominators(w, mem);
	find_ends(w, mem);
	w->closure = mem_alloc(mem, w->words, sizeof(*w->closure));
	w->closure_of = NONE;
	free(step);
	free(leader);
	return w;
}

/*
 * Word i of the blocks that one way out of block b surely meets and the other doesn't:
 * these it decides about. *taken gets those on the taken way.
 */
static uint64_t decided(const struct kelf_flow *w, uint32_t b, size_t i, uint64_t *taken)
{
	const struct block *block = &w->block[b];
	uint32_t t = block->succ[0], f = block->succ[1];
	uint64_t fall;

	*taken = 0;
	if (t == NONE || f == NONE)
		return 0;
	*taken = w->ends[t] ? w->pdom[t * w->words + i] : 0;
	fall = w->ends[f] ? w->pdom[f * w->words + i] : 0;
	return *taken ^ fall;
}

/* The way out of block b that leads to block x for sure while the other doesn't: 1, 0, or -1. */
static int way_to(const struct kelf_flow *w, uint32_t b, uint32_t x)
{
	uint64_t taken, bit = UINT64_C(1) << (x % 64);

	if (!(decided(w, b, x / 64, &taken) & bit))
		return -1;
	return taken & bit ? 1 : 0;
}

/* The same for any block of the closure. */
static int way_to_any(const struct kelf_flow *w, uint32_t b)
{
	for (size_t i = 0; i < w->words; i++) {
		uint64_t taken, hit = decided(w, b, i, &taken) & w->closure[i];

		if (hit)
			return taken & hit & -hit ? 1 : 0;
	}
	return -1;
}

/* The blocks whose branches decide whether x runs, and those that decide about them. */
static void make_closure(struct kelf_flow *w, uint32_t x)
{
	bool grew = true;

	if (w->closure_of == x)
		return;
	w->closure_of = x;
	memset(w->closure, 0, w->words * sizeof(*w->closure));
	put(w->closure, x);
	while (grew) {
		grew = false;
		for (uint32_t c = 0; c + 1 < w->nblock; c++)
			if (!has(w->closure, c) && way_to_any(w, c) >= 0) {
				put(w->closure, c);
				grew = true;
			}
	}
}

int kelf_flow_decides(struct kelf_flow *w, uint64_t branch, uint64_t place, bool direct)
{
	uint32_t b, x;
	int way;

	if (branch / 4 >= w->n || place / 4 >= w->n)
		return -1;
	b = w->block_of[branch / 4];
	x = w->block_of[place / 4];
	if (branch / 4 != w->block[b].last)
		return -1;
	way = way_to(w, b, x);
	if (direct || way >= 0)
		return way;
	make_closure(w, x);
	return way_to_any(w, b);
}
