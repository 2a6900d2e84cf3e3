// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "elf/walk_part.h"

struct maker {
	struct kelf_walkfile *file;
	struct kelf_visit *v;
	const struct spr_table *sprs;
	struct mem *scratch;    /* for flow */
	struct kelf_flow *flow; /* made when first needed */
};

static struct kelf_live_insn at(const struct maker *m, uint64_t off)
{
	return kelf_live_at(m->v->img, &m->file->live, m->v->func, off);
}

static uint32_t word_at(const struct maker *m, const struct kelf_live_insn *li)
{
	return kelf_u32(m->v->img, m->v->img->sec[li->sec].bytes + li->off);
}

/* Whether the instruction at an offset is what a choice by callee, op or test is about. */
static bool is_place(const struct maker *m, const struct kelf_choice *c, uint64_t off)
{
	struct kelf_live_insn li = at(m, off);
	struct text text = { 0 };
	struct kelf_target to;
	bool same;

	if (li.nop)
		return false;
	if (c->test)
		return !li.jump && kelf_outcome_field(c->outcome, word_at(m, &li)) >= 0;
	if (c->callee)
		return (li.insn.class == KELF_CALL || li.insn.class == KELF_BRANCH) &&
		       !(li.insn.branch & KELF_BR_INDIRECT) &&
		       kelf_live_target(m->v->img, &li, &to) && to.name && to.func != m->v->func &&
		       kelf_stem_matches(c->callee, to.name);
	if (li.insn.branch & KELF_BR_CTR)
		return !strcmp(c->op, li.insn.class == KELF_CALL ? "bctrl" : "bctr");
	if (li.insn.class < KELF_MFSPR)
		return false;
	kelf_insn_text(&li.insn, m->sprs, &text);
	same = !strcmp(text.s, c->op);
	text_free(&text);
	return same;
}

/* Let every branch that decides about a place go the way the choice wants. */
static void decide(struct maker *m, struct kelf_choice *c, uint64_t place, uint32_t first)
{
	if (!m->flow)
		m->flow = kelf_flow_new(m->scratch, m->v->img, &m->file->live, m->v->func);
	if (!m->flow)
		return;
	for (uint64_t off = 0; off + 4 <= m->v->func->size; off += 4) {
		struct kelf_way *way = &m->v->way[off / 4];
		int d = kelf_flow_decides(m->flow, off, place, true);
		bool direct = d >= 0;

		/* The first wins, save that one about the place itself goes before others. */
		if (way->choice && (way->direct || !direct))
			continue;
		if (!direct && c->want)
			d = kelf_flow_decides(m->flow, off, place, false);
		if (d < 0)
			continue;
		way->choice = c;
		way->direct = direct;
		way->taken = c->want ? d : !d;
		way->goal = c->want ? first : 0;
	}
}

/* The place may be a conditional jump out of the function: then it decides about itself. */
static void decide_itself(struct maker *m, struct kelf_choice *c, uint64_t place)
{
	struct kelf_way *way = &m->v->way[place / 4];
	struct kelf_live_insn li = at(m, place);

	if (way->choice || !(li.insn.branch & KELF_BR_COND))
		return;
	way->choice = c;
	way->taken = c->want;
	way->direct = true;
}

#define TEST_INSNS_MAX 16 /* a branch that is farther from its comparison isn't looked for */

/* The branches behind a comparison, until its CR field is set anew or control is elsewhere. */
static void decide_outcome(struct maker *m, struct kelf_choice *c, uint64_t place)
{
	struct kelf_live_insn li = at(m, place);
	int field = kelf_outcome_field(c->outcome, word_at(m, &li));
	uint64_t end = place + 4 * (1 + TEST_INSNS_MAX);

	for (uint64_t off = place + 4; off < end && off + 4 <= m->v->func->size; off += 4) {
		struct kelf_way *way = &m->v->way[off / 4];
		int d;

		li = at(m, off);
		if (li.nop || li.jump)
			continue;
		if (kelf_sets_field(word_at(m, &li), field))
			return;
		d = kelf_outcome_taken(c->outcome, field, word_at(m, &li));
		if (d >= 0 && !(way->choice && way->direct)) {
			way->choice = c;
			way->taken = d;
			way->direct = true;
			way->goal = 0;
		}
		if (li.insn.class == KELF_BRANCH && !(li.insn.branch & KELF_BR_COND))
			return;
	}
}

static void apply(struct maker *m, struct kelf_choice *c)
{
	uint32_t first = 0;
	int64_t n = 0, places = 0;

	for (uint64_t off = 0; off + 4 <= m->v->func->size; off += 4) {
		if (!is_place(m, c, off) || (c->nth && ++n != c->nth) ||
		    ++places > KELF_PLACES_MAX)
			continue;
		c->found++;
		if (!first)
			first = (uint32_t)(off / 4 + 1);
		m->v->way[off / 4].place = first;
		if (c->test)
			decide_outcome(m, c, off);
		else
			decide_itself(m, c, off);
		if (c->want || !c->test)
			decide(m, c, off, first);
	}
}

static bool is_about(const struct kelf_choice *c, const struct kelf_visit *v)
{
	if (c->from && (!v->caller || !kelf_stem_matches(c->from, v->caller->name)))
		return false;
	return kelf_stem_matches(c->function, v->func->name);
}

static bool any_about(const struct kelf_walkfile *file, const struct kelf_visit *v)
{
	for (size_t i = 0; i < file->nchoice; i++)
		if (is_about(&file->choice[i], v))
			return true;
	return false;
}

static void by_offset(struct kelf_walkfile *file, struct kelf_visit *v)
{
	for (size_t i = 0; i < file->nchoice; i++) {
		struct kelf_choice *c = &file->choice[i];

		if (c->offset < 0 || !is_about(c, v) || (uint64_t)c->offset >= v->func->size ||
		    (c->bytes && (uint64_t)c->bytes != v->func->size))
			continue;
		c->found++;
		v->way[c->offset / 4].choice = c;
		v->way[c->offset / 4].taken = c->want;
		v->way[c->offset / 4].direct = true;
	}
}

struct kelf_visit *kelf_visit_new(struct mem *mem, const struct kelf_image *img,
				  struct kelf_walkfile *file, const struct kelf_func *f,
				  const struct kelf_func *caller, const struct spr_table *sprs)
{
	struct kelf_visit *v = mem_alloc(mem, 1, sizeof(*v));
	struct maker m = { .file = file, .v = v, .sprs = sprs };

	*v = (struct kelf_visit){ .img = img, .func = f, .caller = caller };
	if (f->size / 4 > KELF_FLOW_INSNS_MAX || !any_about(file, v))
		return v;
	v->way = mem_alloc(mem, f->size / 4 + 1, sizeof(*v->way));
	m.scratch = mem_new();
	by_offset(file, v);
	for (size_t i = 0; i < file->nchoice; i++)
		if (file->choice[i].offset < 0 && is_about(&file->choice[i], v))
			apply(&m, &file->choice[i]);
	mem_free(m.scratch);
	return v;
}
