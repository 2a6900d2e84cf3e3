// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim diff: what changed between two results. */
#include "cli/cmd.h"
#include "cli/common.h"
#include "report/result_read.h"
#include "study/change.h"

struct args {
	struct cmd_common common;
	const char *file[2];
	unsigned files;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case ARGP_KEY_ARG:
		if (a->files == 2)
			return err_set(&a->common.err, "%s: diff takes two results", arg), 0;
		a->file[a->files++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int diff(void *args, struct err *err)
{
	struct args *a = args;
	struct scn_result before, after, changes = { .mem = a->common.mem };
	struct text out = { 0 };
	unsigned inputs, cells;
	int rc;

	if (a->files < 2)
		return err_set(err, "diff needs two results: files that `hvsim run --format json` "
			       "wrote");
	if (rep_result_read(changes.mem, a->file[0], &before, err) < 0 ||
	    rep_result_read(changes.mem, a->file[1], &after, err) < 0)
		return -1;
	inputs = study_diff_inputs(&before, &after, &changes);
	cells = study_diff_tables(&before, &after, &changes);
	rep_tables(&out, &changes, a->common.format);
	if (a->common.format == REP_TABLE || a->common.format == REP_MARKDOWN)
		text_add(&out, "%s%u input%s and %u number%s or text%s differ.\n",
			 changes.tables ? "\n" : "", inputs, inputs == 1 ? "" : "s", cells,
			 cells == 1 ? "" : "s", cells == 1 ? "" : "s");
	rc = cmd_output(&a->common, &out, err);
	text_free(&out);
	return rc;
}

int cmd_diff(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_print_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { NULL, parse, "RESULT RESULT",
				   "Show what changed between two results (hvsim run --format json): "
				   "what went in, and every number of every table.\v"
				   "Exit status: 0 whether they differ or not; hvsim gate decides.",
				   children, NULL, NULL };
	struct args a = { .common = cmd_common_new() };

	return cmd_main(&argp, argc, argv, &a.common, diff, &a);
}
