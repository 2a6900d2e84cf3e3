// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading native traces: lines, the head, vCPUs. */
#include "trace/native.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "trace/native_part.h"

#define BUF_SIZE ((size_t)256 << 10)
#define ASSUME_MAX 100
#define L1_HZ_MAX 10000 /* as of a scenario's topology */

static int fill(struct trace_native *n, struct err *err)
{
	long got;

	memmove(n->buf, n->buf + n->start, n->end - n->start);
	n->end -= n->start;
	n->start = 0;
	got = trace_source_read(n->src, n->buf + n->end, BUF_SIZE - n->end, err);
	if (got < 0)
		return -1;
	n->ended = got == 0;
	digest_add(&n->digest, n->buf + n->end, (size_t)got);
	n->end += (size_t)got;
	return 0;
}

/* The next line, NUL-terminated in the buffer: 1, 0 at the end, -1. */
static int next_line(struct trace_native *n, char **line, struct err *err)
{
	char *s, *nl;

	for (;;) {
		s = n->buf + n->start;
		nl = memchr(s, '\n', n->end - n->start);
		if (nl || n->ended)
			break;
		if (n->end - n->start > TRACE_NATIVE_LINE_MAX)
			break;
		if (fill(n, err) < 0)
			return -1;
	}
	if (!nl && n->start == n->end) {
		if (!trace_source_whole(n->src))
			return err_at(err, n->file, 0, "packed data is cut or damaged; pack it again");
		return 0;
	}
	n->line++;
	if (!nl && n->ended)
		nl = n->buf + n->end;
	if (!nl || nl - s > TRACE_NATIVE_LINE_MAX)
		return trace_native_err(n, err, "line over %d bytes; an intent is shorter",
					TRACE_NATIVE_LINE_MAX);
	n->start = (size_t)(nl - n->buf) + (n->start + (size_t)(nl - s) < n->end);
	if (memchr(s, '\0', (size_t)(nl - s)))
		return trace_native_err(n, err, "a NUL byte; a native trace is text");
	*nl = '\0';
	if (nl > s && nl[-1] == '\r')
		nl[-1] = '\0';
	*line = s;
	return 1;
}

static int add_text(struct trace_native *n, struct text *t, const char *s, struct err *err)
{
	if (t->len > ASSUME_MAX * TRACE_NATIVE_LINE_MAX)
		return trace_native_err(n, err, "more text than a head may have");
	text_add(t, "%s%s", t->len ? "\n" : "", s);
	return 0;
}

/* What may follow a vCPU's number, in that order. */
static bool declared_time(const struct trace_words_of *w, unsigned at, const char *word, uint64_t *ns)
{
	return w->n <= at ||
	       (w->n >= at + 2 && !strcmp(w->w[at], word) &&
		trace_native_number(w->w[at + 1], TRACE_NS_MAX, ns));
}

static int declare(struct trace_native *n, char *args, struct err *err)
{
	struct trace_words_of w;
	uint64_t v, at = 0, tick = 0;

	trace_native_split(args, &w);
	if (!w.n || w.n > 5 || !trace_native_number(w.w[0], TRACE_NATIVE_VCPUS_MAX - 1, &v) ||
	    !declared_time(&w, 1, "at", &at) || !declared_time(&w, 3, "tick", &tick))
		return trace_native_err(n, err, "must be 'vcpu N', 'vcpu N at NS' or 'vcpu N at NS tick "
					"NS', N below %d", TRACE_NATIVE_VCPUS_MAX);
	if (n->declared[v])
		return trace_native_err(n, err, "vcpu %llu is declared twice", (unsigned long long)v);
	n->declared[v] = true;
	n->at[v] = at;
	n->tick[v] = tick;
	if (v >= n->vcpus)
		n->vcpus = (uint32_t)v + 1;
	return 0;
}

static int number(struct trace_native *n, const char *key, const char *s, uint64_t *v,
		  struct err *err)
{
	bool hz = !strcmp(key, "l1-hz");
	uint64_t lo = hz, hi = hz ? L1_HZ_MAX : TRACE_NS_MAX;

	if (!trace_native_number(s, hi, v) || *v < lo)
		return trace_native_err(n, err, "'%s' must be followed by a whole number from %llu to "
					"%llu", key, (unsigned long long)lo, (unsigned long long)hi);
	return 0;
}

