// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace VERB */
#include "cli/cmd_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/cmd.h"

enum { KEY_STRICT = 512, KEY_NOT_ENTERED, KEY_BLOCK };

static const struct argp_option options[] = {
	{ "strict", KEY_STRICT, NULL, 0, "The first problem in the trace is an error", 0 },
	{ "not-entered-within", KEY_NOT_ENTERED, "US", 0,
	  "A HV_DECREMENTER turn with an unchanged pc that lasted at most US microseconds didn't "
	  "enter the guest (default 60)", 0 },
	{ "block-over", KEY_BLOCK, "US", 0,
	  "A gap of more than US microseconds between a ceded exit and the next entry is a block "
	  "(default 500)", 0 },
	{ 0 },
};

static int take_file(const char **file, const char *arg, struct err *err)
{
	if (*file)
		err_set(err, "trace takes one file, not also '%s'", arg);
	*file = arg;
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cmd_trace_read *a = state->input;

	switch (key) {
	case KEY_STRICT:
		a->strict = true;
		return 0;
	case KEY_NOT_ENTERED:
		cmd_trace_us("not-entered-within", arg, &a->limits.not_entered_ns, &a->err);
		return 0;
	case KEY_BLOCK:
		cmd_trace_us("block-over", arg, &a->limits.block_ns, &a->err);
		return 0;
	case ARGP_KEY_ARG:
		return take_file(&a->file, arg, &a->err);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp cmd_trace_argp = { .options = options, .parser = parse };

int cmd_trace_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	struct cmd_trace_read *a = input;

	a->limits = (struct trace_limits){ TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };
	if (cmd_parse(argp, argc, argv, input, &a->err) == 0 && !a->err.set && !a->file)
		err_set(&a->err, "%s needs a file (%s --help)", argv[0] + strlen("hvsim "), argv[0]);
	return a->err.set ? cmd_fail(&a->err) : 0;
}

static const struct argp_option make_options[] = {
	{ "output", 'o', "FILE", 0, "The native trace; packed when it ends in .gz, .xz or .zst; - is "
	  "standard output", 0 },
	{ 0 },
};

static error_t parse_make(int key, char *arg, struct argp_state *state)
{
	struct cmd_trace_make *a = state->input;

	switch (key) {
	case 'o':
		a->out = arg;
		return 0;
	case ARGP_KEY_ARG:
		return take_file(&a->file, arg, &a->err);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp cmd_trace_make_argp = { .options = make_options, .parser = parse_make };

int cmd_trace_make_parse(const struct argp *argp, int argc, char **argv, const char *what,
			 void *input)
{
	struct cmd_trace_make *a = input;

	if (cmd_parse(argp, argc, argv, input, &a->err) == 0 && !a->err.set &&
	    (!a->file || !a->out))
		err_set(&a->err, "%s needs %s and -o OUT (- is standard output)",
			argv[0] + strlen("hvsim "), what);
	return a->err.set ? cmd_fail(&a->err) : 0;
}

struct progress {
	struct timespec start, last;
	bool shown;
};

static double seconds(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

/* Shown from the first second on, at most five times a second. */
static void show_progress(void *arg, const struct trace_source *src)
{
	struct progress *p = arg;
	uint64_t done = trace_source_done(src), size = trace_source_size(src);
	struct timespec now;
	double run;

	clock_gettime(CLOCK_MONOTONIC, &now);
	run = seconds(&p->start, &now);
	if (run < 1 || seconds(&p->last, &now) < 0.2)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\r%.0f MB, %.0f MB/s", (double)done / 1e6, (double)done / 1e6 / run);
	if (size > done && done)
		fprintf(stderr, ", %.0f %%, %.0f s left", 100.0 * (double)done / (double)size,
			run * (double)(size - done) / (double)done);
	fprintf(stderr, "\033[K");
}

struct trace_reader *cmd_trace_open(struct cmd_trace_read *a)
{
	struct trace_reader *r = trace_reader_open(a->file, a->strict, &a->err);
	struct progress *p;

	if (!r || !isatty(STDERR_FILENO))
		return r;
	p = mem_zalloc(1, sizeof(*p));
	clock_gettime(CLOCK_MONOTONIC, &p->start);
	p->last = p->start;
	r->tick = show_progress;
	r->tick_arg = p;
	return r;
}

void cmd_trace_close(struct trace_reader *r)
{
	struct progress *p = r ? r->tick_arg : NULL;

	if (p && p->shown)
		fprintf(stderr, "\r\033[K");
	free(p);
	trace_reader_close(r);
}

int cmd_trace_stats(struct cmd_trace_read *a, const struct trace_filter *filter, const char *out,
		    void (*show)(void *args, struct trace_stats *stats, struct text *out),
		    void *args)
{
	struct trace_reader *r = cmd_trace_open(a);
	struct trace_stats stats = { 0 };
	struct text text = { 0 };
	int status;

	if (!r)
		return cmd_fail(&a->err);
	status = trace_stats_read(&stats, r, &a->limits, filter, &a->err);
	if (status == 0) {
		show(args, &stats, &text);
		status = cmd_trace_put(out, &text, &a->err);
	}
	text_free(&text);
	trace_stats_done(&stats);
	cmd_trace_close(r);
	return status < 0 ? cmd_fail(&a->err) : EXIT_GOOD;
}

static const struct cmd verbs[] = {
	{ "info", "what a trace holds: turns, exits by cause, cedes that blocked", cmd_trace_info },
	{ "hist", "distributions of its times, as bars", cmd_trace_hist },
	{ "import", "lift it to what the guest wanted: a native trace", cmd_trace_import },
	{ "synth", "make a native trace from a description", cmd_trace_synth },
	{ "convert", "check a native trace, write it plain or packed", cmd_trace_convert },
	{ 0 },
};

static int help(FILE *f)
{
	fprintf(f, "Usage: hvsim trace VERB [ARGUMENT...]\n"
		   "Read traces of the entry/exit path as kernels and tools print them: ftrace,\n"
		   "trace-cmd report, perf script. FILE - is standard input.\n\nVerbs:\n");
	for (const struct cmd *v = verbs; v->name; v++)
		fprintf(f, "  %-9s %s\n", v->name, v->summary);
	fprintf(f, "\n`hvsim trace VERB --help` describes one.\n");
	return cmd_flush(f);
}

int cmd_trace(int argc, char **argv)
{
	const char *names[16];
	struct err err = ERR_INIT;
	const char *near;
	char full[80];
	size_t n = 0;

	if (argc < 2)
		return help(stderr), EXIT_USAGE;
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "-?"))
		return help(stdout);
	for (const struct cmd *v = verbs; v->name; v++) {
		names[n++] = v->name;
		if (strcmp(v->name, argv[1]))
			continue;
		snprintf(full, sizeof(full), "hvsim trace %s", v->name);
		argv[1] = full;
		return v->run(argc - 1, argv + 1);
	}
	near = text_nearest(argv[1], names, n);
	if (near)
		err_set(&err, "no verb '%s' of trace (did you mean '%s'?)", argv[1], near);
	else
		err_set(&err, "no verb '%s' of trace (hvsim trace --help lists them)", argv[1]);
	return cmd_fail(&err);
}

int cmd_trace_us(const char *option, const char *s, uint64_t *ns, struct err *err)
{
	int64_t micro;

	if (!text_to_micro(s, &micro) || micro < 0)
		return err_set(err, "--%s=%s: must be a time in microseconds, such as 60 or 1.5",
			       option, s);
	*ns = (uint64_t)micro / 1000u;
	return 0;
}

int cmd_trace_format(const char *s, enum rep_format *format, struct err *err)
{
	int found = rep_format_find(s);

	if (found < 0)
		return err_set(err, "--format=%s: must be table, markdown, csv or json", s);
	*format = (enum rep_format)found;
	return 0;
}

int cmd_trace_put(const char *name, const struct text *t, struct err *err)
{
	if (name)
		return file_write(name, t->s ? t->s : "", t->len, err);
	return file_put(stdout, "standard output", t->s ? t->s : "", t->len, err);
}
