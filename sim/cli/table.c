// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/cmd_trace.h"

const struct cmd cmd_table[] = {
	{ "run", "run the variants of a scenario beside the published figures", cmd_run },
	{ "grid", "how a prediction reacts to what the publication left out", cmd_grid },
	{ "validate", "every published figure beside what is predicted for it", cmd_validate },
	{ "sweep", "all variants over a grid of values, and where they break even", cmd_sweep },
	{ "merge", "join the parts of a sweep", cmd_merge },
	{ "trace", "read traces of the entry/exit path: what they hold", cmd_trace },
	{ "elf", "what a real kernel's entry and exit code does, op by op", cmd_elf },
	{ "requests", "what an order of x86 vCPU requests costs (no simulation)", cmd_requests },
	{ "fit", "fit a CPU model to a ladder's published differences", cmd_fit },
	{ "path", "price an entry or exit path op by op", cmd_path },
	{ "diff", "what changed between two results", cmd_diff },
	{ "gate", "hold predictions against a stored baseline, for CI", cmd_gate },
	{ "plot", "draw results: bars, breakdowns, exits, ladders, sweeps", cmd_plot },
	{ "timeline", "what each vCPU did when, for Perfetto or as text", cmd_timeline },
	{ "explain", "one exit step by step, as text or a page", cmd_explain },
	{ "list", "scenarios, models, paths, policies and metrics there are", cmd_list },
	{ 0 },
};

int cmd_flush(FILE *f)
{
	struct err err = ERR_INIT;

	return file_put(f, "standard output", "", 0, &err) < 0 ? cmd_fail(&err) : EXIT_GOOD;
}

int cmd_fail(const struct err *err)
{
	fprintf(stderr, "hvsim: %s\n", err->text);
	return EXIT_USAGE;
}
