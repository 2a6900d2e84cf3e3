// SPDX-License-Identifier: GPL-2.0-or-later
#include "path/path_lib.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

struct entry {
	const char *name;
	const struct path *path; /* NULL while it is being loaded */
	struct entry *next;
};

/* A path being read. */
struct build {
	struct path_lib *lib;
	struct path_item *items;
	size_t n, cap;
	struct cond_bits uses;
	unsigned depth;
	struct err *err;
};

struct doc {
	const char *name, *summary, *source;
	const struct jnode *ops;
};

static const struct jfield doc_fields[] = {
	{ "schema", JK_NOTE },
	{ "name", JK_TEXT, offsetof(struct doc, name), true },
	{ "summary", JK_TEXT, offsetof(struct doc, summary), true },
	{ "source", JK_TEXT, offsetof(struct doc, source), true },
	{ "note", JK_NOTE },
	{ "ops", JK_ARRAY, offsetof(struct doc, ops), true },
};

struct group {
	const char *when, *in, *path;
	const struct jnode *ops, *other;
};

static const struct jfield group_fields[] = {
	{ "when", JK_TEXT, offsetof(struct group, when) },
	{ "in", JK_TEXT, offsetof(struct group, in) },
	{ "note", JK_NOTE },
	{ "path", JK_TEXT, offsetof(struct group, path) },
	{ "ops", JK_ARRAY, offsetof(struct group, ops) },
	{ "else", JK_ARRAY, offsetof(struct group, other) },
};

struct path_lib *path_lib_new(struct mem *mem, const struct spr_table *sprs,
			      const struct policy_table *policies)
{
	struct path_lib *lib = mem_alloc(mem, 1, sizeof(*lib));

	lib->mem = mem;
	lib->sprs = sprs;
	lib->policies = policies;
	return lib;
}

static struct path_item *add_item(struct build *b, const struct jnode *node, const char *in)
{
	struct path_item *item;

	if (b->n == PATH_ITEMS_MAX) {
		jnode_err(node, b->err, "makes the path longer than %d items", PATH_ITEMS_MAX);
		return NULL;
	}
	b->items = mem_grow(b->items, &b->cap, b->n + 1, sizeof(*b->items));
	item = &b->items[b->n++];
	*item = (struct path_item){ .line = node->line, .file = node->file, .in = in };
	return item;
}

static int add_op(struct build *b, const struct jnode *node, const char *in)
{
	struct path_item *item = add_item(b, node, in);
	struct err why = ERR_INIT;

	if (!item)
		return -1;
	item->is_op = true;
	if (op_parse(b->lib->sprs, node->text, &item->op, &why) < 0)
		return err_at(b->err, node->file, node->line, "%s", why.text);
	return 0;
}

static int add_list(struct build *b, const struct jnode *list, const char *in);

static struct entry *find_entry(struct path_lib *lib, const char *name);

/* Copy a loaded path's items, moving their skips along. */
static int add_path(struct build *b, const struct jnode *node, const char *name)
{
	const struct entry *known = find_entry(b->lib, name);
	const struct path *path;
	size_t base = b->n;

	if (known && !known->path)
		return jnode_err(node, b->err, "includes itself by way of '%s'", name);
	path = path_load(b->lib, name, b->err);
	if (!path)
		return -1;
	if (path->n > PATH_ITEMS_MAX - b->n)
		return jnode_err(node, b->err, "makes the path longer than %d items",
				 PATH_ITEMS_MAX);
	b->items = mem_grow(b->items, &b->cap, b->n + path->n, sizeof(*b->items));
	for (uint32_t i = 0; i < path->n; i++) {
		b->items[b->n] = path->items[i];
		b->items[b->n++].skip += (uint32_t)base;
	}
	for (unsigned i = 0; i < COND_BITS_MAX / 64; i++)
		b->uses.w[i] |= path->uses.w[i];
	return 0;
}

static int add_body(struct build *b, const struct jnode *node, const struct group *g,
		    const char *in)
{
	if (g->path)
		return add_path(b, jnode_get(node, "path"), g->path);
	return add_list(b, g->ops, in);
}

/* cond? -> body; with an "else": body, jump over it, else-body. */
static int add_when(struct build *b, const struct jnode *node, const struct group *g,
		    const char *in)
{
	const struct jnode *when = jnode_get(node, "when");
	struct err why = ERR_INIT;
	size_t test = b->n, jump;

	if (!add_item(b, node, in))
		return -1;
	b->items[test].cond = cond_parse(b->lib->mem, b->lib->policies->atoms, g->when, &why);
	if (!b->items[test].cond)
		return err_at(b->err, when->file, when->line, "%s", why.text);
	cond_uses(b->items[test].cond, &b->uses);
	if (add_body(b, node, g, in) < 0)
		return -1;
	if (g->other) {
		jump = b->n;
		if (!add_item(b, node, in))
			return -1;
		b->items[test].skip = (uint32_t)b->n;
		if (add_list(b, g->other, in) < 0)
			return -1;
		b->items[jump].skip = (uint32_t)b->n;
	} else {
		b->items[test].skip = (uint32_t)b->n;
	}
	return 0;
}

