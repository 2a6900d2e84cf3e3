// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu/spr.h"

#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/jdoc.h"
#include "base/text.h"

static const char *const class_names[] = { "renamed", "scoreboarded", "unimplemented", NULL };
static const char *const unit_names[] = {
	[SPR_PLAIN] = "plain", [SPR_TIMER] = "timer", [SPR_MMU] = "mmu", [SPR_PMU] = "pmu",
	[SPR_PMU_CONTROL] = "pmu-control",
	[SPR_TM] = "tm",       [SPR_EBB] = "ebb",     [SPR_DEBUG] = "debug", [SPR_UNITS] = NULL,
};
static const char *const privilege_names[] = { "user", "supervisor", "hypervisor", NULL };

struct row {
	struct spr spr;
	const struct jnode *aliases;
};

static const struct jfield row_fields[] = {
	{ "number", JK_INT, offsetof(struct row, spr.number), true, .hi = SPR_NUMBER_MAX },
	{ "name", JK_TEXT, offsetof(struct row, spr.name), true },
	{ "aliases", JK_ARRAY, offsetof(struct row, aliases) },
	{ "class", JK_NAME, offsetof(struct row, spr.class), true, .names = class_names },
	{ "unit", JK_NAME, offsetof(struct row, spr.unit), true, .names = unit_names },
	{ "privilege", JK_NAME, offsetof(struct row, spr.privilege), true,
	  .names = privilege_names },
	{ "source", JK_TEXT, offsetof(struct row, spr.source), true },
};

struct doc {
	const struct jnode *sprs;
};

static const struct jfield doc_fields[] = {
	{ "schema", JK_NOTE },
	{ "summary", JK_NOTE },
	{ "source", JK_NOTE },
	{ "sprs", JK_ARRAY, offsetof(struct doc, sprs), true },
};

static int read_aliases(struct mem *mem, const struct row *row, struct spr *spr, struct err *err)
{
	const char **alias;

	if (!row->aliases)
		return 0;
	alias = mem_alloc(mem, row->aliases->n, sizeof(*alias));
	for (const struct jnode *a = row->aliases->child; a; a = a->next) {
		if (jnode_is(a, J_STRING, err) < 0)
			return -1;
		alias[spr->n_alias++] = a->text;
	}
	spr->alias = alias;
	return 0;
}

static int read_row(struct mem *mem, struct spr_table *table, struct spr *spr,
		    const struct jnode *node, struct err *err)
{
	struct row row = { 0 };

	if (JFIELDS(node, row_fields, &row, err) < 0)
		return -1;
	if (table->by_number[row.spr.number])
		return jnode_err(node, err, "repeats number %lld, which is %s already",
				 (long long)row.spr.number,
				 table->by_number[row.spr.number]->name);
	if (spr_by_name(table, row.spr.name))
		return jnode_err(node, err, "repeats the name %s", row.spr.name);
	*spr = row.spr;
	if (read_aliases(mem, &row, spr, err) < 0)
		return -1;
	table->by_number[spr->number] = spr;
	table->n++;
	return 0;
}

static const struct spr *other_sprs(struct mem *mem)
{
	struct spr *other = mem_alloc(mem, SPR_NUMBER_MAX + 1, sizeof(*other));

	for (unsigned i = 0; i <= SPR_NUMBER_MAX; i++)
		other[i] = (struct spr){ .number = i, .name = mem_printf(mem, "SPR%u", i),
					 .class = SPR_SCOREBOARDED, .unit = SPR_PLAIN,
					 .privilege = SPR_HYPERVISOR, .source = "not in the table" };
	return other;
}

const struct spr_table *spr_from_node(struct mem *mem, const struct jnode *root, struct err *err)
{
	struct spr_table *table = mem_alloc(mem, 1, sizeof(*table));
	struct doc doc = { 0 };
	struct spr *sprs;

	if (jdoc_schema(root, "spr", 1, err) < 0 || JFIELDS(root, doc_fields, &doc, err) < 0)
		return NULL;
	table->sprs = sprs = mem_alloc(mem, doc.sprs->n, sizeof(*sprs));
	for (const struct jnode *c = doc.sprs->child; c; c = c->next)
		if (read_row(mem, table, &sprs[table->n], c, err) < 0)
			return NULL;
	table->other = other_sprs(mem);
	return table;
}

const struct spr_table *spr_load(struct mem *mem, struct err *err)
{
	const char *dir = file_data_dir(mem, err);
	const struct jnode *root;

	root = dir ? jdoc_load(mem, mem_printf(mem, "%s/models/spr.json", dir), err) : NULL;
	return root ? spr_from_node(mem, root, err) : NULL;
}

const struct spr *spr_by_number(const struct spr_table *table, unsigned number)
{
	return number <= SPR_NUMBER_MAX ? table->by_number[number] : NULL;
}

const struct spr *spr_by_name(const struct spr_table *table, const char *name)
{
	uint64_t number;

	for (size_t i = 0; i < table->n; i++) {
		const struct spr *spr = &table->sprs[i];

		if (!strcasecmp(spr->name, name))
			return spr;
		for (size_t j = 0; j < spr->n_alias; j++)
			if (!strcasecmp(spr->alias[j], name))
				return spr;
	}
	if (!strncasecmp(name, "SPR", 3))
		name += 3;
	if (!text_to_u64(name, &number) || number > SPR_NUMBER_MAX)
		return NULL;
	return table->by_number[number] ? table->by_number[number] : &table->other[number];
}

const char *spr_suggest(const struct spr_table *table, const char *name)
{
	const char *names[SPR_NUMBER_MAX + 1];

	for (size_t i = 0; i < table->n; i++)
		names[i] = table->sprs[i].name;
	return text_nearest(name, names, table->n);
}
