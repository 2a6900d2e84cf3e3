// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/problem.h"

#include <limits.h>

static const struct { const char *name, *text; } kinds[TRACE_P_KINDS] = {
	[TRACE_P_JUNK] = { "junk", "not a line of a trace" },
	[TRACE_P_CUT] = { "cut", "event cut short or fields missing" },
	[TRACE_P_WRAPPED] = { "wrapped", "event wrapped over two lines (joined)" },
	[TRACE_P_LONG] = { "long", "line over 65536 bytes" },
	[TRACE_P_CLOCK] = { "clock",
		"no timestamp in seconds (trace_clock local, mono or boot; perf script -F +time)" },
	[TRACE_P_BACKWARDS] = { "backwards", "time runs backwards on a vCPU" },
	[TRACE_P_JUMP] = { "jump",
		"time jumps by over a minute, or back by over a second: mixed clocks?" },
	[TRACE_P_NO_ENTRY] = { "no-entry", "exit without an entry before it" },
	[TRACE_P_NO_EXIT] = { "no-exit", "entry without an exit after it" },
	[TRACE_P_VCPU] = { "vcpu", "vCPU unknown or its number not in 0..2147483648" },
	[TRACE_P_MANY] = { "many-vcpus", "event of a vCPU past the first 4096" },
	[TRACE_P_UNPARSED] = { "unparsed",
		"[FAILED TO PARSE] by the tool that printed it (raw fields used)" },
	[TRACE_P_LOST] = { "lost", "events lost while recording" },
	[TRACE_P_DAMAGED] = { "damaged", "packed data cut, damaged or in need of over 128 MiB: read "
					 "up to there" },
	[TRACE_P_GREW] = { "grew", "the file grew while it was read (the new part was not)" },
};

int trace_problem(struct trace_problems *p, enum trace_problem kind, uint64_t line,
		  struct err *err)
{
	if (p->count[kind] < TRACE_P_LINES)
		p->line[kind][p->count[kind]] = line;
	p->count[kind]++;
	if (!p->strict)
		return 0;
	return err_at(err, p->file, line > UINT_MAX ? 0 : (unsigned)line,
		      "%s; a whole and regular trace has none (--strict)", kinds[kind].text);
}

uint64_t trace_problem_total(const struct trace_problems *p)
{
	uint64_t total = 0;

	for (unsigned k = 0; k < TRACE_P_KINDS; k++)
		total += p->count[k];
	return total;
}

const char *trace_problem_name(enum trace_problem kind)
{
	return kinds[kind].name;
}

const char *trace_problem_text(enum trace_problem kind)
{
	return kinds[kind].text;
}
