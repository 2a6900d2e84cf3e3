// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim timeline: what each vCPU did when. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/common.h"
#include "report/timeline.h"

enum { OPT_FROM = 512, OPT_TO, OPT_LIMIT, OPT_TEXT, OPT_WIDTH };

#define MS INT64_C(1000000) /* nanoseconds */
#define LIMIT 200000

struct args {
	struct cmd_common common;
	int64_t from, to;      /* nanoseconds; to -1: not given */
	uint64_t limit, width;
	bool text;
};

static const struct argp_option options[] = {
	{ "from", OPT_FROM, "MS", 0, "Begin at this time of the run, milliseconds (default 0)", 0 },
	{ "to", OPT_TO, "MS", 0, "End there (default: 20 ms later)", 0 },
	{ "limit", OPT_LIMIT, "N", 0, "Leave out what comes after N events (default 200000)", 0 },
	{ "text", OPT_TEXT, NULL, 0, "Draw it with letters instead", 0 },
	{ "width", OPT_WIDTH, "COLUMNS", 0, "Of the drawing (default: the terminal's, or 80)", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, replaced at once when all is done", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_FROM:
		cmd_ms(&a->common, "--from", arg, &a->from);
		return 0;
	case OPT_TO:
		cmd_ms(&a->common, "--to", arg, &a->to);
		return 0;
	case OPT_LIMIT:
		cmd_whole(&a->common, "--limit", arg, 1, 100000000, &a->limit);
		return 0;
	case OPT_TEXT:
		a->text = true;
		return 0;
	case OPT_WIDTH:
		cmd_whole(&a->common, "--width", arg, 20, 1000, &a->width);
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

static unsigned terminal_width(const struct args *a)
{
	struct winsize size;

	if (a->width)
		return (unsigned)a->width;
	if (!a->common.output && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col >= 20)
		return size.ws_col;
	return 80;
}

static int timeline(void *args, struct err *err)
{
	struct args *a = args;
	const struct cmd_common *c = &a->common;
	struct rep_timeline t;
	struct text out = { 0 };
	int rc;

	if (cmd_need_scenario(c, "timeline", err) < 0)
		return -1;
	if (c->options.variants > 1)
		return err_set(err, "timeline shows one variant: give --variant once");
	if (a->to < 0)
		a->to = a->from + 20 * MS;
	if (a->to <= a->from)
		return err_set(err, "--to must be later than --from");
	rep_timeline_init(&t, (uint64_t)a->from, (uint64_t)a->to, a->limit);
	rc = scn_watch(c->mem, &c->options, NULL, &t.watch, err);
	if (!rc && clk_ns(&t.watch.clock, t.watch.end) <= t.from_ns)
		rc = err_set(err, "--from is after the end of the run");
	if (!rc) {
		rep_timeline_end(&t);
		if (a->text)
			rep_timeline_text(&out, &t, terminal_width(a) - 10);
		else
			rep_timeline_json(&out, &t);
		rc = cmd_output(c, &out, err);
	}
	rep_timeline_done(&t);
	text_free(&out);
	return rc;
}

int cmd_timeline(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_scenario_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { options, parse, "SCENARIO",
				   "Show what each vCPU of one variant (the first, or --variant) did "
				   "when: Chrome trace event JSON, which ui.perfetto.dev opens.",
				   children, NULL, NULL };
	struct args a = { .common = cmd_common_new(), .to = -1,
			  .limit = LIMIT };

	return cmd_main(&argp, argc, argv, &a.common, timeline, &a);
}
