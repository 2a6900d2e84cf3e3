// SPDX-License-Identifier: GPL-2.0-or-later
/* What `hvsim trace info` prints for machines: CSV rows of one metric each, and JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "report/trace_part.h"

static void csv_row(struct rep_sheet *g, const struct trace_vstats *v, const char *metric,
		    const char *key, uint64_t value)
{
	char buf[24];

	rep_sheet_text(g, "%s", v ? rep_trace_vcpu(v, buf, sizeof(buf)) : "");
	if (v && v->tid >= 0)
		rep_sheet_text(g, "%lld", (long long)v->tid);
	else
		rep_sheet_text(g, "%s", "");
	rep_sheet_text(g, "%s", metric);
	rep_sheet_text(g, "%s", key);
	rep_sheet_count(g, REP_CSV, value);
}

struct vfield { const char *name; uint64_t value; };

#define VFIELDS 16

static void vfields(const struct trace_vstats *v, struct vfield *f)
{
	const struct vfield list[VFIELDS] = {
		{ "turns", trace_vstats_turns(v) },
		{ "entered", v->turns[TRACE_ENTERED] },
		{ "not_entered", v->turns[TRACE_NOT_ENTERED] },
		{ "unknown", v->turns[TRACE_UNPAIRED] },
		{ "same_pc_entered", v->same_pc },
		{ "pending_dec", v->pending_dec },
		{ "pending_ext", v->pending_ext },
		{ "ceded", v->ceded },
		{ "ceded_blocked", v->blocked },
		{ "ceded_not_blocked", v->not_blocked },
		{ "bursts", v->bursts },
		{ "burst_max", v->burst_max },
		{ "entered_ns", v->guest_ns },
		{ "not_entered_ns", v->failed_ns },
		{ "hypervisor_ns", v->hv_ns },
		{ "blocked_ns", v->blocked_ns },
	};

	for (unsigned i = 0; i < VFIELDS; i++)
		f[i] = list[i];
}

static const struct { const char *name; unsigned percent; } quantiles[] = {
	{ "p50", 50 }, { "p90", 90 }, { "p99", 99 },
};

#define QUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

static void csv_dists(struct rep_sheet *g, const struct trace_vstats *v, const struct hist *dist)
{
	char name[40];

	for (unsigned d = 0; dist && d < TRACE_DISTS; d++) {
		const char *unit = d == TRACE_D_BURST ? "" : "_ns";

		if (!dist[d].count)
			continue;
		snprintf(name, sizeof(name), "min%s", unit);
		csv_row(g, v, name, trace_dist_name(d), dist[d].min);
		for (unsigned q = 0; q < QUANTILES; q++) {
			snprintf(name, sizeof(name), "%s%s", quantiles[q].name, unit);
			csv_row(g, v, name, trace_dist_name(d),
				hist_quantile(&dist[d], quantiles[q].percent, 100));
		}
		snprintf(name, sizeof(name), "max%s", unit);
		csv_row(g, v, name, trace_dist_name(d), dist[d].max);
	}
}

static void csv_vcpu(struct rep_sheet *g, const struct trace_stats *s, const struct trace_vstats *v)
{
	static const char *const how[] = { "exits_entered", "exits_not_entered", "exits_unknown" };
	struct vfield f[VFIELDS];

	vfields(v, f);
	for (unsigned i = 0; i < VFIELDS; i++)
		csv_row(g, v, f[i].name, "", f[i].value);
	for (unsigned c = 0; c < v->n_causes; c++)
		for (int h = 0; h < TRACE_HOWS; h++)
			if (v->causes[c].how[h])
				csv_row(g, v, how[h], rep_trace_cause(s, c), v->causes[c].how[h]);
	csv_dists(g, v, v->vcpu == TRACE_NO_VCPU ? s->dist : v->dist);
}

void rep_trace_info_csv(const struct trace_stats *s, const struct trace_vstats *all, struct text *out)
{
	static const char *const names[] = { "vcpu", "thread", "metric", "key", "value" };
	const struct trace_reader *r = s->turns.reader;
	struct rep_sheet g;

	rep_sheet_init(&g, 5);
	for (unsigned i = 0; i < 5; i++)
		rep_sheet_text(&g, "%s", names[i]);
	csv_row(&g, NULL, "events", "", s->events);
	csv_row(&g, NULL, "span_ns", "", s->last_ns - s->first_ns);
	csv_row(&g, NULL, "lost", "", r->parser.lost);
	csv_row(&g, NULL, "overwritten", "", r->parser.overwritten);
	for (size_t i = 0; i < s->n; i++)
		csv_vcpu(&g, s, &s->v[i]);
	csv_vcpu(&g, s, all);
	for (unsigned i = 0; i < TRACE_WORDS_MAX; i++)
		if (r->parser.hcalls.w[i].count)
			csv_row(&g, NULL, "hcalls", r->parser.hcalls.w[i].s,
				r->parser.hcalls.w[i].count);
	for (unsigned i = 0; i < TRACE_WORDS_MAX; i++)
		if (r->parser.events.w[i].count)
			csv_row(&g, NULL, "events", r->parser.events.w[i].s,
				r->parser.events.w[i].count);
	for (unsigned k = 0; k < TRACE_P_KINDS; k++)
		if (r->problems.count[k])
			csv_row(&g, NULL, "problems", trace_problem_name(k), r->problems.count[k]);
	rep_sheet_print(&g, REP_CSV, 0, out);
	rep_sheet_done(&g);
}

static void json_causes(const struct trace_stats *s, const struct trace_vstats *v,
			const char *indent, struct text *out)
{
	size_t n;
	unsigned *order = rep_trace_cause_order(v, &n);

	text_add(out, "\"exits\": {");
	for (size_t i = 0; i < n; i++) {
		const uint64_t *how = v->causes[order[i]].how;

		text_add(out, "%s\n%s  ", i ? "," : "", indent);
		rep_json_text(out, rep_trace_cause(s, order[i]));
		text_add(out, ": {\"turns\": %llu, \"entered\": %llu, \"not_entered\": %llu, "
			 "\"unknown\": %llu}",
			 (unsigned long long)rep_trace_cause_total(v, order[i]),
			 (unsigned long long)how[TRACE_ENTERED],
			 (unsigned long long)how[TRACE_NOT_ENTERED],
			 (unsigned long long)how[TRACE_UNPAIRED]);
	}
	text_add(out, "}");
	free(order);
}

/* Times are in nanoseconds, bursts in turns. */
static void json_dists(const struct hist *dist, const char *indent, struct text *out)
{
	const char *sep = "";

	text_add(out, ",\n%s\"distributions\": {", indent);
	for (unsigned d = 0; dist && d < TRACE_DISTS; d++) {
		const struct hist *h = &dist[d];

		if (!h->count)
			continue;
		text_add(out, "%s\n%s  \"%s\": {\"count\": %llu, \"mean\": %llu, \"min\": %llu", sep,
			 indent, trace_dist_name(d), (unsigned long long)h->count,
			 (unsigned long long)hist_mean(h), (unsigned long long)h->min);
		for (unsigned q = 0; q < QUANTILES; q++)
			text_add(out, ", \"%s\": %llu", quantiles[q].name,
				 (unsigned long long)hist_quantile(h, quantiles[q].percent, 100));
		text_add(out, ", \"max\": %llu}", (unsigned long long)h->max);
		sep = ",";
	}
	text_add(out, "}");
}

