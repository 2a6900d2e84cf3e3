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

static void show(void *args, struct trace_stats *stats, struct text *out)
{
	const struct args *a = args;

	rep_trace_info(stats, a->format, out);
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

	return status ? status : cmd_trace_stats(&a.read, NULL, a.out, show, &a);
}
