/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executed paths from a log: windows from one start of an entry function to the
 * next, grouped by how the guest was left, the commonest of each group chosen.
 */
#ifndef HVSIM_ELF_EXEC_H
#define HVSIM_ELF_EXEC_H

#include "elf/execlog.h"
#include "elf/seq.h"
#include "elf/walkfile.h"

#define KELF_EXEC_INSNS_MAX 1000000 /* in one window */
#define KELF_EXEC_SHAPES_MAX 4096   /* different sequences of ops */

/* Where an object was loaded: the address of its .text. */
struct kelf_load {
	const char *file; /* base name, as "kvm-hv.ko" */
	uint64_t addr;
};

/* Windows with the same ops in the same order. */
struct kelf_shape {
	const char *kind; /* symbol of the vector by which the guest was left, or "not entered" */
	uint64_t hash;
	size_t windows, kind_windows; /* of this shape, of its kind */
	uint32_t least, most;  /* instructions */
	struct kelf_seq seq;   /* the first of them */
};

struct kelf_exec {
	struct kelf_shape
		*shape; /* malloc'ed; commonest kind first, within it the commonest shape */
	size_t n, cap;
	size_t windows;
	size_t unknown; /* blocks in windows whose translation is not in the log */
};

/*
 * Read a log. `file` says by its "continue" entries where control leaves for the guest: what
 * runs from there to the next interrupt vector is the guest's and left out. -1 when the entry
 * is in no file, when no window is complete, or when the log can't be read. End it with
 * kelf_exec_done(), also after an error.
 */
int kelf_exec_read(struct kelf_exec *x, struct mem *mem, const char *log, struct kelf_kernel *k,
		   const struct kelf_load *load, size_t nload, const char *entry,
		   const struct kelf_walkfile *file, const struct spr_table *sprs,
		   struct err *err);
void kelf_exec_done(struct kelf_exec *x);

#endif
