// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "study/fit.h"

static void add_string(struct text *out, const char *s)
{
	text_add(out, "\"");
	for (; *s; s++)
		text_add(out, *s == '"' || *s == '\\' ? "\\%c" : (unsigned char)*s < 32 ? " " : "%c",
			 *s);
	text_add(out, "\"");
}

/* Millionths as JSON writes them, without zeros at the end. */
static void add_number(struct text *out, int64_t micro)
{
	text_add(out, "%s%lld.%06lld", micro < 0 ? "-" : "", llabs(micro / 1000000),
		 llabs(micro % 1000000));
	while (out->s[out->len - 1] == '0')
		out->s[--out->len] = '\0';
	if (out->s[out->len - 1] == '.')
		out->s[--out->len] = '\0';
}

/* A tree as it was read; scalars of models are strings, numbers and booleans. */
static void add_flat(struct text *out, const struct jnode *obj)
{
	text_add(out, "{");
	for (const struct jnode *m = obj->child; m; m = m->next) {
		text_add(out, "%s", m == obj->child ? "" : ", ");
		add_string(out, m->key);
		text_add(out, ": ");
		if (m->type == J_STRING)
			add_string(out, m->text);
		else
			text_add(out, "%s", m->type == J_NUMBER ? m->text : m->truth ? "true" : "false");
	}
	text_add(out, "}");
}

static void add_param(struct text *out, const struct cpu_model *m, enum cpu_param_id id, bool last)
{
	const struct cpu_param *p = &m->params[id];

	text_add(out, "    \"%s\": {", cpu_param_name(id));
	if (p->as >= 0) {
		text_add(out, "\"as\": \"%s\"", cpu_param_name((enum cpu_param_id)p->as));
	} else {
		/* a fitted value is known to a tenth at best */
		text_add(out, "\"value\": ");
		add_number(out, p->kind == CPU_FITTED ? (p->micro + 50000) / 100000 * 100000 : p->micro);
	}
	text_add(out, ", \"unit\": \"%s\", \"kind\": \"%s\", \"range\": [", p->unit,
		 cpu_param_kind_name(p->kind));
	add_number(out, p->lo);
	text_add(out, ", ");
	add_number(out, p->hi);
	text_add(out, "], \"source\": ");
	add_string(out, p->source);
	text_add(out, "}%s\n", last ? "" : ",");
}

/* At a bound a parameter has no error, and what it has with others is not known. */
static bool has_error(const struct study_fit *fit, size_t k)
{
	return !fit->param[k].at_bound && fit->param[k].error > 0;
}

/* To thousandths, and short of what would leave a parameter no spread of its own. */
static int64_t thousandths(double v, double lo, double hi)
{
	return llround(fmin(fmax(v, lo), hi) * 1000) * 1000;
}

static void add_covariance(const struct study_fit *fit, struct text *out)
{
	const char *comma = "";

	text_add(out, "  \"covariance\": {\n    \"errors\": {");
	for (size_t k = 0; k < fit->params; k++) {
		if (!has_error(fit, k))
			continue;
		text_add(out, "%s\"%s\": ", comma, cpu_param_name(fit->param[k].id));
		add_number(out, thousandths(fit->param[k].error, 0.001, 1e6));
		comma = ", ";
	}
	text_add(out, "},\n    \"correlations\": [");
	comma = "";
	for (size_t k = 0; k < fit->params; k++) {
		for (size_t j = 0; j < k && has_error(fit, k); j++) {
			if (!has_error(fit, j))
				continue;
			text_add(out, "%s\n      {\"of\": [\"%s\", \"%s\"], \"value\": ", comma,
				 cpu_param_name(fit->param[j].id),
				 cpu_param_name(fit->param[k].id));
			add_number(out, thousandths(fit->correlation[k][j], -0.99, 0.99));
			text_add(out, "}");
			comma = ",";
		}
	}
	text_add(out, "\n    ],\n    \"source\": \"hvsim fit: %zu parameters from %zu rows, "
		 "%zu degrees of freedom\"\n  },\n", fit->params, fit->rows,
		 fit->rows - fit->params);
}

void study_fit_model(const struct study_fit *fit, struct text *out)
{
	const struct cpu_model *m = &fit->model;
	static const char *const scoreboard[] = { "one", "unit" };
	static const char *const reads[] = { "pipelined", "serial", "shared" };
	static const char *const moves[] = { "behind", "held" };
	static const char *const stall[] = { "all", "bubble", "sticky" };

	text_add(out, "{\n  \"schema\": \"hvsim-cpu/1\",\n  \"name\": ");
	add_string(out, m->name);
	text_add(out, ",\n  \"summary\": ");
	add_string(out, m->summary);
	text_add(out, ",\n  \"isa\": ");
	add_string(out, m->isa);
	text_add(out,
		 ",\n  \"rules\": {\"scoreboard\": \"%s\", \"reads\": \"%s\", \"moves\": \"%s\", "
		 "\"stall\": \"%s\", \"source\": \"docs/p9-model.md\"},\n",
		 scoreboard[m->rules.scoreboard], reads[m->rules.reads], moves[m->rules.moves],
		 stall[m->rules.stall]);
	if (m->state) {
		text_add(out, "  \"state\": ");
		add_flat(out, m->state);
		text_add(out, ",\n");
	}
	if (fit->params)
		add_covariance(fit, out);
	text_add(out, "  \"params\": {\n");
	for (int i = 0; i < CPU_PARAM_COUNT; i++)
		add_param(out, m, (enum cpu_param_id)i, i + 1 == CPU_PARAM_COUNT);
	text_add(out, "  }\n}\n");
}
