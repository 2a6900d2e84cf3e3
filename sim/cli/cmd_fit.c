// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim fit: a CPU model's fitted parameters from a ladder's published differences. */
#include "base/file.h"
#include "cli/cmd.h"
#include "cli/common.h"
#include "study/fit.h"

enum { OPT_MODEL = 512 };

struct args {
	struct cmd_common common;
	const char *model;
};

static const struct argp_option options[] = {
	{ "model", OPT_MODEL, "FILE", 0, "Write the CPU model with the fitted values to FILE", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_MODEL:
		a->model = arg;
		return 0;
	case ARGP_KEY_ARG:
		return cmd_scenario(&a->common, arg), 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run(void *args, struct err *err)
{
	struct args *a = args;
	const struct rep_options all = { .details = true };
	struct text model = { 0 };
	struct scn_result result;
	struct study_fit *fit = mem_alloc(a->common.mem, 1, sizeof(*fit));
	int rc;

	if (!a->common.options.name)
		return err_set(err, "fit needs a ladder scenario: a file, or a name in scenarios/");
	if (study_fit_run(a->common.mem, &a->common.options, fit, &result, err) < 0)
		return -1;
	rc = cmd_result(&a->common, &result, &all, err);
	if (!rc && a->model) {
		study_fit_model(fit, &model);
		rc = file_write(a->model, model.s, model.len, err);
	}
	text_free(&model);
	return rc;
}

int cmd_fit(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_output_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = {
		options,
		parse,
		"SCENARIO",
		"Fit the parameters of kind \"fitted\" of a ladder scenario's CPU model "
		"to its published differences, and predict each difference by a fit "
		"that did not see it.",
		children,
		NULL,
		NULL
	};
	struct args a = { .common = cmd_common_new() };

	return cmd_main(&argp, argc, argv, &a.common, run, &a);
}
