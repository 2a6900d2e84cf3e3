// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim sweep: all variants at every point of a grid of values; in parts, if need be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/common.h"
#include "study/pool.h"
#include "study/sweep.h"

enum { OPT_OVER = 512, OPT_SHARD, OPT_POINTS, OPT_COARSE };

struct args {
	struct cmd_common common;
	struct study_sweep sweep;
	const char *points;
	unsigned shard, shards;
};

static const struct argp_option options[] = {
	{ "over", OPT_OVER, "KEY=VALUES", 0, "An axis: FROM:TO:STEP or a list VALUE,VALUE... "
	  "(repeatable; the last is the fastest)", 0 },
	{ "points", OPT_POINTS, "FILE", 0, "Save each point as it is done; run again to go on after a "
	  "kill", 0 },
	{ "shard", OPT_SHARD, "I/N", 0, "Only part I of N, into --points; `hvsim merge` joins them", 0 },
	{ "coarse", OPT_COARSE, NULL, 0, "Do not narrow down where variants break even", 0 },
	{ "jobs", 'j', "N", 0, "Workers; one an online CPU unless given. The result is the same", 0 },
	{ 0 },
};

static void take_shard(struct args *a, const char *arg)
{
	char *first = mem_strdup(a->common.mem, arg), *slash = strchr(first, '/');
	struct err *err = &a->common.err, inner = ERR_INIT;

	if (slash) {
		*slash = '\0';
		cmd_number("--shard", first, STUDY_SHARDS_MAX, &a->shard, &inner);
		cmd_number("--shard", slash + 1, STUDY_SHARDS_MAX, &a->shards, &inner);
	}
	if (!slash || inner.set || a->shard > a->shards)
		err_set(err, "--shard %s: must be I/N, I from 1 to N, N up to %u", arg,
			STUDY_SHARDS_MAX);
}

static void take_over(struct args *a, const char *arg)
{
	struct study_sweep *s = &a->sweep;

	if (s->overs == STUDY_OVER_MAX)
		err_set(&a->common.err, "--over %s: at most %u axes", arg, STUDY_OVER_MAX);
	else if (study_over_parse(a->common.mem, arg, &s->over[s->overs], &a->common.err) == 0)
		s->overs++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_OVER:
		return take_over(a, arg), 0;
	case OPT_SHARD:
		return take_shard(a, arg), 0;
	case OPT_POINTS:
		a->points = arg;
		return 0;
	case OPT_COARSE:
		a->sweep.coarse = true;
		return 0;
	case 'j':
		return cmd_number("--jobs", arg, STUDY_JOBS_MAX, &a->sweep.jobs, &a->common.err), 0;
	case ARGP_KEY_ARG:
		return cmd_scenario(&a->common, arg), 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A kill may tear the head, too: nothing is lost then. Empty files are of that kind. */
static bool is_start_of_head(const struct args *a, const char *bytes, size_t len)
{
	struct text head = { 0 };
	bool is;

	study_points_head(&head, &a->sweep, a->shard, a->shards);
	is = len < head.len && !memcmp(bytes, head.s, len);
	text_free(&head);
	return is;
}

static int begin(struct args *a, FILE *f, struct err *err)
{
	struct text head = { 0 };
	int rc;

	if (ftruncate(fileno(f), 0) < 0)
		return err_at(err, a->points, 0, "%s", strerror(errno));
	study_points_head(&head, &a->sweep, a->shard, a->shards);
	rc = file_put(f, a->points, head.s, head.len, err);
	text_free(&head);
	return rc;
}

/* What a file holds already is taken over; a torn last line is cut off. */
static int resume(struct args *a, FILE *f, struct err *err)
{
	struct study_points p;
	size_t len;
	char *bytes = file_read(a->common.mem, a->points, &len, err);

	if (!bytes)
		return -1;
	if (is_start_of_head(a, bytes, len))
		return begin(a, f, err);
	if (study_points_parse(a->common.mem, a->points, bytes, len, &p, err) < 0 ||
	    study_points_match(&p, &a->sweep, err) < 0)
		return -1;
	if (p.shard != a->shard || p.shards != a->shards)
		return err_at(err, a->points, p.first_line - 1, "is shard %u/%u, not %u/%u: give each "
			      "shard its own file", p.shard, p.shards, a->shard, a->shards);
	if (study_points_take(&p, &a->sweep, err) < 0)
		return -1;
	if (ftruncate(fileno(f), (off_t)p.good_len) < 0)
		return err_at(err, a->points, 0, "%s", strerror(errno));
	return 0;
}

static int run_saved(struct args *a, struct err *err)
{
	FILE *f = fopen(a->points, "a");
	int rc;

	if (!f)
		return err_at(err, a->points, 0, "%s", strerror(errno));
	if (flock(fileno(f), LOCK_EX | LOCK_NB) < 0)
		rc = err_at(err, a->points, 0, "is in use by another sweep");
	else
		rc = resume(a, f, err);
	if (!rc)
		rc = study_sweep_run(&a->sweep, a->shard, a->shards, f, err);
	fclose(f);
	return rc;
}

/* An interrupt's error says what became of the finished points. */
static int say_how_to_go_on(const struct args *a, struct err *err)
{
	struct err first = *err;

	if (strncmp(first.text, "interrupted", 11))
		return -1;
	*err = (struct err)ERR_INIT;
	if (!a->points)
		return err_set(err, "%.700s: nothing is saved; with --points FILE the same command "
			       "goes on", first.text);
	return err_set(err, "%.700s: the points are saved in %.200s; run the same command to go on",
		       first.text, a->points);
}

static int run(struct args *a, struct err *err)
{
	struct cmd_progress progress;
	struct study_sweep *s = &a->sweep;
	int rc;

	s->options = &a->common.options;
	if (study_sweep_open(a->common.mem, s, err) < 0)
		return -1;
	cmd_progress_start(&progress, &a->common.options);
	rc = a->points ? run_saved(a, err) : study_sweep_run(s, 1, 1, NULL, err);
	cmd_progress_clear(&progress);
	return rc;
}

static int sweep(void *args, struct err *err)
{
	struct args *a = args;

	if (cmd_need_scenario(&a->common, "sweep", err) < 0)
		return -1;
	if (!a->sweep.overs)
		return err_set(err, "sweep needs --over: an axis and its values");
	if (a->shards && !a->points)
		return err_set(err, "--shard needs --points: the file the part goes to");
	if (a->shards && a->common.output)
		return err_set(err, "-o: a shard has no result yet; `hvsim merge` prints it");
	if (a->shards)
		return run(a, err) < 0 ? say_how_to_go_on(a, err) : 0;
	a->shard = a->shards = 1;
	if (run(a, err) < 0 || cmd_sweep_print(&a->common, &a->sweep, err) < 0)
		return say_how_to_go_on(a, err);
	return 0;
}

int cmd_sweep_print(struct cmd_common *common, struct study_sweep *s, struct err *err)
{
	struct rep_options report = { 0 };
	struct cmd_progress progress;
	struct scn_result result;
	int rc;

	cmd_progress_start(&progress, &common->options);
	rc = study_sweep_result(s, &result, err);
	cmd_progress_clear(&progress);
	if (rc < 0)
		return rc;
	return cmd_result(common, &result, &report, err);
}

int cmd_sweep(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_common_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "SCENARIO",
				   "Run the variants of a scenario at every point of a grid of values: "
				   "one row a point, and where variants break even.", children, NULL,
				   NULL };
	struct args a = { .common = cmd_common_new() };

	return cmd_main(&argp, argc, argv, &a.common, sweep, &a);
}