static int add_group(struct build *b, const struct jnode *node, const char *in)
{
	struct group g = { .in = in };

	if (JFIELDS(node, group_fields, &g, b->err) < 0)
		return -1;
	if (!g.path == !g.ops)
		return jnode_err(node, b->err, "needs either \"ops\" or \"path\"");
	if (g.other && !g.when)
		return jnode_err(node, b->err, "has an \"else\" but no \"when\"");
	return g.when ? add_when(b, node, &g, g.in) : add_body(b, node, &g, g.in);
}

static int add_list(struct build *b, const struct jnode *list, const char *in)
{
	int rc = 0;

	if (++b->depth > PATH_DEPTH_MAX)
		return jnode_err(list, b->err, "is nested deeper than %d groups", PATH_DEPTH_MAX);
	for (const struct jnode *node = list->child; node && !rc; node = node->next) {
		if (node->type == J_STRING)
			rc = add_op(b, node, in);
		else if (node->type == J_OBJECT)
			rc = add_group(b, node, in);
		else
			rc = jnode_err(node, b->err, "must be an op such as \"mtspr LPCR\" or a "
				       "group {\"when\": …, \"ops\": […]}");
	}
	b->depth--;
	return rc;
}

const struct path *path_from_node(struct path_lib *lib, const struct jnode *root, struct err *err)
{
	struct build b = { .lib = lib, .err = err };
	struct doc doc = { 0 };
	struct path *path;

	if (jdoc_schema(root, "path", 1, err) < 0 || JFIELDS(root, doc_fields, &doc, err) < 0)
		return NULL;
	if (add_list(&b, doc.ops, NULL) < 0) {
		free(b.items);
		return NULL;
	}
	path = mem_alloc(lib->mem, 1, sizeof(*path));
	path->name = doc.name;
	path->summary = doc.summary;
	path->source = doc.source;
	path->file = root->file;
	path->n = (uint32_t)b.n;
	path->uses = b.uses;
	path->items = mem_alloc(lib->mem, b.n, sizeof(*b.items));
	if (b.n)
		memcpy((void *)path->items, b.items, b.n * sizeof(*b.items));
	free(b.items);
	return path;
}

static struct entry *find_entry(struct path_lib *lib, const char *name)
{
	for (struct entry *e = lib->entries; e; e = e->next)
		if (!strcmp(e->name, name))
			return e;
	return NULL;
}

/* JSON begins with a brace; anything else is an executed listing. */
static const struct path *load_file(struct path_lib *lib, const char *name, struct err *err)
{
	const char *file = access(name, F_OK) ? NULL : name;
	const struct jnode *root;
	char *bytes;
	size_t len;

	if (!file)
		file = file_find(lib->mem, "models/paths", name, err);
	bytes = file ? file_read(lib->mem, file, &len, err) : NULL;
	if (!bytes)
		return NULL;
	if (bytes[strspn(bytes, " \t\r\n")] != '{')
		return path_from_listing(lib, file, bytes, len, err);
	root = jdoc_parse(lib->mem, file, bytes, len, err);
	return root ? path_from_node(lib, root, err) : NULL;
}

const struct path *path_load(struct path_lib *lib, const char *name, struct err *err)
{
	struct entry *e = find_entry(lib, name);

	if (e && !e->path)
		err_set(err, "path '%s' includes itself", name);
	if (e)
		return e->path;
	if (lib->depth == PATH_DEPTH_MAX) {
		err_set(err, "paths include each other deeper than %d", PATH_DEPTH_MAX);
		return NULL;
	}
	e = mem_alloc(lib->mem, 1, sizeof(*e));
	e->name = mem_strdup(lib->mem, name);
	e->next = lib->entries;
	lib->entries = e;
	lib->depth++;
	e->path = load_file(lib, name, err);
	lib->depth--;
	return e->path;
}

uint32_t path_next(const struct path *path, const struct cond_bits *bits, uint32_t i)
{
	while (i < path->n && !path->items[i].is_op) {
		const struct path_item *item = &path->items[i];

		i = item->cond && cond_eval(item->cond, bits) ? i + 1 : item->skip;
	}
	return i;
}

void path_count(const struct path *path, const struct cond_bits *bits, struct path_counts *out)
{
	memset(out, 0, sizeof(*out));
	for (uint32_t i = path_next(path, bits, 0); i < path->n;
	     i = path_next(path, bits, i + 1)) {
		out->kind[path->items[i].op.kind]++;
		out->insns += path->items[i].op.n;
	}
}
