// SPDX-License-Identifier: GPL-2.0-or-later
#include "path/policy.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"

static const char *const kind_names[] = { "policy", "state", NULL };

struct row {
	struct policy policy;
	const struct jnode *values;
	const char *def;
};

static const struct jfield row_fields[] = {
	{ "name", JK_TEXT, offsetof(struct row, policy.name), true },
	{ "kind", JK_NAME, offsetof(struct row, policy.kind), true, .names = kind_names },
	{ "values", JK_ARRAY, offsetof(struct row, values), true },
	{ "default", JK_TEXT, offsetof(struct row, def), true },
	{ "help", JK_TEXT, offsetof(struct row, policy.help), true },
	{ "source", JK_TEXT, offsetof(struct row, policy.source), true },
	{ "commit", JK_TEXT, offsetof(struct row, policy.commit) },
};

struct doc {
	const struct jnode *policies;
};

static const struct jfield doc_fields[] = {
	{ "schema", JK_NOTE },
	{ "summary", JK_NOTE },
	{ "policies", JK_ARRAY, offsetof(struct doc, policies), true },
};

static bool good_name(const char *s)
{
	return *s && strlen(s) <= 48 && !s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789._-")];
}

static int value_index(const struct policy *policy, const char *value)
{
	for (unsigned i = 0; i < policy->n_values; i++)
		if (!strcmp(policy->values[i], value))
			return (int)i;
	return -1;
}

/* Intern "name=value"; an on/off policy is also known by its bare name. */
static int add_value(struct mem *mem, struct cond_set *atoms, struct policy *policy,
		     const struct jnode *value, struct err *err)
{
	int bit;

	if (jnode_is(value, J_STRING, err) < 0)
		return -1;
	if (!good_name(value->text) || policy->n_values == POLICY_VALUES_MAX ||
	    value_index(policy, value->text) >= 0)
		return jnode_err(value, err, "must be a new word of a-z, 0-9, '.', '_' and '-', "
				 "at most %d a policy", POLICY_VALUES_MAX);
	bit = cond_intern(atoms, mem_printf(mem, "%s=%s", policy->name, value->text), err);
	if (bit < 0)
		return -1;
	policy->values[policy->n_values] = value->text;
	policy->bit[policy->n_values++] = (unsigned)bit;
	if (!strcmp(value->text, "on"))
		return cond_alias(atoms, policy->name, (unsigned)bit, err);
	return 0;
}

static int read_row(struct mem *mem, struct policy_table *table, struct policy *policy,
		    const struct jnode *node, struct err *err)
{
	struct row row = { 0 };
	int def;

	if (JFIELDS(node, row_fields, &row, err) < 0)
		return -1;
	*policy = row.policy;
	if (!good_name(policy->name) || policy_find(table, policy->name) >= 0)
		return jnode_err(jnode_get(node, "name"), err,
				 "must be a new word of a-z, 0-9, '.', '_' and '-'");
	for (const struct jnode *v = row.values->child; v; v = v->next)
		if (add_value(mem, table->atoms, policy, v, err) < 0)
			return -1;
	def = value_index(policy, row.def);
	if (def < 0)
		return jnode_err(jnode_get(node, "default"), err, "must be one of the values");
	policy->def = (unsigned)def;
	table->n++;
	return 0;
}

const struct policy_table *policy_from_node(struct mem *mem, const struct jnode *root,
					    struct err *err)
{
	struct policy_table *table = mem_alloc(mem, 1, sizeof(*table));
	struct policy *policies;
	struct doc doc = { 0 };

	if (jdoc_schema(root, "policies", 1, err) < 0 || JFIELDS(root, doc_fields, &doc, err) < 0)
		return NULL;
	if (doc.policies->n > POLICY_MAX) {
		jnode_err(doc.policies, err, "must hold at most %d policies", POLICY_MAX);
		return NULL;
	}
	table->atoms = cond_set_new(mem);
	table->policies = policies = mem_alloc(mem, doc.policies->n, sizeof(*policies));
	for (const struct jnode *c = doc.policies->child; c; c = c->next)
		if (read_row(mem, table, &policies[table->n], c, err) < 0)
			return NULL;
	return table;
}

