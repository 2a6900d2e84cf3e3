/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file written piece by piece that appears whole or not at all: file_write() for what is large. */
#ifndef HVSIM_BASE_OUT_H
#define HVSIM_BASE_OUT_H

#include <stddef.h>

#include "base/err.h"

struct file_out;

/* Begin to write a file; NULL for standard output. Ended by commit or abort. NULL on error. */
struct file_out *file_out_open(const char *name, struct err *err);

int file_out_put(struct file_out *o, const char *bytes, size_t n, struct err *err);

/* The file is complete: it takes its name. Frees o, on error too (then nothing remains). */
int file_out_commit(struct file_out *o, struct err *err);

/* Throw away what was written. Frees o; NULL is allowed. */
void file_out_abort(struct file_out *o);

#endif
