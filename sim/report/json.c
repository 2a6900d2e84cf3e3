// SPDX-License-Identifier: GPL-2.0-or-later
/* "hvsim-result/1". Written a row a line, so that two results can be compared with diff. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

#define MICRO INT64_C(1000000)

void rep_json_string(struct text *out, const char *s)
{
	json_t *json = json_string(s);
	char *dump = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;

	text_add(out, "%s", dump ? dump : "\"\"");
	free(dump);
	json_decref(json);
}

/* Millionths as the shortest decimal that is exact; never whole, so that it reads back as one. */
void rep_json_decimal(struct text *out, int64_t micro)
{
	uint64_t v = micro < 0 ? -(uint64_t)micro : (uint64_t)micro;
	uint64_t part = v % MICRO;
	int digits = 6;

	while (digits > 1 && part % 10 == 0) {
		part /= 10;
		digits--;
	}
	text_add(out, "%s%llu.%0*llu", micro < 0 ? "-" : "", (unsigned long long)(v / MICRO),
		 digits, (unsigned long long)part);
}

static void add_cell(struct text *out, const struct scn_cell *c)
{
	switch (c->kind) {
	case SCN_COUNT:
		text_add(out, "%lld", (long long)c->v);
		break;
	case SCN_DECIMAL:
	case SCN_PERCENT:
		rep_json_decimal(out, c->v);
		break;
	default:
		rep_json_string(out, c->text);
	}
}

static void add_row(struct text *out, const struct scn_table *t, const struct scn_row *row)
{
	text_add(out, "{\"name\": ");
	rep_json_string(out, row->name);
	for (unsigned c = 0; c < t->columns; c++) {
		if (row->cell[c].kind == SCN_EMPTY)
			continue;
		text_add(out, ", ");
		rep_json_string(out, t->column[c]);
		text_add(out, ": ");
		add_cell(out, &row->cell[c]);
	}
	text_add(out, "}");
}

static bool holds_percent(const struct scn_table *t, unsigned column)
{
	for (unsigned r = 0; r < t->rows; r++)
		if (t->row[r].cell[column].kind == SCN_PERCENT)
			return true;
	return false;
}

/* Columns, those that are signed per cent, and what a reader needs to show the table again. */
static void add_columns(struct text *out, const struct scn_table *t, const char *indent)
{
	const char *sep = "";

	text_add(out, ",\n%s\"columns\": [", indent);
	for (unsigned c = 0; c < t->columns; c++) {
		text_add(out, "%s", c ? ", " : "");
		rep_json_string(out, t->column[c]);
	}
	text_add(out, "],\n%s\"percent\": [", indent);
	for (unsigned c = 0; c < t->columns; c++) {
		if (!holds_percent(t, c))
			continue;
		text_add(out, "%s", sep);
		rep_json_string(out, t->column[c]);
		sep = ", ";
	}
	text_add(out, "]");
	if (t->detail)
		text_add(out, ",\n%s\"detail\": true", indent);
}

void rep_table_json(struct text *out, const struct scn_table *t, const char *indent)
{
	text_add(out, "%s{\"name\": ", indent);
	rep_json_string(out, t->name);
	if (t->title) {
		text_add(out, ",\n%s \"title\": ", indent);
		rep_json_string(out, t->title);
	}
	text_add(out, ",\n%s \"corner\": ", indent);
	rep_json_string(out, t->corner);
	add_columns(out, t, indent[0] ? "   " : " ");
	text_add(out, ",\n%s \"rows\": [", indent);
	for (unsigned r = 0; r < t->rows; r++) {
		text_add(out, "%s\n%s  ", r ? "," : "", indent);
		add_row(out, t, &t->row[r]);
	}
	text_add(out, "%s%s]}", t->rows ? "\n" : "", t->rows ? indent : "");
}

static void add_member(struct text *out, const char *key, const char *value)
{
	if (!value)
		return;
	text_add(out, " \"%s\": ", key);
	rep_json_string(out, value);
	text_add(out, ",\n");
}

static void add_inputs(struct text *out, const struct scn_result *r)
{
	text_add(out, " \"inputs\": {");
	for (unsigned i = 0; i < r->digests; i++) {
		text_add(out, "%s\n  ", i ? "," : "");
		rep_json_string(out, r->digest[i].file);
		text_add(out, ": \"fnv1a:%016llx\"", (unsigned long long)r->digest[i].fnv1a);
	}
	text_add(out, "%s},\n", r->digests ? "\n " : "");
}

static void add_head(struct text *out, const struct scn_result *r)
{
	add_member(out, "schema", "hvsim-result/1");
	add_member(out, "hvsim", r->version ? r->version : HVSIM_VERSION);
	add_member(out, "scenario", r->scenario);
	add_member(out, "title", r->title);
	add_member(out, "kind", r->kind);
	add_member(out, "cpu", r->cpu);
	text_add(out, " \"seed\": %llu,\n \"set\": {", (unsigned long long)r->seed);
	for (size_t i = 0; i < r->sets; i++) {
		bool again = false;

		for (size_t j = i + 1; j < r->sets; j++)
			again |= !strcmp(r->set[i].key, r->set[j].key);
		if (again) /* later ones win */
			continue;
		text_add(out, "%s", out->s[out->len - 1] == '{' ? "" : ", ");
		rep_json_string(out, r->set[i].key);
		text_add(out, ": ");
		rep_json_string(out, r->set[i].value);
	}
	text_add(out, "},\n \"variants\": [");
	for (unsigned i = 0; i < r->variants; i++) {
		text_add(out, "%s", i ? ", " : "");
		rep_json_string(out, r->variant[i]);
	}
	text_add(out, "],\n");
	add_inputs(out, r);
}

void rep_result_json(struct text *out, const struct scn_result *r)
{
	text_add(out, "{\n");
	add_head(out, r);
	text_add(out, " \"tables\": [");
	for (unsigned i = 0; i < r->tables; i++) {
		text_add(out, "%s\n", i ? "," : "");
		rep_table_json(out, r->table[i], "  ");
	}
	text_add(out, "%s],\n \"assumptions\": [", r->tables ? "\n " : "");
	for (unsigned i = 0; i < r->notes; i++) {
		text_add(out, "%s\n  ", i ? "," : "");
		rep_json_string(out, r->note[i]);
	}
	text_add(out, "%s]\n}\n", r->notes ? "\n " : "");
}

void rep_tables_json(struct text *out, const struct scn_result *r)
{
	text_add(out, "{\n \"schema\": \"hvsim-tables/1\",\n \"tables\": [");
	for (unsigned i = 0; i < r->tables; i++) {
		text_add(out, "%s\n", i ? "," : "");
		rep_table_json(out, r->table[i], "  ");
	}
	text_add(out, "%s]\n}\n", r->tables ? "\n " : "");
}
