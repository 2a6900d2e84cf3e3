// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/scenario.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "scenario/calibrated.h"
#include "scenario/set_note.h"

static int find_kind(const struct jnode *root, struct scenario *scn, struct err *err)
{
	const struct jnode *kind = jnode_get(root, "kind");
	struct text all = { 0 };

	if (!kind)
		return err_at(err, root->file, root->line, "needs a 'kind'");
	for (unsigned i = 0; scn_kinds[i].name; i++) {
		if (kind->type == J_STRING && !strcmp(kind->text, scn_kinds[i].name)) {
			scn->kind = kind->text;
			scn->kind_index = i;
			text_free(&all);
			return 0;
		}
		text_add(&all, "%s\"%s\"", i ? ", " : "", scn_kinds[i].name);
	}
	jnode_err(kind, err, "must be one of %s", all.s);
	text_free(&all);
	return -1;
}

static const struct jfield variant_fields[] = {
	{ "name", JK_TEXT, offsetof(struct scn_variant, name), .required = true },
	{ "about", JK_TEXT, offsetof(struct scn_variant, about) },
	{ "set", JK_OBJECT, offsetof(struct scn_variant, set) },
};

static bool wanted(const struct scn_options *o, const char *name)
{
	for (size_t i = 0; i < o->variants; i++)
		if (!strcmp(o->variant[i], name))
			return true;
	return !o->variants;
}

static int check_wanted(const struct scenario *scn, const char *const *names, size_t n,
			struct err *err)
{
	const struct scn_options *o = scn->options;

	for (size_t i = 0; i < o->variants; i++) {
		const char *near;
		size_t j = 0;

		while (j < n && strcmp(names[j], o->variant[i]))
			j++;
		if (j < n)
			continue;
		near = text_nearest(o->variant[i], names, n);
		return err_at(err, scn->file, 0, "no variant '%s' (%s'%s'%s)", o->variant[i],
			      near ? "did you mean " : "its first is ",
			      near ? near : n ? names[0] : "none", near ? "?" : "");
	}
	return 0;
}

static int load_variants(struct scenario *scn, struct err *err)
{
	const struct jnode *list = jnode_get(scn->root, "variants");
	const char *names[SCN_VARIANTS_MAX];
	size_t n = 0;

	if (list && jnode_is(list, J_ARRAY, err) < 0)
		return -1;
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct scn_variant v = { 0 };

		if (JFIELDS(c, variant_fields, &v, err) < 0)
			return -1;
		if (n == SCN_VARIANTS_MAX)
			return jnode_err(list, err, "has more than %u variants", SCN_VARIANTS_MAX);
		for (size_t i = 0; i < n; i++)
			if (!strcmp(names[i], v.name))
				return jnode_err(c, err, "is a second variant '%s'", v.name);
		names[n++] = v.name;
		if (wanted(scn->options, v.name))
			scn->variant[scn->variants++] = v;
	}
	return check_wanted(scn, names, n, err);
}

/* --set can't reach what the variants differ in: it would make them the same. */
static int check_sets(const struct scenario *scn, struct err *err)
{
	const struct scn_options *o = scn->options;

	for (size_t i = 0; i < o->sets; i++)
		for (unsigned v = 0; v < scn->variants; v++)
			if (scn->variant[v].set && jnode_get(scn->variant[v].set, o->set[i].key))
				return err_set(err, "--set %s: the variants of %s set it; choose "
					       "with --variant", o->set[i].key, scn->file);
	return 0;
}

int scn_load(struct mem *mem, const struct scn_options *options, struct scenario *scn,
	     struct err *err)
{
	const struct jnode *cpu, *seed;
	int64_t v;

	*scn = (struct scenario){ .options = options, .mem = mem, .seed = 1 };
	scn->file = file_find(mem, "scenarios", options->name, err);
	if (!scn->file)
		return -1;
	scn->root = jdoc_load(mem, scn->file, err);
	if (!scn->root || jdoc_schema(scn->root, "scenario", 1, err) < 0 ||
	    find_kind(scn->root, scn, err) < 0 || load_variants(scn, err) < 0 ||
	    check_sets(scn, err) < 0)
		return -1;
	seed = jnode_get(scn->root, "seed");
	if (options->has_seed)
		scn->seed = options->seed;
	else if (seed && jnode_whole(seed, &v) && v >= 0)
		scn->seed = (uint64_t)v;
	cpu = jnode_get(scn->root, "cpu");
	if (cpu && jnode_is(cpu, J_STRING, err) < 0)
		return -1;
	scn->cpu = cpu ? cpu->text : NULL;
	for (size_t i = 0; i < options->sets; i++)
		if (!strcmp(options->set[i].key, "cpu"))
			scn->cpu = options->set[i].value;
	scn->policies = policy_load(mem, err);
	return scn->policies ? scn_calibrated_check(scn, err) : -1;
}

struct apply {
	const struct scenario *scn;
	struct scn_view *view;
	struct jnode *model;
	struct err *err;
};

static bool is_policy(const struct apply *a, const char *key)
{
	size_t len = strlen(key);

	return policy_find(a->scn->policies, key) >= 0 || (len > 2 && !strcmp(key + len - 2, ".*"));
}

static bool has_member(const struct jnode *root, const char *key)
{
	char first[128];

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(key, "."), key);
	return jnode_get(root, first) || !strchr(key, '.');
}

typedef int (*set_model_fn)(struct mem *mem, struct jnode *root, const char *name,
			    const char *value, struct err *err);

