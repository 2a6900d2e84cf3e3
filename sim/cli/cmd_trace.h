/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/cli: the verbs of `hvsim trace`, and what they share. */
#ifndef HVSIM_CLI_CMD_TRACE_H
#define HVSIM_CLI_CMD_TRACE_H

#include <argp.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "report/sheet.h"
#include "trace/stats.h"
#include "trace/turns.h"

int cmd_trace(int argc, char **argv);
int cmd_trace_info(int argc, char **argv);
int cmd_trace_hist(int argc, char **argv);
int cmd_trace_import(int argc, char **argv);
int cmd_trace_convert(int argc, char **argv);
int cmd_trace_synth(int argc, char **argv);

/* What reading a trace needs, and its options: the argp child cmd_trace_argp. */
struct cmd_trace_read {
	const char *file;
	struct trace_limits limits;
	bool strict;
	struct err err;
};

extern const struct argp cmd_trace_argp; /* its input is a struct cmd_trace_read */

/*
 * Parse a verb's arguments: argp has cmd_trace_argp as its only child, and
 * `input` starts with a struct cmd_trace_read. 0, or the exit status.
 */
int cmd_trace_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What making a native trace needs, and its options: the argp child cmd_trace_make_argp. */
struct cmd_trace_make {
	const char *file, *out;
	struct err err;
};

extern const struct argp cmd_trace_make_argp; /* its input is a struct cmd_trace_make */

/*
 * Parse a verb's arguments: `input` starts with a struct cmd_trace_make, and both
 * its names are needed; what names the input in that error. 0, or the exit status.
 */
int cmd_trace_make_parse(const struct argp *argp, int argc, char **argv, const char *what,
			 void *input);

/* Open the file with a progress line on standard error, when that is a terminal. */
struct trace_reader *cmd_trace_open(struct cmd_trace_read *a);

/* End what cmd_trace_open() made: the progress line goes. NULL is allowed. */
void cmd_trace_close(struct trace_reader *r);

/*
 * Read the statistics of a trace, have them shown, write that to the file or
 * standard output. filter may be NULL. Returns the exit status.
 */
int cmd_trace_stats(struct cmd_trace_read *a, const struct trace_filter *filter, const char *out,
		    void (*show)(void *args, struct trace_stats *stats, struct text *out),
		    void *args);

/* A time in microseconds ("60", "1.5") as nanoseconds. -1 with *err set. */
int cmd_trace_us(const char *option, const char *s, uint64_t *ns, struct err *err);

/* --format. -1 with *err set. */
int cmd_trace_format(const char *s, enum rep_format *format, struct err *err);

/* Put text into a file, or on standard output when name is NULL. */
int cmd_trace_put(const char *name, const struct text *t, struct err *err);

#endif
