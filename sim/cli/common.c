// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/common.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cmd.h"

#define MS_MAX (INT64_C(1000000000) * 1000000) /* nanoseconds: far more than a run */

enum { OPT_VARIANT = 256, OPT_SET, OPT_SEED, OPT_FORMAT };

static const struct argp_option print_options[] = {
	{ "format", OPT_FORMAT, "FORMAT", 0, "table, markdown, csv or json", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, replaced at once when all is done", 0 },
	{ 0 },
};

static const struct argp_option run_options[] = {
	{ "variant", OPT_VARIANT, "NAME", 0, "Run only this variant (repeatable)", 0 },
	{ "set", OPT_SET, "KEY=VALUE", 0, "Set a policy switch, a model parameter (model.NAME) or a "
	  "field of the scenario (repeatable)", 0 },
	{ "seed", OPT_SEED, "N", 0, "Seed of all random draws", 0 },
	{ 0 },
};

static const struct argp_option set_options[] = {
	{ "set", OPT_SET, "KEY=VALUE", 0, "Set a policy switch, a state or a model parameter "
	  "(model.NAME) (repeatable)", 0 },
	{ 0 },
};

static const struct argp_option result_options[] = {
	{ "format", OPT_FORMAT, "FORMAT", 0, "table, markdown, csv, json, cover (for a patch mail) "
	  "or, of run, perf-stat (counts by interval)", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, replaced at once when all is done", 0 },
	{ 0 },
};

struct cmd_common cmd_common_new(void)
{
	return (struct cmd_common){ .mem = mem_new(), .err = ERR_INIT };
}

void cmd_scenario(struct cmd_common *c, const char *arg)
{
	if (c->options.name)
		err_set(&c->err, "%s: one scenario at a time", arg);
	c->options.name = arg;
}

int cmd_need_scenario(const struct cmd_common *c, const char *command, struct err *err)
{
	if (c->options.name)
		return 0;
	return err_set(err, "%s needs a scenario: a file, or a name `hvsim list` shows", command);
}

int cmd_key_value(struct cmd_common *c, const char *option, const char *arg,
		  struct scn_set *set)
{
	const char *eq = strchr(arg, '=');
	char *key;

	if (!eq || eq == arg)
		return err_set(&c->err, "%s %s: must be KEY=VALUE", option, arg);
	key = mem_strdup(c->mem, arg);
	key[eq - arg] = '\0';
	*set = (struct scn_set){ key, key + (eq - arg) + 1 };
	return 0;
}

void cmd_common_set(struct cmd_common *c, const char *key, const char *value)
{
	for (size_t i = 0; i < c->options.sets; i++) {
		if (!strcmp(c->set[i].key, key)) {
			c->set[i].value = value;
			return;
		}
	}
	c->set = mem_grow(c->set, &c->set_room, c->options.sets + 1, sizeof(*c->set));
	c->set[c->options.sets++] = (struct scn_set){ key, value };
	c->options.set = c->set;
}

static void add_set(struct cmd_common *c, const char *arg)
{
	struct scn_set set = { 0 };

	if (!cmd_key_value(c, "--set", arg, &set))
		cmd_common_set(c, set.key, set.value);
}

static void add_variant(struct cmd_common *c, const char *arg)
{
	c->variant = mem_grow(c->variant, &c->variant_room, c->options.variants + 1,
			      sizeof(*c->variant));
	c->variant[c->options.variants++] = arg;
	c->options.variant = c->variant;
}

static void set_seed(struct cmd_common *c, const char *arg)
{
	if (!text_to_u64(arg, &c->options.seed) || c->options.seed > INT64_MAX)
		err_set(&c->err, "--seed %s: must be a whole number from 0 to %lld", arg,
			(long long)INT64_MAX);
	c->options.has_seed = true;
}

static error_t parse_scenario(int key, char *arg, struct argp_state *state)
{
	struct cmd_common *c = state->input;

	switch (key) {
	case OPT_VARIANT:
		add_variant(c, arg);
		return 0;
	case OPT_SET:
		add_set(c, arg);
		return 0;
	case OPT_SEED:
		set_seed(c, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_print(int key, char *arg, struct argp_state *state)
{
	struct cmd_common *c = state->input;
	int format;

	switch (key) {
	case OPT_FORMAT:
		format = rep_format_find(arg);
		if (format < 0)
			err_set(&c->err, "--format %s: must be table, markdown, csv or json", arg);
		else
			c->format = format;
		return 0;
	case 'o':
		c->output = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* As parse_print(), and whole results have formats more. */
static error_t parse_result(int key, char *arg, struct argp_state *state)
{
	struct cmd_common *c = state->input;

	if (key != OPT_FORMAT)
		return parse_print(key, arg, state);
	if (!strcmp(arg, "cover"))
		c->format = REP_COVER;
	else if (c->perf_stat && !strcmp(arg, "perf-stat"))
		c->format = REP_PERF_STAT;
	else if (rep_format_find(arg) >= 0)
		c->format = rep_format_find(arg);
	else
		err_set(&c->err, "--format %s: must be table, markdown, csv, json%s cover%s", arg,
			c->perf_stat ? "," : " or", c->perf_stat ? " or perf-stat" : "");
	return 0;
}

static error_t parse_both(int key, char *arg, struct argp_state *state)
{
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->child_inputs[1] = state->input;
	return 0;
}

const struct argp cmd_scenario_argp = { .options = run_options, .parser = parse_scenario };
const struct argp cmd_print_argp = { .options = print_options, .parser = parse_print };
static const struct argp result_argp = { .options = result_options, .parser = parse_result };
static const struct argp_child both[] = {
	{ &cmd_scenario_argp, 0, NULL, 0 }, { &result_argp, 0, NULL, 0 }, { 0 },
};
const struct argp cmd_common_argp = { .parser = parse_both, .children = both };

static const struct argp set_argp = { .options = set_options, .parser = parse_scenario };
static const struct argp_child set_and_print[] = {
	{ &set_argp, 0, NULL, 0 }, { &cmd_print_argp, 0, NULL, 0 }, { 0 },
};
const struct argp cmd_output_argp = { .parser = parse_both, .children = set_and_print };

void cmd_whole(struct cmd_common *c, const char *option, const char *arg, uint64_t lo,
	       uint64_t hi, uint64_t *v)
{
	if (!text_to_u64(arg, v) || *v < lo || *v > hi)
		err_set(&c->err, "%s %s: must be a whole number from %llu to %llu", option, arg,
			(unsigned long long)lo, (unsigned long long)hi);
}

void cmd_ms(struct cmd_common *c, const char *option, const char *arg, int64_t *ns)
{
	if (!text_to_micro(arg, ns) || *ns < 0 || *ns > MS_MAX)
		err_set(&c->err, "%s %s: must be milliseconds, such as 12.5", option, arg);
}

void cmd_number(const char *option, const char *arg, unsigned max, unsigned *n, struct err *err)
{
	uint64_t v;

	if (!text_to_u64(arg, &v) || v < 1 || v > max)
		err_set(err, "%s %s: must be a whole number from 1 to %u", option, arg, max);
	else
		*n = (unsigned)v;
}

int cmd_output(const struct cmd_common *c, const struct text *out, struct err *err)
{
	if (c->output)
		return file_write(c->output, out->s ? out->s : "", out->len, err);
	return file_put(stdout, "standard output", out->s ? out->s : "", out->len, err);
}

int cmd_result(const struct cmd_common *c, const struct scn_result *result,
	       const struct rep_options *report, struct err *err)
{
	struct text out = { 0 };
	int rc;

	rep_result(&out, result, c->format, report);
	rc = cmd_output(c, &out, err);
	text_free(&out);
	return rc;
}

int cmd_main(const struct argp *argp, int argc, char **argv, struct cmd_common *common,
	     int (*body)(void *args, struct err *err), void *args)
{
	struct err *err = &common->err;
	int status;

	if (cmd_parse(argp, argc, argv, args, err) == 0 && !err->set)
		body(args, err);
	status = err->set ? cmd_fail(err) : EXIT_GOOD;
	free(common->set);
	free(common->variant);
	mem_free(common->mem);
	return status;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void show(void *ctx, const char *what, unsigned done, unsigned of)
{
	struct cmd_progress *p = ctx;

	if (!p->shown && now_ms() - p->started < 1000)
		return;
	p->shown = true;
	fprintf(stderr, "\r\033[K%u of %u %s", done, of, what);
	fflush(stderr);
}

void cmd_progress_start(struct cmd_progress *p, struct scn_options *o)
{
	*p = (struct cmd_progress){ .started = now_ms() };
	if (!isatty(STDERR_FILENO))
		return;
	o->progress = show;
	o->ctx = p;
}

void cmd_progress_clear(struct cmd_progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}
