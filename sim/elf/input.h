/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a kernel file: mapped as they are, or expanded when the file is
 * gzip, xz or Zstandard (told by its first bytes, not by its name).
 */
#ifndef HVSIM_ELF_INPUT_H
#define HVSIM_ELF_INPUT_H

#include <stddef.h>

#include "base/err.h"

#define KELF_FILE_MAX ((size_t)1 << 30)    /* a file that is mapped */
#define KELF_EXPAND_MAX ((size_t)512 << 20) /* what a compressed one may expand to */

struct kelf_input {
	char *bytes; /* private and writable: libelf asks for it */
	size_t len;
	size_t mapped; /* bytes to unmap; 0: bytes came from malloc */
};

/*
 * Map a regular file, expanding it when it is compressed. kelf_input_done()
 * ends it, also after an error. -1 when it can't be read, is empty, is
 * corrupt, or would expand over KELF_EXPAND_MAX.
 */
int kelf_input_open(struct kelf_input *in, const char *name, struct err *err);

/*
 * Expand bytes that are in memory (fuzzing, tests) up to `max`. Bytes that are
 * not compressed give 0 with *out NULL; otherwise *out is malloc'ed.
 */
int kelf_expand(const char *name, const char *bytes, size_t len, size_t max, char **out,
		size_t *out_len, struct err *err);

void kelf_input_done(struct kelf_input *in);

#endif
