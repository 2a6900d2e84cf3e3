/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside sim/trace: the words of a line of a native trace. */
#ifndef HVSIM_TRACE_NATIVE_PART_H
#define HVSIM_TRACE_NATIVE_PART_H

#include "trace/native.h"

#define TRACE_WORDS_OF_LINE 5

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

/* An error at the current line. Always -1. */
int trace_native_err(const struct trace_native *n, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
