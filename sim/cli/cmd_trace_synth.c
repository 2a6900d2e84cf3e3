// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace synth WORKLOAD -o OUT */
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_trace.h"
#include "trace/synth.h"

struct args {
	const char *file, *out;
	uint64_t seed;
	bool has_seed;
	struct err err;
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "The native trace; packed when it ends in .gz, .xz or .zst; - is "
	  "standard output", 0 },
	{ "seed", 's', "N", 0, "Seed of all random draws, instead of the file's", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 'o':
		a->out = arg;
		return 0;
	case 's':
		a->has_seed = true;
		if (!text_to_u64(arg, &a->seed) || a->seed > INT64_MAX)
			err_set(&a->err, "--seed=%s: must be a whole number from 0 to %lld", arg,
				(long long)INT64_MAX);
		return 0;
	case ARGP_KEY_ARG:
		if (a->file)
			err_set(&a->err, "trace synth takes one file, not also '%s'", arg);
		a->file = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int run(struct args *a, struct mem *mem)
{
	struct trace_sink *sink;
	struct trace_synth s;
	uint64_t intents;

	if (trace_synth_load(mem, a->file, &s, &a->err) < 0)
		return -1;
	if (a->has_seed)
		s.seed = a->seed;
	sink = trace_sink_open(a->out, trace_pack_by_name(a->out), &a->err);
	if (!sink)
		return -1;
	if (trace_synth_write(&s, sink, &intents, &a->err) == 0)
		return trace_sink_commit(sink, &a->err);
	trace_sink_abort(sink);
	return -1;
}

int cmd_trace_synth(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "WORKLOAD -o OUT",
		.doc = "Make a native trace from a description of a workload (JSON, hvsim-workload/1 "
		       "in docs/native-trace.md).",
	};
	struct args a = { .err = ERR_INIT };
	struct mem *mem;

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &a))
		return EXIT_USAGE;
	if (!a.file || !a.out)
		err_set(&a.err, "trace synth needs a workload and -o OUT (- is standard output)");
	mem = mem_new();
	if (!a.err.set)
		run(&a, mem);
	mem_free(mem);
	return a.err.set ? cmd_fail(&a.err) : EXIT_GOOD;
}
