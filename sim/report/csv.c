// SPDX-License-Identifier: GPL-2.0-or-later
/* One value a line: table, row, column, value. What spreadsheets and scripts pivot best. */
#include <string.h>

#include "report/report.h"

static void add_field(struct text *out, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		text_add(out, "%s", s);
		return;
	}
	text_add(out, "\"");
	for (; *s; s++)
		text_add(out, *s == '"' ? "\"\"" : "%c", *s);
	text_add(out, "\"");
}

static void add_value(struct text *out, const struct scn_cell *c)
{
	struct scn_cell plain = *c;
	struct text t = { 0 };

	if (c->kind == SCN_PERCENT)
		plain = (struct scn_cell){ .kind = SCN_DECIMAL, .v = c->v, .digits = 6 };
	rep_cell(&t, &plain);
	add_field(out, t.s ? t.s : "");
	text_free(&t);
}

void rep_table_csv(struct text *out, const struct scn_table *t)
{
	for (unsigned r = 0; r < t->rows; r++) {
		for (unsigned c = 0; c < t->columns; c++) {
			if (t->row[r].cell[c].kind == SCN_EMPTY)
				continue;
			add_field(out, t->name);
			text_add(out, ",");
			add_field(out, t->row[r].name);
			text_add(out, ",");
			add_field(out, t->column[c]);
			text_add(out, ",");
			add_value(out, &t->row[r].cell[c]);
			text_add(out, "\n");
		}
	}
}

void rep_result_csv(struct text *out, const struct scn_result *r)
{
	text_add(out, "table,row,column,value\n");
	for (unsigned i = 0; i < r->tables; i++)
		rep_table_csv(out, r->table[i]);
}
