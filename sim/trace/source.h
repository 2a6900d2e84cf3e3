/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a trace: a file or standard input, read forwards in blocks, unpacked
 * when its first bytes are those of gzip, xz or zstd. */
#ifndef HVSIM_TRACE_SOURCE_H
#define HVSIM_TRACE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct trace_source;

/* Open a file, "-" is standard input. NULL on error. Ended by trace_source_close(). */
struct trace_source *trace_source_open(const char *name, struct err *err);

/* A source over bytes that stay the caller's. */
struct trace_source *trace_source_bytes(const char *name, const char *bytes, size_t n);

void trace_source_close(struct trace_source *src);

/* Read up to n bytes. Returns how many, 0 at the end, -1 with *err set. */
long trace_source_read(struct trace_source *src, char *buf, size_t n, struct err *err);

/* What a progress bar needs: bytes read from the file so far and its size (0 when unknown). */
uint64_t trace_source_done(const struct trace_source *src);
uint64_t trace_source_size(const struct trace_source *src);

/* After the end: false when packed data was cut, damaged, or too large to unpack. */
bool trace_source_whole(const struct trace_source *src);

/* Whether both names are of one file that is there. */
bool trace_source_same(const char *a, const char *b);

/* Whether the file of that name can be opened and read again from its beginning. */
bool trace_source_rereads(const char *name);

/* Whether a regular file has grown since it was opened. */
bool trace_source_grew(const struct trace_source *src);

const char *trace_source_name(const struct trace_source *src);

#endif
