/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results read back: what --format json wrote. Of a number's digits the first
 * three decimals are shown again; all of them count.
 */
#ifndef HVSIM_REPORT_RESULT_READ_H
#define HVSIM_REPORT_RESULT_READ_H

#include "base/jdoc.h"
#include "scenario/table.h"

/* Fill r from a file or a node; all of it is the pool's. -1 with an error at its line. */
int rep_result_read(struct mem *mem, const char *file, struct scn_result *r, struct err *err);
int rep_result_from_node(struct mem *mem, const struct jnode *root, struct scn_result *r,
			 struct err *err);

#endif
