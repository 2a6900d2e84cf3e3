/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `hvsim elf --walk` shows: the path as tables, and as a path file. */
#ifndef HVSIM_REPORT_ELF_WALK_H
#define HVSIM_REPORT_ELF_WALK_H

#include "elf/diff.h"
#include "elf/walk.h"
#include "report/report.h"

/*
 * Add tables: the ops in order, how often each occurs, the choices that decided a
 * branch, and what the reader has to know of (calls that were not followed). `side` is
 * the walk counted and priced. Choices about nothing on the path (a walk file may be for several
 * kernels) are a row each in CSV and JSON, and one row with their lines in what people read.
 */
void rep_elf_walk(struct scn_result *r, const struct kelf_walk *w,
		  const struct kelf_walkfile *file, const struct kelf_side *side,
		  enum rep_format format);

/* What has to be known of a walk that is only compared; `side` is "old" or "new". */
void rep_elf_walk_notes(struct scn_result *r, const struct kelf_walk *w,
			const struct kelf_walkfile *file, const char *side, enum rep_format format);

/* Add a table of a sequence's ops in order, with their places. */
void rep_elf_seq(struct scn_result *r, const struct kelf_seq *seq, const char *title);

/* A sequence as a path file ("hvsim-path/1") that `hvsim path` prices. */
void rep_elf_path(struct text *out, const struct kelf_seq *seq, const char *name,
		  const char *summary, const char *source);

#endif
