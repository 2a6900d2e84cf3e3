/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenario files: what all kinds have in common, and running one. A kind
 * (nestedv2, x86, ladder …) is one entry in sim/scenario/kinds.c.
 */
#ifndef HVSIM_SCENARIO_SCENARIO_H
#define HVSIM_SCENARIO_SCENARIO_H

#include "base/err.h"
#include "base/jdoc.h"
#include "base/mem.h"
#include "cpu/model.h"
#include "path/policy.h"
#include "scenario/table.h"

#define SCN_VARIANTS_MAX 64
#define SCN_WIDE 3 /* with more variants than this a table of columns doesn't fit a screen */

/* What every scenario file has. A kind's struct begins with it. */
struct scn_common {
	const char *kind, *title, *about, *cpu;
	int64_t seed;
	const struct jnode *policies, *variants, *metrics, *calibrate, *grid, *assumptions;
};

/* The fields of struct scn_common for the field table of a kind's struct T. */
#define SCN_COMMON_FIELDS(T)                                                              \
	{ "schema", JK_NOTE, 0, .required = true },                                       \
	{ "kind", JK_TEXT, offsetof(T, common.kind), .required = true },                  \
	{ "title", JK_TEXT, offsetof(T, common.title), .required = true },                \
	{ "about", JK_TEXT, offsetof(T, common.about) },                                  \
	{ "cpu", JK_TEXT, offsetof(T, common.cpu) },                                      \
	{ "seed", JK_INT, offsetof(T, common.seed), .lo = 0, .hi = INT64_C(9000000000000) }, \
	{ "policies", JK_OBJECT, offsetof(T, common.policies) },                          \
	{ "variants", JK_ARRAY, offsetof(T, common.variants) },                           \
	{ "metrics", JK_ARRAY, offsetof(T, common.metrics) },                             \
	{ "calibrate", JK_ARRAY, offsetof(T, common.calibrate) },                         \
	{ "grid", JK_ARRAY, offsetof(T, common.grid) },                                  \
	{ "assumptions", JK_ARRAY, offsetof(T, common.assumptions) }

/* What the command line asks for. */
struct scn_options {
	const char *name;               /* a file, or a name in scenarios/ */
	const struct scn_set *set;      /* --set, in order; later ones win */
	size_t sets;
	bool calibrated;                /* of them, what the file calibrates was found anew */
	const char *const *variant;     /* --variant; none: all of the file's */
	size_t variants;
	bool has_seed;
	uint64_t seed;                  /* --seed */
	/* Called as variants begin; NULL for none. */
	void (*progress)(void *ctx, const char *what, unsigned done, unsigned of);
	void *ctx;
};

struct scn_variant {
	const char *name, *about;
	const struct jnode *set; /* object key -> value, or NULL */
};

/* A scenario as loaded: its variants are known, its kind's fields not yet read. */
struct scenario {
	const struct scn_options *options;
	const char *file;
	const char *kind, *cpu;
	unsigned kind_index;
	uint64_t seed;
	struct scn_variant variant[SCN_VARIANTS_MAX]; /* those to run */
	unsigned variants;
	const struct jnode *root;
	const struct policy_table *policies;
	struct mem *mem;
};

/*
 * One variant's view of the inputs: the scenario's document, the CPU model and
 * the policies after the file's "policies", --set, and the variant's own "set".
 */
struct scn_view {
	struct jnode *root;
	struct jnode *cpu;        /* the CPU model's document; NULL when the file names none */
	struct cpu_model *model;  /* what it says; NULL for kinds that read it themselves */
	struct policy_set policy;
};

/*
 * Load a scenario: schema, kind, variants and what is calibrated; options are
 * checked against it. The pool owns everything; options must outlive it.
 */
int scn_load(struct mem *mem, const struct scn_options *options, struct scenario *scn,
	     struct err *err);

/* The view of a variant; NULL for none (the file and --set only). */
int scn_view(const struct scenario *scn, const struct scn_variant *variant, struct scn_view *view,
	     struct err *err);

/*
 * What --set does, to a view that exists: an error when there is no such key. The value is
 * checked by who reads the field; a CPU model that was read already stays as it is.
 */
int scn_view_set(const struct scenario *scn, struct scn_view *view, const char *key,
		 const char *value, struct err *err);

/* Load and run: the result (tables, notes, provenance) is the pool's. */
int scn_run(struct mem *mem, const struct scn_options *options, struct scn_result *result,
	    struct err *err);

struct scn_watch;

/* A kind of scenario. */
struct scn_kind {
	const char *name;
	int (*run)(const struct scenario *scn, struct scn_result *result, struct err *err);
	/*
	 * For a kind whose CPU models have parameters of their own: what --set
	 * model.NAME does to the document. NULL: models are those of cpu/model.h.
	 */
	int (*set_model)(struct mem *mem, struct jnode *root, const char *name, const char *value,
			 struct err *err);
	/* The i-th metric it can report and what that is; NULL after the last. May be NULL. */
	const char *(*metric)(size_t i, const char **about);
	/* Run one variant under an observer: scenario/watch.h. NULL when nothing runs in time. */
	int (*watch)(const struct scenario *scn, const struct scn_variant *variant,
		     struct scn_watch *watch, struct err *err);
};
extern const struct scn_kind scn_kinds[]; /* ends with a NULL name */

#endif
