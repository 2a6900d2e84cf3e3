/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positioned JSON: what every data file is read through.
 *
 * jansson parses and validates (duplicate keys are errors); the tree is then
 * copied once into nodes that know their file, line and name, because jansson
 * keeps no position for a parsed value. Numbers keep their text, so decimals
 * are exact: nothing here passes through floating point.
 */
#ifndef HVSIM_BASE_JDOC_H
#define HVSIM_BASE_JDOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

enum jtype { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_ARRAY, J_OBJECT };

struct jnode {
	enum jtype type;
	unsigned line;       /* 0 when it came from --set */
	const char *file;    /* name for messages */
	const char *key;     /* member name; NULL in arrays and at the root */
	const char *text;    /* string value, or a number as written; NULL otherwise */
	int64_t micro;       /* numbers: the value in millionths; saturated when `large` */
	bool large;          /* a whole number that doesn't fit in millionths: see jnode_whole() */
	bool truth;          /* booleans */
	size_t n;            /* members or elements */
	struct jnode *parent, *child, *next;
};

/*
 * Read a file, or parse bytes named `name` in messages. The root is an object.
 * Nodes are owned by the pool. NULL on error.
 */
struct jnode *jdoc_load(struct mem *mem, const char *name, struct err *err);
struct jnode *jdoc_parse(struct mem *mem, const char *name, const char *bytes, size_t len,
			 struct err *err);

/* Check the root's "schema": "hvsim-<kind>/<version>". */
int jdoc_schema(const struct jnode *root, const char *kind, unsigned version, struct err *err);

/*
 * --set: give the node at a dotted name ("topology.smt") a new scalar value:
 * a JSON number, true, false, null, or else a string. A missing last member is
 * added, so that a misspelt one is reported as an unknown key by its loader;
 * a missing object on the way is an error.
 */
int jdoc_set(struct mem *mem, struct jnode *root, const char *dotted, const char *value,
	     struct err *err);

/* The node at a dotted name, as jdoc_set() walks it, or NULL. */
const struct jnode *jdoc_find(const struct jnode *root, const char *dotted);

/* A member of an object by key, or NULL. */
struct jnode *jnode_get(const struct jnode *obj, const char *key);

/* Whether a number is whole; *v gets it. */
bool jnode_whole(const struct jnode *node, int64_t *v);

/* Set an error at the node, naming it: "FILE:LINE: 'a.b' <message>". Always -1. */
int jnode_err(const struct jnode *node, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

enum jkind {
	JK_TEXT,   /* const char *: a string */
	JK_INT,    /* int64_t: a whole number in lo..hi */
	JK_MICRO,  /* int64_t: a decimal number in millionths, in lo..hi (millionths) */
	JK_TRUTH,  /* bool */
	JK_NAME,   /* unsigned: index of the string in names[] */
	JK_OBJECT, /* const struct jnode * */
	JK_ARRAY,  /* const struct jnode * */
	JK_ANY,    /* const struct jnode * */
	JK_NOTE,   /* a string for readers of the file: checked, not stored */
};

/* One member an object may have. Fields not present leave the target untouched. */
struct jfield {
	const char *key;
	enum jkind kind;
	size_t offset; /* into the struct being filled */
	bool required;
	int64_t lo, hi;            /* JK_INT, JK_MICRO; both 0: any value that is not negative */
	const char *const *names;  /* JK_NAME: NULL-terminated */
};

/*
 * Fill a struct from an object by its field table. Unknown keys, wrong types,
 * values out of range and missing members are errors at their line.
 */
int jnode_fields(const struct jnode *obj, const struct jfield *fields, size_t n, void *out,
		 struct err *err);

/* Check the type of a node: a string, an object, an array. -1 with an error otherwise. */
int jnode_is(const struct jnode *node, enum jtype type, struct err *err);

#define JFIELDS(obj, table, out, err) \
	jnode_fields(obj, table, sizeof(table) / sizeof((table)[0]), out, err)

#endif
