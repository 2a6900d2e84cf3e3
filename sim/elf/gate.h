/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --fail-if: conditions on what was added, such as "mftb>0" or "cycles>100". */
#ifndef HVSIM_ELF_GATE_H
#define HVSIM_ELF_GATE_H

#include "elf/diff.h"

struct kelf_gate {
	const char *text; /* as given */
	enum { KELF_GATE_CLASS, KELF_GATE_CYCLES, KELF_GATE_INSNS } what;
	enum kelf_class class;
	enum { KELF_GT, KELF_GE, KELF_LT, KELF_LE, KELF_EQ } op;
	int64_t limit;
};

/*
 * Parse NAME OP NUMBER: NAME an op class, "cycles" or "instructions"; OP one of
 * > >= < <= =. Spaces are allowed. -1 with a suggestion.
 */
int kelf_gate_parse(struct kelf_gate *gate, const char *text, struct err *err);

/* Whether the difference (new minus old) meets the condition; *value gets it. */
bool kelf_gate_fails(const struct kelf_gate *gate, const struct kelf_side side[2],
		     int64_t *value);

#endif
