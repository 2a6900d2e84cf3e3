// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim explain: one exit, step by step. */
#include "cli/cmd.h"
#include "cli/common.h"
#include "report/explain.h"

enum { OPT_TRAP = 512, OPT_VCPU, OPT_NTH, OPT_FROM, OPT_TO, OPT_OPS, OPT_HTML };

#define MICRO INT64_C(1000000)
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

static void set_ms(struct args *a, const char *option, const char *arg, int64_t *ns)
{
	if (!text_to_micro(arg, ns) || *ns < 0 || *ns > MICRO * 1000000000)
		err_set(&a->common.err, "--%s %s: must be milliseconds, such as 12.5", option, arg);
}

static void set_number(struct args *a, const char *option, const char *arg, uint64_t lo,
		       uint64_t *v)
{
	if (!text_to_u64(arg, v) || *v < lo || *v > 1000000)
		err_set(&a->common.err, "--%s %s: must be a whole number from %llu to 1000000",
			option, arg, (unsigned long long)lo);
}

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
		set_number(a, "vcpu", arg, 0, &vcpu);
		a->which.vcpu = (int64_t)vcpu;
		return 0;
	case OPT_NTH:
		set_number(a, "nth", arg, 1, &a->which.nth);
		return 0;
	case OPT_FROM:
		set_ms(a, "from", arg, &a->from);
		return 0;
	case OPT_TO:
		set_ms(a, "to", arg, &a->to);
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
		if (a->common.options.name)
			return err_set(&a->common.err, "%s: one scenario at a time", arg), 0;
		a->common.options.name = arg;
		return 0;
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

static int explain(struct args *a, struct err *err)
{
	struct rep_timeline t;
	int rc;

	if (!a->common.options.name)
		return err_set(err, "explain needs a scenario: a file, or a name `hvsim list` "
				    "shows");
	if (a->common.options.variants > 1)
		return err_set(err, "explain shows one variant: give --variant once");
	if (a->to < 0)
		a->to = a->from + 100 * MICRO;
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
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO",
		.doc = "Walk through one exit of one variant (the first, or --variant): "
		       "what the guest and each level of hypervisor did, which op waited "
		       "for what, and what changed.",
		.children = children,
	};
	struct args a = { .common = { .mem = mem_new(), .err = ERR_INIT }, .to = -1,
			  .which = { .vcpu = -1, .nth = 1 } };

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (!a.common.err.set)
		explain(&a, &a.common.err);
	return cmd_end(&a.common);
}
