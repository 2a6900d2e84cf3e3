// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/walk.h"

#include <stdlib.h>
#include <string.h>

#include "elf/walk_part.h"

#define FRAMES_MAX 65
/* What the module loader puts between a module's call and another file's function. */
#define TRAMPOLINE_WORDS 6
#define WAYS_MAX (UINT64_C(1) << 20) /* instructions in all functions that choices are about */

struct frame {
	struct kelf_visit *visit;
	uint64_t ret; /* offset to go on at */
};

struct walker {
	struct kelf_walk *w;
	struct kelf_kernel *k;
	struct kelf_walkfile *file;
	const struct spr_table *sprs;
	struct kelf_visit *visits, *visit;
	uint64_t off;
	struct frame frame[FRAMES_MAX];
	unsigned depth;
	uint64_t ways; /* instructions of functions that choices are about */
	struct err *err;
};

const char *kelf_note_name(enum kelf_note_kind kind)
{
	static const char *const names[KELF_NOTE_KINDS] = {
		[KELF_NOTE_UNRESOLVED] = "unresolved",
		[KELF_NOTE_MISSING] = "in no file",
		[KELF_NOTE_DEEP] = "too deep",
		[KELF_NOTE_SKIPPED] = "skipped",
	};

	return names[kind];
}

static const char *place(const struct walker *x)
{
	return mem_printf(x->w->mem, "%s+0x%llx", x->visit->func->name, (unsigned long long)x->off);
}

#define CALLERS_MAX 6

/* "f+0x40, called by g, h": the innermost callers of where the walk is. */
static const char *place_and_callers(const struct walker *x)
{
	const char *text = place(x);

	for (unsigned i = 0; i < x->depth && i < CALLERS_MAX; i++)
		text = mem_printf(x->w->mem, "%s%s%s", text, i ? ", " : ", called by ",
				  x->frame[x->depth - 1 - i].visit->func->name);
	return text;
}

static void note(struct walker *x, enum kelf_note_kind kind, const char *what)
{
	struct kelf_walk *w = x->w;

	w->note = mem_grow(w->note, &w->note_cap, w->nnote + 1, sizeof(*w->note));
	w->note[w->nnote++] = (struct kelf_note){ kind, place(x), what ? what : "" };
}

static struct kelf_visit *visit_of(struct walker *x, const struct kelf_image *img,
				   const struct kelf_func *f, const struct kelf_func *caller)
{
	struct kelf_visit *v = x->visits;

	while (v && (v->func != f || v->caller != caller))
		v = v->next;
	if (!v) {
		v = kelf_visit_new(x->w->mem, img, x->file, f, caller, x->sprs);
		x->ways += v->way ? f->size / 4 : 0;
		if (x->ways > WAYS_MAX)
			err_at(x->err, x->k->name, 0,
			       "too much code is chosen about: the patterns of "
			       "the walk file match too many functions");
		v->next = x->visits;
		x->visits = v;
	}
	return v;
}

enum how { CALL, JUMP };

/* Go on at an offset of a function. Visits of branches are counted anew when it is entered. */
static void go(struct walker *x, const struct kelf_image *img, const struct kelf_func *f,
	       uint64_t off, enum how how)
{
	const struct kelf_visit *from = x->visit;

	x->off = off;
	if (how == JUMP && from->func == f)
		return;
	x->visit = visit_of(x, img, f, !from ? NULL : how == CALL ? from->func : from->caller);
	x->visit->entries++;
}

/* "name" or "name+0x40" in any of the files. */
static bool find(const struct walker *x, const char *text, const struct kelf_image **img,
		 const struct kelf_func **f, uint64_t *off)
{
	const char *plus = strstr(text, "+0x");
	const char *name = plus ? mem_printf(x->w->mem, "%.*s", (int)(plus - text), text) : text;
	uint64_t more = 0;

	if (plus && !text_to_u64(plus + 1, &more))
		return false;
	*f = kelf_kernel_find(x->k, name, img, off);
	if (!*f)
		return false;
	*off += more;
	return *off < (*f)->size;
}

