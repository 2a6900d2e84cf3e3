/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands. Each parses its own arguments with argp and returns the exit status. */
#ifndef HVSIM_CLI_CMD_H
#define HVSIM_CLI_CMD_H

#include <stdio.h>

#include "base/err.h"

#define EXIT_GOOD 0
#define EXIT_GATE 1  /* a gate failed, or a target is out of reach */
#define EXIT_USAGE 2 /* bad usage or bad input */

struct cmd {
	const char *name;
	const char *summary;             /* one line for `hvsim help` */
	int (*run)(int argc, char **argv); /* argv[0] is "hvsim NAME" */
};

/* All subcommands in the order of `hvsim help`, ended by a NULL name. */
extern const struct cmd cmd_table[];

int cmd_elf(int argc, char **argv);
int cmd_fit(int argc, char **argv);
int cmd_path(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_gate(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_timeline(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_grid(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_requests(int argc, char **argv);

/* Print "hvsim: ERR" on standard error and return EXIT_USAGE. */
int cmd_fail(const struct err *err);

/* End of printing with stdio: EXIT_GOOD, or a full disk is told as by cmd_fail(). */
int cmd_flush(FILE *f);

struct argp;

/*
 * argp_parse(), but for its errors: -1 with *err set, in one line. argv[0] is "hvsim COMMAND".
 * --help and --usage print and exit.
 */
int cmd_parse(const struct argp *argp, int argc, char **argv, void *input, struct err *err);

#endif