static void json_vcpu(const struct trace_stats *s, const struct trace_vstats *v,
		      const char *indent, struct text *out)
{
	struct vfield f[VFIELDS];

	vfields(v, f);
	for (unsigned i = 0; i < VFIELDS; i++)
		text_add(out, "%s%s\"%s\": %llu,", i % 4 ? " " : i ? "\n" : "",
			 i && i % 4 == 0 ? indent : "", f[i].name, (unsigned long long)f[i].value);
	text_add(out, "\n%s", indent);
	json_causes(s, v, indent, out);
	json_dists(v->vcpu == TRACE_NO_VCPU ? s->dist : v->dist, indent, out);
}

static void json_words(const struct trace_words *w, const char *name, struct text *out)
{
	const char *sep = "";

	text_add(out, ",\n  \"%s\": {", name);
	for (unsigned i = 0; i < TRACE_WORDS_MAX; i++) {
		if (!w->w[i].count)
			continue;
		text_add(out, "%s", sep);
		rep_json_text(out, w->w[i].s);
		text_add(out, ": %llu", (unsigned long long)w->w[i].count);
		sep = ", ";
	}
	text_add(out, "}");
}

static void json_problems(const struct trace_problems *p, struct text *out)
{
	const char *sep = "";

	text_add(out, ",\n  \"problems\": {");
	for (unsigned k = 0; k < TRACE_P_KINDS; k++) {
		if (!p->count[k])
			continue;
		text_add(out, "%s\"%s\": {\"count\": %llu, \"lines\": [", sep,
			 trace_problem_name(k), (unsigned long long)p->count[k]);
		rep_trace_lines(p, k, ", ", out);
		text_add(out, "]}");
		sep = ", ";
	}
	text_add(out, "}\n}\n");
}

void rep_trace_info_json(const struct trace_stats *s, const struct trace_vstats *all,
		      struct text *out)
{
	const struct trace_reader *r = s->turns.reader;

	text_add(out, "{\n  \"schema\": \"hvsim-trace-info/1\",\n  \"file\": ");
	rep_json_text(out, r->problems.file);
	text_add(out, ",\n  \"format\": \"%s\",\n  \"events\": %llu,\n  \"span_ns\": %llu,\n"
		 "  \"lost\": %llu,\n  \"overwritten\": %llu,\n"
		 "  \"not_entered_at_most_ns\": %llu,\n  \"block_over_ns\": %llu,\n  \"vcpus\": [",
		 trace_format_name(r->parser.format), (unsigned long long)s->events,
		 (unsigned long long)(s->last_ns - s->first_ns),
		 (unsigned long long)r->parser.lost, (unsigned long long)r->parser.overwritten,
		 (unsigned long long)s->turns.limits.not_entered_ns,
		 (unsigned long long)s->turns.limits.block_ns);
	for (size_t i = 0; i < s->n; i++) {
		const struct trace_vstats *v = &s->v[i];

		text_add(out, "%s\n    {\"vcpu\": %u, \"thread\": ", i ? "," : "", v->vcpu);
		text_add(out, v->tid < 0 ? "null, " : "%lld, ", (long long)v->tid);
		json_vcpu(s, v, "     ", out);
		text_add(out, "}");
	}
	text_add(out, "],\n  \"all\": {");
	json_vcpu(s, all, "    ", out);
	text_add(out, "}");
	json_words(&r->parser.hcalls, "hcalls", out);
	json_words(&r->parser.events, "events_by_name", out);
	json_problems(&r->problems, out);
}
