// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/trace_info.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/trace_part.h"

#define NS_PER_US 1000u

/* Microseconds: whole from 100 us on, with three decimals below 10. */
static void us_cell(struct rep_sheet *g, uint64_t ns)
{
	unsigned long long us = ns / NS_PER_US;
	unsigned frac = (unsigned)(ns % NS_PER_US);

	if (us >= 100)
		rep_sheet_text(g, "%llu", us + (frac >= NS_PER_US / 2));
	else if (us >= 10)
		rep_sheet_text(g, "%llu.%u", us, frac / 100);
	else
		rep_sheet_text(g, "%llu.%03u", us, frac);
}

const char *rep_trace_vcpu(const struct trace_vstats *v, char *buf, size_t n)
{
	if (v->vcpu == TRACE_NO_VCPU)
		return "all";
	snprintf(buf, n, "%u", v->vcpu);
	return buf;
}

static const char *tid_name(const struct trace_vstats *v, char *buf, size_t n)
{
	if (v->tid < 0)
		return "-";
	snprintf(buf, n, "%lld", (long long)v->tid);
	return buf;
}

static void headings(struct rep_sheet *g, const char *const *names)
{
	for (unsigned i = 0; i < g->columns; i++)
		rep_sheet_text(g, "%s", names[i]);
}

static void turn_row(struct rep_sheet *g, enum rep_format f, const struct trace_vstats *v)
{
	char buf[24];

	rep_sheet_text(g, "%s", rep_trace_vcpu(v, buf, sizeof(buf)));
	rep_sheet_text(g, "%s", tid_name(v, buf, sizeof(buf)));
	rep_sheet_count(g, f, trace_vstats_turns(v));
	rep_sheet_count(g, f, v->turns[TRACE_ENTERED]);
	rep_sheet_count(g, f, v->turns[TRACE_NOT_ENTERED]);
	rep_sheet_count(g, f, v->turns[TRACE_UNPAIRED]);
	rep_sheet_count(g, f, v->bursts);
	rep_sheet_count(g, f, v->burst_max);
	rep_sheet_count(g, f, v->ceded);
	rep_sheet_count(g, f, v->blocked);
	rep_sheet_count(g, f, v->not_blocked);
	rep_sheet_count(g, f, v->ceded - v->blocked - v->not_blocked);
}

static void turns(const struct trace_stats *s, const struct trace_vstats *all, enum rep_format f,
		  struct text *out)
{
	static const char *const names[] = {
		"vCPU", "thread", "turns", "entered", "not entered", "unknown", "bursts",
		"longest", "ceded", "blocked", "not blocked", "undecided",
	};
	struct rep_sheet g;

	rep_sheet_init(&g, sizeof(names) / sizeof(names[0]));
	headings(&g, names);
	for (size_t i = 0; i < s->n; i++)
		turn_row(&g, f, &s->v[i]);
	turn_row(&g, f, all);
	rep_sheet_print(&g, f, 1, out);
	rep_sheet_done(&g);
}

static void time_row(struct rep_sheet *g, const struct trace_vstats *v)
{
	char buf[24];

	rep_sheet_text(g, "%s", rep_trace_vcpu(v, buf, sizeof(buf)));
	rep_sheet_text(g, "%s", tid_name(v, buf, sizeof(buf)));
	us_cell(g, v->guest_ns);
	us_cell(g, v->failed_ns);
	us_cell(g, v->hv_ns);
	us_cell(g, v->blocked_ns);
}

static void times(const struct trace_stats *s, const struct trace_vstats *all, enum rep_format f,
		  struct text *out)
{
	static const char *const names[] = {
		"vCPU", "thread", "entered us", "not entered us", "hypervisor us", "blocked us",
	};
	struct rep_sheet g;

	rep_sheet_init(&g, sizeof(names) / sizeof(names[0]));
	headings(&g, names);
	for (size_t i = 0; i < s->n; i++)
		time_row(&g, &s->v[i]);
	time_row(&g, all);
	rep_sheet_print(&g, f, 1, out);
	rep_sheet_done(&g);
}

