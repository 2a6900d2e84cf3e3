// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim gate: a result held against a stored baseline. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/common.h"
#include "report/baseline.h"
#include "report/result_read.h"

enum { OPT_BASELINE = 512, OPT_JUNIT, OPT_TAP, OPT_BENCH, OPT_UPDATE };

struct args {
	struct cmd_common common;
	struct mem *baseline_mem; /* a pool of its own: a baseline is no input of the result */
	const char *what, *baseline, *junit, *bench;
	bool tap, update;
	bool failed;          /* set when a number moved too far */
};

static const struct argp_option options[] = {
	{ "baseline", OPT_BASELINE, "FILE", 0, "The stored result with its tolerances", 0 },
	{ "update", OPT_UPDATE, NULL, 0, "Show what moved, then store the new result in FILE "
	  "(tolerances stay; a new file gets 1 % for every metric)", 0 },
	{ "junit", OPT_JUNIT, "FILE", 0, "Also write JUnit XML", 0 },
	{ "bench", OPT_BENCH, "FILE", 0, "Also write a JSON list of name, unit and value, as "
	  "benchmark-tracking actions read it", 0 },
	{ "tap", OPT_TAP, NULL, 0, "Print TAP instead of a table", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->common;
		return 0;
	case OPT_BASELINE:
		a->baseline = arg;
		return 0;
	case OPT_UPDATE:
		a->update = true;
		return 0;
	case OPT_JUNIT:
		a->junit = arg;
		return 0;
	case OPT_BENCH:
		a->bench = arg;
		return 0;
	case OPT_TAP:
		a->tap = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->what)
			return err_set(&a->common.err, "%s: one scenario or result at a time", arg),
			       0;
		a->what = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool is_result(const struct jnode *root)
{
	const struct jnode *schema = jnode_get(root, "schema");

	return schema && schema->type == J_STRING && !strncmp(schema->text, "hvsim-result/", 13);
}

/* The result to judge: a file that holds one, or what the scenario gives now. */
static int get_result(struct args *a, struct scn_result *now, struct err *err)
{
	struct cmd_common *c = &a->common;
	const char *file = file_find(c->mem, "scenarios", a->what, err);
	const struct jnode *root = file ? jdoc_load(c->mem, file, err) : NULL;
	struct cmd_progress progress;
	int rc;

	if (!root)
		return -1;
	if (is_result(root)) {
		if (c->options.sets || c->options.variants || c->options.has_seed)
			return err_set(err, "%s is a result: --set, --variant and --seed are for "
				       "scenarios", a->what);
		return rep_result_from_node(c->mem, root, now, err);
	}
	c->options.name = a->what;
	cmd_progress_start(&progress, &c->options);
	rc = scn_run(c->mem, &c->options, now, err);
	cmd_progress_clear(&progress);
	return rc;
}

static int write_extra(const char *name, struct text *t, struct err *err)
{
	int rc = name ? file_write(name, t->s, t->len, err) : 0;

	text_free(t);
	return rc;
}

static int print(struct args *a, const struct study_gate *g, const struct scn_result *now,
		 const struct scn_result *report, struct err *err)
{
	struct text out = { 0 }, junit = { 0 }, bench = { 0 };
	bool people = a->common.format == REP_TABLE || a->common.format == REP_MARKDOWN;
	int rc;

	if (a->tap)
		rep_gate_tap(&out, g, report);
	else
		rep_tables(&out, report, a->common.format);
	if (!a->tap && people) {
		text_add(&out, "\n%u of %u numbers moved out of tolerance.", g->failed, g->n);
		if (g->fresh)
			text_add(&out, " %u not in the baseline.", g->fresh);
		text_add(&out, "\n");
	}
	rep_gate_junit(&junit, g, now, report);
	rep_gate_bench(&bench, g, now);
	rc = write_extra(a->junit, &junit, err);
	if (write_extra(a->bench, &bench, err) < 0)
		rc = -1;
	if (!rc)
		rc = cmd_output(&a->common, &out, err);
	text_free(&out);
	return rc;
}

static int store(const struct args *a, struct rep_baseline *b, const struct scn_result *now,
		 struct err *err)
{
	struct text out = { 0 };
	int rc;

	b->result = *now;
	rep_baseline_json(&out, b);
	rc = file_write(a->baseline, out.s, out.len, err);
	text_free(&out);
	return rc;
}

/* Tolerances of a new one: 1 % for every metric, or for the first table where there are none. */
static int store_first(const struct args *a, const struct scn_result *now, struct err *err)
{
	struct study_tolerance one = { .table = "metrics", .percent = 1000000, .absolute = -1 };
	struct rep_baseline b = { .tolerance = &one, .tolerances = now->tables > 0 };

	if (!scn_result_table(now, one.table) && now->tables)
		one.table = now->table[0]->name;
	return store(a, &b, now, err);
}

/* Nothing of the baseline is in the result: it is another scenario's. */
static bool is_foreign(const struct study_gate *g)
{
	for (unsigned i = 0; i < g->n; i++)
		if (g->cell[i].verdict != STUDY_GONE)
			return false;
	return g->n > 0;
}

static int gate(void *args, struct err *err)
{
	struct args *a = args;
	struct mem *mem = a->common.mem;
	struct scn_result now, report = { .mem = mem };
	struct rep_baseline b;
	struct study_gate g;

	if (!a->what)
		return err_set(err, "gate needs a scenario or a result");
	if (!a->baseline)
		return err_set(err, "gate needs --baseline FILE (with --update it is made)");
	if (a->update && a->common.options.variants)
		return err_set(err, "--update stores all variants: leave --variant out");
	if (a->update && access(a->baseline, F_OK) < 0 && errno == ENOENT)
		return get_result(a, &now, err) < 0 ? -1 : store_first(a, &now, err);
	if (rep_baseline_read(a->baseline_mem, a->baseline, &b, err) < 0 ||
	    get_result(a, &now, err) < 0 ||
	    study_gate(mem, &b.result, &now, b.tolerance, b.tolerances,
		       a->common.options.variants > 0, a->baseline, &g, err) < 0)
		return -1;
	if (is_foreign(&g))
		return err_at(err, a->baseline, 0, "is of %s: it has nothing in common with %s",
			      b.result.scenario, a->what);
	study_gate_report(&g, &b.result, &now, &report);
	a->failed = g.failed > 0 && !a->update;
	if (print(a, &g, &now, &report, err) < 0)
		return -1;
	return a->update ? store(a, &b, &now, err) : 0;
}

int cmd_gate(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_scenario_argp, 0, NULL, 0 },
					       { &cmd_print_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "SCENARIO|RESULT",
				   "Hold a scenario's predictions, or a stored result, against a "
				   "baseline; print what moved and what moved with it.\v"
				   "Exit status: 0 all within tolerance, 1 a number moved out of it, 2 "
				   "bad usage or input. docs/ci.md shows it in CI.", children, NULL,
				   NULL };
	struct args a = { .common = cmd_common_new(), .baseline_mem = mem_new() };
	int status = cmd_main(&argp, argc, argv, &a.common, gate, &a);

	mem_free(a.baseline_mem);
	return status ? status : a.failed ? EXIT_GATE : EXIT_GOOD;
}
