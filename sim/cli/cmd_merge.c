// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim merge: the parts of a sweep, joined. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/common.h"
#include "study/pool.h"
#include "study/sweep.h"

enum { OPT_COARSE = 512 };

struct args {
	struct cmd_common common;
	struct study_sweep sweep;
	const char **file;
	size_t files, room;
};

static const struct argp_option options[] = {
	{ "coarse", OPT_COARSE, NULL, 0, "Do not narrow down where variants break even", 0 },
	{ "jobs", 'j', "N", 0, "Workers; one an online CPU unless given. The result is the same", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_COARSE:
		a->sweep.coarse = true;
		return 0;
	case 'j':
		return cmd_number("--jobs", arg, STUDY_JOBS_MAX, &a->sweep.jobs, &a->common.err), 0;
	case ARGP_KEY_ARG:
		a->file = mem_grow(a->file, &a->room, a->files + 1, sizeof(*a->file));
		a->file[a->files++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The first file's head says what the sweep is. */
static int open_sweep(struct args *a, const struct study_points *p, struct err *err)
{
	struct scn_options *o = &a->common.options;

	*o = (struct scn_options){ .name = p->scenario, .set = p->set, .sets = p->sets,
				   .variant = p->variant, .variants = p->variants,
				   .has_seed = p->has_seed, .seed = p->seed };
	a->sweep.options = o;
	if (strcmp(p->version, HVSIM_VERSION))
		return err_at(err, p->name, 2, "was made by hvsim %s, this is %s: make its points anew",
			      p->version, HVSIM_VERSION);
	for (unsigned i = 0; i < p->overs; i++)
		if (study_over_parse(a->common.mem, p->over[i], &a->sweep.over[a->sweep.overs++],
				     err) < 0)
			return -1;
	return study_sweep_open(a->common.mem, &a->sweep, err);
}

static int merge(void *args, struct err *err)
{
	struct args *a = args;
	struct cmd_common *c = &a->common;

	if (!a->files)
		return err_set(err, "merge needs the points files of a sweep");
	if (c->options.sets || c->options.variants || c->options.has_seed)
		return err_set(err, "merge takes --set, --variant and --seed from the files");
	for (size_t i = 0; i < a->files; i++) {
		struct study_points p;
		size_t len;
		char *bytes = file_read(c->mem, a->file[i], &len, err);

		if (!bytes || study_points_parse(c->mem, a->file[i], bytes, len, &p, err) < 0)
			return -1;
		if (!i && open_sweep(a, &p, err) < 0)
			return -1;
		if (study_points_match(&p, &a->sweep, err) < 0 ||
		    study_points_take(&p, &a->sweep, err) < 0)
			return -1;
	}
	return cmd_sweep_print(c, &a->sweep, err);
}

int cmd_merge(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_common_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "FILE...",
				   "Join the points files of a sweep made in parts, and print what the "
				   "sweep in one piece would have printed. Files that overlap, leave "
				   "gaps, or were made by another hvsim or from other models are "
				   "refused.", children, NULL, NULL };
	struct args a = { .common = cmd_common_new() };
	int status = cmd_main(&argp, argc, argv, &a.common, merge, &a);

	free(a.file);
	return status;
}
