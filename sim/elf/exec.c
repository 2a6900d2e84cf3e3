// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/exec.h"

#include <stdlib.h>
#include <string.h>

#include "elf/match.h"

#define KERNEL_BASE UINT64_C(0xc000000000000000)
#define VECTORS_END UINT64_C(0x2000)     /* real mode */
#define VIRT_VECTORS UINT64_C(0x4000)    /* with the MMU on: 0xc000000000004000 */

struct reader {
	struct kelf_exec *x;
	struct mem *mem;
	struct kelf_kernel *k;
	const struct kelf_load *load;
	size_t nload;
	const struct kelf_walkfile *file;
	const struct spr_table *sprs;
	const struct kelf_func *entry;
	uint64_t entry_pc;
	bool open;            /* in a window */
	bool guest;           /* the guest runs */
	const char *kind;
	struct kelf_seq seq;
};

/* A compressed module is named with or without its suffix. */
static bool is_named(const struct kelf_image *img, const char *name)
{
	const char *have = kelf_short_name(img);
	size_t n = strlen(name);

	return !strncmp(have, name, n) && (!have[n] || !strcmp(have + n, ".xz") ||
					   !strcmp(have + n, ".gz") || !strcmp(have + n, ".zst"));
}

static bool load_address(const struct reader *r, const struct kelf_image *img, uint64_t *addr)
{
	for (size_t i = 0; i < r->nload; i++)
		if (is_named(img, r->load[i].file)) {
			*addr = r->load[i].addr;
			return true;
		}
	return false;
}

/* The function at an address; code that runs with the MMU off is found by its linked address. */
static const struct kelf_func *func_at(const struct reader *r, uint64_t pc, uint64_t *off)
{
	for (size_t i = 0; i < r->k->n; i++) {
		const struct kelf_image *img = &r->k->file[i]->img;
		const struct kelf_sec *text = kelf_section(img, ".text");
		const struct kelf_func *f;
		uint64_t addr, in;
		uint32_t sec;

		if (img->linked) {
			if (!kelf_locate(img, pc | KERNEL_BASE, &sec, &in))
				continue;
		} else {
			if (!text || !load_address(r, img, &addr) || pc - addr >= text->size)
				continue;
			sec = (uint32_t)(text - img->sec);
			in = pc - addr;
		}
		f = kelf_func_at(img, sec, in);
		if (f)
			*off = in - f->off;
		return f;
	}
	return NULL;
}

static bool is_vector(uint64_t pc)
{
	uint64_t low = pc & ~KERNEL_BASE;

	if (low >= VIRT_VECTORS)
		low -= VIRT_VECTORS;
	return low >= 0x100 && low < VECTORS_END && !(low & 0x1f);
}

static uint64_t hash_op(uint64_t h, const struct op *op)
{
	uint64_t v = (uint64_t)op->kind << 32 | op->arg << 16;

	if (op->spr)
		v |= (uint64_t)op->spr->number;
	for (unsigned i = 0; i < 8; i++)
		h = (h ^ (v >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
	return h;
}

static uint64_t hash_seq(const struct kelf_seq *seq)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < seq->n; i++)
		if (seq->item[i].op.kind != OP_WORK)
			h = hash_op(h, &seq->item[i].op);
	return h;
}

static struct kelf_shape *shape_of(struct reader *r, uint64_t hash)
{
	struct kelf_exec *x = r->x;

	for (size_t i = 0; i < x->n; i++)
		if (x->shape[i].hash == hash && !strcmp(x->shape[i].kind, r->kind))
			return &x->shape[i];
	if (x->n >= KELF_EXEC_SHAPES_MAX)
		return NULL;
	x->shape = mem_grow(x->shape, &x->cap, x->n + 1, sizeof(*x->shape));
	x->shape[x->n] = (struct kelf_shape){ .kind = r->kind, .hash = hash, .least = UINT32_MAX };
	return &x->shape[x->n++];
}

/* A window is complete: its sequence is kept when it is the first of its shape. */
static void close_window(struct reader *r)
{
	struct kelf_shape *s = shape_of(r, hash_seq(&r->seq));
	uint32_t insns = r->seq.count.insns;

	r->x->windows++;
	if (s) {
		s->least = insns < s->least ? insns : s->least;
		s->most = insns > s->most ? insns : s->most;
		if (!s->windows++) {
			s->seq = r->seq;
			kelf_seq_init(&r->seq, r->mem, r->sprs);
			return;
		}
	}
	kelf_seq_done(&r->seq);
	kelf_seq_init(&r->seq, r->mem, r->sprs);
}

static void start_window(struct reader *r)
{
	if (r->open)
		close_window(r);
	r->open = true;
	r->guest = false;
	r->kind = "not entered";
}

/* Whether control leaves for the guest with this instruction of a function. */
static bool leaves(const struct reader *r, const struct kelf_func *f, const struct kelf_insn *insn)
{
	struct text text = { 0 };
	bool found = false;

	if (!f || (insn->class != KELF_HRFID && insn->class != KELF_RFID))
		return false;
	kelf_insn_text(insn, r->sprs, &text);
	for (size_t i = 0; i < r->file->ncont && !found; i++)
		found = r->file->cont[i].to &&
			kelf_stem_matches(r->file->cont[i].function, f->name) &&
			!strcmp(text.s, r->file->cont[i].op);
	text_free(&text);
	return found;
}

