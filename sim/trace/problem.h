/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with a trace: counted by kind, the first lines of each kind
 * kept. Under --strict the first one is an error.
 */
#ifndef HVSIM_TRACE_PROBLEM_H
#define HVSIM_TRACE_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum trace_problem {
	TRACE_P_JUNK,
	TRACE_P_CUT,
	TRACE_P_WRAPPED,
	TRACE_P_LONG,
	TRACE_P_CLOCK,
	TRACE_P_BACKWARDS,
	TRACE_P_JUMP,
	TRACE_P_NO_ENTRY,
	TRACE_P_NO_EXIT,
	TRACE_P_VCPU,
	TRACE_P_MANY,
	TRACE_P_UNPARSED,
	TRACE_P_LOST,
	TRACE_P_GREW,
	TRACE_P_DAMAGED,
	TRACE_P_KINDS,
};

#define TRACE_P_LINES 5

struct trace_problems {
	const char *file;    /* for the error under strict */
	bool strict;
	uint64_t count[TRACE_P_KINDS];
	uint64_t line[TRACE_P_KINDS][TRACE_P_LINES]; /* of the first min(count, TRACE_P_LINES) */
};

/* Count one. -1 with *err set when strict, else 0. */
int trace_problem(struct trace_problems *p, enum trace_problem kind, uint64_t line,
		  struct err *err);

/* All kinds together. */
uint64_t trace_problem_total(const struct trace_problems *p);

/* A short name for machine-readable output, and a description of one. */
const char *trace_problem_name(enum trace_problem kind);
const char *trace_problem_text(enum trace_problem kind);

#endif
