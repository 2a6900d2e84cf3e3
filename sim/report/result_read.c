// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads "hvsim-result/1" back. */
#include "report/result_read.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"

#define DIGITS_SHOWN 3

struct head {
	struct scn_result *r;
	const char *version, *scenario, *title, *kind, *cpu;
	int64_t seed;
	const struct jnode *set, *variants, *inputs, *tables, *notes;
};

static const struct jfield head_fields[] = {
	{ "schema", JK_NOTE, 0, .required = true },
	{ "hvsim", JK_TEXT, offsetof(struct head, version), .required = true },
	{ "scenario", JK_TEXT, offsetof(struct head, scenario), .required = true },
	{ "title", JK_TEXT, offsetof(struct head, title), .required = true },
	{ "kind", JK_TEXT, offsetof(struct head, kind), .required = true },
	{ "cpu", JK_TEXT, offsetof(struct head, cpu) },
	{ "seed", JK_INT, offsetof(struct head, seed), .lo = 0, .hi = INT64_MAX },
	{ "set", JK_OBJECT, offsetof(struct head, set) },
	{ "variants", JK_ARRAY, offsetof(struct head, variants), .required = true },
	{ "inputs", JK_OBJECT, offsetof(struct head, inputs) },
	{ "tables", JK_ARRAY, offsetof(struct head, tables), .required = true },
	{ "assumptions", JK_ARRAY, offsetof(struct head, notes) },
};

struct table_head {
	const char *name, *title, *corner;
	const struct jnode *columns, *percent, *rows;
	bool detail;
};

static const struct jfield table_fields[] = {
	{ "name", JK_TEXT, offsetof(struct table_head, name), .required = true },
	{ "title", JK_TEXT, offsetof(struct table_head, title) },
	{ "corner", JK_TEXT, offsetof(struct table_head, corner) },
	{ "columns", JK_ARRAY, offsetof(struct table_head, columns), .required = true },
	{ "percent", JK_ARRAY, offsetof(struct table_head, percent) },
	{ "detail", JK_TRUTH, offsetof(struct table_head, detail) },
	{ "rows", JK_ARRAY, offsetof(struct table_head, rows), .required = true },
};

/* A list of strings. NULL on error; *n gets how many. */
static const char **read_names(struct mem *mem, const struct jnode *list, size_t *n,
			       struct err *err)
{
	const char **name = mem_alloc(mem, list ? list->n : 0, sizeof(*name));

	*n = 0;
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		if (jnode_is(c, J_STRING, err) < 0)
			return NULL;
		name[(*n)++] = c->text;
	}
	return name;
}

static size_t find(const char *const *names, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && strcmp(names[i], name))
		i++;
	return i;
}

static int read_cell(const struct jnode *node, bool percent, struct scn_cell *cell, struct err *err)
{
	const char *dot = node->text ? strchr(node->text, '.') : NULL;
	unsigned digits = dot ? (unsigned)strlen(dot + 1) : 0;
	int64_t v;

	if (node->type == J_STRING) {
		*cell = scn_text(node->text);
		return 0;
	}
	if (node->type != J_NUMBER)
		return jnode_err(node, err, "must be a number or a string");
	if (!percent && !dot && jnode_whole(node, &v)) {
		*cell = (struct scn_cell){ .kind = SCN_COUNT, .v = v };
		return 0;
	}
	if (node->large)
		return jnode_err(node, err, "is too large for a percentage");
	*cell = scn_decimal(node->micro, digits < DIGITS_SHOWN ? digits : DIGITS_SHOWN);
	if (percent)
		cell->kind = SCN_PERCENT;
	return 0;
}

static int read_row(struct scn_table *t, const struct jnode *row, const bool *percent,
		    struct err *err)
{
	const struct jnode *name = jnode_get(row, "name");
	struct scn_cell *cell;

	if (jnode_is(row, J_OBJECT, err) < 0)
		return -1;
	if (!name)
		return jnode_err(row, err, "needs a 'name'");
	if (jnode_is(name, J_STRING, err) < 0)
		return -1;
	cell = scn_table_row(t, name->text);
	for (const struct jnode *m = row->child; m; m = m->next) {
		size_t c = find(t->column, t->columns, m->key);

		if (m == name)
			continue;
		if (c == t->columns)
			return jnode_err(m, err, "is not one of the table's columns");
		if (read_cell(m, percent[c], &cell[c], err) < 0)
			return -1;
	}
	return 0;
}