/* How the kind sets parameters of its own CPU models; NULL when it has those of cpu/model.h. */
static set_model_fn own_model(const struct scenario *scn)
{
	return scn_kinds[scn->kind_index].set_model;
}

/* A parameter of the model under another name, where the scenario has no such field; or NULL. */
static const char *param_meant(const struct apply *a, const char *key)
{
	const struct jnode *params = a->model ? jnode_get(a->model, "params") : NULL;
	const char *last = strrchr(key, '.') ? strrchr(key, '.') + 1 : key;

	if (!params || !jnode_get(params, last) || jdoc_find(a->view->root, key))
		return NULL;
	return last;
}

/* A policy switch, a model parameter, or a field of the scenario: in this order. */
static int apply(struct apply *a, const char *key, const char *value)
{
	struct mem *mem = a->scn->mem;

	if (is_policy(a, key))
		return policy_set(&a->view->policy, key, value, a->err);
	if (!strncmp(key, "model.", 6)) {
		if (!a->model)
			return err_set(a->err, "--set %s: the scenario names no cpu", key);
		return own_model(a->scn) ? own_model(a->scn)(mem, a->model, key + 6, value, a->err) :
			cpu_model_set(mem, a->model, key + 6, value, a->err);
	}
	if (param_meant(a, key))
		return err_set(a->err, "no '%.80s' to set (did you mean 'model.%s'?)", key,
			       param_meant(a, key));
	if (!has_member(a->view->root, key)) /* not a field: let policies suggest a name */
		return policy_set(&a->view->policy, key, value, a->err);
	return jdoc_set(mem, a->view->root, key, value, a->err);
}

int scn_view_set(const struct scenario *scn, struct scn_view *view, const char *key,
		 const char *value, struct err *err)
{
	struct apply a = { scn, view, view->cpu, err };

	return apply(&a, key, value);
}

static const char *scalar_text(const struct jnode *node)
{
	if (node->type == J_BOOL)
		return node->truth ? "true" : "false";
	return node->text;
}

static int apply_object(struct apply *a, const struct jnode *obj)
{
	for (const struct jnode *m = obj ? obj->child : NULL; m; m = m->next) {
		const char *value = scalar_text(m);
		struct err inner = ERR_INIT;

		if (!value)
			return jnode_err(m, a->err, "must be a string, a number, true or false");
		if (apply(a, m->key, value) < 0) {
			struct err *to = a->err;

			inner = *to;
			*to = (struct err)ERR_INIT;
			return err_at(to, m->file, m->line, "%.900s", inner.text);
		}
	}
	return 0;
}

/* The model a variant runs on: the file's, --set cpu, or its own choice. */
static const char *cpu_name(const struct scenario *scn, const struct scn_variant *variant)
{
	const struct jnode *own = variant && variant->set ? jnode_get(variant->set, "cpu") : NULL;

	return own && own->type == J_STRING ? own->text : scn->cpu;
}

int scn_view(const struct scenario *scn, const struct scn_variant *variant, struct scn_view *view,
	     struct err *err)
{
	struct apply a = { scn, view, NULL, err };
	const struct jnode *base;

	view->model = NULL;
	policy_defaults(scn->policies, &view->policy);
	view->root = jdoc_load(scn->mem, scn->file, err);
	if (!view->root)
		return -1;
	if (cpu_name(scn, variant)) {
		const char *file = file_find(scn->mem, "models", cpu_name(scn, variant), err);

		a.model = file ? jdoc_load(scn->mem, file, err) : NULL;
		if (!a.model || apply_object(&a, jnode_get(a.model, "state")) < 0)
			return -1;
	}
	base = jnode_get(view->root, "policies");
	if (base && (jnode_is(base, J_OBJECT, err) < 0 || apply_object(&a, base) < 0))
		return -1;
	for (size_t i = 0; i < scn->options->sets; i++)
		if (apply(&a, scn->options->set[i].key, scn->options->set[i].value) < 0)
			return -1;
	if (variant && variant->set && apply_object(&a, variant->set) < 0)
		return -1;
	view->cpu = a.model;
	if (!a.model || own_model(scn))
		return 0;
	view->model = cpu_model_from_node(scn->mem, a.model, err);
	return view->model ? 0 : -1;
}

static void add_assumptions(const struct scenario *scn, struct scn_result *result)
{
	const struct jnode *list = jnode_get(scn->root, "assumptions");

	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next)
		if (c->type == J_STRING)
			scn_result_note(result, c->text);
}

int scn_run(struct mem *mem, const struct scn_options *options, struct scn_result *result,
	    struct err *err)
{
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	const struct jnode *title;
	const char **names;

	*result = (struct scn_result){ .mem = mem, .set = options->set, .sets = options->sets };
	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	title = jnode_get(scn->root, "title");
	result->scenario = file_shown(mem, scn->file);
	result->title = title && title->type == J_STRING ? title->text : "";
	result->kind = scn->kind;
	result->cpu = scn->cpu;
	result->seed = scn->seed;
	names = mem_alloc(mem, scn->variants, sizeof(*names));
	for (unsigned i = 0; i < scn->variants; i++)
		names[i] = scn->variant[i].name;
	result->variant = names;
	result->variants = scn->variants;
	scn_set_note(scn, result);
	add_assumptions(scn, result);
	if (scn_kinds[scn->kind_index].run(scn, result, err) < 0)
		return -1;
	scn_result_inputs(result);
	return 0;
}
