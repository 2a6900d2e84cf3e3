/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/trace: gzip, xz and zstd, told by their first bytes. */
#ifndef HVSIM_TRACE_UNPACK_H
#define HVSIM_TRACE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

enum trace_pack { TRACE_PLAIN, TRACE_GZIP, TRACE_XZ, TRACE_ZSTD };

#define TRACE_PACK_MAGIC 6 /* bytes that tell */

/* What the first n bytes of a file say it is. */
enum trace_pack trace_pack_of(const char *bytes, size_t n);

/* What a file's name asks for: .gz, .xz, .zst, else plain. */
enum trace_pack trace_pack_by_name(const char *name);

struct trace_unpack;

/* Unpacking takes at most 128 MiB, whatever the input asks for. Not for TRACE_PLAIN. */
struct trace_unpack *trace_unpack_new(enum trace_pack pack);
void trace_unpack_free(struct trace_unpack *u);

/*
 * Unpack from in[0..*in_n) to out[0..*out_n): both get what was used. `last`:
 * no input follows. Returns 1, or 0 when nothing more will come out: *whole
 * says whether the data ended as it should, or was cut or damaged.
 */
int trace_unpack_step(struct trace_unpack *u, const char *in, size_t *in_n, char *out,
		      size_t *out_n, bool last, bool *whole);

#endif