/* The guest is left by an interrupt: its vector names the kind. */
static bool leave_guest(struct reader *r, const struct kelf_block *block)
{
	const struct kelf_func *f;
	uint64_t off;

	if (!is_vector(block->pc))
		return false;
	f = func_at(r, block->pc, &off);
	r->kind =
		f ? f->name : mem_printf(r->mem, "interrupt 0x%x", (unsigned)(block->pc & 0x1fff));
	r->guest = false;
	kelf_seq_interrupt(&r->seq, (unsigned)(block->pc & 0x1fff), r->kind);
	return true;
}

/* The instructions of a block; most blocks lie in one function. */
static void add_block(struct reader *r, const struct kelf_block *block)
{
	uint64_t off = 0;
	const struct kelf_func *f = func_at(r, block->pc, &off);
	size_t step;

	for (size_t i = 0; i < block->n; i += step, off += 4 * step) {
		uint32_t next = i + 1 < block->n ? block->word[i + 1] : 0;
		struct kelf_insn insn = kelf_decode(block->word[i], next, i + 1 < block->n);

		if (!f || off >= f->size)
			f = func_at(r, block->pc + 4 * i, &off);
		kelf_seq_add(&r->seq, &insn, false, f ? f->name : "?", off);
		r->guest |= leaves(r, f, &insn);
		step = insn.size / 4;
	}
}

static int run_block(struct reader *r, const struct kelf_block *block, struct err *err)
{
	if (block->pc == r->entry_pc || block->pc == r->entry_pc + r->entry->local_entry)
		start_window(r);
	if (!r->open || (r->guest && !leave_guest(r, block)))
		return 0;
	r->x->unknown += !block->word;
	add_block(r, block);
	if (r->seq.count.insns > KELF_EXEC_INSNS_MAX)
		return err_set(
			err,
			"more than %d instructions from one start of the entry to the next: is "
			"the function where a path starts?",
			KELF_EXEC_INSNS_MAX);
	return 0;
}

static int commonest_first(const void *a, const void *b)
{
	const struct kelf_shape *x = a, *y = b;
	int kind = strcmp(x->kind, y->kind);

	if (x->kind_windows != y->kind_windows)
		return x->kind_windows > y->kind_windows ? -1 : 1;
	if (kind)
		return kind;
	if (x->windows != y->windows)
		return x->windows > y->windows ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void sort_shapes(struct kelf_exec *x)
{
	for (size_t i = 0; i < x->n; i++)
		for (size_t j = 0; j < x->n; j++)
			if (!strcmp(x->shape[i].kind, x->shape[j].kind))
				x->shape[i].kind_windows += x->shape[j].windows;
	qsort(x->shape, x->n, sizeof(*x->shape), commonest_first);
}

static int read_blocks(struct reader *r, struct kelf_log *log, struct err *err)
{
	struct kelf_block block;
	int rc;

	while ((rc = kelf_log_next(log, &block, err)) > 0)
		if (run_block(r, &block, err) < 0)
			return -1;
	return rc;
}

static int find_entry(struct reader *r, const char *entry, struct err *err)
{
	const struct kelf_image *img;
	uint64_t off;

	r->entry = kelf_kernel_find(r->k, entry, &img, &off);
	if (!r->entry)
		return err_at(err, r->k->name, 0, "no function '%.100s' for --entry", entry);
	if (img->linked)
		r->entry_pc = img->sec[r->entry->sec].addr;
	else if (!load_address(r, img, &r->entry_pc))
		return err_at(err, img->name, 0,
			      "has no load address: say --at %s=0xADDRESS of its .text",
			      kelf_short_name(img));
	r->entry_pc += r->entry->off + off;
	return 0;
}

int kelf_exec_read(struct kelf_exec *x, struct mem *mem, const char *name, struct kelf_kernel *k,
		   const struct kelf_load *load, size_t nload, const char *entry,
		   const struct kelf_walkfile *file, const struct spr_table *sprs,
		   struct err *err)
{
	struct reader r = { .x = x, .mem = mem, .k = k, .load = load, .nload = nload,
			    .file = file, .sprs = sprs, .kind = "" };
	struct kelf_log *log;
	int rc;

	*x = (struct kelf_exec){ 0 };
	kelf_seq_init(&r.seq, mem, sprs);
	if (find_entry(&r, entry, err) < 0)
		return -1;
	log = kelf_log_open(name, err);
	if (!log)
		return -1;
	rc = read_blocks(&r, log, err);
	kelf_log_close(log);
	kelf_seq_done(&r.seq);
	if (rc < 0)
		return rc;
	if (!x->windows)
		return err_at(err, name, 0,
			      "%.60s does not run twice in it: no path is complete (are the "
			      "modules' addresses right?)",
			      entry);
	sort_shapes(x);
	return 0;
}

void kelf_exec_done(struct kelf_exec *x)
{
	for (size_t i = 0; i < x->n; i++)
		kelf_seq_done(&x->shape[i].seq);
	free(x->shape);
	*x = (struct kelf_exec){ 0 };
}
