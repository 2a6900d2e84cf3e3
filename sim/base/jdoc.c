// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/jdoc.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

/*
 * Walks the text in step with jansson's tree. The text has been parsed already,
 * so the walk only has to find where each value begins; members come in the
 * order of the text because jansson keeps insertion order.
 */
struct walk {
	struct mem *mem;
	const char *file;
	const char *p, *end;
	unsigned line;
	struct err *err;
};

static void skip_space(struct walk *w)
{
	for (; w->p < w->end && strchr(" \t\r\n,:", *w->p); w->p++)
		w->line += *w->p == '\n';
}

static void skip_string(struct walk *w)
{
	for (w->p++; w->p < w->end && *w->p != '"'; w->p++)
		w->p += *w->p == '\\';
	w->p++;
}

/* The bytes of a number, true, false or null. */
static size_t skip_word(struct walk *w)
{
	const char *start = w->p;

	while (w->p < w->end && !strchr(" \t\r\n,:]}", *w->p))
		w->p++;
	return (size_t)(w->p - start);
}

static int read_number(struct walk *w, struct jnode *node)
{
	const char *start = w->p;
	size_t len = skip_word(w);
	char *text = mem_alloc(w->mem, len + 1, 1), *end;
	long long whole;

	memcpy(text, start, len);
	node->text = text;
	if (text_to_micro(text, &node->micro))
		return 0;
	errno = 0;
	whole = strtoll(text, &end, 10);
	if (!errno && !*end) {
		node->large = true;
		node->micro = whole < 0 ? INT64_MIN : INT64_MAX;
		return 0;
	}
	return jnode_err(node, w->err, "must be a plain number with at most six decimals, not %s",
			 text);
}

static int copy_value(struct walk *w, json_t *json, struct jnode *node);

static struct jnode *add_child(struct walk *w, struct jnode *parent, struct jnode **last)
{
	struct jnode *node = mem_alloc(w->mem, 1, sizeof(*node));

	node->parent = parent;
	if (*last)
		(*last)->next = node;
	else
		parent->child = node;
	*last = node;
	parent->n++;
	return node;
}

/* Texts are printed: nothing in them may move the cursor or break a table's line. */
static int check_text(struct walk *w, const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return err_at(w->err, w->file, w->line, "a control character (0x%02x) in a "
				      "text; write it without", (unsigned char)*s);
	return 0;
}

static int copy_object(struct walk *w, json_t *json, struct jnode *node)
{
	struct jnode *last = NULL;
	const char *key;
	json_t *value;

	w->p++;
	json_object_foreach(json, key, value) {
		struct jnode *child = add_child(w, node, &last);

		child->key = mem_strdup(w->mem, key);
		skip_space(w);
		skip_string(w);
		if (check_text(w, key) < 0)
			return -1;
		if (copy_value(w, value, child) < 0)
			return -1;
	}
	skip_space(w);
	w->p++;
	return 0;
}

static int copy_array(struct walk *w, json_t *json, struct jnode *node)
{
	struct jnode *last = NULL;
	json_t *value;
	size_t i;

	w->p++;
	json_array_foreach(json, i, value)
		if (copy_value(w, value, add_child(w, node, &last)) < 0)
			return -1;
	skip_space(w);
	w->p++;
	return 0;
}

static int copy_value(struct walk *w, json_t *json, struct jnode *node)
{
	skip_space(w);
	node->file = w->file;
	node->line = w->line;
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		node->type = J_OBJECT;
		return copy_object(w, json, node);
	case JSON_ARRAY:
		node->type = J_ARRAY;
		return copy_array(w, json, node);
	case JSON_STRING:
		node->type = J_STRING;
		node->text = mem_strdup(w->mem, json_string_value(json));
		skip_string(w);
		return check_text(w, node->text);
	case JSON_INTEGER:
	case JSON_REAL:
		node->type = J_NUMBER;
		return read_number(w, node);
	case JSON_TRUE:
	case JSON_FALSE:
		node->type = J_BOOL;
		node->truth = json_is_true(json);
		skip_word(w);
		return 0;
	default:
		node->type = J_NULL;
		skip_word(w);
		return 0;
	}
}

