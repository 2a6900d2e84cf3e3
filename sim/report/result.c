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
	case REP_JSON:
		rep_result_json(out, r);
		break;
	default:
		rep_result_text(out, r, o);
	}
}

void rep_table(struct text *out, const struct scn_table *t, enum rep_format format)
{
	switch (format) {
	case REP_MARKDOWN:
		rep_table_markdown(out, t);
		break;
	case REP_CSV:
		rep_table_csv(out, t);
		break;
	case REP_JSON:
		rep_table_json(out, t);
		break;
	default:
		rep_table_text(out, t);
	}
}