static int read_table(struct scn_result *r, const struct jnode *node, struct err *err)
{
	struct table_head h = { .corner = "" };
	const char **column, **percents;
	struct scn_table *t;
	bool *percent;
	size_t n, m;

	if (JFIELDS(node, table_fields, &h, err) < 0)
		return -1;
	column = read_names(r->mem, h.columns, &n, err);
	percents = column ? read_names(r->mem, h.percent, &m, err) : NULL;
	if (!percents)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (find(column, i, column[i]) < i || !strcmp(column[i], "name"))
			return jnode_err(h.columns, err,
					 "must be different names, none of them 'name': "
					 "'%s'",
					 column[i]);
	percent = mem_alloc(r->mem, n, sizeof(*percent));
	for (size_t i = 0; i < m; i++) {
		size_t at = find(column, n, percents[i]);

		if (at == n)
			return jnode_err(h.percent, err, "names '%s', which is no column",
					 percents[i]);
		percent[at] = true;
	}
	t = scn_table_new(r, h.name, h.title, h.corner, column, (unsigned)n);
	t->detail = h.detail;
	for (const struct jnode *c = h.rows->child; c; c = c->next)
		if (read_row(t, c, percent, err) < 0)
			return -1;
	return 0;
}

static int read_sets(struct scn_result *r, const struct jnode *set, struct err *err)
{
	struct scn_set *out = mem_alloc(r->mem, set ? set->n : 0, sizeof(*out));

	r->set = out;
	for (const struct jnode *c = set ? set->child : NULL; c; c = c->next) {
		if (jnode_is(c, J_STRING, err) < 0)
			return -1;
		out[r->sets++] = (struct scn_set){ c->key, c->text };
	}
	return 0;
}

static int read_inputs(struct scn_result *r, const struct jnode *inputs, struct err *err)
{
	size_t n = inputs ? inputs->n : 0;

	r->digest = mem_alloc(r->mem, n, sizeof(*r->digest));
	r->digest_room = (unsigned)n;
	for (const struct jnode *c = inputs ? inputs->child : NULL; c; c = c->next) {
		char hex[32];
		uint64_t v;

		if (jnode_is(c, J_STRING, err) < 0)
			return -1;
		snprintf(hex, sizeof(hex), "0x%.16s",
			 strncmp(c->text, "fnv1a:", 6) ? "" : c->text + 6);
		if (strlen(c->text) != 22 || !text_to_u64(hex, &v))
			return jnode_err(c, err, "must be \"fnv1a:\" and 16 hexadecimal digits");
		r->digest[r->digests++] = (struct scn_digest){ c->key, v };
	}
	return 0;
}

int rep_result_from_node(struct mem *mem, const struct jnode *root, struct scn_result *r,
			 struct err *err)
{
	struct head h = { 0 };
	const char **names;
	size_t n;

	*r = (struct scn_result){ .mem = mem };
	if (jdoc_schema(root, "result", 1, err) < 0 || JFIELDS(root, head_fields, &h, err) < 0)
		return -1;
	r->version = h.version;
	r->scenario = h.scenario;
	r->title = h.title;
	r->kind = h.kind;
	r->cpu = h.cpu;
	r->seed = (uint64_t)h.seed;
	names = read_names(mem, h.variants, &n, err);
	if (!names || read_sets(r, h.set, err) < 0 || read_inputs(r, h.inputs, err) < 0)
		return -1;
	r->variant = names;
	r->variants = (unsigned)n;
	for (const struct jnode *c = h.tables->child; c; c = c->next)
		if (read_table(r, c, err) < 0)
			return -1;
	names = read_names(mem, h.notes, &n, err);
	for (size_t i = 0; names && i < n; i++)
		scn_result_note(r, names[i]);
	return names ? 0 : -1;
}

int rep_result_read(struct mem *mem, const char *file, struct scn_result *r, struct err *err)
{
	const struct jnode *root = jdoc_load(mem, file, err);

	return root ? rep_result_from_node(mem, root, r, err) : -1;
}