struct jnode *jdoc_parse(struct mem *mem, const char *name, const char *bytes, size_t len,
			 struct err *err)
{
	struct walk w = { mem, mem_strdup(mem, name), bytes, bytes + len, 1, err };
	struct jnode *root = mem_alloc(mem, 1, sizeof(*root));
	json_error_t jerr;
	json_t *json = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &jerr);
	int rc;

	if (!json) {
		err_at(err, name, jerr.line > 0 ? (unsigned)jerr.line : 0, "not JSON: %s",
		       jerr.text);
		return NULL;
	}
	if (!json_is_object(json)) {
		err_at(err, name, 1, "must be a JSON object");
		json_decref(json);
		return NULL;
	}
	rc = copy_value(&w, json, root);
	json_decref(json);
	return rc < 0 ? NULL : root;
}

struct jnode *jdoc_load(struct mem *mem, const char *name, struct err *err)
{
	size_t len;
	char *bytes = file_read(mem, name, &len, err);

	return bytes ? jdoc_parse(mem, name, bytes, len, err) : NULL;
}

int jdoc_schema(const struct jnode *root, const char *kind, unsigned version, struct err *err)
{
	struct jnode *schema = jnode_get(root, "schema");
	struct text want = { 0 };
	int rc = 0;

	text_add(&want, "hvsim-%s/%u", kind, version);
	if (!schema)
		rc = err_at(err, root->file, root->line, "no \"schema\": \"%s\"", want.s);
	else if (schema->type != J_STRING || strcmp(schema->text, want.s))
		rc = jnode_err(schema, err, "must be \"%s\"", want.s);
	text_free(&want);
	return rc;
}

static void set_scalar(struct mem *mem, struct jnode *node, const char *value)
{
	bool truth = !strcmp(value, "true");

	node->large = false;
	node->text = NULL;
	node->child = NULL;
	node->n = 0;
	node->truth = truth;
	if (truth || !strcmp(value, "false")) {
		node->type = J_BOOL;
	} else if (!strcmp(value, "null")) {
		node->type = J_NULL;
	} else {
		node->type = text_to_micro(value, &node->micro) ? J_NUMBER : J_STRING;
		node->text = mem_strdup(mem, value);
	}
}

/* The child of a node by member name or element index. */
static struct jnode *step(const struct jnode *node, const char *name)
{
	struct jnode *child = node->child;
	uint64_t i;

	if (node->type != J_ARRAY)
		return jnode_get(node, name);
	if (!text_to_u64(name, &i))
		return NULL;
	while (child && i--)
		child = child->next;
	return child;
}

const struct jnode *jdoc_find(const struct jnode *root, const char *dotted)
{
	const struct jnode *node = root;
	char name[128];

	while (node && *dotted) {
		size_t len = strcspn(dotted, ".");

		if (len >= sizeof(name))
			return NULL;
		memcpy(name, dotted, len);
		name[len] = '\0';
		node = step(node, name);
		dotted += len + (dotted[len] == '.');
	}
	return node;
}

int jdoc_set(struct mem *mem, struct jnode *root, const char *dotted, const char *value,
	     struct err *err)
{
	const char *file = mem_printf(mem, "--set %s", dotted);
	struct jnode *node = root;
	char *rest = mem_strdup(mem, dotted);

	if (!strcmp(dotted, "schema"))
		return err_at(err, file, 0, "is what the file is, and can't be set");
	while (rest) {
		char *dot = strchr(rest, '.');
		struct jnode *child;

		if (dot)
			*dot = '\0';
		child = step(node, rest);
		if (!child && (dot || node->type != J_OBJECT || !*rest))
			return err_at(err, file, 0, "no '%s' to set here", rest);
		if (!child) {
			struct jnode **link = &node->child;

			while (*link)
				link = &(*link)->next;
			child = *link = mem_alloc(mem, 1, sizeof(*child));
			child->parent = node;
			child->key = rest;
			node->n++;
		}
		node = child;
		rest = dot ? dot + 1 : NULL;
	}
	node->file = file;
	node->line = 0;
	set_scalar(mem, node, value);
	return 0;
}
