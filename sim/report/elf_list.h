/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `hvsim elf` shows of one kernel, as tables. */
#ifndef HVSIM_REPORT_ELF_LIST_H
#define HVSIM_REPORT_ELF_LIST_H

#include "elf/count.h"
#include "elf/match.h"
#include "report/report.h"

/*
 * The functions that have ops of their own, with their counts by class. For
 * people classes that belong together share a column and a last row sums up;
 * programs get every class.
 */
void rep_elf_functions(struct scn_result *r, const struct kelf_kernel *k, enum rep_format format);

/* The ops of the picked functions in order, with calls and branches that leave. */
void rep_elf_ops(struct scn_result *r, const struct kelf_pick *pick, size_t n,
		 const struct spr_table *sprs);

/* A name from a file, fit to print: bytes that aren't printable ASCII become '?'. */
const char *rep_elf_name(struct mem *mem, const char *name);

/* "call mutex_lock+0x10", "branch load_fp_state", "call (CTR)", appended. */
void rep_elf_branch(const struct kelf_image *img, const struct kelf_func *f, uint64_t off,
		    const struct kelf_insn *insn, struct text *out);

#endif
