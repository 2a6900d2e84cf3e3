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
	struct mem *mem;          /* the caller's */
	struct err err;           /* set when an option is wrong: check after argp_parse() */
	struct scn_options options;
	struct scn_set *set;
	const char **variant;
	size_t set_room, variant_room;
	enum rep_format format;
	const char *output;       /* NULL: standard output */
};

/* Add a --set. */
void cmd_common_set(struct cmd_common *c, const char *key, const char *value);

/* An option's whole number from 1 to max. */
void cmd_number(const char *option, const char *arg, unsigned max, unsigned *n, struct err *err);

/* Write what a command produced to -o FILE (atomically) or to standard output. */
int cmd_output(const struct cmd_common *c, const struct text *out, struct err *err);

/* Print a sweep whose points are all there. */
struct study_sweep;
int cmd_sweep_print(struct cmd_common *common, struct study_sweep *s, struct err *err);

/* Free what option parsing allocated. */
void cmd_common_done(struct cmd_common *c);

/* End of a command: print the error if there is one, free all. The exit status. */
int cmd_end(struct cmd_common *c);

/* Progress of a run on standard error: shown on a terminal, after a second. */
struct cmd_progress {
	int64_t started;
	bool shown;
};
void cmd_progress_start(struct cmd_progress *p, struct scn_options *o);
void cmd_progress_clear(struct cmd_progress *p);

#endif