/*
 * Between files a module's call goes through a trampoline the loader makes (addis, addi, std,
 * ld, mtctr, bctr), which enters at the global entry.
 */
static void add_trampoline(struct walker *x)
{
	static const struct kelf_insn hop[TRAMPOLINE_WORDS] = {
		{ .class = KELF_WORK, .size = 4 },
		{ .class = KELF_WORK, .size = 4 },
		{ .class = KELF_STORE, .size = 4, .mem = KELF_MEM_STORE },
		{ .class = KELF_LOAD, .size = 4, .mem = KELF_MEM_LOAD },
		{ .class = KELF_WORK, .size = 4 },
		{ .class = KELF_BRANCH, .size = 4, .branch = KELF_BR_CTR },
	};

	for (unsigned i = 0; i < TRAMPOLINE_WORDS; i++)
		kelf_seq_add(&x->w->seq, &hop[i], false, x->visit->func->name, x->off);
}

/* Where a direct call or jump leads, through linker trampolines and into other files. */
static bool resolve(struct walker *x, const struct kelf_live_insn *li,
		    const struct kelf_image **img, const struct kelf_func **f, uint64_t *off,
		    const char **name)
{
	struct kelf_target to;
	const char *hop;

	*name = NULL;
	if (!kelf_live_target(x->visit->img, li, &to))
		return false;
	*name = to.name;
	*img = x->visit->img;
	*f = to.func;
	if (!to.func) {
		if (!to.name || to.sec || !find(x, to.name, img, f, off))
			return false;
		add_trampoline(x);
		return true;
	}
	*off = to.sec_off - to.func->off;
	hop = strstr(to.name, ".plt_branch.");
	hop = hop ? hop + strlen(".plt_branch.") : strstr(to.name, ".long_branch.");
	if (!hop)
		return true;
	if (!strncmp(hop, ".long_branch.", 13))
		hop += 13;
	kelf_seq_func(&x->w->seq, *img, *f);
	*name = hop;
	return find(x, hop, img, f, off);
}

static struct kelf_indirect *indirect_at(const struct walker *x)
{
	for (size_t i = 0; i < x->file->nindirect; i++) {
		struct kelf_indirect *c = &x->file->indirect[i];

		if (kelf_stem_matches(c->function, x->visit->func->name) &&
		    (c->offset < 0 || (uint64_t)c->offset == x->off))
			return c;
	}
	return NULL;
}

static bool resolve_indirect(struct walker *x, const struct kelf_image **img,
			     const struct kelf_func **f, uint64_t *off, const char **name)
{
	struct kelf_indirect *c = indirect_at(x);

	*name = c ? c->callee : NULL;
	if (!c)
		return false;
	c->used++;
	return find(x, c->callee, img, f, off);
}

static bool skips(struct walker *x, const char *name)
{
	for (size_t i = 0; name && i < x->file->nskip; i++)
		if (kelf_stem_matches(x->file->skip[i].callee, name)) {
			x->file->skip[i].used++;
			return true;
		}
	return false;
}

static void step_call(struct walker *x, const struct kelf_live_insn *li)
{
	const struct kelf_image *img;
	const struct kelf_func *f;
	const char *name;
	uint64_t off, next = x->off + 4;
	struct kelf_target to;
	bool indirect = li->insn.branch & KELF_BR_INDIRECT, found;

	/* Known by name before it is entered: a skipped call needs no target. */
	if (!indirect && kelf_live_target(x->visit->img, li, &to) && skips(x, to.name)) {
		note(x, KELF_NOTE_SKIPPED, to.name);
		x->off = next;
		return;
	}
	found = indirect ? resolve_indirect(x, &img, &f, &off, &name) :
			   resolve(x, li, &img, &f, &off, &name);
	if (!found) {
		note(x, name ? KELF_NOTE_MISSING : KELF_NOTE_UNRESOLVED, name);
		x->off = next;
		return;
	}
	if (x->depth + 1 >= FRAMES_MAX || x->depth >= (unsigned)x->file->depth) {
		note(x, KELF_NOTE_DEEP, name);
		x->off = next;
		return;
	}
	x->frame[x->depth++] = (struct frame){ x->visit, next };
	x->w->calls++;
	go(x, img, f, off, CALL);
}

