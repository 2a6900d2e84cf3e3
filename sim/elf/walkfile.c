// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/walkfile.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define DEPTH_DEFAULT 16
#define DEPTH_MAX 64

struct loader {
	struct kelf_walkfile *w;
	struct mem *mem;
	const struct policy_set *policies;
	struct cond_bits bits;
	struct err *err;
};

/* "0x40": offsets and masks are strings, because JSON numbers aren't hexadecimal. */
static int hex(const struct jnode *node, uint64_t *out, struct err *err)
{
	if (!node)
		return 0;
	if (node->type != J_STRING || !text_to_u64(node->text, out))
		return jnode_err(node, err, "must be a string with a number, such as \"0x40\"");
	return 0;
}

static int offset(const struct jnode *node, int64_t *out, struct err *err)
{
	uint64_t v = 0;

	*out = -1;
	if (!node)
		return 0;
	if (hex(node, &v, err) < 0)
		return -1;
	if (v > INT32_MAX)
		return jnode_err(node, err, "is too large for an offset in a function");
	*out = (int64_t)v;
	return 0;
}

/* Whether a "when" holds; true when there is none. */
static int condition(struct loader *l, const struct jnode *obj, const char *text, bool *holds)
{
	const struct cond *cond;
	struct err inner = ERR_INIT;

	*holds = true;
	if (!text)
		return 0;
	cond = cond_parse(l->mem, l->policies->table->atoms, text, &inner);
	if (!cond)
		return jnode_err(jnode_get(obj, "when"), l->err, "%s", inner.text);
	*holds = cond_eval(cond, &l->bits);
	return 0;
}

static int load_features(struct loader *l, const struct jnode *node)
{
	struct raw { const struct jnode *cpu, *mmu, *firmware; } raw = { 0 };
	static const struct jfield fields[] = {
		{ "cpu", JK_ANY, offsetof(struct raw, cpu) },
		{ "mmu", JK_ANY, offsetof(struct raw, mmu) },
		{ "firmware", JK_ANY, offsetof(struct raw, firmware) },
		{ "note", JK_NOTE },
	};
	uint64_t *f = l->w->live.feature;

	if (!node)
		return 0;
	if (JFIELDS(node, fields, &raw, l->err) < 0 || hex(raw.cpu, &f[KELF_FTR_CPU], l->err) < 0 ||
	    hex(raw.mmu, &f[KELF_FTR_MMU], l->err) < 0)
		return -1;
	return hex(raw.firmware, &f[KELF_FTR_FW], l->err);
}

static int load_key(struct loader *l, const struct jnode *node)
{
	struct raw {
		const char *key, *when;
		int64_t index;
		bool on;
	} raw = { .index = -1, .on = true };
	static const struct jfield fields[] = {
		{ "key", JK_TEXT, offsetof(struct raw, key), true },
		{ "index", JK_INT, offsetof(struct raw, index), false, 0, 4096 },
		{ "on", JK_TRUTH, offsetof(struct raw, on) },
		{ "when", JK_TEXT, offsetof(struct raw, when) },
		{ "why", JK_NOTE },
	};
	bool holds;

	if (JFIELDS(node, fields, &raw, l->err) < 0 || condition(l, node, raw.when, &holds) < 0)
		return -1;
	l->w->live.key[l->w->live.nkey++] =
		(struct kelf_key){ raw.key, raw.index, raw.on == holds, 0 };
	return 0;
}

/* What the "test" of a choice says, or its opposite where the condition doesn't hold. */
static int outcome(const struct jnode *obj, const char *text, bool holds, struct kelf_choice *c,
		   struct err *err)
{
	if (!text)
		return 0;
	if (!kelf_outcome_parse(text, &c->outcome))
		return jnode_err(jnode_get(obj, "test"), err,
				 "must be a relation (= != < >= > <= & !&) and a number, such as "
				 "\"= 0xc00\"");
	c->test = true;
	if (!holds)
		c->outcome = kelf_outcome_opposite(c->outcome);
	return 0;
}

