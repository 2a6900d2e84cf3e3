// SPDX-License-Identifier: GPL-2.0-or-later
/* One line: its anchor, what is before it, and lines that aren't events. */
#define _GNU_SOURCE
#include <string.h>

#include "trace/event.h"
#include "trace/fields.h"

#define NS_PER_S UINT64_C(1000000000)

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') <= 9;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

struct anchor {
	const char *ts, *point, *colon; /* point NULL: a timestamp without decimals */
	const char *name, *name_end, *text;
};

/* The event's name after the timestamp's colon; perf may print a period before it. */
static bool event_name(const char *p, const char *e, struct anchor *a)
{
	const char *t;

	for (;;) {
		while (p < e && is_space(*p))
			p++;
		for (t = p; t < e && !is_space(*t); t++)
			;
		if (t == p)
			return false;
		if (t[-1] == ':')
			break;
		for (const char *d = p; d < t; d++)
			if (!is_digit(*d))
				return false;
		p = t;
	}
	if (t - 1 == p)
		return false;
	a->name = p;
	a->name_end = t - 1;
	while (t < e && is_space(*t))
		t++;
	a->text = t;
	return true;
}

/* Find "TIMESTAMP: EVENT:". A timestamp without decimals is taken only when there is no other. */
static bool find_anchor(const char *s, const char *e, struct anchor *a)
{
	struct anchor whole = { 0 };

	for (const char *c = s; (c = memchr(c, ':', (size_t)(e - c))); c++) {
		const char *q = c;

		while (q > s && is_digit(q[-1]))
			q--;
		if (q == c)
			continue;
		a->colon = c;
		a->ts = q;
		a->point = NULL;
		if (q > s && q[-1] == '.' && c - q <= 9) {
			a->point = q - 1;
			for (q = a->point; q > s && is_digit(q[-1]); q--)
				;
			if (q == a->point || a->point - q > 10)
				continue;
			a->ts = q;
		}
		if ((q > s && !is_space(q[-1])) || !event_name(c + 1, e, a))
			continue;
		if (a->point)
			return true;
		if (!whole.ts)
			whole = *a;
	}
	*a = whole;
	return whole.ts;
}

static uint64_t timestamp(const struct anchor *a)
{
	static const uint32_t scale[] = { 1000000000, 100000000, 10000000, 1000000, 100000, 10000,
					  1000, 100, 10, 1 };
	uint64_t s = 0, frac = 0;

	for (const char *p = a->ts; p < a->point; p++)
		s = s * 10 + (uint64_t)(*p - '0');
	for (const char *p = a->point + 1; p < a->colon; p++)
		frac = frac * 10 + (uint64_t)(*p - '0');
	return s * NS_PER_S + frac * scale[a->colon - a->point - 1]; /* below 1e19 + 1e9: fits */
}

/* A task's number that ends before e: "comm-123", "comm 123", "12/123". */
static int64_t task_id(const char *s, const char *e)
{
	const char *q = e;
	int64_t v = 0;

	while (q > s && is_digit(q[-1]))
		q--;
	if (q == e || e - q > 10 || (q > s && q[-1] != '-' && q[-1] != '/' && !is_space(q[-1])))
		return -1;
	for (; q < e; q++)
		v = v * 10 + (*q - '0');
	return v;
}

/* What is before the timestamp, read backwards: flags, [cpu], (tgid), tid. Returns has flags. */
static bool prefix(const char *s, const char *ts, struct trace_event *ev)
{
	const char *p = ts, *q;
	bool flags = false;
	uint64_t cpu;

	while (p > s && is_space(p[-1]))
		p--;
	for (q = p; q > s && !is_space(q[-1]) && q[-1] != ']'; q--)
		;
	if (q == p && p > s && p[-1] == ']') {
		q = p;
	} else {
		const char *w = q;

		while (w > s && is_space(w[-1]))
			w--;
		if (w == s || w[-1] != ']') { /* no CPU (perf script -F …): the word may be the task */
			ev->tid = task_id(s, p);
			return false;
		}
		flags = true;
		q = w;
	}
	p = q - 1;
	for (q = p; q > s && is_digit(q[-1]); q--)
		;
	if (q == s || q[-1] != '[' || !trace_number(q, p, &cpu) || cpu >= TRACE_NO_CPU)
		return false;
	ev->cpu = (uint32_t)cpu;
	for (p = q - 1; p > s && is_space(p[-1]); p--)
		;
	if (p > s && p[-1] == ')') { /* (tgid), with ftrace's option record-tgid */
		q = memrchr(s, '(', (size_t)(p - s));
		for (p = q ? q : s; p > s && is_space(p[-1]); p--)
			;
	}
	ev->tid = task_id(s, p);
	return flags;
}

static void learn_format(struct trace_parser *p, const struct anchor *a, bool flags)
{
	if (p->format != TRACE_F_UNKNOWN)
		return;
	if (memchr(a->name, ':', (size_t)(a->name_end - a->name)))
		p->format = TRACE_F_PERF;
	else
		p->format = flags ? TRACE_F_FTRACE : TRACE_F_TRACE_CMD;
}

static const char *find_word(const char *s, const char *e, const char *word)
{
	size_t n = strlen(word);

	for (; (size_t)(e - s) >= n; s++)
		if (!strncasecmp(s, word, n))
			return s + n;
	return NULL;
}

