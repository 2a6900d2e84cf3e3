// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim trace synth WORKLOAD -o OUT */
#include <string.h>

#include "cli/cmd.h"
#include "cli/cmd_trace.h"
#include "trace/synth.h"

struct args {
	struct cmd_trace_make make;
	uint64_t seed;
	bool has_seed;
};

static const struct argp_option options[] = {
	{ "seed", 's', "N", 0, "Seed of all random draws, instead of the file's", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->make;
		return 0;
	case 's':
		a->has_seed = true;
		if (!text_to_u64(arg, &a->seed) || a->seed > INT64_MAX)
			err_set(&a->make.err, "--seed=%s: must be a whole number from 0 to %lld", arg,
				(long long)INT64_MAX);
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

	if (trace_synth_load(mem, a->make.file, &s, &a->make.err) < 0)
		return -1;
	if (a->has_seed)
		s.seed = a->seed;
	sink = trace_sink_open(a->make.out, trace_pack_by_name(a->make.out), &a->make.err);
	if (!sink)
		return -1;
	if (trace_synth_write(&s, sink, &intents, &a->make.err) == 0)
		return trace_sink_commit(sink, &a->make.err);
	trace_sink_abort(sink);
	return -1;
}

int cmd_trace_synth(int argc, char **argv)
{
	static const struct argp_child children[] = { { &cmd_trace_make_argp, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc = "WORKLOAD -o OUT",
		.doc = "Make a native trace from a description of a workload (JSON, hvsim-workload/1 "
		       "in docs/native-trace.md).",
		.children = children,
	};
	struct args a = { .make.err = ERR_INIT };
	int status = cmd_trace_make_parse(&argp, argc, argv, "a workload", &a);
	struct mem *mem;

	if (status)
		return status;
	mem = mem_new();
	status = run(&a, mem);
	mem_free(mem);
	return status < 0 ? cmd_fail(&a.make.err) : EXIT_GOOD;
}
