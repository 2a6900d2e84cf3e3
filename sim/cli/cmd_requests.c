// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim requests: what an order of x86 requests costs, without running anything. */
#include <argp.h>
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "hv/x86_order.h"
#include "report/rep_requests.h"

struct args {
	const char *model, *config, *output, *order[X86_ORDERS_MAX];
	unsigned orders, format;
	struct err err;
};

enum format { TABLE, MARKDOWN, CSV, JSON, DOT };

static const char *const formats[] = { "table", "markdown", "csv", "json", "dot" };

static const struct argp_option options[] = {
	{ "order", 'r', "NAME|LIST", 0, "Only this order: one of the model's, or a list like "
	  "PMU,PMI,SMI,NMI whose members share out the places they have in the model's first "
	  "order (may be repeated)", 0 },
	{ "config", 'c', "NAME=VALUE,...", 0, "Only these configurations; NAME=A|B for several "
	  "values", 0 },
	{ "format", 'f', "FORMAT", 0, "table (default), markdown, csv, json or dot", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, atomically", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 'r':
		if (a->orders == X86_ORDERS_MAX)
			err_set(&a->err, "--order %s: must be one of at most %d", arg, X86_ORDERS_MAX);
		else
			a->order[a->orders++] = arg;
		return 0;
	case 'c':
		a->config = arg;
		return 0;
	case 'f':
		for (a->format = 0; a->format <= DOT; a->format++)
			if (!strcmp(arg, formats[a->format]))
				return 0;
		err_set(&a->err, "--format %s: must be table, markdown, csv, json or dot", arg);
		return 0;
	case 'o':
		a->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->model)
			err_set(&a->err, "%s: one model at a time", arg);
		a->model = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->model)
			err_set(&a->err, "requests needs a model: x86, or a file");
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* models/NAME/requests.json, or a file as given. */
static const char *find_model(struct mem *mem, const char *name, struct err *err)
{
	const char *path;

	if (strchr(name, '/') || strchr(name, '.'))
		return name;
	path = file_find(mem, mem_printf(mem, "models/%s", name), "requests", err);
	if (!path && err->set) {
		*err = (struct err)ERR_INIT;
		err_set(err, "no request model '%s': there is x86, or give a file", name);
	}
	return path;
}

static int choose(struct mem *mem, const struct args *a, struct rep_requests *r, struct err *err)
{
	r->in = x86_set_all(r->model);
	if (a->config && x86_set_parse(r->model, a->config, &r->in, err) < 0)
		return -1;
	r->picked = a->orders > 0;
	for (unsigned i = 0; i < a->orders; i++) {
		r->order[i] = x86_order_parse(mem, r->model, a->order[i], err);
		if (!r->order[i])
			return -1;
	}
	r->orders = a->orders ? a->orders : r->model->orders;
	for (unsigned i = 0; !a->orders && i < r->orders; i++)
		r->order[i] = &r->model->order[i];
	return 0;
}

static int report(struct mem *mem, const struct args *a, struct text *out, struct err *err)
{
	const char *file = find_model(mem, a->model, err);
	struct rep_requests r = { 0 };

	r.model = file ? x86_model_load(mem, file, err) : NULL;
	if (!r.model || choose(mem, a, &r, err) < 0)
		return -1;
	switch (a->format) {
	case JSON:
		return rep_requests_json(mem, &r, out, err);
	case DOT:
		rep_requests_dot(&r, out);
		return 0;
	default:
		return rep_requests_table(mem, &r, a->format == MARKDOWN ? REP_MARKDOWN :
					  a->format == CSV ? REP_CSV : REP_TABLE, out, err);
	}
}

int cmd_requests(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "MODEL",
		"Say what each order of vCPU requests costs: entries cancelled per event, the back "
		"edges behind them, the nearest orders that have none, and what moving one request "
		"costs. Nothing is simulated. MODEL is x86 or a file."
		"\vExample: hvsim requests x86 --order PMU,PMI,SMI,NMI --config lvtpc=nmi",
		NULL, NULL, NULL };
	struct mem *mem = mem_new();
	struct args a = { .err = ERR_INIT };
	struct err *err = &a.err;
	struct text out = { 0 };
	int status = EXIT_GOOD;

	if (cmd_parse(&argp, argc, argv, &a, err) < 0 || err->set || report(mem, &a, &out, err) < 0 ||
	    (a.output ? file_write(a.output, out.s, out.len, err) :
			file_put(stdout, "standard output", out.s, out.len, err)) < 0)
		status = cmd_fail(err);
	text_free(&out);
	mem_free(mem);
	return status;
}
