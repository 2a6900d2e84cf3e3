// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "report/report.h"

const char *const rep_format_names[] = { "table", "markdown", "csv", "json", NULL };

int rep_format_find(const char *name)
{
	for (int i = 0; rep_format_names[i]; i++)
		if (!strcmp(rep_format_names[i], name))
			return i;
	return -1;
}

void rep_result(struct text *out, const struct scn_result *r, enum rep_format format,
		const struct rep_options *o)
{
	switch (format) {
	case REP_MARKDOWN:
		rep_result_markdown(out, r, o);
		break;
	case REP_CSV:
		rep_result_csv(out, r);
		break;
	case REP_PERF_STAT:
		rep_result_perf_stat(out, r);
		break;
	case REP_JSON:
		rep_result_json(out, r);
		break;
	case REP_COVER:
		rep_result_cover(out, r, o);
		break;
	default:
		rep_result_text(out, r, o);
	}
}

void rep_tables(struct text *out, const struct scn_result *r, enum rep_format format)
{
	if (format == REP_JSON) {
		rep_tables_json(out, r);
		return;
	}
	if (format == REP_CSV) {
		rep_result_csv(out, r);
		return;
	}
	for (unsigned i = 0; i < r->tables; i++) {
		const struct scn_table *t = r->table[i];

		text_add(out, "%s", i ? "\n" : "");
		if (format == REP_MARKDOWN) {
			if (t->title)
				text_add(out, "### %s\n\n", t->title);
			rep_table_markdown(out, t);
		} else {
			if (t->title)
				rep_wrap(out, "", 0, REP_TABLE_COLUMNS, t->title);
			rep_table_text(out, t);
		}
	}
}
