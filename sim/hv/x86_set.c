// SPDX-License-Identifier: GPL-2.0-or-later
/* Configurations of the x86 request model: conditions, sets, their text. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "hv/x86_model.h"

struct x86_set x86_set_all(const struct x86_model *m)
{
	struct x86_set set = { { 0 } };

	for (unsigned a = 0; a < m->axes; a++)
		set.allow[a] = (uint8_t)((1u << m->axis[a].n) - 1);
	return set;
}

struct x86_set x86_set_default(const struct x86_model *m)
{
	struct x86_set set = { { 0 } };

	for (unsigned a = 0; a < m->axes; a++)
		set.allow[a] = (uint8_t)(1u << m->axis[a].fallback);
	return set;
}

bool x86_set_meet(const struct x86_model *m, const struct x86_set *a, const struct x86_set *b,
		  struct x86_set *both)
{
	struct x86_set common = { { 0 } };
	bool some = true;

	for (unsigned i = 0; i < m->axes; i++) {
		common.allow[i] = a->allow[i] & b->allow[i];
		some = some && common.allow[i];
	}
	if (both)
		*both = common;
	return some;
}

/* Errors at the node, or without a position when the text came from a command line. */
static int fail(const struct jnode *node, struct err *err, const char *what, const char *near)
{
	const char *open = near ? " (did you mean '" : "", *close = near ? "'?)" : "";

	if (node)
		return jnode_err(node, err, "%s%s%s%s", what, open, near ? near : "", close);
	return err_set(err, "%s%s%s%s", what, open, near ? near : "", close);
}

static int find_axis(const struct x86_model *m, const char *name, const struct jnode *node,
		     struct err *err)
{
	const char *names[X86_AXES_MAX];
	char what[256];

	for (unsigned a = 0; a < m->axes; a++) {
		names[a] = m->axis[a].name;
		if (!strcmp(name, names[a]))
			return (int)a;
	}
	snprintf(what, sizeof(what), "no configuration '%.80s' in the request model", name);
	return fail(node, err, what, text_nearest(name, names, m->axes));
}

static int find_value(const struct x86_axis *axis, const char *name, const struct jnode *node,
		      struct err *err)
{
	struct text t = { 0 };

	for (unsigned v = 0; v < axis->n; v++)
		if (!strcmp(name, axis->value[v]))
			return (int)v;
	text_add(&t, "'%s' must be one of", axis->name);
	for (unsigned v = 0; v < axis->n; v++)
		text_add(&t, "%s %s", v ? "," : "", axis->value[v]);
	text_add(&t, ", not '%.80s'", name);
	fail(node, err, t.s, NULL);
	text_free(&t);
	return -1;
}

static int narrow(const struct x86_model *m, const char *item, struct x86_set *set,
		  struct err *err)
{
	char copy[256], *save = NULL, *values;
	uint8_t allow = 0;
	int a, v;

	if (strlen(item) >= sizeof(copy))
		return err_set(err, "a configuration item is too long: '%.40s...'", item);
	strcpy(copy, item);
	values = strchr(copy, '=');
	if (!values)
		return err_set(err, "'%s' is not a configuration: write NAME=VALUE", item);
	*values++ = '\0';
	a = find_axis(m, copy, NULL, err);
	if (a < 0)
		return -1;
	for (char *s = strtok_r(values, "|", &save); s; s = strtok_r(NULL, "|", &save)) {
		v = find_value(&m->axis[a], s, NULL, err);
		if (v < 0)
			return -1;
		allow |= (uint8_t)(1u << v);
	}
	set->allow[a] &= allow;
	if (!set->allow[a])
		return err_set(err, "'%s' leaves no value for '%s'", item, m->axis[a].name);
	return 0;
}

int x86_set_parse(const struct x86_model *m, const char *text, struct x86_set *set,
		  struct err *err)
{
	char copy[1024], *save = NULL;

	if (strlen(text) >= sizeof(copy))
		return err_set(err, "the configuration is too long: '%.40s...'", text);
	strcpy(copy, text);
	for (char *s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save))
		if (narrow(m, s, set, err) < 0)
			return -1;
	return 0;
}

static int values_from(const struct x86_axis *axis, const struct jnode *node, uint8_t *allow,
		       struct err *err)
{
	const struct jnode *c = node->type == J_ARRAY ? node->child : node;
	uint8_t bits = 0;
	int v;

	for (; c; c = node->type == J_ARRAY ? c->next : NULL) {
		if (jnode_is(c, J_STRING, err) < 0)
			return -1;
		v = find_value(axis, c->text, c, err);
		if (v < 0)
			return -1;
		bits |= (uint8_t)(1u << v);
	}
	*allow &= bits;
	if (!*allow)
		return jnode_err(node, err, "leaves no value for '%s'", axis->name);
	return 0;
}

int x86_set_from(const struct x86_model *m, const struct jnode *obj, struct x86_set *set,
		 struct err *err)
{
	int a;

	if (jnode_is(obj, J_OBJECT, err) < 0)
		return -1;
	for (const struct jnode *c = obj->child; c; c = c->next) {
		a = find_axis(m, c->key, c, err);
		if (a < 0 || values_from(&m->axis[a], c, &set->allow[a], err) < 0)
			return -1;
	}
	return 0;
}
