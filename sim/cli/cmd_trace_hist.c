// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace hist FILE */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/cmd_trace.h"
#include "report/trace_hist.h"

#define WIDTH 80

struct args {
	struct cmd_trace_read read;
	const char *out;
	enum rep_format format;
	struct trace_filter filter;
	int of;          /* enum trace_dist, or -1 for all */
	bool fine;
	unsigned width;
};

enum { KEY_FORMAT = 256, KEY_OF, KEY_CAUSE, KEY_VCPU, KEY_FINE, KEY_WIDTH };

static const struct argp_option options[] = {
	{ "of", KEY_OF, "WHAT", 0,
	  "guest, not-entered, hypervisor, cede, block or burst (default: all)", 0 },
	{ "cause", KEY_CAUSE, "EXIT", 0, "Only turns that ended so, such as SYSCALL or 0x0, and "
	  "the times after them", 0 },
	{ "vcpu", KEY_VCPU, "N", 0, "Only vCPUs of that number", 0 },
	{ "fine", KEY_FINE, NULL, 0, "Four rows for each factor of two", 0 },
	{ "width", KEY_WIDTH, "COLUMNS", 0, "Default: the terminal's, or 80", 0 },
	{ "format", KEY_FORMAT, "FORMAT", 0, "table (default: bars), csv or json", 0 },
	{ "output", 'o', "FILE", 0, "Write there instead of to standard output", 0 },
	{ 0 },
};

static void set_of(struct args *a, const char *arg)
{
	for (int d = 0; d < TRACE_DISTS; d++) {
		if (strcmp(arg, trace_dist_name((enum trace_dist)d)))
			continue;
		a->of = d;
		return;
	}
	err_set(&a->read.err, "--of=%s: must be guest, not-entered, hypervisor, cede, block or burst",
		arg);
}

static void set_number(struct args *a, const char *option, const char *arg, uint64_t lo,
		       uint64_t hi, uint64_t *v)
{
	if (!text_to_u64(arg, v) || *v < lo || *v > hi)
		err_set(&a->read.err, "--%s=%s: must be a number from %llu to %llu", option, arg,
			(unsigned long long)lo, (unsigned long long)hi);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;
	uint64_t v = 0;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->read;
		return 0;
	case KEY_OF:
		set_of(a, arg);
		return 0;
	case KEY_CAUSE:
		a->filter.cause = arg;
		return 0;
	case KEY_VCPU:
		set_number(a, "vcpu", arg, 0, TRACE_VCPU_MAX, &v);
		a->filter.vcpu = (int64_t)v;
		return 0;
	case KEY_FINE:
		a->fine = true;
		return 0;
	case KEY_WIDTH:
		set_number(a, "width", arg, 40, 1000, &v);
		a->width = (unsigned)v;
		return 0;
	case KEY_FORMAT:
		cmd_trace_format(arg, &a->format, &a->read.err);
		if (a->format == REP_MARKDOWN)
			err_set(&a->read.err, "--format=%s: must be table, csv or json", arg);
		return 0;
	case 'o':
		a->out = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static unsigned columns(const struct args *a)
{
	struct winsize w;

	if (a->width)
		return a->width;
	if (!a->out && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 40)
		return w.ws_col;
	return WIDTH;
}

static void show(void *args, struct trace_stats *stats, struct text *out)
{
	const struct args *a = args;
	bool utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	unsigned width = columns(a);
	size_t start;

	for (int d = 0; a->of >= 0 && d < TRACE_DISTS; d++)
		if (d != a->of)
			hist_done(&stats->dist[d]);
	if (a->format != REP_TABLE) {
		rep_trace_hists(stats->dist, a->fine, a->format, out);
		return;
	}
	for (int d = 0; d < TRACE_DISTS; d++) {
		if (a->of >= 0 && d != a->of)
			continue;
		start = out->len;
		if (start && stats->dist[d].count)
			text_add(out, "\n");
		rep_trace_hist(&stats->dist[d], (enum trace_dist)d, a->fine, width, utf8, out);
	}
	if (!out->len)
		text_add(out, "nothing of that kind in the trace\n");
}

int cmd_trace_hist(int argc, char **argv)
{
	static const struct argp_child children[] = { { &cmd_trace_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Distributions of a trace's times as bars. FILE - is standard input.",
		.children = children,
	};
	struct args a = { .read.err = ERR_INIT, .of = -1, .filter.vcpu = -1 };
	int status = cmd_trace_parse(&argp, argc, argv, &a);

	return status ? status : cmd_trace_stats(&a.read, &a.filter, a.out, show, &a);
}
