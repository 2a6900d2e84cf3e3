// SPDX-License-Identifier: GPL-2.0-or-later
/* Gates as CI systems read them. */
#include "report/baseline.h"
#include "report/report.h"
#include "study/change.h"

static void add_xml(struct text *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '<')
			text_add(out, "&lt;");
		else if (*s == '>')
			text_add(out, "&gt;");
		else if (*s == '&')
			text_add(out, "&amp;");
		else if (*s == '"')
			text_add(out, "&quot;");
		else if ((unsigned char)*s >= ' ' || *s == '\n')
			text_add(out, "%c", *s);
	}
}

/* "443324 became 389093 (-12.23 %), tolerance 1 %" */
static void add_message(struct text *out, const struct study_gated *c, struct mem *mem)
{
	struct text s = { 0 };
	struct scn_cell change = study_change(&c->stored, &c->now);

	rep_cell(&s, &c->stored);
	text_add(&s, " became ");
	if (c->verdict == STUDY_GONE)
		text_add(&s, "absent");
	rep_cell(&s, &c->now);
	if (change.kind != SCN_EMPTY) {
		text_add(&s, " (");
		rep_cell(&s, &change);
		text_add(&s, ")");
	}
	text_add(&s, ", tolerance %s", study_tolerance_text(mem, c->tolerance));
	text_add(out, "%s", s.s);
	text_free(&s);
}

/* The tables that say why, as text. */
static void add_why(struct text *out, const struct scn_result *report)
{
	for (unsigned i = 1; i < report->tables; i++) {
		text_add(out, "%s%s\n", i > 1 ? "\n" : "", report->table[i]->title);
		rep_table_text(out, report->table[i]);
	}
}

static void add_case(struct text *out, const struct study_gated *c, const char *class,
		     const struct scn_result *report, bool *told)
{
	struct text s = { 0 };

	text_add(out, "  <testcase classname=\"");
	add_xml(out, class);
	text_add(out, "\" name=\"");
	add_xml(out, c->row);
	text_add(out, ", ");
	add_xml(out, c->column);
	text_add(out, "\"");
	if (c->verdict == STUDY_WITHIN) {
		text_add(out, "/>\n");
		return;
	}
	add_message(&s, c, report->mem);
	text_add(out, ">\n    <failure message=\"");
	add_xml(out, s.s);
	text_add(out, "\">");
	s.len = 0;
	if (!*told)
		add_why(&s, report);
	*told = true;
	if (s.len)
		add_xml(out, s.s);
	text_add(out, "</failure>\n  </testcase>\n");
	text_free(&s);
}

void rep_gate_junit(struct text *out, const struct study_gate *g, const struct scn_result *now,
		    const struct scn_result *report)
{
	bool told = false;

	text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		 "<testsuite name=\"hvsim gate\" tests=\"%u\" failures=\"%u\" errors=\"0\" "
		 "skipped=\"0\">\n", g->n, g->failed);
	for (unsigned i = 0; i < g->n; i++)
		add_case(out, &g->cell[i], now->scenario, report, &told);
	text_add(out, "</testsuite>\n</testsuites>\n");
}

static void add_commented(struct text *out, const char *s)
{
	bool start = true;

	for (; *s; s++) {
		if (start)
			text_add(out, "# ");
		text_add(out, "%c", *s);
		start = *s == '\n';
	}
}

/* A '#' in a description would begin a directive. */
static void add_described(struct text *out, const char *s)
{
	for (; *s; s++)
		text_add(out, *s == '#' ? "\\%c" : "%c", *s);
}

void rep_gate_tap(struct text *out, const struct study_gate *g, const struct scn_result *report)
{
	struct text s = { 0 };

	text_add(out, "TAP version 13\n1..%u\n", g->n);
	for (unsigned i = 0; i < g->n; i++) {
		const struct study_gated *c = &g->cell[i];

		text_add(out, "%sok %u - ", c->verdict == STUDY_WITHIN ? "" : "not ", i + 1);
		add_described(out, c->row);
		text_add(out, ", ");
		add_described(out, c->column);
		text_add(out, "\n");
		if (c->verdict == STUDY_WITHIN)
			continue;
		text_add(out, "# ");
		add_message(out, c, report->mem);
		text_add(out, "\n");
	}
	add_why(&s, report);
	if (s.len)
		add_commented(out, s.s);
	text_free(&s);
}

void rep_gate_bench(struct text *out, const struct study_gate *g, const struct scn_result *now)
{
	const char *sep = "";

	text_add(out, "[");
	for (unsigned i = 0; i < g->n; i++) {
		const struct study_gated *c = &g->cell[i];
		struct text name = { 0 };

		if (c->verdict == STUDY_GONE)
			continue;
		text_add(&name, "%s, %s", c->row, c->column);
		text_add(out, "%s\n {\"name\": ", sep);
		rep_json_string(out, name.s);
		text_add(out, ", \"unit\": \"%s\", \"value\": ",
			 c->now.kind == SCN_PERCENT ? "percent" : "predicted");
		if (c->now.kind == SCN_COUNT)
			text_add(out, "%lld", (long long)c->now.v);
		else
			rep_json_decimal(out, c->now.v);
		text_add(out, ", \"extra\": ");
		rep_json_string(out, now->scenario);
		text_add(out, "}");
		sep = ",";
		text_free(&name);
	}
	text_add(out, "\n]\n");
}