static uint64_t number_at(const char *s, const char *e)
{
	const char *q;
	uint64_t v;

	while (s < e && is_space(*s))
		s++;
	for (q = s; q < e && is_digit(*q); q++)
		;
	return trace_number(s, q, &v) ? v : 0;
}

/* "[LOST 3 EVENTS]", "[3 EVENTS DROPPED]", "PERF_RECORD_LOST lost 3", "lost 3 events". */
static bool lost(struct trace_parser *p, const char *s, const char *e)
{
	const char *w = find_word(s, e, "PERF_RECORD_LOST");
	const char *dropped;
	uint64_t n = 0;

	if (w)
		w = find_word(w, e, "lost");
	else if (find_word(s, e, "events"))
		w = find_word(s, e, "lost ");
	if (w) {
		n = number_at(w, e);
	} else {
		dropped = find_word(s, e, "EVENTS DROPPED]");
		if (!dropped)
			return false;
		for (w = dropped; w > s && w[-1] != '['; w--)
			;
		n = number_at(w, e);
	}
	p->lost += n ? n : 1;
	return true;
}

/* ftrace's "# entries-in-buffer/entries-written: 212/300": the difference was overwritten. */
static void header(struct trace_parser *p, const char *s, const char *e)
{
	const char *w = find_word(s, e, "entries-written:");
	const char *slash;

	if (find_word(s, e, "# tracer:"))
		p->format = TRACE_F_FTRACE;
	if (!w || !(slash = memchr(w, '/', (size_t)(e - w))))
		return;
	if (number_at(slash + 1, e) > number_at(w, slash))
		p->overwritten += number_at(slash + 1, e) - number_at(w, slash);
}

/* A line without an anchor: nothing, a loss, or junk. */
static enum trace_line other_line(struct trace_parser *p, const char *s, const char *e,
				  enum trace_problem *problem)
{
	const char *w = s;
	const char *d;

	while (w < e && is_space(*w))
		w++;
	if (w == e)
		return TRACE_L_NOTHING;
	if (*w == '#') {
		header(p, w, e);
		return TRACE_L_NOTHING;
	}
	*problem = TRACE_P_LOST;
	if (lost(p, w, e))
		return TRACE_L_PROBLEM;
	/* The first line of trace-cmd report; lines of stacks: "=> func", "ffff0000 func+0x1 (obj)". */
	if (e - w > 9 && !memcmp(w, "version = ", 10))
		return TRACE_L_NOTHING;
	if (e - w > 5 && (!memcmp(w, "cpus=", 5) || !memcmp(w, "CPU ", 4))) {
		p->format = p->format == TRACE_F_UNKNOWN ? TRACE_F_TRACE_CMD : p->format;
		return TRACE_L_NOTHING;
	}
	if (e - w > 2 && w[0] == '=' && w[1] == '>')
		return TRACE_L_NOTHING;
	for (d = w; d < e && ((unsigned char)((*d | 0x20) - 'a') < 6 || is_digit(*d)); d++)
		;
	if (w > s && d - w >= 4 && d - w <= 16 && (d == e || is_space(*d)))
		return TRACE_L_NOTHING;
	/* perf script -F without time. */
	*problem = memmem(s, (size_t)(e - s), ":kvm_", 5) ? TRACE_P_CLOCK : TRACE_P_JUNK;
	return TRACE_L_PROBLEM;
}

enum trace_line trace_parse(struct trace_parser *p, const char *s, size_t n,
			    struct trace_event *ev, enum trace_problem *problem)
{
	const char *e = s + n;
	struct trace_word *word;
	struct anchor a;
	uint32_t kind;
	bool flags;
	int fresh;

	while (e > s && (e[-1] == '\r' || is_space(e[-1])))
		e--;
	if (s == e || *s == '#' || !find_anchor(s, e, &a))
		return other_line(p, s, e, problem);
	if (!a.point || timestamp(&a) >= TRACE_NS_MAX) {
		*problem = TRACE_P_CLOCK;
		return TRACE_L_PROBLEM;
	}
	*ev = (struct trace_event){ .cpu = TRACE_NO_CPU, .vcpu = TRACE_NO_VCPU, .tid = -1,
				    .ns = timestamp(&a) };
	flags = prefix(s, a.ts, ev);
	learn_format(p, &a, flags);
	ev->name = trace_word(&p->events, a.name, (size_t)(a.name_end - a.name), &fresh);
	word = &p->events.w[ev->name];
	if (fresh)
		word->value = trace_kind_of(a.name, (size_t)(a.name_end - a.name));
	kind = ev->name == TRACE_WORD_OTHER ? trace_kind_of(a.name, (size_t)(a.name_end - a.name))
					    : word->value;
	ev->kind = (enum trace_kind)(kind & ~TRACE_KIND_X86);
	ev->x86 = kind & TRACE_KIND_X86;
	if (ev->kind != TRACE_OTHER && !trace_fields(p, a.text, e, ev, problem))
		return TRACE_L_PROBLEM;
	if (ev->kind == TRACE_OTHER)
		*problem = TRACE_P_CUT;
	word->count++;
	return TRACE_L_EVENT;
}

const char *trace_format_name(enum trace_format format)
{
	static const char *const names[] = { "unknown", "ftrace", "trace-cmd report", "perf script" };

	return names[format];
}