static void dist_row(struct rep_sheet *g, const char *vcpu, enum trace_dist d, const struct hist *h)
{
	static const unsigned percent[] = { 50, 90, 99 };

	rep_sheet_text(g, "%s", vcpu);
	rep_sheet_text(g, "%s", trace_dist_text(d));
	rep_sheet_text(g, "%llu", (unsigned long long)h->count);
	us_cell(g, h->min);
	for (unsigned i = 0; i < sizeof(percent) / sizeof(percent[0]); i++)
		us_cell(g, hist_quantile(h, percent[i], 100));
	us_cell(g, h->max);
}

#define VCPUS_SHOWN 16 /* past that, percentiles of each vCPU are for --format json */

static void percentiles(const struct trace_stats *s, enum rep_format f, struct text *out)
{
	static const char *const names[] = { "vCPU", "times in us", "count", "min", "50 %", "90 %",
					     "99 %", "max" };
	struct rep_sheet g;
	char buf[24];

	rep_sheet_init(&g, sizeof(names) / sizeof(names[0]));
	headings(&g, names);
	for (unsigned d = 0; d < TRACE_D_BURST; d++) {
		for (size_t i = 0; s->n <= VCPUS_SHOWN && i < s->n; i++)
			if (s->v[i].dist && s->v[i].dist[d].count)
				dist_row(&g, rep_trace_vcpu(&s->v[i], buf, sizeof(buf)), d,
					 &s->v[i].dist[d]);
		if (s->dist[d].count)
			dist_row(&g, "all", d, &s->dist[d]);
	}
	if (g.n > g.columns)
		rep_sheet_print(&g, f, 2, out);
	rep_sheet_done(&g);
}

uint64_t rep_trace_cause_total(const struct trace_vstats *v, size_t c)
{
	const uint64_t *how;

	if (c >= v->n_causes)
		return 0;
	how = v->causes[c].how;
	return how[TRACE_ENTERED] + how[TRACE_NOT_ENTERED] + how[TRACE_UNPAIRED];
}

unsigned *rep_trace_cause_order(const struct trace_vstats *all, size_t *n)
{
	unsigned *order = mem_zalloc(all->n_causes + 1, sizeof(*order));

	*n = 0;
	for (unsigned c = 0; c < all->n_causes; c++) {
		size_t at = *n;

		if (!rep_trace_cause_total(all, c))
			continue;
		for (; at &&
		       rep_trace_cause_total(all, order[at - 1]) < rep_trace_cause_total(all, c);
		     at--)
			order[at] = order[at - 1];
		order[at] = c;
		(*n)++;
	}
	return order;
}

const char *rep_trace_cause(const struct trace_stats *s, unsigned c)
{
	return s->turns.reader->parser.causes.w[c].s;
}

static void causes(const struct trace_stats *s, const struct trace_vstats *all, enum rep_format f,
		   struct text *out)
{
	static const char *const names[] = { "exit", "turns", "entered", "not entered", "unknown" };
	struct rep_sheet g;
	size_t n;
	unsigned *order = rep_trace_cause_order(all, &n);

	rep_sheet_init(&g, sizeof(names) / sizeof(names[0]));
	headings(&g, names);
	for (size_t i = 0; i < n; i++) {
		unsigned c = order[i];

		rep_sheet_text(&g, "%s", rep_trace_cause(s, c));
		rep_sheet_count(&g, f, rep_trace_cause_total(all, c));
		for (int h = 0; h < TRACE_HOWS; h++)
			rep_sheet_count(&g, f, all->causes[c].how[h]);
	}
	rep_sheet_print(&g, f, 1, out);
	rep_sheet_done(&g);
	free(order);
}

static void words(const struct trace_words *w, const char *name, enum rep_format f,
		  struct text *out)
{
	struct rep_sheet g;

	rep_sheet_init(&g, 2);
	rep_sheet_text(&g, "%s", name);
	rep_sheet_text(&g, "count");
	for (unsigned i = 0; i < TRACE_WORDS_MAX; i++) {
		if (!w->w[i].count)
			continue;
		rep_sheet_text(&g, "%s", w->w[i].s);
		rep_sheet_count(&g, f, w->w[i].count);
	}
	if (g.n > 2) {
		text_add(out, "\n");
		rep_sheet_print(&g, f, 1, out);
	}
	rep_sheet_done(&g);
}

