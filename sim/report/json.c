// SPDX-License-Identifier: GPL-2.0-or-later
/* "hvsim-result/1", described in docs/files.md. */
#include <jansson.h>
#include <stdlib.h>

#include "report/report.h"

/* A decimal as the shortest number that reads back as it. */
static json_t *cell_json(const struct scn_cell *c)
{
	switch (c->kind) {
	case SCN_COUNT:
		return json_integer(c->v);
	case SCN_DECIMAL:
	case SCN_PERCENT:
		return json_real((double)c->v / 1e6);
	case SCN_TEXT:
		return json_string(c->text);
	default:
		return json_null();
	}
}

static json_t *table_json(const struct scn_table *t)
{
	json_t *table = json_object(), *columns = json_array(), *rows = json_array();

	for (unsigned c = 0; c < t->columns; c++)
		json_array_append_new(columns, json_string(t->column[c]));
	for (unsigned r = 0; r < t->rows; r++) {
		json_t *row = json_object();

		json_object_set_new(row, "name", json_string(t->row[r].name));
		for (unsigned c = 0; c < t->columns; c++)
			if (t->row[r].cell[c].kind != SCN_EMPTY)
				json_object_set_new(row, t->column[c],
						    cell_json(&t->row[r].cell[c]));
		json_array_append_new(rows, row);
	}
	json_object_set_new(table, "name", json_string(t->name));
	if (t->title)
		json_object_set_new(table, "title", json_string(t->title));
	json_object_set_new(table, "columns", columns);
	json_object_set_new(table, "rows", rows);
	return table;
}

static json_t *digests_json(const struct scn_result *r)
{
	json_t *digests = json_object();
	char hex[32];

	for (unsigned i = 0; i < r->digests; i++) {
		snprintf(hex, sizeof(hex), "fnv1a:%016llx",
			 (unsigned long long)r->digest[i].fnv1a);
		json_object_set_new(digests, r->digest[i].file, json_string(hex));
	}
	return digests;
}

static void add_head(json_t *root, const struct scn_result *r)
{
	json_t *set = json_object(), *variants = json_array();

	for (size_t i = 0; i < r->sets; i++)
		json_object_set_new(set, r->set[i].key, json_string(r->set[i].value));
	for (unsigned i = 0; i < r->variants; i++)
		json_array_append_new(variants, json_string(r->variant[i]));
	json_object_set_new(root, "schema", json_string("hvsim-result/1"));
	json_object_set_new(root, "hvsim", json_string(HVSIM_VERSION));
	json_object_set_new(root, "scenario", json_string(r->scenario));
	json_object_set_new(root, "title", json_string(r->title));
	json_object_set_new(root, "kind", json_string(r->kind));
	if (r->cpu)
		json_object_set_new(root, "cpu", json_string(r->cpu));
	json_object_set_new(root, "seed", json_integer((json_int_t)r->seed));
	json_object_set_new(root, "set", set);
	json_object_set_new(root, "variants", variants);
	json_object_set_new(root, "inputs", digests_json(r));
}

void rep_result_json(struct text *out, const struct scn_result *r)
{
	json_t *root = json_object(), *tables = json_array(), *notes = json_array();
	char *s;

	add_head(root, r);
	for (unsigned i = 0; i < r->tables; i++)
		json_array_append_new(tables, table_json(r->table[i]));
	for (unsigned i = 0; i < r->notes; i++)
		json_array_append_new(notes, json_string(r->note[i]));
	json_object_set_new(root, "tables", tables);
	json_object_set_new(root, "assumptions", notes);
	s = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	if (s)
		text_add(out, "%s\n", s);
	free(s);
	json_decref(root);
}

void rep_tables_json(struct text *out, const struct scn_result *r)
{
	json_t *root = json_object(), *tables = json_array();
	char *s;

	for (unsigned i = 0; i < r->tables; i++)
		json_array_append_new(tables, table_json(r->table[i]));
	json_object_set_new(root, "schema", json_string("hvsim-tables/1"));
	json_object_set_new(root, "tables", tables);
	s = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	if (s)
		text_add(out, "%s\n", s);
	free(s);
	json_decref(root);
}
