// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim explain: one exit, step by step. */
#include "cli/cmd.h"
#include "cli/common.h"
#include "report/explain.h"

enum { OPT_TRAP = 512, OPT_VCPU, OPT_NTH, OPT_FROM, OPT_TO, OPT_OPS, OPT_HTML };

#define MS INT64_C(1000000) /* nanoseconds */
#define NTH_MAX 1000000
#define LIMIT 4000000 /* events looked through */

struct args {
	struct cmd_common common;
	struct rep_explain_which which;
	int64_t from, to; /* nanoseconds */
	bool ops, html;
};

static const struct argp_option options[] = {
	{ "trap", OPT_TRAP, "NAME", 0, "An exit of this cause: its name or the beginning of it",
	  0 },
	{ "vcpu", OPT_VCPU, "N", 0, "Of this vCPU (default: any)", 0 },
	{ "nth", OPT_NTH, "N", 0, "The N-th of those (default 1)", 0 },
	{ "from", OPT_FROM, "MS", 0, "After this time of the run, milliseconds (default 0)", 0 },
	{ "to", OPT_TO, "MS", 0, "Before this time (default: 100 ms later)", 0 },
	{ "ops", OPT_OPS, NULL, 0, "A line for every op instead of one for each function", 0 },
	{ "html", OPT_HTML, NULL, 0, "One self-contained page: arrow keys step through the ops",
	  0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, replaced at once when all is done", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;
	uint64_t vcpu = 0;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_TRAP:
		a->which.trap = arg;
		return 0;
	case OPT_VCPU:
		cmd_whole(&a->common, "--vcpu", arg, 0, NTH_MAX, &vcpu);
		a->which.vcpu = (int64_t)vcpu;
		return 0;
	case OPT_NTH:
		cmd_whole(&a->common, "--nth", arg, 1, NTH_MAX, &a->which.nth);
		return 0;
	case OPT_FROM:
		cmd_ms(&a->common, "--from", arg, &a->from);
		return 0;
	case OPT_TO:
		cmd_ms(&a->common, "--to", arg, &a->to);
		return 0;
	case OPT_OPS:
		a->ops = true;
		return 0;
	case OPT_HTML:
		a->html = true;
		return 0;
	case 'o':
		a->common.output = arg;
		return 0;
	case ARGP_KEY_ARG:
		return cmd_scenario(&a->common, arg), 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int show(struct args *a, struct rep_timeline *t, struct err *err)
{
	struct cmd_common *c = &a->common;
	struct text out = { 0 };
	struct rep_explain e;
	int rc = 0;

	rep_timeline_end(t);
	if (rep_explain(c->mem, t, &a->which, &e, err) < 0)
		return -1;
	if (a->html)
		rc = rep_explain_html(c->mem, &out, &e, err);
	else
		rep_explain_text(&out, &e, a->ops);
	if (!rc)
		rc = cmd_output(c, &out, err);
	text_free(&out);
	return rc;
}

static int explain(void *args, struct err *err)
{
	struct args *a = args;
	struct rep_timeline t;
	int rc;

	if (cmd_need_scenario(&a->common, "explain", err) < 0)
		return -1;
	if (a->common.options.variants > 1)
		return err_set(err, "explain shows one variant: give --variant once");
	if (a->to < 0)
		a->to = a->from + 100 * MS;
	if (a->to <= a->from)
		return err_set(err, "--to must be later than --from");
	rep_timeline_init(&t, (uint64_t)a->from, (uint64_t)a->to, LIMIT);
	rc = scn_watch(a->common.mem, &a->common.options, NULL, &t.watch, err);
	if (!rc)
		rc = show(a, &t, err);
	rep_timeline_done(&t);
	return rc;
}

int cmd_explain(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_scenario_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = {
		options,
		parse,
		"SCENARIO",
		"Walk through one exit of one variant (the first, or --variant): what "
		"the guest and each level of hypervisor did, which op waited for what, "
		"and what changed.",
		children,
		NULL,
		NULL
	};
	struct args a = { .common = cmd_common_new(), .to = -1,
			  .which = { .vcpu = -1, .nth = 1 } };

	return cmd_main(&argp, argc, argv, &a.common, explain, &a);
}
