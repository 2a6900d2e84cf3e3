// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim list: what there is, one line each, read from the data files. */
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "cli/common.h"

struct list {
	struct scn_result *r;
	struct mem *mem;
	struct err *err;
};

static struct scn_table *new_table(struct list *l, const char *name, const char *corner,
				   const char *about)
{
	const char *const column[] = { about };

	return scn_table_new(l->r, name, name, corner, column, 1);
}

/* The first of these members that is a string: what the file says it is. */
static const char *said(const struct jnode *root)
{
	static const char *const keys[] = { "summary", "title", "about" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct jnode *node = jnode_get(root, keys[i]);

		if (node && node->type == J_STRING)
			return node->text;
	}
	return "";
}

/* A line a file of the folder whose schema is of this kind; a broken one shows its error. */
static int list_files(struct list *l, const char *name, const char *corner, const char *folder,
		      const char *kind)
{
	struct scn_table *t = new_table(l, name, corner, "what it is");
	const char *dir = file_data_dir(l->mem, l->err);
	const char *const *names;
	size_t n;

	names = dir ? file_list(l->mem, folder, &n, l->err) : NULL;
	if (!names)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;
		char *file = mem_printf(l->mem, "%s/%s/%s.json", dir, folder, names[i]);
		const struct jnode *root = jdoc_load(l->mem, file, &err);
		const struct jnode *schema = root ? jnode_get(root, "schema") : NULL;
		const char *want = mem_printf(l->mem, "hvsim-%s/", kind);

		if (schema && schema->type == J_STRING &&
		    strncmp(schema->text, want, strlen(want)))
			continue;
		scn_table_row(t, names[i])[0] = scn_text(root ? said(root)
							  : mem_strdup(l->mem, err.text));
	}
	return 0;
}

static int list_scenarios(struct list *l)
{
	return list_files(l, "scenarios", "scenario", "scenarios", "scenario");
}

static int list_models(struct list *l)
{
	return list_files(l, "models", "model", "models", "cpu");
}

static int list_paths(struct list *l)
{
	return list_files(l, "paths", "path", "models/paths", "path");
}

static int list_policies(struct list *l)
{
	const struct policy_table *p = policy_load(l->mem, l->err);
	const char *const column[] = { "default", "values", "what it is" };
	struct scn_table *t;

	if (!p)
		return -1;
	t = scn_table_new(l->r, "policies", "policies", "policy or state", column, 3);
	for (unsigned i = 0; i < p->n; i++) {
		const struct policy *q = &p->policies[i];
		struct scn_cell *cell = scn_table_row(t, q->name);
		const char *values = q->values[0];

		for (unsigned v = 1; v < q->n_values; v++)
			values = mem_printf(l->mem, "%s, %s", values, q->values[v]);
		cell[0] = scn_text(q->values[q->def]);
		cell[1] = scn_text(values);
		cell[2] = scn_text(q->help);
	}
	return 0;
}

static int list_metrics(struct list *l)
{
	const char *const column[] = { "kind of scenario", "what it is" };
	struct scn_table *t = scn_table_new(l->r, "metrics", "metrics", "metric", column, 2);

	for (const struct scn_kind *k = scn_kinds; k->name; k++) {
		const char *about, *name;

		for (size_t i = 0; k->metric && (name = k->metric(i, &about)); i++) {
			struct scn_cell *cell = scn_table_row(t, name);

			cell[0] = scn_text(k->name);
			cell[1] = scn_text(about);
		}
	}
	return 0;
}

static const struct {
	const char *name;
	int (*add)(struct list *l);
} lists[] = {
	{ "scenarios", list_scenarios }, { "models", list_models }, { "paths", list_paths },
	{ "policies", list_policies }, { "metrics", list_metrics },
};

#define LISTS (sizeof(lists) / sizeof(lists[0]))

struct args {
	struct cmd_common common;
	const char *what;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->common;
		return 0;
	case ARGP_KEY_ARG:
		if (a->what)
			return err_set(&a->common.err, "%s: one kind of thing at a time", arg), 0;
		a->what = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int list(void *args, struct err *err)
{
	struct args *a = args;
	struct scn_result r = { .mem = a->common.mem };
	struct list l = { &r, r.mem, err };
	struct text out = { 0 };
	bool any = false;
	int rc;

	for (size_t i = 0; i < LISTS; i++) {
		if (a->what && strcmp(a->what, lists[i].name))
			continue;
		any = true;
		if (lists[i].add(&l) < 0)
			return -1;
	}
	if (!any)
		return err_set(err,
			       "list %s: must be scenarios, models, paths, policies or metrics",
			       a->what);
	rep_tables(&out, &r, a->common.format);
	rc = cmd_output(&a->common, &out, err);
	text_free(&out);
	return rc;
}

int cmd_list(int argc, char **argv)
{
	const struct argp_child children[] = { { &cmd_print_argp, 0, NULL, 0 }, { 0 } };
	const struct argp argp = { NULL, parse, "[scenarios|models|paths|policies|metrics]",
				   "List what there is to run and to set, a line each.",
				   children, NULL, NULL };
	struct args a = { .common = cmd_common_new() };

	return cmd_main(&argp, argc, argv, &a.common, list, &a);
}
