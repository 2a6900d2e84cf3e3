// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim run: the variants of one scenario beside what was published. */
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/cmd.h"
#include "cli/common.h"
#include "study/calibrate.h"
#include "study/ensemble.h"
#include "study/pool.h"

enum { OPT_STATS = 512, OPT_DETAILS, OPT_CALIBRATE, OPT_ENSEMBLE };

struct args {
	struct cmd_common common;
	struct rep_options report;
	struct study_ensemble ensemble; /* members 0: none */
	bool stats, calibrate;
	bool missed;                    /* a calibration is out of reach */
};

static const struct argp_option options[] = {
	{ "details", OPT_DETAILS, NULL, 0, "Also cycles by class and the price of every path", 0 },
	{ "calibrate", OPT_CALIBRATE, NULL, 0, "Search the calibrated parameters anew, then run with "
	  "them", 0 },
	{ "ensemble", OPT_ENSEMBLE, "N", 0, "Intervals from N runs with the model's parameters drawn "
	  "within their ranges; with --calibrate, each calibrated anew", 0 },
	{ "jobs", 'j', "N", 0, "Workers for --ensemble; one an online CPU unless given", 0 },
	{ "stats", OPT_STATS, NULL, 0, "Print the simulator's own speed on standard error", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_STATS:
		a->stats = true;
		return 0;
	case OPT_DETAILS:
		a->report.details = true;
		return 0;
	case OPT_ENSEMBLE:
		return cmd_number("--ensemble", arg, STUDY_MEMBERS_MAX, &a->ensemble.members,
				  &a->common.err), 0;
	case 'j':
		return cmd_number("--jobs", arg, STUDY_JOBS_MAX, &a->ensemble.jobs,
				  &a->common.err), 0;
	case OPT_CALIBRATE:
		a->calibrate = true;
		return 0;
	case ARGP_KEY_ARG:
		return cmd_scenario(&a->common, arg), 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void print_stats(const struct scn_result *r, double took)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	fprintf(stderr, "%llu events in %.3f s: %.1f million a second; peak %ld MiB\n",
		(unsigned long long)r->events, took, (double)r->events / took / 1e6,
		usage.ru_maxrss / 1024);
	if (r->event_is)
		fprintf(stderr, "An event is %s.\n", r->event_is);
}

/* One line about a target that no value within the range meets. */
static void print_missed(struct mem *mem, const struct study_calibration *c)
{
	fprintf(stderr, "hvsim: %s %s: %s is out of reach with %s from %s to %s: the nearest is "
		"%s\n",
		c->variant, c->metric, study_decimal(mem, c->target), c->key,
		study_decimal(mem, c->lo), study_decimal(mem, c->hi), study_decimal(mem, c->got));
}

/* Search, say what was found, and set it for the run. */
static int calibrate(struct args *a, struct err *err)
{
	struct study_calibration c[STUDY_CALIBRATE_MAX];
	const struct study_search search = { .tolerance = STUDY_CLOSE };
	struct cmd_common *common = &a->common;
	unsigned n;

	if (study_calibrate(common->mem, &common->options, &search, c, &n, err) < 0)
		return -1;
	common->options.calibrated = true;
	for (unsigned i = 0; i < n; i++) {
		const char *value = study_decimal(common->mem, c[i].value);

		fprintf(stderr, "%s = %s: %s %s is %s, published %s (%u runs)\n", c[i].key, value,
			c[i].variant, c[i].metric, study_decimal(common->mem, c[i].got),
			study_decimal(common->mem, c[i].target), c[i].runs);
		if (!c[i].reached)
			print_missed(common->mem, &c[i]);
		a->missed |= !c[i].reached;
		cmd_common_set(common, c[i].key, value);
		for (const struct jnode *k = c[i].also ? c[i].also->child : NULL; k; k = k->next)
			cmd_common_set(common, k->text, value);
	}
	return 0;
}

static int run(void *args, struct err *err)
{
	struct args *a = args;
	struct cmd_progress progress;
	struct scn_result result;
	double start = seconds();
	int rc;

	if (cmd_need_scenario(&a->common, "run", err) < 0)
		return -1;
	if (a->calibrate && calibrate(a, err) < 0)
		return -1;
	cmd_progress_start(&progress, &a->common.options);
	a->ensemble.calibrate = a->calibrate;
	rc = scn_run(a->common.mem, &a->common.options, &result, err);
	if (!rc && a->ensemble.members)
		rc = study_ensemble_add(a->common.mem, &a->common.options, &a->ensemble, &result, err);
	cmd_progress_clear(&progress);
	if (rc < 0)
		return rc;
	if (a->common.format == REP_PERF_STAT && !rep_has_intervals(&result))
		return err_set(err, "--format perf-stat: %s counts nothing by intervals",
			       a->common.options.name);
	if (a->stats)
		print_stats(&result, seconds() - start);
	return cmd_result(&a->common, &result, &a->report, err);
}

int cmd_run(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_common_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "SCENARIO",
				   "Run the variants of a scenario and print what they are predicted "
				   "to do, beside the published figures. Exit status 1 when "
				   "--calibrate can't reach a published figure: the result with "
				   "the nearest is printed all the same.", children, NULL, NULL };
	struct args a = { .common = cmd_common_new() };
	int status;

	a.common.perf_stat = true;
	status = cmd_main(&argp, argc, argv, &a.common, run, &a);
	return status == EXIT_GOOD && a.missed ? EXIT_GATE : status;
}
