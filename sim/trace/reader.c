// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BUF_SIZE ((size_t)1 << 20)
#define JUMP_FORWARD_NS UINT64_C(60000000000)
#define JUMP_BACK_NS UINT64_C(1000000000)

/* Read more behind what is there, which moves to the front. False at the end or on error. */
static bool fill(struct trace_reader *r, struct err *err)
{
	long got;

	if (r->ended)
		return false;
	if (r->start) {
		memmove(r->buf, r->buf + r->start, r->end - r->start);
		r->end -= r->start;
		r->start = 0;
	}
	got = trace_source_read(r->src, r->buf + r->end, BUF_SIZE - r->end, err);
	if (got <= 0) {
		r->ended = true;
		return false;
	}
	r->end += (size_t)got;
	if (r->tick)
		r->tick(r->tick_arg, r->src);
	return true;
}

/* Formats people have in the same folder; say what makes text of them. */
static int binary_kind(const struct trace_reader *r, struct err *err)
{
	static const struct { const char *magic; size_t n; const char *what;
	} kinds[] = {
		{ "PERFILE2", 8, "is perf.data; give the output of 'perf script -i FILE'" },
		{ "hvsim-trace ", 12, "is a native trace; this reads captures" },
		{ "\x17\x08\x44tracing", 10,
		  "is trace.dat; give the output of 'trace-cmd report FILE'" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (r->end >= kinds[i].n && !memcmp(r->buf, kinds[i].magic, kinds[i].n))
			return err_at(err, r->problems.file, 0, "%s", kinds[i].what);
	return 0;
}

struct trace_reader *trace_reader_on(struct trace_source *src, bool strict, struct err *err)
{
	struct trace_reader *r = mem_zalloc(1, sizeof(*r));

	r->src = src;
	r->buf = mem_zalloc(BUF_SIZE, 1);
	r->problems.file = trace_source_name(src);
	r->problems.strict = strict;
	while (r->end < 16 && fill(r, err))
		;
	if (err->set || binary_kind(r, err) < 0) {
		trace_reader_close(r);
		return NULL;
	}
	return r;
}

struct trace_reader *trace_reader_open(const char *name, bool strict, struct err *err)
{
	struct trace_source *src = trace_source_open(name, err);

	return src ? trace_reader_on(src, strict, err) : NULL;
}

void trace_reader_close(struct trace_reader *r)
{
	if (!r)
		return;
	trace_source_close(r->src);
	free(r->buf);
	free(r);
}

/*
 * Find the end of the line that starts at `from` bytes behind start: *n is its
 * length, *next where the one after it starts. 1, 0 when there is no such line,
 * -1 when it is longer than TRACE_LINE_MAX.
 */
static int find_line(struct trace_reader *r, size_t from, size_t *n, size_t *next, struct err *err)
{
	size_t seen = 0;

	for (;;) {
		char *s = r->buf + r->start + from;
		size_t have = r->end - r->start - from;
		char *nl = have > seen ? memchr(s + seen, '\n', have - seen) : NULL;

		*n = nl ? (size_t)(nl - s) : have;
		*next = from + *n + (nl ? 1 : 0);
		if (*n > TRACE_LINE_MAX)
			return -1;
		if (nl)
			return 1;
		seen = have;
		if (!fill(r, err))
			return have && !err->set;
	}
}

/* Pass over the rest of a line that is too long. */
static void skip_line(struct trace_reader *r, struct err *err)
{
	for (;;) {
		char *s = r->buf + r->start;
		char *nl = memchr(s, '\n', r->end - r->start);

		if (nl) {
			r->start += (size_t)(nl - s) + 1;
			return;
		}
		r->start = r->end;
		if (!fill(r, err))
			return;
	}
}

static bool has_text(const char *s, size_t n)
{
	while (n && (*s == ' ' || *s == '\t' || *s == '\r')) {
		s++;
		n--;
	}
	return n && *s != '#';
}

/*
 * An event that is cut short may go on in the next line, when mail wrapped it:
 * join both and try again. *next is past the second line when that worked.
 */
static bool join(struct trace_reader *r, size_t n, size_t *next, struct trace_event *ev,
		 struct err *err)
{
	struct trace_event second;
	enum trace_problem problem;
	size_t from = *next, n2, next2;
	char *s, nl, cr = 0;

	if (from == n || find_line(r, from, &n2, &next2, err) != 1)
		return false;
	s = r->buf + r->start;
	if (from + n2 > TRACE_LINE_MAX || !has_text(s + from, n2))
		return false;
	if (trace_parse(&r->scratch, s + from, n2, &second, &problem) == TRACE_L_EVENT ||
	    problem != TRACE_P_JUNK)
		return false;
	nl = s[from - 1];
	s[from - 1] = ' ';
	if (n && s[n - 1] == '\r') {
		cr = '\r';
		s[n - 1] = ' ';
	}
	if (trace_parse(&r->parser, s, from + n2, ev, &problem) == TRACE_L_EVENT) {
		*next = next2;
		return true;
	}
	s[from - 1] = nl;
	if (cr)
		s[n - 1] = cr;
	return false;
}

/* One line: 1 an event, 0 none, -1 error. */
static int one_line(struct trace_reader *r, size_t n, size_t next, struct trace_event *ev,
		    struct err *err)
{
	enum trace_problem problem = TRACE_P_CUT;
	enum trace_line what = trace_parse(&r->parser, r->buf + r->start, n, ev, &problem);
	uint64_t line = r->line;

	ev->line = line;
	if (what == TRACE_L_PROBLEM && problem == TRACE_P_CUT && join(r, n, &next, ev, err)) {
		ev->line = line;
		r->line++;
		what = TRACE_L_EVENT;
		problem = TRACE_P_WRAPPED;
	}
	r->start += next;
	if (what == TRACE_L_NOTHING)
		return 0;
	if ((what == TRACE_L_PROBLEM || problem == TRACE_P_WRAPPED || problem == TRACE_P_UNPARSED) &&
	    trace_problem(&r->problems, problem, line, err) < 0)
		return -1;
	r->losses += problem == TRACE_P_LOST && what == TRACE_L_PROBLEM;
	r->events += what == TRACE_L_EVENT;
	return what == TRACE_L_EVENT;
}

static int at_end(struct trace_reader *r, struct err *err)
{
	if (r->finished)
		return 0;
	r->finished = true;
	if (trace_source_grew(r->src) &&
	    trace_problem(&r->problems, TRACE_P_GREW, r->line, err) < 0)
		return -1;
	if (!trace_source_whole(r->src) &&
	    trace_problem(&r->problems, TRACE_P_DAMAGED, r->line, err) < 0)
		return -1;
	return 0;
}

/* Lines come in order of time, or nearly so where a tool joins CPUs: clocks that differ don't. */
static void look_at_clock(struct trace_reader *r, const struct trace_event *ev, struct err *err)
{
	uint64_t last = r->last_ns;

	r->last_ns = ev->ns;
	if (last && (ev->ns > last + JUMP_FORWARD_NS || ev->ns + JUMP_BACK_NS < last))
		trace_problem(&r->problems, TRACE_P_JUMP, ev->line, err);
}

int trace_reader_next(struct trace_reader *r, struct trace_event *ev, struct err *err)
{
	size_t n, next;
	int got;

	for (;;) {
		got = find_line(r, 0, &n, &next, err);
		if (err->set)
			return -1;
		if (!got)
			break;
		r->line++;
		if (got < 0) {
			if (trace_problem(&r->problems, TRACE_P_LONG, r->line, err) < 0)
				return -1;
			skip_line(r, err);
			if (err->set)
				return -1;
			continue;
		}
		got = one_line(r, n, next, ev, err);
		if (got && !err->set)
			look_at_clock(r, ev, err);
		if (got || err->set)
			return err->set ? -1 : 1;
	}
	return at_end(r, err);
}

int trace_reader_check(const struct trace_reader *r, struct err *err)
{
	if (r->events || r->parser.format != TRACE_F_UNKNOWN)
		return 0;
	if (r->problems.count[TRACE_P_DAMAGED])
		return err_at(err, r->problems.file, 0, "%s, and that was nothing; pack it again",
			      trace_problem_text(TRACE_P_DAMAGED));
	if (r->problems.count[TRACE_P_CLOCK])
		return err_at(err, r->problems.file, (unsigned)r->problems.line[TRACE_P_CLOCK][0],
			      "%s", trace_problem_text(TRACE_P_CLOCK));
	return err_at(err, r->problems.file, 0, "holds no trace event; give text of ftrace, "
		      "'trace-cmd report' or 'perf script'");
}
