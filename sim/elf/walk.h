/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the code from a function's entry to its return: calls are inlined,
 * branches go as the walk file says and fall through where it says nothing. What
 * comes out is a path.
 */
#ifndef HVSIM_ELF_WALK_H
#define HVSIM_ELF_WALK_H

#include "elf/seq.h"
#include "elf/walkfile.h"

#define KELF_WALK_INSNS_MAX 200000

enum kelf_note_kind {
	KELF_NOTE_UNRESOLVED, /* an indirect call or jump nobody says the target of */
	KELF_NOTE_MISSING,    /* a call of what is in none of the files */
	KELF_NOTE_DEEP,       /* a call that was not entered: too many within each other */
	KELF_NOTE_SKIPPED,    /* a call that the walk file says not to enter */
	KELF_NOTE_KINDS
};

/* Something on the path that the reader has to know of. */
struct kelf_note {
	enum kelf_note_kind kind;
	const char *place; /* "function+0x40" */
	const char *what;  /* the callee, or "" */
};

/* A conditional branch on the path. */
struct kelf_decision {
	const char *function;
	uint64_t offset;
	bool taken;
	const struct kelf_choice *choice; /* NULL: by default */
};

struct kelf_walk {
	struct mem *mem; /* the caller's */
	struct kelf_seq seq;
	struct kelf_note *note; /* malloc'ed */
	size_t nnote, note_cap;
	struct kelf_decision *decision; /* malloc'ed */
	size_t ndecision, decision_cap;
	size_t calls;      /* entered */
	const char *ended; /* how: "returned", "left by hrfid at f+0x10" */
};

/*
 * Walk from the function or label `entry` of a kernel until it returns. Choices of
 * the walk file count how often they decided. End it with kelf_walk_done(), also after an
 * error: the entry isn't there, or the path doesn't end.
 */
int kelf_walk(struct kelf_walk *w, struct mem *mem, struct kelf_kernel *k,
	      struct kelf_walkfile *file, const char *entry, const struct spr_table *sprs,
	      struct err *err);
void kelf_walk_done(struct kelf_walk *w);

const char *kelf_note_name(enum kelf_note_kind kind);

#endif