/* Whether a choice still counts: in this call of the function, its place not reached yet. */
static bool applies(const struct walker *x, const struct kelf_way *way)
{
	if (!way->choice)
		return false;
	if (way->goal && x->visit->way[way->goal - 1].seen == x->visit->entries)
		return false;
	return !way->choice->call || way->choice->call == x->visit->entries;
}

/* The way that the walk file says, or not taken. */
static bool chosen(struct walker *x, const struct kelf_choice **by)
{
	struct kelf_way *way;
	bool t;

	*by = NULL;
	if (!x->visit->way)
		return false;
	way = &x->visit->way[x->off / 4];
	if (way->entry != x->visit->entries)
		way->visits = 0;
	way->entry = x->visit->entries;
	way->visits++;
	if (!applies(x, way))
		return false;
	*by = way->choice;
	way->choice->used++;
	t = way->taken;
	return way->choice->times && way->visits > (uint64_t)way->choice->times ? !t : t;
}

/* Whether a branch is taken; a conditional one is noted as a decision. */
static bool taken(struct walker *x, const struct kelf_live_insn *li)
{
	const struct kelf_choice *by;
	struct kelf_walk *w = x->w;
	bool t;

	if (!(li->insn.branch & KELF_BR_COND))
		return true;
	t = chosen(x, &by);
	w->decision = mem_grow(w->decision, &w->decision_cap, w->ndecision + 1,
			       sizeof(*w->decision));
	w->decision[w->ndecision++] =
		(struct kelf_decision){ x->visit->func->name, x->off, t, by };
	return t;
}

static bool end_walk(struct walker *x, const char *how)
{
	x->w->ended = mem_printf(x->w->mem, "%s at %s", how, place(x));
	return false;
}

static bool step_return(struct walker *x)
{
	if (!x->depth)
		return end_walk(x, "returned");
	x->depth--;
	x->visit = x->frame[x->depth].visit;
	x->off = x->frame[x->depth].ret;
	return true;
}

/* A branch: false when the walk ends with it. */
static bool step_branch(struct walker *x, const struct kelf_live_insn *li)
{
	const struct kelf_image *img;
	const struct kelf_func *f;
	const char *name;
	uint64_t off;
	bool indirect = li->insn.branch & (KELF_BR_CTR | KELF_BR_TAR);

	if (!taken(x, li)) {
		x->off += 4;
		return true;
	}
	if (li->insn.branch & KELF_BR_LR)
		return step_return(x);
	if (indirect ? !resolve_indirect(x, &img, &f, &off, &name) :
		       !resolve(x, li, &img, &f, &off, &name)) {
		note(x, name ? KELF_NOTE_MISSING : KELF_NOTE_UNRESOLVED, name);
		return end_walk(x, "lost by a jump");
	}
	go(x, img, f, off, JUMP);
	return true;
}

static struct kelf_continue *continue_after(const struct walker *x, const struct kelf_insn *insn)
{
	struct kelf_continue *found = NULL;
	struct text text = { 0 };

	kelf_insn_text(insn, x->sprs, &text);
	for (size_t i = 0; i < x->file->ncont && !found; i++)
		if (kelf_stem_matches(x->file->cont[i].function, x->visit->func->name) &&
		    !strcmp(text.s, x->file->cont[i].op))
			found = &x->file->cont[i];
	text_free(&text);
	return found;
}

