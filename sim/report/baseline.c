// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/baseline.h"

#include <string.h>

#include "report/report.h"
#include "report/result_read.h"

struct head {
	const struct jnode *tolerances, *result;
};

static const struct jfield fields[] = {
	{ "schema", JK_NOTE, 0, .required = true },
	{ "about", JK_NOTE, 0 },
	{ "tolerances", JK_ARRAY, offsetof(struct head, tolerances), .required = true },
	{ "result", JK_OBJECT, offsetof(struct head, result), .required = true },
};

int rep_baseline_read(struct mem *mem, const char *file, struct rep_baseline *b, struct err *err)
{
	const struct jnode *root = jdoc_load(mem, file, err);
	struct head h = { 0 };

	if (!root || jdoc_schema(root, "baseline", 1, err) < 0 ||
	    JFIELDS(root, fields, &h, err) < 0 ||
	    study_tolerances(mem, h.tolerances, &b->tolerance, &b->tolerances, err) < 0)
		return -1;
	return rep_result_from_node(mem, h.result, &b->result, err);
}

static void add_text(struct text *out, const char *key, const char *value)
{
	if (!value)
		return;
	text_add(out, "\"%s\": ", key);
	rep_json_string(out, value);
	text_add(out, ", ");
}

static void add_tolerance(struct text *out, const struct study_tolerance *t)
{
	text_add(out, "{");
	add_text(out, "table", strcmp(t->table, "metrics") ? t->table : NULL);
	add_text(out, "row", t->row);
	add_text(out, "column", t->column);
	add_text(out, "side", t->side ? study_side_name(t->side) : NULL);
	add_text(out, "note", t->note);
	text_add(out, "\"%s\": ", t->percent >= 0 ? "percent" : "absolute");
	rep_json_decimal(out, t->percent >= 0 ? t->percent : t->absolute);
	text_add(out, "}");
}

void rep_baseline_json(struct text *out, const struct rep_baseline *b)
{
	text_add(out, "{\n\"schema\": \"hvsim-baseline/1\",\n\"tolerances\": [");
	for (unsigned i = 0; i < b->tolerances; i++) {
		text_add(out, "%s\n ", i ? "," : "");
		add_tolerance(out, &b->tolerance[i]);
	}
	text_add(out, "\n],\n\"result\": ");
	rep_result_json(out, &b->result);
	text_add(out, "}\n");
}
