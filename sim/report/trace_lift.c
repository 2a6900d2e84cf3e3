// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/trace_lift.h"

#define LL unsigned long long

static void us(struct text *out, uint64_t ns)
{
	text_add(out, "%llu.%03u us", (LL)(ns / 1000u), (unsigned)(ns % 1000u));
}

static void facts_text(const struct trace_facts *f, struct text *out)
{
	text_add(out, "%s shows: %s ", f->whole ? "the trace" : "its beginning",
		 f->floor_capped ? "no turn that is all entry and exit; taken for that"
				 : "shortest entered turn");
	us(out, f->floor_ns);
	if (f->hz_assumed)
		text_add(out, "; no tick grid in %llu HV_DECREMENTER exits", (LL)f->grid_n);
	else
		text_add(out, "; L1 ticks at %llu Hz (%llu of %llu HV_DECREMENTER exits in a quarter of "
			 "the period)", (LL)f->l1_hz, (LL)f->grid_on, (LL)f->grid_n);
	if (f->hz_assumed && f->grid_n)
		text_add(out, " (assumed: %llu Hz)", (LL)f->l1_hz);
	text_add(out, ";\n%llu of %llu cedes with an exception pending came straight back (%llu with a "
		 "decrementer,\n%llu with an external interrupt): ", (LL)f->straight, (LL)f->pending,
		 (LL)f->straight_dec, (LL)f->straight_ext);
	if (f->spins) {
		text_add(out, "a policy that leaves it pending; median time to the next cede ");
		us(out, f->spin_ns);
		text_add(out, ",\nfrom one wake-up to the next ");
		us(out, f->spin_period_ns);
		text_add(out, " on average");
	} else {
		text_add(out, "a policy under which cedes block");
	}
	text_add(out, "\n");
}

static void as_text(const struct trace_lifted *l, const struct trace_facts *f,
		    const struct trace_problems *p, enum rep_format format, struct text *out)
{
	struct rep_sheet s;

	text_add(out, "%llu events, %llu turns of %u vCPU%s over %llu.%03u ms: %llu intents, %llu of "
		 "them in doubt (marked ?)\n", (LL)l->events, (LL)l->turns, l->vcpus,
		 l->vcpus == 1 ? "" : "s", (LL)(l->span_ns / 1000000u),
		 (unsigned)(l->span_ns / 1000u % 1000u), (LL)l->intents, (LL)l->doubts);
	facts_text(f, out);
	text_add(out, "\n");
	rep_sheet_init(&s, 3);
	rep_sheet_text(&s, "decided");
	rep_sheet_text(&s, "sure?");
	rep_sheet_text(&s, "count");
	for (unsigned d = 0; d < TRACE_DECISIONS; d++) {
		if (!l->count[d])
			continue;
		rep_sheet_text(&s, "%s", trace_decision_text(d));
		rep_sheet_text(&s, "%s", trace_decision_sure(d));
		rep_sheet_count(&s, format, l->count[d]);
	}
	rep_sheet_print(&s, format, 2, out);
	rep_sheet_done(&s);
	if (trace_problem_total(p))
		text_add(out, "\n%llu problems in the trace (hvsim trace info lists them)\n",
			 (LL)trace_problem_total(p));
}

static void as_csv(const struct trace_lifted *l, struct text *out)
{
	text_add(out, "decision,sure,count\n");
	for (unsigned d = 0; d < TRACE_DECISIONS; d++)
		text_add(out, "%s,%s,%llu\n", trace_decision_name(d), trace_decision_sure(d),
			 (LL)l->count[d]);
	text_add(out, "intents,,%llu\ndoubts,,%llu\n", (LL)l->intents, (LL)l->doubts);
}

static void as_json(const struct trace_lifted *l, const struct trace_facts *f,
		    const struct trace_problems *p, struct text *out)
{
	text_add(out, "{\n  \"schema\": \"hvsim-trace-import/1\",\n  \"events\": %llu, \"turns\": %llu, "
		 "\"vcpus\": %u, \"span_ns\": %llu,\n  \"intents\": %llu, \"doubts\": %llu, "
		 "\"problems\": %llu,\n", (LL)l->events, (LL)l->turns, l->vcpus, (LL)l->span_ns,
		 (LL)l->intents, (LL)l->doubts, (LL)trace_problem_total(p));
	text_add(out,
		 "  \"floor_ns\": %llu, \"spins\": %s, \"spin_ns\": %llu, \"spin_period_ns\": "
		 "%llu,\n  \"l1_hz\": %llu, \"l1_hz_assumed\": %s,\n"
		 "  \"cedes_pending\": %llu, \"cedes_straight\": %llu, \"straight_dec\": %llu, "
		 "\"straight_ext\": %llu,\n"
		 "  \"decisions\": {",
		 (LL)f->floor_ns, f->spins ? "true" : "false", (LL)f->spin_ns,
		 (LL)f->spin_period_ns, (LL)f->l1_hz,
		 f->hz_assumed ? "true" : "false", (LL)f->pending, (LL)f->straight,
		 (LL)f->straight_dec, (LL)f->straight_ext);
	for (unsigned d = 0; d < TRACE_DECISIONS; d++)
		text_add(out, "%s\n    \"%s\": {\"count\": %llu, \"sure\": \"%s\"}", d ? "," : "",
			 trace_decision_name(d), (LL)l->count[d], trace_decision_sure(d));
	text_add(out, "\n  }\n}\n");
}

void rep_trace_lift(const struct trace_lifted *l, const struct trace_facts *f,
		    const struct trace_problems *p, enum rep_format format, struct text *out)
{
	if (format == REP_JSON)
		as_json(l, f, p, out);
	else if (format == REP_CSV)
		as_csv(l, out);
	else
		as_text(l, f, p, format, out);
}
