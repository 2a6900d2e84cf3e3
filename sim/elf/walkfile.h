/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walk files: which way a path goes where the code alone doesn't say
 * (models/walks/NAME.json, docs/elf.md).
 *
 *   { "schema": "hvsim-walk/1", "summary": "…",
 *     "features": {"cpu": "0x…", "mmu": "0x…", "firmware": "0x…"},
 *     "keys": [{"key": "shared_processor", "on": true, "why": "…"}],
 *     "branches": [{"function": "f", "op": "mtspr VRSAVE", "when": "guest.vrsave_differs"},
 *                  {"function": "f", "callee": "g", "nth": 2, "reach": false},
 *                  {"function": "f", "test": "= 0xc00"},
 *                  {"function": "f", "offset": "0x40", "bytes": 512, "taken": true, "times": 3}],
 *     "calls": [{"function": "f", "callee": "g"}],
 *     "skip": [{"callee": "printk*"}],
 *     "continue": [{"function": "f", "op": "hrfid", "to": "g", "interrupt": "0xc00"},
 *                  {"function": "g", "op": "rfid", "returns": true}] }
 */
#ifndef HVSIM_ELF_WALKFILE_H
#define HVSIM_ELF_WALKFILE_H

#include "base/jdoc.h"
#include "elf/live.h"
#include "elf/outcome.h"
#include "path/policy.h"

/* A choice at the branches of a function; exactly one of offset, callee, op and test says which. */
struct kelf_choice {
	const char *function; /* shell pattern on the stem */
	const char *from;     /* the same of its caller, or NULL: any */
	int64_t offset;       /* of the branch; -1 */
	int64_t bytes;        /* offset: only when the function has this size; 0: any */
	const char *callee;   /* shell pattern on the stem of what is called */
	const char *op;       /* text of the op; or "bctr", "bctrl": a jump, a call by CTR */
	bool test;                   /* the comparison below */
	struct kelf_outcome outcome; /* how it comes out; the condition already applied */
	bool want; /* taken (offset), reach (callee, op, test); the condition already applied */
	int64_t times;        /* offset: taken so often in one call, then not; 0: always */
	int64_t nth;          /* callee, op, test: only this occurrence in the function, from 1; 0: all */
	int64_t call;         /* only the nth time the function is entered from there; 0: all */
	const struct jnode *node;
	unsigned found;       /* places in functions on the path that it is about */
	unsigned used;        /* branches it decided */
};

/* An indirect call or jump: where it goes. offset -1: every one of the function. */
struct kelf_indirect {
	const char *function, *callee;
	int64_t offset;
	const struct jnode *node;
	unsigned used;
};

struct kelf_skip {
	const char *callee;
	const struct jnode *node;
	unsigned used;
};

/* Where control comes back after it left by an op: the guest's side of the path. */
struct kelf_continue {
	const char *function, *op;
	const char *to;    /* NULL: back to the caller, by an rfid that stands for a return */
	int64_t interrupt; /* vector, or -1 */
	const struct jnode *node;
	unsigned used;
};

struct kelf_walkfile {
	const char *name, *summary;
	struct kelf_live live;
	struct kelf_choice *choice;
	size_t nchoice;
	struct kelf_indirect *indirect;
	size_t nindirect;
	struct kelf_skip *skip;
	size_t nskip;
	struct kelf_continue *cont;
	size_t ncont;
	int64_t depth;
};

/*
 * Load a walk file (models/walks/NAME.json, or a path), or with NULL the one that
 * decides nothing. Its conditions are evaluated under these policies and state. Owned by
 * the pool. -1 with the line of what is wrong.
 */
int kelf_walkfile_load(struct kelf_walkfile *w, struct mem *mem, const char *name,
		       const struct policy_set *policies, struct err *err);

/* The same from a document already read. */
int kelf_walkfile_from_node(struct kelf_walkfile *w, struct mem *mem, const struct jnode *root,
			    const struct policy_set *policies, struct err *err);

#endif