static int load_choice(struct loader *l, const struct jnode *node)
{
	struct raw {
		const char *function, *from, *callee, *op, *test, *when;
		const struct jnode *offset;
		bool taken, reach;
		int64_t times, nth, call, bytes;
	} raw = { .taken = true, .reach = true };
	static const struct jfield fields[] = {
		{ "function", JK_TEXT, offsetof(struct raw, function), true },
		{ "from", JK_TEXT, offsetof(struct raw, from) },
		{ "callee", JK_TEXT, offsetof(struct raw, callee) },
		{ "op", JK_TEXT, offsetof(struct raw, op) },
		{ "test", JK_TEXT, offsetof(struct raw, test) },
		{ "offset", JK_ANY, offsetof(struct raw, offset) },
		{ "bytes", JK_INT, offsetof(struct raw, bytes), false, 4, INT32_MAX },
		{ "taken", JK_TRUTH, offsetof(struct raw, taken) },
		{ "reach", JK_TRUTH, offsetof(struct raw, reach) },
		{ "times", JK_INT, offsetof(struct raw, times), false, 1, 1000000 },
		{ "nth", JK_INT, offsetof(struct raw, nth), false, 1, 1000 },
		{ "call", JK_INT, offsetof(struct raw, call), false, 1, 1000000 },
		{ "when", JK_TEXT, offsetof(struct raw, when) },
		{ "why", JK_NOTE },
	};
	struct kelf_choice *c = &l->w->choice[l->w->nchoice];
	bool holds;

	if (JFIELDS(node, fields, &raw, l->err) < 0 || condition(l, node, raw.when, &holds) < 0)
		return -1;
	if (!!raw.offset + !!raw.callee + !!raw.op + !!raw.test != 1)
		return jnode_err(node, l->err,
				 "must have one of \"offset\", \"callee\", \"op\" and "
				 "\"test\"");
	if (jnode_get(node, raw.offset ? "reach" : "taken") ||
	    (raw.test && jnode_get(node, "reach")))
		return jnode_err(node, l->err,
				 "\"taken\" goes with \"offset\", \"reach\" with \"callee\" "
				 "and \"op\"");
	if (((raw.times || raw.bytes) && !raw.offset) || (raw.nth && raw.offset))
		return jnode_err(node, l->err,
				 "\"times\" and \"bytes\" go with \"offset\", \"nth\" with "
				 "\"callee\", \"op\" and \"test\"");
	*c = (struct kelf_choice){
		.function = raw.function,
		.from = raw.from,
		.bytes = raw.bytes,
		.callee = raw.callee,
		.op = raw.op,
		.want = (raw.offset ? raw.taken : raw.reach) == holds,
		.times = raw.times,
		.nth = raw.nth,
		.call = raw.call,
		.node = node,
	};
	l->w->nchoice++;
	if (offset(raw.offset, &c->offset, l->err) < 0)
		return -1;
	return outcome(node, raw.test, holds, c, l->err);
}

static int load_indirect(struct loader *l, const struct jnode *node)
{
	struct raw { const char *function, *callee; const struct jnode *offset; } raw = { 0 };
	static const struct jfield fields[] = {
		{ "function", JK_TEXT, offsetof(struct raw, function), true },
		{ "callee", JK_TEXT, offsetof(struct raw, callee), true },
		{ "offset", JK_ANY, offsetof(struct raw, offset) },
		{ "why", JK_NOTE },
	};
	struct kelf_indirect *c = &l->w->indirect[l->w->nindirect++];

	if (JFIELDS(node, fields, &raw, l->err) < 0)
		return -1;
	*c = (struct kelf_indirect){ raw.function, raw.callee, -1, node, 0 };
	return offset(raw.offset, &c->offset, l->err);
}

static int load_skip(struct loader *l, const struct jnode *node)
{
	static const struct jfield fields[] = {
		{ "callee", JK_TEXT, offsetof(struct kelf_skip, callee), true },
		{ "why", JK_NOTE },
	};
	struct kelf_skip *s = &l->w->skip[l->w->nskip++];

	s->node = node;
	return JFIELDS(node, fields, s, l->err);
}