void rep_trace_lines(const struct trace_problems *p, enum trace_problem k, const char *sep,
			  struct text *out)
{
	for (uint64_t i = 0; i < p->count[k] && i < TRACE_P_LINES; i++)
		text_add(out, "%s%llu", i ? sep : "", (unsigned long long)p->line[k][i]);
}

static void problems(const struct trace_problems *p, struct text *out)
{
	if (!trace_problem_total(p))
		return;
	text_add(out, "\nproblems:\n");
	for (unsigned k = 0; k < TRACE_P_KINDS; k++) {
		if (!p->count[k])
			continue;
		text_add(out, "  %llu: %s, line%s ", (unsigned long long)p->count[k],
			 trace_problem_text(k), p->count[k] == 1 ? "" : "s");
		rep_trace_lines(p, k, ", ", out);
		text_add(out, "%s\n", p->count[k] > TRACE_P_LINES ? ", ..." : "");
	}
}

static uint64_t per_second(uint64_t n, uint64_t ns)
{
	return ns ? (uint64_t)((unsigned __int128)n * 1000000000u / ns) : 0;
}

static void summary(const struct trace_stats *s, const struct trace_vstats *all, struct text *out)
{
	const struct trace_reader *r = s->turns.reader;
	uint64_t span = s->last_ns - s->first_ns;

	text_add(out, "%s: %s, %llu events over %llu.%03u ms, %zu vCPU%s, %llu exits a second\n",
		 r->problems.file, trace_format_name(r->parser.format),
		 (unsigned long long)s->events, (unsigned long long)(span / 1000000u),
		 (unsigned)(span / 1000u % 1000u), s->n, s->n == 1 ? "" : "s",
		 (unsigned long long)per_second(trace_vstats_turns(all), span));
	text_add(out, "lost while recording: %llu; overwritten before the first line: %llu\n",
		 (unsigned long long)r->parser.lost, (unsigned long long)r->parser.overwritten);
}

static void footnotes(const struct trace_stats *s, const struct trace_vstats *all,
		      struct text *out)
{
	const struct trace_limits *l = &s->turns.limits;

	text_add(out, "\nnot entered: HV_DECREMENTER turns of at most %llu us with an unchanged pc; "
		 "%llu longer ones\nwith an unchanged pc count as entered. unknown: exits whose "
		 "entry isn't in the trace.\nblocked: over %llu us between a ceded exit and the "
		 "next entry; undecided: no next entry. Percentiles are at most\n1/64 too high.\n",
		 (unsigned long long)(l->not_entered_ns / NS_PER_US),
		 (unsigned long long)all->same_pc,
		 (unsigned long long)(l->block_ns / NS_PER_US));
}

static void info_text(const struct trace_stats *s, const struct trace_vstats *all,
		      enum rep_format f, struct text *out)
{
	const struct trace_parser *p = &s->turns.reader->parser;

	summary(s, all, out);
	if (s->n) {
		text_add(out, "\n");
		turns(s, all, f, out);
		text_add(out, "\n");
		times(s, all, f, out);
		text_add(out, "\n");
		percentiles(s, f, out);
	}
	if (all->n_causes) {
		text_add(out, "\n");
		causes(s, all, f, out);
	}
	words(&p->hcalls, "hcall", f, out);
	words(&p->events, "event", f, out);
	if (s->n)
		footnotes(s, all, out);
	problems(&s->turns.reader->problems, out);
}

void rep_trace_info(const struct trace_stats *s, enum rep_format format, struct text *out)
{
	struct trace_vstats all = { .vcpu = TRACE_NO_VCPU, .tid = -1, .first_ns = UINT64_MAX };

	for (size_t i = 0; i < s->n; i++)
		trace_vstats_add(&all, &s->v[i]);
	if (format == REP_JSON)
		rep_trace_info_json(s, &all, out);
	else if (format == REP_CSV)
		rep_trace_info_csv(s, &all, out);
	else
		info_text(s, &all, format, out);
	free(all.causes);
}
