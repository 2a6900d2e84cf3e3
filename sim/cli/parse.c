// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wrong options, in one line as every other error: argp would print two or three. They are
 * looked for before argp parses, as it doesn't tell which word it stumbled over.
 */
#include <argp.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/cmd.h"

#define OPTIONS_MAX 64

struct known {
	const struct argp_option *option[OPTIONS_MAX];
	unsigned n;
	const char *command;
};

/* What argp adds of itself. */
static const struct argp_option own[] = {
	{ "help", '?', NULL, 0, NULL, 0 }, { "usage", 'U', NULL, 0, NULL, 0 }, { 0 },
};

static void collect(const struct argp_option *options, const struct argp_child *children,
		    struct known *k)
{
	for (const struct argp_option *o = options; o && (o->name || o->key || o->doc); o++)
		if ((o->name || o->key) && k->n < OPTIONS_MAX)
			k->option[k->n++] = o;
	for (const struct argp_child *c = children; c && c->argp; c++)
		collect(c->argp->options, c->argp->children, k);
}

static bool needs_value(const struct argp_option *o)
{
	return o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

/* The option of that name, or the only one it is the beginning of, as getopt has it; or NULL. */
static const struct argp_option *find_long(const struct known *k, const char *name, size_t len)
{
	const struct argp_option *found = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < k->n; i++) {
		const char *s = k->option[i]->name;

		if (!s || strncmp(s, name, len))
			continue;
		if (!s[len])
			return k->option[i];
		found = k->option[i];
		n++;
	}
	return n == 1 ? found : NULL;
}

static const struct argp_option *find_short(const struct known *k, char c)
{
	for (unsigned i = 0; i < k->n; i++)
		if (k->option[i]->key == c)
			return k->option[i];
	return NULL;
}

static int unknown_long(const struct known *k, const char *name, size_t len, struct err *err)
{
	const char *names[OPTIONS_MAX], *near;
	int shown = len < 60 ? (int)len : 60;
	char word[64];
	unsigned n = 0;

	for (unsigned i = 0; i < k->n; i++)
		if (k->option[i]->name)
			names[n++] = k->option[i]->name;
	memcpy(word, name, (size_t)shown);
	word[shown] = '\0';
	near = text_nearest(word, names, n);
	if (near)
		return err_set(err, "--%s is no option of %s (did you mean --%s?)", word, k->command,
			       near);
	return err_set(err, "--%s is no option of %s (%s --help lists them)", word, k->command,
		       k->command);
}

/* How many words the option takes, itself included: 1 or 2; -1 with *err set. */
static int check_long(const struct known *k, const char *word, bool last, struct err *err)
{
	size_t len = strcspn(word + 2, "=");
	const struct argp_option *o = find_long(k, word + 2, len);
	bool given = word[2 + len] != '\0';

	if (!o)
		return unknown_long(k, word + 2, len, err);
	if (given && !o->arg)
		return err_set(err, "--%s takes no value", o->name);
	if (given || !needs_value(o))
		return 1;
	if (last)
		return err_set(err, "--%s needs a value: --%s=%s", o->name, o->name, o->arg);
	return 2;
}

/* The same for a word of short options, the last of which may have a value. */
static int check_short(const struct known *k, const char *word, bool last, struct err *err)
{
	for (const char *c = word + 1; *c; c++) {
		const struct argp_option *o = find_short(k, *c);

		if (!o)
			return err_set(err, "-%c is no option of %s (%s --help lists them)", *c,
				       k->command, k->command);
		if (!o->arg)
			continue;
		if (c[1] || !needs_value(o))
			return 1;
		if (last)
			return err_set(err, "-%c needs a value: -%c %s", *c, *c, o->arg);
		return 2;
	}
	return 1;
}

int cmd_parse(const struct argp *argp, int argc, char **argv, void *input, struct err *err)
{
	struct known k = { .command = argv[0] };
	int words;

	collect(argp->options, argp->children, &k);
	collect(own, NULL, &k);
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i += words) {
		bool last = i + 1 == argc;

		words = 1;
		if (!strncmp(argv[i], "--", 2))
			words = check_long(&k, argv[i], last, err);
		else if (argv[i][0] == '-' && argv[i][1])
			words = check_short(&k, argv[i], last, err);
		if (words < 0)
			return -1;
	}
	argp_err_exit_status = EXIT_USAGE;
	return argp_parse(argp, argc, argv, 0, NULL, input) ? err_set(err, "bad usage") : 0;
}
