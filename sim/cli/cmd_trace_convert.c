// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace convert FILE -o OUT */
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_trace.h"
#include "trace/native.h"
#include "trace/sink.h"

#define FLUSH ((size_t)64 << 10)

/* Every byte as it is; a native trace is checked on the way. */
static int copy(struct cmd_trace_make *a, struct trace_source *src, struct trace_sink *sink)
{
	char buf[1 << 16];
	long got;

	while ((got = trace_source_read(src, buf, sizeof(buf), &a->err)) > 0)
		if (trace_sink_put(sink, buf, (size_t)got, &a->err) < 0)
			return -1;
	if (got == 0 && !trace_source_whole(src))
		return err_at(&a->err, a->file, 0, "packed data is cut or damaged; pack it again");
	return (int)got;
}

/* Read all of a native trace for its errors. */
static int check(struct cmd_trace_make *a)
{
	struct trace_native *n = trace_native_open(a->file, &a->err);
	struct trace_intent i;
	int got = n ? 1 : -1;

	while (got > 0)
		got = trace_native_next(n, &i, &a->err);
	trace_native_close(n);
	return got;
}

static int run(struct cmd_trace_make *a)
{
	struct trace_source *src;
	struct trace_sink *sink;
	int status = -1;

	if (check(a) < 0 || !(src = trace_source_open(a->file, &a->err)))
		return cmd_fail(&a->err);
	sink = trace_sink_open(a->out, trace_pack_by_name(a->out), &a->err);
	if (sink)
		status = copy(a, src, sink);
	if (status == 0)
		status = trace_sink_commit(sink, &a->err);
	else
		trace_sink_abort(sink);
	trace_source_close(src);
	return status < 0 ? cmd_fail(&a->err) : EXIT_GOOD;
}

int cmd_trace_convert(int argc, char **argv)
{
	static const struct argp_child children[] = { { &cmd_trace_make_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.args_doc = "FILE -o OUT",
		.doc = "Check a native trace and write it plain or packed. Nothing is written when a "
		       "line of it is wrong.",
		.children = children,
	};
	struct cmd_trace_make a = { .err = ERR_INIT };
	int status = cmd_trace_make_parse(&argp, argc, argv, "a file", &a);

	if (status)
		return status;
	if (!strcmp(a.file, "-"))
		err_set(&a.err, "trace convert checks the trace before it writes: give a file, not -");
	if (trace_source_same(a.file, a.out))
		err_set(&a.err, "-o %s is the trace itself: give another name", a.out);
	return a.err.set ? cmd_fail(&a.err) : run(&a);
}
