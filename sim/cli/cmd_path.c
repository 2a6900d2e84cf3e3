// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim path: what a path costs, op by op. */
#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/common.h"
#include "scenario/path_tables.h"

enum { OPT_CPU = 512, OPT_DIFF, OPT_SUMMARY };

struct args {
	struct cmd_common common;
	struct scn_path_request request;
	struct scn_set *diff;
	size_t diff_room;
};

static const struct argp_option options[] = {
	{ "cpu", OPT_CPU, "CPU", 0, "Model of the processor: a name in models/, or a file "
	  "(power9)", 0 },
	{ "diff", OPT_DIFF, "KEY=VALUE", 0, "Compare with this set besides (repeatable)", 0 },
	{ "summary", OPT_SUMMARY, NULL, 0, "Cycles by op and by cause, no listing", 0 },
	{ 0 },
};

static void add_diff(struct args *a, const char *arg)
{
	struct scn_set set;

	if (cmd_key_value(&a->common, "--diff", arg, &set) < 0)
		return;
	a->diff = mem_grow(a->diff, &a->diff_room, a->request.diffs + 1, sizeof(*a->diff));
	a->diff[a->request.diffs++] = set;
	a->request.diff = a->diff;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_CPU:
		a->request.cpu = arg;
		return 0;
	case OPT_DIFF:
		add_diff(a, arg);
		return 0;
	case OPT_SUMMARY:
		a->request.summary = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->request.path)
			return err_set(&a->common.err, "%s: one path at a time", arg), 0;
		a->request.path = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run(void *args, struct err *err)
{
	struct args *a = args;
	const struct rep_options all = { .details = true };
	struct scn_result result;

	if (!a->request.path)
		return err_set(err, "path needs a name in models/paths, or a file");
	a->request.set = a->common.options.set;
	a->request.sets = a->common.options.sets;
	a->request.for_people = a->common.format == REP_TABLE || a->common.format == REP_MARKDOWN;
	if (scn_path_run(a->common.mem, &a->request, &result, err) < 0)
		return -1;
	return cmd_result(&a->common, &result, &all, err);
}

int cmd_path(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_output_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = {
		options,
		parse,
		"NAME|FILE",
		"Price a path op by op: when each op starts, what it costs and why.\n"
		"NAME is a path in models/paths; FILE is one of those or an executed "
		"listing.\v--set takes policy switches (p9.NAME, or p9.* for all), "
		"state of guest and host, and model.PARAMETER.",
		children,
		NULL,
		NULL
	};
	struct args a = { .common = cmd_common_new(),
			  .request.cpu = "power9" };
	int status = cmd_main(&argp, argc, argv, &a.common, run, &a);

	free(a.diff);
	return status;
}