static int load_continue(struct loader *l, const struct jnode *node)
{
	struct raw {
		const char *function, *op, *to;
		const struct jnode *interrupt;
		bool returns;
	} raw = { 0 };
	static const struct jfield fields[] = {
		{ "function", JK_TEXT, offsetof(struct raw, function), true },
		{ "op", JK_TEXT, offsetof(struct raw, op), true },
		{ "to", JK_TEXT, offsetof(struct raw, to) },
		{ "returns", JK_TRUTH, offsetof(struct raw, returns) },
		{ "interrupt", JK_ANY, offsetof(struct raw, interrupt) },
		{ "why", JK_NOTE },
	};
	struct kelf_continue *c = &l->w->cont[l->w->ncont++];

	if (JFIELDS(node, fields, &raw, l->err) < 0)
		return -1;
	if (!raw.to == !raw.returns || (raw.returns && raw.interrupt))
		return jnode_err(node, l->err,
				 "must have \"to\" (and perhaps \"interrupt\"), or \"returns\"");
	*c = (struct kelf_continue){ raw.function, raw.op, raw.to, -1, node, 0 };
	return offset(raw.interrupt, &c->interrupt, l->err);
}

static size_t length(const struct jnode *array)
{
	return array ? array->n : 0;
}

static int each(struct loader *l, const struct jnode *array,
		int (*load)(struct loader *l, const struct jnode *node))
{
	for (const struct jnode *node = array ? array->child : NULL; node; node = node->next)
		if (jnode_is(node, J_OBJECT, l->err) < 0 || load(l, node) < 0)
			return -1;
	return 0;
}

static int load_root(struct loader *l, const struct jnode *root)
{
	struct raw {
		const struct jnode *features, *keys, *branches, *calls, *skip, *cont;
		const char *summary;
		int64_t depth;
	} raw = { .depth = DEPTH_DEFAULT, .summary = "" };
	static const struct jfield fields[] = {
		{ "schema", JK_NOTE },
		{ "summary", JK_TEXT, offsetof(struct raw, summary) },
		{ "note", JK_NOTE },
		{ "source", JK_NOTE },
		{ "depth", JK_INT, offsetof(struct raw, depth), false, 1, DEPTH_MAX },
		{ "features", JK_OBJECT, offsetof(struct raw, features) },
		{ "keys", JK_ARRAY, offsetof(struct raw, keys) },
		{ "branches", JK_ARRAY, offsetof(struct raw, branches) },
		{ "calls", JK_ARRAY, offsetof(struct raw, calls) },
		{ "skip", JK_ARRAY, offsetof(struct raw, skip) },
		{ "continue", JK_ARRAY, offsetof(struct raw, cont) },
	};
	struct kelf_walkfile *w = l->w;

	if (jdoc_schema(root, "walk", 1, l->err) < 0 || JFIELDS(root, fields, &raw, l->err) < 0)
		return -1;
	w->depth = raw.depth;
	w->summary = raw.summary;
	w->live.key = mem_alloc(l->mem, length(raw.keys), sizeof(*w->live.key));
	w->choice = mem_alloc(l->mem, length(raw.branches), sizeof(*w->choice));
	w->indirect = mem_alloc(l->mem, length(raw.calls), sizeof(*w->indirect));
	w->skip = mem_alloc(l->mem, length(raw.skip), sizeof(*w->skip));
	w->cont = mem_alloc(l->mem, length(raw.cont), sizeof(*w->cont));
	if (load_features(l, raw.features) < 0 || each(l, raw.keys, load_key) < 0 ||
	    each(l, raw.branches, load_choice) < 0 || each(l, raw.calls, load_indirect) < 0 ||
	    each(l, raw.skip, load_skip) < 0)
		return -1;
	return each(l, raw.cont, load_continue);
}

int kelf_walkfile_from_node(struct kelf_walkfile *w, struct mem *mem, const struct jnode *root,
			    const struct policy_set *policies, struct err *err)
{
	struct loader l = { w, mem, policies, policy_bits(policies), err };

	*w = (struct kelf_walkfile){ .name = root->file, .summary = "" };
	return load_root(&l, root);
}

int kelf_walkfile_load(struct kelf_walkfile *w, struct mem *mem, const char *name,
		       const struct policy_set *policies, struct err *err)
{
	const struct jnode *root;
	const char *file;

	*w = (struct kelf_walkfile){ .name = "", .summary = "", .depth = DEPTH_DEFAULT };
	if (!name)
		return 0;
	file = file_find(mem, "models/walks", name, err);
	root = file ? jdoc_load(mem, file, err) : NULL;
	return root ? kelf_walkfile_from_node(w, mem, root, policies, err) : -1;
}
