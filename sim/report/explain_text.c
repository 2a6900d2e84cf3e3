// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "report/explain.h"
#include "report/report.h"

static void add_when(struct text *out, const struct rep_explain *e)
{
	uint64_t ns = clk_ns(&e->t->watch.clock, e->at);

	text_add(out, "vCPU %u, %s at %llu.%06u ms", e->vcpu, e->trap,
		 (unsigned long long)(ns / 1000000), (unsigned)(ns % 1000000));
}

static void add_waits(struct text *out, const uint64_t *by_class)
{
	const char *sep = "";

	for (unsigned c = PIPE_ISSUE + 1; c < PIPE_CLASSES; c++) {
		if (!by_class[c])
			continue;
		text_add(out, "%s %s %llu", sep, pipe_class_name(c),
			 (unsigned long long)by_class[c]);
		sep = ",";
	}
	while (out->s[out->len - 1] == ' ')
		out->s[--out->len] = '\0';
	text_add(out, "\n");
}

static void add_op(struct text *out, const struct rep_explain_op *op)
{
	text_add(out, "      %6llu %6llu  %-38s", (unsigned long long)op->start,
		 (unsigned long long)op->cycles, op->op);
	add_waits(out, op->by_class);
}

/* Ops of the same function that follow each other, as one line. */
static size_t add_function(struct text *out, const struct rep_explain_step *s, size_t from)
{
	struct rep_explain_op sum = s->op[from];
	struct text name = { 0 };
	size_t i = from + 1;

	for (; i < s->ops && sum.in && s->op[i].in && !strcmp(sum.in, s->op[i].in); i++) {
		sum.cycles += s->op[i].cycles;
		for (unsigned c = 0; c < PIPE_CLASSES; c++)
			sum.by_class[c] += s->op[i].by_class[c];
	}
	text_add(&name, "%s", sum.in ? sum.in : sum.op);
	if (sum.in)
		text_add(&name, ", %zu op%s", i - from, i - from == 1 ? "" : "s");
	sum.op = name.s;
	add_op(out, &sum);
	text_free(&name);
	return i;
}

static void add_ops(struct text *out, const struct rep_explain_step *s, bool every)
{
	const char *in = NULL;

	rep_wrap(out, "     ", 5, 78, s->summary ? s->summary : s->path);
	text_add(out, "       start cycles  %-38s waits for\n", every ? "op" : "function");
	for (size_t i = 0; i < s->ops; ) {
		if (!every) {
			i = add_function(out, s, i);
			continue;
		}
		if (s->op[i].in && (!in || strcmp(in, s->op[i].in)))
			text_add(out, "                     %s:\n", s->op[i].in);
		in = s->op[i].in;
		add_op(out, &s->op[i++]);
	}
	if (s->cycles != s->price)
		text_add(out, "     %llu cycles undisturbed; the rest went to state hcalls and to "
			 "threads of the\n     same core.\n", (unsigned long long)s->price);
}

static void add_classes(struct text *out, const struct rep_explain *e)
{
	bool used[PIPE_CLASSES] = { false };
	const char *head = "\nWaits\n";

	for (size_t s = 0; s < e->steps; s++)
		for (size_t i = 0; i < e->step[s].ops; i++)
			for (unsigned c = PIPE_ISSUE + 1; c < PIPE_CLASSES; c++)
				used[c] |= e->step[s].op[i].by_class[c] > 0;
	for (unsigned c = PIPE_ISSUE + 1; c < PIPE_CLASSES; c++) {
		if (!used[c])
			continue;
		text_add(out, "%s%-14s %s\n", head, pipe_class_name(c), rep_explain_class(c));
		head = "";
	}
}

void rep_explain_text(struct text *out, const struct rep_explain *e, bool every)
{
	const struct scn_watch *w = &e->t->watch;

	text_add(out, "%s\nvariant %s, model %s, seed %llu, hvsim %s; predicted\n", w->title,
		 w->variant, w->cpu ? w->cpu : "none", (unsigned long long)w->seed, HVSIM_VERSION);
	add_when(out, e);
	text_add(out, "\n\n");
	for (size_t i = 0; i < e->steps; i++) {
		const struct rep_explain_step *s = &e->step[i];

		text_add(out, "%3zu  %-6s %-40s %10llu cycles, from %llu\n", i + 1, s->level,
			 s->path ? s->path : s->state, (unsigned long long)s->cycles,
			 (unsigned long long)s->start);
		if (s->ops)
			add_ops(out, s, every);
		for (unsigned n = 0; n < s->notes; n++)
			rep_wrap(out, "     => ", 8, 78, s->note[n]);
	}
	add_classes(out, e);
}
