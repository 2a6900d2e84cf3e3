// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts by interval in the shape of `perf stat -I`, one block a variant. */
#include <string.h>

#include "report/report.h"

#define PREFIX "perf-stat "

static void block(struct text *out, const struct scn_table *t, unsigned column)
{
	text_add(out, "# %s\n#           time             counts unit events\n", t->column[column]);
	for (unsigned i = 0; i < t->rows; i++)
		text_add(out, "%16s %18lld      %s\n", t->row[i].name,
			 (long long)t->row[i].cell[column].v, t->name + strlen(PREFIX));
}

bool rep_has_intervals(const struct scn_result *r)
{
	for (unsigned i = 0; i < r->tables; i++)
		if (!strncmp(r->table[i]->name, PREFIX, strlen(PREFIX)) && r->table[i]->rows)
			return true;
	return false;
}

void rep_result_perf_stat(struct text *out, const struct scn_result *r)
{
	for (unsigned i = 0; i < r->tables; i++) {
		const struct scn_table *t = r->table[i];

		if (strncmp(t->name, PREFIX, strlen(PREFIX)))
			continue;
		for (unsigned c = 0; c < t->columns; c++) {
			if (out->len)
				text_add(out, "\n");
			block(out, t, c);
		}
	}
}