/* An op after which control may be elsewhere. */
static bool step_leave(struct walker *x, const struct kelf_live_insn *li)
{
	struct kelf_continue *c = continue_after(x, &li->insn);
	bool returns = li->insn.class == KELF_RFID || li->insn.class == KELF_HRFID ||
		       li->insn.class == KELF_RFSCV;
	const struct kelf_image *img;
	const struct kelf_func *f;
	uint64_t off;

	if (!c && returns)
		return end_walk(x, mem_printf(x->w->mem, "left by %s",
					      kelf_class_name(li->insn.class)));
	if (!c) {
		x->off += 4;
		return true;
	}
	if (!c->to) {
		c->used++;
		return step_return(x);
	}
	if (!find(x, c->to, &img, &f, &off)) {
		jnode_err(c->node, x->err, "no function '%s' to continue at", c->to);
		return false;
	}
	c->used++;
	if (c->interrupt >= 0)
		kelf_seq_interrupt(&x->w->seq, (unsigned)c->interrupt, f->name);
	go(x, img, f, off, JUMP);
	return true;
}

/* Assembly runs from one symbol into the next; compiled code doesn't. */
static bool run_into_next(struct walker *x)
{
	const struct kelf_func *f = x->visit->func;
	const struct kelf_func *next = kelf_func_at(x->visit->img, f->sec, f->off + x->off);

	if (!next || next == f || next->sized || f->sized) {
		err_set(x->err, "the walk runs off the end of %s", f->name);
		return false;
	}
	go(x, x->visit->img, next, f->off + x->off - next->off, JUMP);
	return true;
}

/* Places that choices lead to: once there, they are done in this call. */
static void mark_seen(struct walker *x)
{
	struct kelf_way *way = x->visit->way;

	if (way && way[x->off / 4].place)
		way[way[x->off / 4].place - 1].seen = x->visit->entries;
}

static bool step(struct walker *x)
{
	const struct kelf_func *f = x->visit->func;
	struct kelf_live_insn li;

	if (f->size < 4 || x->off > f->size - 4)
		return run_into_next(x);
	li = kelf_live_at(x->visit->img, &x->file->live, f, x->off);
	mark_seen(x);
	kelf_seq_add(&x->w->seq, &li.insn, li.nop, f->name, x->off);
	if (!li.nop && li.insn.class == KELF_CALL) {
		step_call(x, &li);
		return true;
	}
	if (!li.nop && li.insn.class == KELF_BRANCH && !(li.insn.branch & KELF_BR_LINK))
		return step_branch(x, &li);
	if (!li.nop && kelf_class_is_op(li.insn.class))
		return step_leave(x, &li);
	if (!li.nop && li.insn.branch & KELF_BR_TRAP)
		return end_walk(x, "ran into a trap");
	x->off += li.insn.size;
	return true;
}

int kelf_walk(struct kelf_walk *w, struct mem *mem, struct kelf_kernel *k,
	      struct kelf_walkfile *file, const char *entry, const struct spr_table *sprs,
	      struct err *err)
{
	struct walker x = { .w = w, .k = k, .file = file, .sprs = sprs, .err = err };
	const struct kelf_image *img;
	const struct kelf_func *f;
	uint64_t off;

	*w = (struct kelf_walk){ .mem = mem, .ended = "" };
	kelf_seq_init(&w->seq, mem, sprs);
	for (size_t i = 0; i < k->n; i++)
		if (kelf_load_jumps(&k->file[i]->img, mem, err) < 0)
			return -1;
	if (!find(&x, entry, &img, &f, &off))
		return err_at(err, k->name, 0, "no function '%.100s' to walk from", entry);
	go(&x, img, f, off, CALL);
	while (!err->set && step(&x))
		if (w->seq.count.insns > KELF_WALK_INSNS_MAX)
			return err_at(
				err, k->name, 0,
				"the walk from %.60s has not ended after %d "
				"instructions: it is in a loop that the walk file must leave, "
				"at %.200s",
				entry, KELF_WALK_INSNS_MAX, place_and_callers(&x));
	return err->set ? -1 : 0;
}

void kelf_walk_done(struct kelf_walk *w)
{
	kelf_seq_done(&w->seq);
	free(w->note);
	free(w->decision);
	w->note = NULL;
	w->decision = NULL;
}
