/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `hvsim elf --executed` shows. */
#ifndef HVSIM_REPORT_ELF_EXEC_H
#define HVSIM_REPORT_ELF_EXEC_H

#include "elf/exec.h"
#include "report/report.h"

/* Add tables: windows by how the guest was left, and the ops of one shape in order. */
void rep_elf_exec(struct scn_result *r, const struct kelf_exec *x, const struct kelf_shape *show);

#endif
