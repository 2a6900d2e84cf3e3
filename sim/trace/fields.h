/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/trace: the text of one event, after "EVENT: ". */
#ifndef HVSIM_TRACE_FIELDS_H
#define HVSIM_TRACE_FIELDS_H

#include "trace/event.h"

/* What a name means: enum trace_kind, with TRACE_KIND_X86 for x86's entry and exit. */
uint32_t trace_kind_of(const char *name, size_t n);

/* Fill ev from the text s..e. False with *problem set when fields are missing or wrong. */
bool trace_fields(struct trace_parser *p, const char *s, const char *e, struct trace_event *ev,
		  enum trace_problem *problem);

/* A number of n bytes, decimal or 0x hexadecimal, all of it. */
bool trace_number(const char *s, const char *e, uint64_t *v);

#endif
