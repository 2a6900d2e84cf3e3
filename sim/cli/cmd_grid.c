// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim grid: how a scenario's published differences react to what the publication left out. */
#include "cli/cmd.h"
#include "cli/common.h"
#include "study/grid.h"
#include "study/pool.h"

enum { OPT_DETAILS = 512 };

struct args {
	struct cmd_common common;
	struct rep_options report;
	unsigned jobs;
};

static const struct argp_option options[] = {
	{ "jobs", 'j', "N", 0, "Workers; one an online CPU unless given. The result is the same", 0 },
	{ "details", OPT_DETAILS, NULL, 0, "Also the table of all points (csv and json always have "
	  "it)", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case 'j':
		return cmd_number("--jobs", arg, STUDY_JOBS_MAX, &a->jobs, &a->common.err), 0;
	case OPT_DETAILS:
		a->report.details = true;
		return 0;
	case ARGP_KEY_ARG:
		return cmd_scenario(&a->common, arg), 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int grid(void *args, struct err *err)
{
	struct args *a = args;
	struct cmd_progress progress;
	struct scn_result result;
	int rc;

	if (cmd_need_scenario(&a->common, "grid", err) < 0)
		return -1;
	cmd_progress_start(&progress, &a->common.options);
	rc = study_grid(a->common.mem, &a->common.options, a->jobs, &result, err);
	cmd_progress_clear(&progress);
	if (rc < 0)
		return rc;
	return cmd_result(&a->common, &result, &a->report, err);
}

int cmd_grid(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_common_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "SCENARIO",
				   "Run a scenario at every point of its \"grid\" of values for what "
				   "the publication left out, each calibrated anew, and print where "
				   "the published differences are met.", children, NULL, NULL };
	struct args a = { .common = cmd_common_new() };

	return cmd_main(&argp, argc, argv, &a.common, grid, &a);
}
