/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `hvsim elf` prints of one kernel. */
#ifndef HVSIM_REPORT_ELF_LIST_H
#define HVSIM_REPORT_ELF_LIST_H

#include "elf/match.h"
#include "report/grid.h"

/* The functions that have ops, with their counts by class, and the sum of them. */
void rep_elf_functions(const struct kelf_kernel *k, enum rep_format format, struct text *out);

/* The ops of the picked functions in order, with calls and branches that leave. */
void rep_elf_ops(const struct kelf_pick *pick, size_t n, enum rep_format format,
		 struct text *out);

#endif
