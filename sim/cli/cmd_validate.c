// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim validate: every published figure beside what is predicted for it. */
#include <stdlib.h>

#include "cli/cmd.h"
#include "cli/common.h"
#include "study/pool.h"
#include "study/validate.h"

enum { OPT_ENSEMBLE = 512, OPT_CALIBRATE };

struct args {
	struct cmd_common common;
	struct study_validation v;
	const char **name;
	size_t room;
};

static const struct argp_option options[] = {
	{ "ensemble", OPT_ENSEMBLE, "N", 0, "Intervals from N runs of each scenario with the model's "
	  "parameters drawn within their ranges", 0 },
	{ "calibrate", OPT_CALIBRATE, NULL, 0, "Calibrate every run of --ensemble anew (slow): else "
	  "its absolute figures move with the parameters", 0 },
	{ "jobs", 'j', "N", 0, "Workers for --ensemble; one an online CPU unless given", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_ENSEMBLE:
		return cmd_number("--ensemble", arg, STUDY_MEMBERS_MAX, &a->v.ensemble.members,
				  &a->common.err), 0;
	case OPT_CALIBRATE:
		a->v.ensemble.calibrate = true;
		return 0;
	case 'j':
		return cmd_number("--jobs", arg, STUDY_JOBS_MAX, &a->v.ensemble.jobs,
				  &a->common.err), 0;
	case ARGP_KEY_ARG:
		a->name = mem_grow(a->name, &a->room, a->v.n + 1, sizeof(*a->name));
		a->name[a->v.n++] = arg;
		a->v.name = a->name;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int validate(void *args, struct err *err)
{
	struct args *a = args;
	struct rep_options report = { 0 };
	struct cmd_progress progress;
	struct scn_result result;
	int rc;

	if (a->common.options.variants)
		return err_set(err, "validate runs the variants that were published: no --variant");
	cmd_progress_start(&progress, &a->common.options);
	rc = study_validate(a->common.mem, &a->common.options, &a->v, &result, err);
	cmd_progress_clear(&progress);
	if (rc < 0)
		return rc;
	return cmd_result(&a->common, &result, &report, err);
}

int cmd_validate(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_common_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "[SCENARIO...]",
				   "Run every scenario that holds published figures (or those named) "
				   "and print one ledger. Exit status 1 when a row with the role "
				   "prediction leaves its stated tolerance.", children, NULL, NULL };
	struct args a = { .common = cmd_common_new() };
	int status = cmd_main(&argp, argc, argv, &a.common, validate, &a);

	free(a.name);
	return status ? status : a.v.failed ? EXIT_GATE : EXIT_GOOD;
}
