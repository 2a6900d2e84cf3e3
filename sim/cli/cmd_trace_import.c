// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace import FILE -o OUT */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/cmd_trace.h"
#include "report/trace_lift.h"

struct args {
	struct cmd_trace_read read;
	const char *out;
	enum rep_format format;
	uint64_t l1_hz;
};

enum { KEY_FORMAT = 256, KEY_HZ };

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "The native trace; packed when it ends in .gz, .xz or .zst; - is "
	  "standard output", 0 },
	{ "l1-hz", KEY_HZ, "HZ", 0, "L1's tick rate: 100, 250, 300 or 1000 (default: what the trace "
	  "shows)", 0 },
	{ "format", KEY_FORMAT, "FORMAT", 0, "Of what was decided: table (default), markdown, csv or "
	  "json", 0 },
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
	case KEY_HZ:
		if (!text_to_u64(arg, &a->l1_hz) ||
		    (a->l1_hz != 100 && a->l1_hz != 250 && a->l1_hz != 300 && a->l1_hz != 1000))
			err_set(&a->read.err, "--l1-hz=%s: must be 100, 250, 300 or 1000", arg);
		return 0;
	case 'o':
		a->out = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int read_facts(struct args *a, struct trace_facts *facts)
{
	struct trace_reader *r = trace_reader_open(a->read.file, a->read.strict, &a->read.err);
	int status = r ? trace_facts_read(facts, r, &a->read.limits, a->l1_hz, &a->read.err) : -1;

	trace_reader_close(r);
	return status;
}

/* What was decided: on standard error when the trace itself is on standard output. */
static int tell(struct args *a, const struct trace_lifted *l, const struct trace_facts *facts,
		const struct trace_problems *p)
{
	bool busy = !strcmp(a->out, "-");
	struct text out = { 0 };
	int status;

	rep_trace_lift(l, facts, p, a->format, &out);
	status = file_put(busy ? stderr : stdout, busy ? "standard error" : "standard output", out.s,
			  out.len, &a->read.err);
	text_free(&out);
	return status;
}

static int run(struct args *a)
{
	struct trace_facts facts = { 0 };
	struct trace_lifted lifted;
	struct trace_reader *r;
	struct trace_sink *sink;
	int status = -1;

	if (read_facts(a, &facts) < 0 || !(r = cmd_trace_open(&a->read))) {
		trace_facts_done(&facts);
		return cmd_fail(&a->read.err);
	}
	sink = trace_sink_open(a->out, trace_pack_by_name(a->out), &a->read.err);
	if (sink)
		status = trace_lift(&lifted, r, &a->read.limits, &facts, sink, &a->read.err);
	if (status == 0 && !lifted.turns)
		status = err_at(&a->read.err, a->read.file, 0, "holds no turn of a vCPU: nothing to "
				"lift (hvsim trace info says what it holds)");
	if (status == 0)
		status = trace_sink_commit(sink, &a->read.err);
	else
		trace_sink_abort(sink);
	if (status == 0)
		status = tell(a, &lifted, &facts, &r->problems);
	cmd_trace_close(r);
	trace_facts_done(&facts);
	return status < 0 ? cmd_fail(&a->read.err) : EXIT_GOOD;
}

int cmd_trace_import(int argc, char **argv)
{
	static const struct argp_child children[] = { { &cmd_trace_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "FILE -o OUT",
		.doc = "Lift a capture: from recorded exits to what the guest wanted, as a native trace "
		       "that can run under another policy. Prints what was decided and how sure it "
		       "is. Rules: docs/lifting.md.",
		.children = children,
	};
	struct args a = { .read.err = ERR_INIT };
	int status = cmd_trace_parse(&argp, argc, argv, &a);

	if (status)
		return status;
	if (!a.out)
		err_set(&a.read.err, "trace import needs -o OUT (- is standard output)");
	else if (trace_source_same(a.read.file, a.out))
		err_set(&a.read.err, "-o %s is the capture itself: give another name", a.out);
	else if (!trace_source_rereads(a.read.file))
		err_set(&a.read.err, "trace import reads the beginning twice: give a file, not %s%s",
			strcmp(a.read.file, "-") ? "a pipe: " : "", a.read.file);
	return a.read.err.set ? cmd_fail(&a.read.err) : run(&a);
}
