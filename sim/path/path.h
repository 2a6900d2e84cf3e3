/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths: ordered ops with conditions over policies and state, as data.
 *
 * models/paths/NAME.json:
 *
 *   { "schema": "hvsim-path/1", "name": "NAME", "summary": "…", "source": "…",
 *     "ops": [ "mfspr HFSCR",
 *              {"in": "load_spr_state", "when": "!p9.x | guest.pmu", "ops": […], "else": […]},
 *              {"path": "OTHER", "when": "…"} ] }
 *
 * "in" names the function the ops are in; "note" is for readers.
 */
#ifndef HVSIM_PATH_PATH_H
#define HVSIM_PATH_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "cpu/op.h"
#include "path/cond.h"
#include "path/policy.h"

#define PATH_ITEMS_MAX 65536 /* with everything it includes */
#define PATH_DEPTH_MAX 32    /* groups and includes within each other */

/* An op, or a test: when cond is false go on at item `skip` (when cond is NULL always). */
struct path_item {
	bool is_op;
	struct op op;
	const struct cond *cond;
	uint32_t skip;
	unsigned line;    /* in the file it came from */
	const char *file;
	const char *in;   /* function, or NULL */
};

struct path {
	const char *name, *summary, *source, *file;
	const struct path_item *items;
	uint32_t n;
	struct cond_bits uses; /* condition bits that its ops depend on */
};

/* Paths loaded once each, by name. */
struct path_lib;

/* sprs and policies must outlive it; both it and its paths are owned by the pool. */
struct path_lib *path_lib_new(struct mem *mem, const struct spr_table *sprs,
			      const struct policy_table *policies);

/*
 * A path by name from models/paths, or a file (a name that has a slash or ends in
 * ".json", or that exists): JSON or an executed listing. Includes are by name, and
 * a path may not include itself. NULL on error.
 */
const struct path *path_load(struct path_lib *lib, const char *name, struct err *err);

/*
 * An executed listing: one op a line, "@symbol+offset" after it, '#' begins a
 * remark; the first remark is the summary. Made by execution loggers; see
 * docs/paths.md.
 */
const struct path *path_from_listing(struct path_lib *lib, const char *file, const char *bytes,
				     size_t len, struct err *err);

/* A path from a document already read; includes come from models/paths. */
const struct path *path_from_node(struct path_lib *lib, const struct jnode *root, struct err *err);

/* The next item at or after i that is an op under these bits, or path->n. */
uint32_t path_next(const struct path *path, const struct cond_bits *bits, uint32_t i);

/* How often each op kind occurs under these bits, and instructions in all. */
struct path_counts {
	uint64_t kind[OP_KINDS];
	uint64_t insns;
};
void path_count(const struct path *path, const struct cond_bits *bits, struct path_counts *out);

#endif
