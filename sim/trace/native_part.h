/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/trace: the words of a line of a native trace. */
#ifndef HVSIM_TRACE_NATIVE_PART_H
#define HVSIM_TRACE_NATIVE_PART_H

#include "trace/native.h"

#define TRACE_WORDS_OF_LINE 6

/* What follows the kind's word, in the order of the line. */
enum trace_native_args {
	TRACE_ARGS_NONE, TRACE_ARGS_NS, TRACE_ARGS_NAME, TRACE_ARGS_FAULT, TRACE_ARGS_VCPU,
	TRACE_ARGS_NAME_NS, TRACE_ARGS_SPAN, TRACE_ARGS_LATE,
};

struct trace_native_kind {
	const char *name;            /* at most 7 letters */
	enum trace_native_args args;
	const char *usage;
};

extern const struct trace_native_kind trace_native_kinds[TRACE_I_KINDS];

struct trace_words_of {
	char *w[TRACE_WORDS_OF_LINE];
	unsigned n;  /* TRACE_WORDS_OF_LINE + 1 when there are more */
};

/* Split at blanks, in place. */
void trace_native_split(char *line, struct trace_words_of *w);

/* A whole decimal number of at most max. */
bool trace_native_number(const char *s, uint64_t max, uint64_t *v);

/* Parse a line that begins with a digit. -1 with *err set. */
int trace_native_intent(struct trace_native *n, char *line, struct trace_intent *intent,
			struct err *err);

/*
 * Take the line at n->start when it is an intent as trace_native_put() writes it.
 * False: nothing is taken, whatever *intent holds.
 */
bool trace_native_quick(struct trace_native *n, struct trace_intent *intent);
void trace_native_quick_init(struct trace_native *n);

/* An error at the current line. Always -1. */
int trace_native_err(const struct trace_native *n, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
