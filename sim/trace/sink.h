/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where traces are written: a file that appears whole or not at all, packed on the way. */
#ifndef HVSIM_TRACE_SINK_H
#define HVSIM_TRACE_SINK_H

#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "trace/unpack.h"

struct trace_sink;

/* NULL or "-" is standard output. NULL on error. */
struct trace_sink *trace_sink_open(const char *name, enum trace_pack pack, struct err *err);

/* Plain, appended to a text that stays the caller's. */
struct trace_sink *trace_sink_text(struct text *text);

int trace_sink_put(struct trace_sink *s, const char *bytes, size_t n, struct err *err);

/* End it well, or throw it away. Both free s; trace_sink_abort() allows NULL. */
int trace_sink_commit(struct trace_sink *s, struct err *err);
void trace_sink_abort(struct trace_sink *s);

#endif
