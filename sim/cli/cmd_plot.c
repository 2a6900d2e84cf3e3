// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim plot: results as pictures. */
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/common.h"
#include "cli/gnuplot.h"
#include "report/plot.h"
#include "report/result_read.h"

#define RESULTS_MAX 8

enum { OPT_KIND = 512, OPT_TABLE, OPT_FORMAT, OPT_TERM, OPT_KEEP };

struct args {
	struct cmd_common common;
	const char *file[RESULTS_MAX], *keep;
	unsigned files;
	struct rep_plot plot;
	bool has_kind, has_format;
};

static const struct argp_option options[] = {
	{ "kind", OPT_KIND, "KIND", 0,
	  "bars, breakdown, exits, ladder, sweep or hist (default: what the result has)",
	  0 },
	{ "table", OPT_TABLE, "NAME", 0, "Draw this table of the result", 0 },
	{ "format", OPT_FORMAT, "FORMAT", 0,
	  "svg, png, pdf or text (default: as FILE ends, else svg)", 0 },
	{ "term", OPT_TERM, NULL, 0, "Plain text for a terminal or a mail: --format text", 0 },
	{ "keep", OPT_KEEP, "FILE", 0, "Also write the gnuplot script, which holds its data", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, replaced at once when all is done", 0 },
	{ 0 },
};

static int find(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static void set_kind(struct args *a, const char *arg)
{
	int kind = find(rep_plot_kind_names, arg);

	if (kind < 0)
		err_set(&a->common.err,
			"--kind %s: must be bars, breakdown, exits, ladder, sweep or hist", arg);
	a->plot.kind = (unsigned)kind;
	a->has_kind = true;
}

static void set_format(struct args *a, const char *arg)
{
	int format = find(rep_plot_format_names, arg);

	if (format < 0)
		err_set(&a->common.err, "--format %s: must be svg, png, pdf or text", arg);
	a->plot.format = (unsigned)format;
	a->has_format = true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case OPT_KIND:
		set_kind(a, arg);
		return 0;
	case OPT_TABLE:
		a->plot.table = arg;
		return 0;
	case OPT_FORMAT:
		set_format(a, arg);
		return 0;
	case OPT_TERM:
		set_format(a, "text");
		return 0;
	case OPT_KEEP:
		a->keep = arg;
		return 0;
	case 'o':
		a->common.output = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->files == RESULTS_MAX)
			return err_set(&a->common.err, "%s: at most %u results", arg, RESULTS_MAX),
			       0;
		a->file[a->files++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* As the name of the output ends. */
static void guess_format(struct args *a)
{
	const char *dot = a->common.output ? strrchr(a->common.output, '.') : NULL;
	int format = dot ? find(rep_plot_format_names, dot + 1) : -1;

	if (!a->has_format && format >= 0)
		a->plot.format = (unsigned)format;
	else if (!a->has_format && dot && !strcmp(dot, ".txt"))
		a->plot.format = REP_PLOT_TEXT;
}

/* gnuplot begins a picture in text with a form feed and ends lines with spaces. */
static void clean_text(struct text *t)
{
	size_t to = 0, start = 0;

	for (size_t i = 0; i < t->len; i++) {
		if (t->s[i] == '\f')
			continue;
		if (t->s[i] == '\n') {
			while (to > start && t->s[to - 1] == ' ')
				to--;
			if (!to) /* blank lines at the top */
				continue;
			start = to + 1;
		}
		t->s[to++] = t->s[i];
	}
	t->len = to;
}

static int plot(void *args, struct err *err)
{
	struct args *a = args;
	struct text script = { 0 }, picture = { 0 };
	struct scn_result *r = mem_alloc(a->common.mem, RESULTS_MAX, sizeof(*r));
	int rc;

	if (!a->files)
		return err_set(err, "plot needs a result: what `hvsim run --format json` wrote");
	for (unsigned i = 0; i < a->files; i++)
		if (rep_result_read(a->common.mem, a->file[i], &r[i], err) < 0)
			return -1;
	guess_format(a);
	a->plot.result = r;
	a->plot.results = a->files;
	a->plot.name = a->file;
	if (!a->has_kind)
		a->plot.kind = rep_plot_kind_of(r);
	rc = rep_plot_script(&script, &a->plot, err);
	if (!rc && a->keep)
		rc = file_write(a->keep, script.s, script.len, err);
	if (!rc)
		rc = cmd_gnuplot(&script, &picture, err);
	if (!rc && a->plot.format == REP_PLOT_TEXT)
		clean_text(&picture);
	if (!rc)
		rc = cmd_output(&a->common, &picture, err);
	text_free(&script);
	text_free(&picture);
	return rc;
}

int cmd_plot(int argc, char **argv)
{
	const struct argp argp = { options, parse, "RESULT...",
				   "Draw results (hvsim run --format json) with gnuplot; several are "
				   "drawn beside each other.", NULL, NULL, NULL };
	struct args a = { .common = cmd_common_new() };

	return cmd_main(&argp, argc, argv, &a.common, plot, &a);
}
