/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of a trace, one after the other, in bounded memory: about 1 MiB
 * for the buffer and the word tables, whatever the trace's length. Bad lines
 * are counted with their numbers and passed over; under strict they end the
 * reading with an error.
 */
#ifndef HVSIM_TRACE_READER_H
#define HVSIM_TRACE_READER_H

#include "trace/event.h"
#include "trace/source.h"

#define TRACE_LINE_MAX ((size_t)65536)

struct trace_reader {
	struct trace_source *src;     /* owned */
	struct trace_parser parser;
	struct trace_parser scratch;  /* for looking ahead */
	struct trace_problems problems;
	uint64_t line;                /* of the last event */
	uint64_t last_ns;     /* time of the last event */
	uint64_t events;
	uint64_t losses;              /* lost-event markers so far; a turn can't span one */
	void (*tick)(void *arg, const struct trace_source *src); /* after each read; may be NULL */
	void *tick_arg;
	char *buf;
	size_t start, end;            /* bytes not yet parsed are buf[start..end) */
	bool ended, finished;
};

/* Read a file ("-": standard input), or a source that becomes the reader's. NULL on error. */
struct trace_reader *trace_reader_open(const char *name, bool strict, struct err *err);
struct trace_reader *trace_reader_on(struct trace_source *src, bool strict, struct err *err);

void trace_reader_close(struct trace_reader *r);

/* The next event. 1 with *ev filled, 0 at the end, -1 with *err set. */
int trace_reader_next(struct trace_reader *r, struct trace_event *ev, struct err *err);

/*
 * After the end: an error when the input isn't a trace at all (not one event,
 * and no header of ftrace either). -1 with *err set.
 */
int trace_reader_check(const struct trace_reader *r, struct err *err);

#endif
