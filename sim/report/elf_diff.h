/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `hvsim elf OLD NEW` shows, as tables of one result. */
#ifndef HVSIM_REPORT_ELF_DIFF_H
#define HVSIM_REPORT_ELF_DIFF_H

#include "elf/diff.h"
#include "report/report.h"

/*
 * Add a table of the functions whose ops differ (none when there is only one
 * path to compare) and one of all op classes.
 */
void rep_elf_diff(struct scn_result *r, const struct kelf_diff *d);

#endif
