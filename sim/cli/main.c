// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim: the command line. Finds the subcommand; all else is the subcommand's. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/cmd.h"

static int print_help(FILE *f)
{
	fprintf(f, "Usage: hvsim COMMAND [ARGUMENT...]\n"
		   "Predict what a change to the hypervisor's guest entry/exit path does to exits,\n"
		   "cycles and throughput.\n\nCommands:\n");
	for (const struct cmd *c = cmd_table; c->name; c++)
		fprintf(f, "  %-9s %s\n", c->name, c->summary);
	fprintf(f, "\n`hvsim COMMAND --help` describes one. Exit status: 0 good, 1 a gate failed "
		   "or a target\nis out of reach, 2 bad usage or input.\n");
	return cmd_flush(f);
}

static int unknown(const char *name)
{
	const char *names[64];
	struct err err = ERR_INIT;
	const char *near;
	size_t n = 0;

	for (const struct cmd *c = cmd_table; c->name && n < 64; c++)
		names[n++] = c->name;
	near = text_nearest(name, names, n);
	if (near)
		err_set(&err, "no command '%s' (did you mean '%s'?)", name, near);
	else
		err_set(&err, "no command '%s' (hvsim help lists them)", name);
	return cmd_fail(&err);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "help";
	char full[80];

	setlocale(LC_CTYPE, "");
	/*
	 * No silent death: what is left to do (files, the exit status) is done though nobody reads
	 * standard output any more, and a named pipe that breaks is an error.
	 */
	signal(SIGPIPE, SIG_IGN);
	/* So is a limit on the size of files (ulimit -f): what was half written is taken away. */
	signal(SIGXFSZ, SIG_IGN);
	if (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))
		return argc > 1 ? print_help(stdout) : (print_help(stderr), EXIT_USAGE);
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		printf("hvsim %s\n", HVSIM_VERSION);
		return cmd_flush(stdout);
	}
	for (const struct cmd *c = cmd_table; c->name; c++) {
		if (strcmp(c->name, name))
			continue;
		snprintf(full, sizeof(full), "hvsim %s", name);
		argv[1] = full;
		return c->run(argc - 1, argv + 1);
	}
	return unknown(name);
}
