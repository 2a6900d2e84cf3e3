// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading nodes: by field tables, with errors that name the key and what would be right. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jdoc.h"
#include "base/text.h"

#define MICRO 1000000

static const char *const type_names[] = {
	[J_NULL] = "null",     [J_BOOL] = "true or false", [J_NUMBER] = "a number",
	[J_STRING] = "a string", [J_ARRAY] = "a list",     [J_OBJECT] = "an object",
};

struct jnode *jnode_get(const struct jnode *obj, const char *key)
{
	struct jnode *c;

	for (c = obj->type == J_OBJECT ? obj->child : NULL; c; c = c->next)
		if (!strcmp(c->key, key))
			return c;
	return NULL;
}

bool jnode_whole(const struct jnode *node, int64_t *v)
{
	if (node->type != J_NUMBER)
		return false;
	if (node->large) {
		*v = strtoll(node->text, NULL, 10);
		return true;
	}
	if (node->micro % MICRO)
		return false;
	*v = node->micro / MICRO;
	return true;
}

static void add_name(const struct jnode *node, struct text *t)
{
	size_t index = 0;

	if (!node->parent)
		return;
	add_name(node->parent, t);
	if (node->key) {
		text_add(t, "%s%s", t->len ? "." : "", node->key);
		return;
	}
	for (const struct jnode *c = node->parent->child; c != node; c = c->next)
		index++;
	text_add(t, "[%zu]", index);
}

int jnode_err(const struct jnode *node, struct err *err, const char *fmt, ...)
{
	char msg[ERR_TEXT_MAX];
	struct text name = { 0 };
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	add_name(node, &name);
	if (name.len)
		err_at(err, node->file, node->line, "'%.200s' %s", name.s, msg);
	else
		err_at(err, node->file, node->line, "%s", msg);
	text_free(&name);
	return -1;
}

int jnode_is(const struct jnode *node, enum jtype type, struct err *err)
{
	if (node->type == type)
		return 0;
	return jnode_err(node, err, "must be %s, not %s", type_names[type],
			 type_names[node->type]);
}

static int unknown_key(const struct jnode *member, const struct jfield *fields, size_t n,
		       struct err *err)
{
	const char *keys[64];
	const char *near;
	size_t m = n < 64 ? n : 64;

	for (size_t i = 0; i < m; i++)
		keys[i] = fields[i].key;
	near = text_nearest(member->key, keys, m);
	if (near)
		return jnode_err(member, err, "is not a known key (did you mean '%s'?)", near);
	return jnode_err(member, err, "is not a known key");
}

static void add_micro(struct text *t, int64_t v)
{
	int64_t whole = v / MICRO, part = v % MICRO < 0 ? -(v % MICRO) : v % MICRO;
	int digits = 6;

	if (!part) {
		text_add(t, "%lld", (long long)whole);
		return;
	}
	while (part % 10 == 0) {
		part /= 10;
		digits--;
	}
	text_add(t, "%s%lld.%0*lld", v < 0 && !whole ? "-" : "", (long long)whole, digits,
		 (long long)part);
}

/* What a value that is wrong is called. */
static const char *given(const struct jnode *node)
{
	if (!node->text)
		return type_names[node->type];
	return *node->text ? node->text : "empty";
}

static int read_int(const struct jnode *node, const struct jfield *f, int64_t *out,
		    struct err *err)
{
	int64_t lo = f->lo, hi = f->lo || f->hi ? f->hi : INT64_MAX / MICRO, v;

	if (jnode_whole(node, &v) && v >= lo && v <= hi) {
		*out = v;
		return 0;
	}
	return jnode_err(node, err, "must be a whole number from %lld to %lld, not %s",
			 (long long)lo, (long long)hi, given(node));
}

static int read_micro(const struct jnode *node, const struct jfield *f, int64_t *out,
		      struct err *err)
{
	int64_t lo = f->lo, hi = f->lo || f->hi ? f->hi : INT64_MAX;
	struct text range = { 0 };

	if (node->type == J_NUMBER && !node->large && node->micro >= lo && node->micro <= hi) {
		*out = node->micro;
		return 0;
	}
	add_micro(&range, lo);
	text_add(&range, " to ");
	add_micro(&range, hi);
	jnode_err(node, err, "must be a number from %s, not %s", range.s, given(node));
	text_free(&range);
	return -1;
}

static int read_name(const struct jnode *node, const struct jfield *f, unsigned *out,
		     struct err *err)
{
	struct text all = { 0 };

	for (unsigned i = 0; f->names[i]; i++) {
		if (node->type == J_STRING && !strcmp(node->text, f->names[i])) {
			*out = i;
			text_free(&all);
			return 0;
		}
		text_add(&all, "%s\"%s\"", i ? ", " : "", f->names[i]);
	}
	jnode_err(node, err, "must be one of %s, not %s", all.s, given(node));
	text_free(&all);
	return -1;
}

static int read_node(const struct jnode *node, enum jtype type, void *out, size_t size,
		     const void *value, struct err *err)
{
	if (jnode_is(node, type, err) < 0)
		return -1;
	memcpy(out, value, size);
	return 0;
}

/* What --set gives as a number may be meant as text: "0", "2024". */
static bool set_as_text(const struct jnode *node)
{
	return !node->line && node->type == J_NUMBER;
}

static int read_field(const struct jnode *node, const struct jfield *f, void *out, struct err *err)
{
	void *at = (char *)out + f->offset;

	switch (f->kind) {
	case JK_TEXT:
		if (set_as_text(node)) {
			memcpy(at, &node->text, sizeof(node->text));
			return 0;
		}
		return read_node(node, J_STRING, at, sizeof(node->text), &node->text, err);
	case JK_INT:
		return read_int(node, f, at, err);
	case JK_MICRO:
		return read_micro(node, f, at, err);
	case JK_TRUTH:
		return read_node(node, J_BOOL, at, sizeof(node->truth), &node->truth, err);
	case JK_NAME:
		return read_name(node, f, at, err);
	case JK_OBJECT:
		return read_node(node, J_OBJECT, at, sizeof(node), &node, err);
	case JK_ARRAY:
		return read_node(node, J_ARRAY, at, sizeof(node), &node, err);
	case JK_ANY:
		memcpy(at, &node, sizeof(node));
		return 0;
	default:
		return jnode_is(node, J_STRING, err);
	}
}

int jnode_fields(const struct jnode *obj, const struct jfield *fields, size_t n, void *out,
		 struct err *err)
{
	if (jnode_is(obj, J_OBJECT, err) < 0)
		return -1;
	for (const struct jnode *m = obj->child; m; m = m->next) {
		size_t i = 0;

		while (i < n && strcmp(fields[i].key, m->key))
			i++;
		if (i == n)
			return unknown_key(m, fields, n, err);
		if (read_field(m, &fields[i], out, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < n; i++)
		if (fields[i].required && !jnode_get(obj, fields[i].key))
			return jnode_err(obj, err, "needs a '%s'", fields[i].key);
	return 0;
}
