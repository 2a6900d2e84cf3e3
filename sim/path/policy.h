/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy switches (design choices that variants differ in) and state (what the
 * guest and host are like) as data: models/policies.json. Both are what path
 * conditions ask for, and both are set with --set NAME=VALUE.
 */
#ifndef HVSIM_PATH_POLICY_H
#define HVSIM_PATH_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/jdoc.h"
#include "base/mem.h"
#include "path/cond.h"

#define POLICY_MAX 256
#define POLICY_VALUES_MAX 8

enum policy_kind { POLICY_SWITCH, POLICY_STATE };

struct policy {
	const char *name;
	unsigned kind;              /* enum policy_kind */
	const char *values[POLICY_VALUES_MAX];
	unsigned n_values;
	unsigned bit[POLICY_VALUES_MAX]; /* of "name=value"; of an on/off one also plain "name" */
	unsigned def;               /* index of the default */
	const char *help;
	const char *source;         /* patch subject, or where the state comes from */
	const char *commit;         /* NULL when there is none */
};

struct policy_table {
	const struct policy *policies; /* in file order */
	unsigned n;
	struct cond_set *atoms;
};

/* One choice for every policy: index of its value. */
struct policy_set {
	const struct policy_table *table;
	unsigned char value[POLICY_MAX];
};

/* models/policies.json of the data folder. Owned by the pool; NULL on error. */
const struct policy_table *policy_load(struct mem *mem, struct err *err);
const struct policy_table *policy_from_node(struct mem *mem, const struct jnode *root,
					    struct err *err);

/* Index of a policy, or -1. */
int policy_find(const struct policy_table *table, const char *name);

/* All defaults. */
void policy_defaults(const struct policy_table *table, struct policy_set *set);

/*
 * Set one by name; true and false mean on and off. "p9.*" sets every *switch* whose
 * name begins so. Unknown names and values are errors with a suggestion.
 */
int policy_set(struct policy_set *set, const char *name, const char *value, struct err *err);

/* Set each member of an object, as a CPU model's "state". Errors are at its line. */
int policy_set_object(struct policy_set *set, const struct jnode *obj, struct err *err);

/* The value's name, or NULL when there is no such policy. */
const char *policy_get(const struct policy_set *set, const char *name);

/* Whether an on/off policy is on, by index. */
bool policy_on(const struct policy_set *set, int index);

/* The condition bits of a choice. */
struct cond_bits policy_bits(const struct policy_set *set);

#endif