const struct policy_table *policy_load(struct mem *mem, struct err *err)
{
	const char *dir = file_data_dir(mem, err);
	const struct jnode *root;

	root = dir ? jdoc_load(mem, mem_printf(mem, "%s/models/policies.json", dir), err) : NULL;
	return root ? policy_from_node(mem, root, err) : NULL;
}

int policy_find(const struct policy_table *table, const char *name)
{
	for (unsigned i = 0; i < table->n; i++)
		if (!strcmp(table->policies[i].name, name))
			return (int)i;
	return -1;
}

void policy_defaults(const struct policy_table *table, struct policy_set *set)
{
	memset(set, 0, sizeof(*set));
	set->table = table;
	for (unsigned i = 0; i < table->n; i++)
		set->value[i] = (unsigned char)table->policies[i].def;
}

static int set_one(struct policy_set *set, unsigned index, const char *value, struct err *err)
{
	const struct policy *policy = &set->table->policies[index];
	struct text all = { 0 };
	int v;

	if (!strcmp(value, "true"))
		value = "on";
	else if (!strcmp(value, "false"))
		value = "off";
	v = value_index(policy, value);
	if (v >= 0) {
		set->value[index] = (unsigned char)v;
		return 0;
	}
	for (unsigned i = 0; i < policy->n_values; i++)
		text_add(&all, "%s%s", i ? ", " : "", policy->values[i]);
	err_set(err, "%s must be one of %s, not '%s'", policy->name, all.s, value);
	text_free(&all);
	return -1;
}

/* "p9.*": every switch whose name begins with what is before the star. */
static int set_many(struct policy_set *set, const char *prefix, size_t len, const char *value,
		    struct err *err)
{
	bool any = false;

	for (unsigned i = 0; i < set->table->n; i++) {
		const struct policy *policy = &set->table->policies[i];

		if (policy->kind != POLICY_SWITCH || strncmp(policy->name, prefix, len))
			continue;
		any = true;
		if (set_one(set, i, value, err) < 0)
			return -1;
	}
	return any ? 0 : err_set(err, "no policy begins with '%.*s'", (int)len, prefix);
}

int policy_set(struct policy_set *set, const char *name, const char *value, struct err *err)
{
	const char *names[POLICY_MAX], *near;
	size_t len = strlen(name);
	int index = policy_find(set->table, name);

	if (index >= 0)
		return set_one(set, (unsigned)index, value, err);
	if (len > 1 && name[len - 1] == '*')
		return set_many(set, name, len - 1, value, err);
	for (unsigned i = 0; i < set->table->n; i++)
		names[i] = set->table->policies[i].name;
	near = text_nearest(name, names, set->table->n);
	if (near)
		return err_set(err, "unknown policy '%.80s' (did you mean '%s'?)", name, near);
	return err_set(err, "unknown policy '%.80s': models/policies.json lists them", name);
}

int policy_set_object(struct policy_set *set, const struct jnode *obj, struct err *err)
{
	for (const struct jnode *m = obj ? obj->child : NULL; m; m = m->next) {
		struct err why = ERR_INIT;

		if (jnode_is(m, J_STRING, err) < 0)
			return -1;
		if (policy_set(set, m->key, m->text, &why) < 0)
			return err_at(err, m->file, m->line, "%s", why.text);
	}
	return 0;
}

const char *policy_get(const struct policy_set *set, const char *name)
{
	int index = policy_find(set->table, name);

	return index < 0 ? NULL : set->table->policies[index].values[set->value[index]];
}

bool policy_on(const struct policy_set *set, int index)
{
	return !strcmp(set->table->policies[index].values[set->value[index]], "on");
}

struct cond_bits policy_bits(const struct policy_set *set)
{
	struct cond_bits bits = { { 0 } };

	for (unsigned i = 0; i < set->table->n; i++)
		cond_put(&bits, set->table->policies[i].bit[set->value[i]], true);
	return bits;
}
