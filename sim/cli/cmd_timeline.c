// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim timeline: what each vCPU did when. */
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/common.h"
#include "report/timeline.h"

enum { OPT_FROM = 512, OPT_TO, OPT_LIMIT, OPT_TEXT, OPT_WIDTH };

#define MICRO INT64_C(1000000)
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

/* Milliseconds with decimals, as nanoseconds. */
static void set_ms(struct args *a, const char *option, const char *arg, int64_t *ns)
{
	if (!text_to_micro(arg, ns) || *ns < 0 || *ns > MICRO * 1000000000)
		err_set(&a->common.err, "--%s %s: must be milliseconds, such as 12.5", option, arg);
}

static void set_number(struct args *a, const char *option, const char *arg, uint64_t lo,
		       uint64_t hi, uint64_t *v)
{
	if (!text_to_u64(arg, v) || *v < lo || *v > hi)
		err_set(&a->common.err, "--%s %s: must be a whole number from %llu to %llu", option,
			arg, (unsigned long long)lo, (unsigned long long)hi);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case OPT_FROM:
		set_ms(a, "from", arg, &a->from);
		return 0;
	case OPT_TO:
		set_ms(a, "to", arg, &a->to);
		return 0;
	case OPT_LIMIT:
		set_number(a, "limit", arg, 1, 100000000, &a->limit);
		return 0;
	case OPT_TEXT:
		a->text = true;
		return 0;
	case OPT_WIDTH:
		set_number(a, "width", arg, 20, 1000, &a->width);
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

static unsigned terminal_width(const struct args *a)
{
	struct winsize size;

	if (a->width)
		return (unsigned)a->width;
	if (!a->common.output && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col >= 20)
		return size.ws_col;
	return 80;
}

static int timeline(struct args *a, struct err *err)
{
	const struct cmd_common *c = &a->common;
	struct rep_timeline t;
	struct text out = { 0 };
	int rc;

	if (!c->options.name)
		return err_set(err, "timeline needs a scenario: a file, or a name `hvsim list` "
				    "shows");
	if (c->options.variants > 1)
		return err_set(err, "timeline shows one variant: give --variant once");
	if (a->to < 0)
		a->to = a->from + 20 * MICRO;
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
	const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "SCENARIO",
		.doc = "Show what each vCPU of one variant (the first, or --variant) did "
		       "when: Chrome trace event JSON, which ui.perfetto.dev opens.",
		.children = children,
	};
	struct args a = { .common = { .mem = mem_new(), .err = ERR_INIT }, .to = -1,
			  .limit = LIMIT };

	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (!a.common.err.set)
		timeline(&a, &a.common.err);
	return cmd_end(&a.common);
}
