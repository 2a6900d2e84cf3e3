/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What subcommands that run scenarios share: the same options under the same names. */
#ifndef HVSIM_CLI_COMMON_H
#define HVSIM_CLI_COMMON_H

#include <argp.h>

#include "base/err.h"
#include "base/mem.h"
#include "report/report.h"
#include "scenario/scenario.h"

/* --variant, --set, --seed, --format, -o, as an argp child: input is a struct cmd_common. */
extern const struct argp cmd_common_argp;
/* --set, --format and -o alone, with the same input. */
extern const struct argp cmd_output_argp;

/* Its parts: --format and -o for what prints tables; --variant, --set and --seed for what runs. */
extern const struct argp cmd_print_argp;
extern const struct argp cmd_scenario_argp;

struct cmd_common {
	struct mem *mem;
	struct err err;           /* set when an option is wrong: check after argp_parse() */
	struct scn_options options;
	struct scn_set *set;
	const char **variant;
	size_t set_room, variant_room;
	enum rep_format format;
	bool perf_stat;           /* set before argp_parse(): --format perf-stat is one of them */
	const char *output;       /* NULL: standard output */
};

/* Options none of which is given, and a pool of its own: cmd_main() frees it. */
struct cmd_common cmd_common_new(void);

/* The argument of a command that takes one scenario: a second one is an error in c. */
void cmd_scenario(struct cmd_common *c, const char *arg);
/* -1 and an error when none was given. */
int cmd_need_scenario(const struct cmd_common *c, const char *command, struct err *err);

/* KEY=VALUE of an option, copied into the pool; -1 and an error in c when it isn't that. */
int cmd_key_value(struct cmd_common *c, const char *option, const char *arg,
		  struct scn_set *set);

/* Add a --set; one of the same key given before is replaced. */
void cmd_common_set(struct cmd_common *c, const char *key, const char *value);

/* An option's whole number from lo to hi; milliseconds with decimals, as nanoseconds. */
void cmd_whole(struct cmd_common *c, const char *option, const char *arg, uint64_t lo,
	       uint64_t hi, uint64_t *v);
void cmd_ms(struct cmd_common *c, const char *option, const char *arg, int64_t *ns);

/* An option's whole number from 1 to max. */
void cmd_number(const char *option, const char *arg, unsigned max, unsigned *n, struct err *err);

/* Write what a command produced to -o FILE (atomically) or to standard output. */
int cmd_output(const struct cmd_common *c, const struct text *out, struct err *err);

/* Print a sweep whose points are all there. */
struct study_sweep;
int cmd_sweep_print(struct cmd_common *common, struct study_sweep *s, struct err *err);

/* Print a result to -o FILE or standard output in the format asked for. */
int cmd_result(const struct cmd_common *c, const struct scn_result *result,
	       const struct rep_options *report, struct err *err);

/*
 * The whole of a command: parse argv with argp, whose input is args, and unless
 * an option was wrong run body(args, err). Print the error if there is one and
 * free what common holds; args stay the caller's. Returns the exit status:
 * EXIT_GOOD or EXIT_USAGE.
 */
int cmd_main(const struct argp *argp, int argc, char **argv, struct cmd_common *common,
	     int (*body)(void *args, struct err *err), void *args);

/* Progress of a run on standard error: shown on a terminal, after a second. */
struct cmd_progress {
	int64_t started;
	bool shown;
};
void cmd_progress_start(struct cmd_progress *p, struct scn_options *o);
void cmd_progress_clear(struct cmd_progress *p);

#endif
