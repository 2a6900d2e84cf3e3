// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace info FILE */
#include "cli/cmd.h"
#include "cli/cmd_trace.h"
#include "report/trace_info.h"

struct args {
	struct cmd_trace_read read;
	const char *out;
	enum rep_format format;
};

enum { KEY_FORMAT = 256 };

static const struct argp_option options[] = {
	{ "format", KEY_FORMAT, "FORMAT", 0, "table (default), markdown, csv or json", 0 },
	{ "output", 'o', "FILE", 0, "Write there instead of to standard output", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->read;
		return 0;
	case KEY_FORMAT:
		cmd_trace_format(arg, &a->format, &a->read.err);
		return 0;
	case 'o':
		a->out = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run(struct args *a)
{
	struct trace_reader *r = cmd_trace_open(&a->read);
	struct trace_stats stats = { 0 };
	struct text out = { 0 };
	int status;

	if (!r)
		return cmd_fail(&a->read.err);
	status = trace_stats_read(&stats, r, &a->read.limits, NULL, &a->read.err);
	if (status == 0) {
		rep_trace_info(&stats, a->format, &out);
		status = cmd_trace_put(a->out, &out, &a->read.err);
	}
	text_free(&out);
	trace_stats_done(&stats);
	cmd_trace_close(r);
	return status < 0 ? cmd_fail(&a->read.err) : EXIT_GOOD;
}

int cmd_trace_info(int argc, char **argv)
{
	static const struct argp_child children[] = { { &cmd_trace_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Count the turns of a trace: entered and not entered, exits by cause, cedes "
		       "that blocked and that did not, per vCPU. FILE - is standard input."
		       "\vProblems (cut lines, lost events, exits without entries) are counted and "
		       "listed with their line numbers.",
		.children = children,
	};
	struct args a = { .read.err = ERR_INIT };
	int status = cmd_trace_parse(&argp, argc, argv, &a);

	return status ? status : run(&a);
}