/* Words of the head come once, before the intents; texts, vCPUs and the end have their own rules. */
static int check_place(struct trace_native *n, const char *key, unsigned k, struct err *err)
{
	bool repeats = !strcmp(key, "assume") || !strcmp(key, "vcpu");
	bool end = !strcmp(key, "end");

	if (n->over)
		return trace_native_err(n, err, "'%s' after 'end', which must be the last line", key);
	if (n->body && !end && strcmp(key, "vcpu"))
		return trace_native_err(n, err, "'%s' must come before the first intent", key);
	if (!repeats && n->said & 1u << k)
		return trace_native_err(n, err, "'%s' is said twice", key);
	n->said |= 1u << k;
	n->over = end;
	return 0;
}

/* A line that isn't an intent. */
static int directive(struct trace_native *n, char *line, struct err *err)
{
	static const char *const keys[] = { "source", "clock", "floor", "spin", "l1-hz", "end",
					    "assume", "vcpu", "host" };
	uint64_t *const numbers[] = { &n->head.floor_ns, &n->head.spin_ns, &n->head.l1_hz,
				      &n->head.end_ns };
	char *args = line + strcspn(line, " \t");
	const char *near;
	unsigned k;

	if (*args)
		*args++ = '\0';
	args += strspn(args, " \t");
	for (k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
		if (!strcmp(line, keys[k]))
			break;
	if (k < sizeof(keys) / sizeof(keys[0]) && check_place(n, keys[k], k, err) < 0)
		return -1;
	if (k == 0)
		return add_text(n, &n->head.source, args, err);
	if (k == 1)
		return strcmp(args, "ns") ? trace_native_err(n, err, "clock must be 'ns'") : 0;
	if (k < 6)
		return number(n, keys[k], args, numbers[k - 2], err);
	if (k == 6)
		return add_text(n, &n->head.assume, args, err);
	if (k == 7)
		return declare(n, args, err);
	if (k == 8) {
		n->head.host_recorded = true;
		return strcmp(args, "recorded") ? trace_native_err(n, err, "host must be 'recorded'")
						: 0;
	}
	near = text_nearest(line, keys, sizeof(keys) / sizeof(keys[0]));
	return trace_native_err(n, err, "'%s' is no word of a native trace%s%s%s", line,
				near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static int first_line(struct trace_native *n, struct err *err)
{
	char *line;
	int got = next_line(n, &line, err);

	if (got < 0)
		return -1;
	if (!got || strncmp(line, "hvsim-trace ", 12))
		return err_at(err, n->file, 1, "is no native trace: it must begin with 'hvsim-trace %d' "
			      "(hvsim trace import makes one of a capture)", TRACE_NATIVE_VERSION);
	if (strcmp(line + 12, "1"))
		return err_at(err, n->file, 1, "native trace version '%s'; this hvsim reads %d",
			      line + 12, TRACE_NATIVE_VERSION);
	return 0;
}

int trace_native_next(struct trace_native *n, struct trace_intent *intent, struct err *err)
{
	char *line;
	int got;

	for (;;) {
		if (!n->over && trace_native_quick(n, intent)) {
			n->body = true;
			return 1;
		}
		got = next_line(n, &line, err);
		if (got <= 0)
			return got;
		line += strspn(line, " \t");
		if (!*line || *line == '#')
			continue;
		if (*line >= '0' && *line <= '9' && n->over)
			return trace_native_err(n, err, "an intent after 'end', which must be the last "
						"line");
		n->body |= *line >= '0' && *line <= '9';
		if (*line >= '0' && *line <= '9')
			return trace_native_intent(n, line, intent, err) < 0 ? -1 : 1;
		if (directive(n, line, err) < 0)
			return -1;
	}
}

struct trace_native *trace_native_on(struct trace_source *src, struct err *err)
{
	struct trace_native *n = mem_zalloc(1, sizeof(*n));

	n->src = src;
	n->file = trace_source_name(src);
	n->buf = mem_zalloc(BUF_SIZE + 1, 1);
	n->at = mem_zalloc(TRACE_NATIVE_VCPUS_MAX, sizeof(*n->at));
	n->tick = mem_zalloc(TRACE_NATIVE_VCPUS_MAX, sizeof(*n->tick));
	n->declared = mem_zalloc(TRACE_NATIVE_VCPUS_MAX, sizeof(*n->declared));
	digest_start(&n->digest);
	trace_native_quick_init(n);
	if (first_line(n, err) < 0) {
		trace_native_close(n);
		return NULL;
	}
	return n;
}

struct trace_native *trace_native_open(const char *name, struct err *err)
{
	struct trace_source *src = trace_source_open(name, err);

	return src ? trace_native_on(src, err) : NULL;
}

void trace_native_close(struct trace_native *n)
{
	if (!n)
		return;
	trace_source_close(n->src);
	text_free(&n->head.source);
	text_free(&n->head.assume);
	free(n->at);
	free(n->tick);
	free(n->declared);
	free(n->buf);
	free(n);
}
