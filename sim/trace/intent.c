// SPDX-License-Identifier: GPL-2.0-or-later
/* One intent of a native trace, to and from its line. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/native_part.h"

const struct trace_native_kind trace_native_kinds[TRACE_I_KINDS] = {
	[TRACE_I_COMPUTE] = { "compute", TRACE_ARGS_NS, "compute NS" },
	[TRACE_I_TIMER] = { "timer", TRACE_ARGS_NS, "timer NS" },
	[TRACE_I_IDLE] = { "idle", TRACE_ARGS_NONE, "idle" },
	[TRACE_I_HCALL] = { "hcall", TRACE_ARGS_NAME, "hcall NAME" },
	[TRACE_I_FAULT] = { "fault", TRACE_ARGS_FAULT, "fault data|inst" },
	[TRACE_I_IPI] = { "ipi", TRACE_ARGS_VCPU, "ipi VCPU" },
	[TRACE_I_IRQ] = { "irq", TRACE_ARGS_NS, "irq NS" },
	[TRACE_I_HOST] = { "host", TRACE_ARGS_NAME_NS, "host NAME NS" },
	[TRACE_I_OTHER] = { "other", TRACE_ARGS_NAME, "other NAME" },
	[TRACE_I_LATE] = { "late", TRACE_ARGS_LATE, "late NS SPAN [TURNS]" },
	[TRACE_I_AWAY] = { "away", TRACE_ARGS_SPAN, "away NS SPAN" },
	[TRACE_I_TICK] = { "tick", TRACE_ARGS_NS, "tick NS" },
	[TRACE_I_RAN] = { "ran", TRACE_ARGS_SPAN, "ran NS SPAN" },
};

int trace_native_err(const struct trace_native *n, struct err *err, const char *fmt, ...)
{
	char text[ERR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err_at(err, n->file, n->line > UINT_MAX ? 0 : (unsigned)n->line, "%s", text);
}

void trace_native_split(char *line, struct trace_words_of *w)
{
	w->n = 0;
	for (;;) {
		line += strspn(line, " \t");
		if (!*line)
			return;
		if (w->n == TRACE_WORDS_OF_LINE) {
			w->n++;
			return;
		}
		w->w[w->n++] = line;
		line += strcspn(line, " \t");
		if (*line)
			*line++ = '\0';
	}
}

bool trace_native_number(const char *s, uint64_t max, uint64_t *v)
{
	uint64_t x = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned d = (unsigned)(unsigned char)*s - '0';

		if (d > 9 || x > (max - d) / 10)
			return false;
		x = x * 10 + d;
	}
	*v = x;
	return x <= max;
}

static int name_of(struct trace_native *n, const char *s, struct trace_intent *i, struct err *err)
{
	int fresh;

	if (strlen(s) >= TRACE_WORD_LEN)
		return trace_native_err(n, err, "a name of over %d letters", TRACE_WORD_LEN - 1);
	for (const char *c = s; *c; c++)
		if (*c < '!' || *c > '~')
			return trace_native_err(n, err, "a name must be of printable letters");
	i->name = n->last_name = (uint16_t)trace_word(&n->names, s, strlen(s), &fresh);
	return 0;
}

/* The arguments after the kind's word: 1 good, 0 wrong, -1 with *err set. */
static int arguments(struct trace_native *n, enum trace_native_args args, char **w,
		     unsigned count, struct trace_intent *i, struct err *err)
{
	static const unsigned counts[] = { 0, 1, 1, 1, 1, 2, 2, 2 };
	uint64_t v;

	if (count != counts[args] && !(args == TRACE_ARGS_LATE && count == 3))
		return 0;
	switch (args) {
	case TRACE_ARGS_NONE:
		return 1;
	case TRACE_ARGS_NS:
		return trace_native_number(w[0], TRACE_NS_MAX, &i->ns);
	case TRACE_ARGS_NAME_NS:
		if (!trace_native_number(w[1], TRACE_NS_MAX, &i->ns))
			return 0;
		return name_of(n, w[0], i, err) < 0 ? -1 : 1;
	case TRACE_ARGS_NAME:
		return name_of(n, w[0], i, err) < 0 ? -1 : 1;
	case TRACE_ARGS_FAULT:
		i->target = !strcmp(w[0], "inst");
		return i->target || !strcmp(w[0], "data");
	case TRACE_ARGS_VCPU:
		if (!trace_native_number(w[0], TRACE_NATIVE_VCPUS_MAX - 1, &v))
			return 0;
		i->target = (uint32_t)v;
		return 1;
	case TRACE_ARGS_LATE:
		if (count == 3 && !trace_native_number(w[2], UINT32_MAX, &v))
			return 0;
		i->turns = count == 3 ? (uint32_t)v : 0;
		/* fall through */
	case TRACE_ARGS_SPAN:
		if (!trace_native_number(w[0], TRACE_NS_MAX, &i->ns) ||
		    !trace_native_number(w[1], UINT32_MAX, &v))
			return 0;
		i->target = (uint32_t)v;
		return 1;
	}
	return 0;
}

static int kind_of(const char *word)
{
	for (int k = 0; k < TRACE_I_KINDS; k++)
		if (!strcmp(word, trace_native_kinds[k].name))
			return k;
	return -1;
}

static int unknown(struct trace_native *n, const char *word, struct err *err)
{
	const char *names[TRACE_I_KINDS];
	const char *near;

	for (int k = 0; k < TRACE_I_KINDS; k++)
		names[k] = trace_native_kinds[k].name;
	near = text_nearest(word, names, TRACE_I_KINDS);
	return trace_native_err(n, err, "'%s' is no intent%s%s%s", word, near ? " (did you mean '" : "",
				near ? near : "", near ? "'?)" : "");
}

static const char *limit_of(enum trace_native_args args)
{
	if (args == TRACE_ARGS_SPAN || args == TRACE_ARGS_LATE)
		return ", SPAN and TURNS at most 4294967295, NS at most 4611686018427387904";
	if (args == TRACE_ARGS_NS || args == TRACE_ARGS_NAME_NS)
		return ", NS at most 4611686018427387904";
	return "";
}

int trace_native_intent(struct trace_native *n, char *line, struct trace_intent *i, struct err *err)
{
	struct trace_words_of w;
	uint64_t vcpu;
	int kind, good;

	trace_native_split(line, &w);
	*i = (struct trace_intent){ 0 };
	if (w.n <= TRACE_WORDS_OF_LINE && w.n && !strcmp(w.w[w.n - 1], "?")) {
		i->doubt = true;
		w.n--;
	}
	if (w.n < 2 || w.n > TRACE_WORDS_OF_LINE ||
	    !trace_native_number(w.w[0], TRACE_NATIVE_VCPUS_MAX - 1, &vcpu))
		return trace_native_err(n, err, "must be 'VCPU INTENT …', VCPU below %d",
					TRACE_NATIVE_VCPUS_MAX);
	if (!n->declared[vcpu])
		return trace_native_err(n, err, "vcpu %llu isn't declared: 'vcpu %llu' must come first",
					(unsigned long long)vcpu, (unsigned long long)vcpu);
	kind = kind_of(w.w[1]);
	if (kind < 0)
		return unknown(n, w.w[1], err);
	i->vcpu = (uint32_t)vcpu;
	i->kind = (uint8_t)kind;
	good = arguments(n, trace_native_kinds[kind].args, w.w + 2, w.n - 2, i, err);
	if (good == 0)
		return trace_native_err(n, err, "must be 'VCPU %s'%s", trace_native_kinds[kind].usage,
					limit_of(trace_native_kinds[kind].args));
	return good < 0 ? -1 : 0;
}

static char *put_number(char *p, uint64_t v)
{
	char digits[20];
	unsigned n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*p++ = digits[--n];
	return p;
}

static char *put_word(char *p, const char *s)
{
	*p++ = ' ';
	while (*s)
		*p++ = *s++;
	return p;
}

void trace_native_put(struct text *out, const struct trace_intent *i, const char *name)
{
	char line[4 * 21 + TRACE_WORD_LEN + 16];
	char *p = put_number(line, i->vcpu);

	p = put_word(p, trace_native_kinds[i->kind].name);
	switch (trace_native_kinds[i->kind].args) {
	case TRACE_ARGS_NONE:
		break;
	case TRACE_ARGS_NAME_NS:
	case TRACE_ARGS_NAME:
		p = put_word(p, name);
		if (trace_native_kinds[i->kind].args == TRACE_ARGS_NAME)
			break;
		/* fall through */
	case TRACE_ARGS_NS:
		*p++ = ' ';
		p = put_number(p, i->ns);
		break;
	case TRACE_ARGS_FAULT:
		p = put_word(p, i->target ? "inst" : "data");
		break;
	case TRACE_ARGS_LATE:
	case TRACE_ARGS_SPAN:
		*p++ = ' ';
		p = put_number(p, i->ns);
		/* fall through */
	case TRACE_ARGS_VCPU:
		*p++ = ' ';
		p = put_number(p, i->target);
		break;
	}
	if (i->turns) {
		*p++ = ' ';
		p = put_number(p, i->turns);
	}
	if (i->doubt)
		p = put_word(p, "?");
	*p++ = '\n';
	text_add_bytes(out, line, (size_t)(p - line));
}

/* Text that stays on its line. */
static void put_text(struct text *out, const char *key, const char *s)
{
	const char *end;

	for (; *s; s = *end ? end + 1 : end) {
		end = s + strcspn(s, "\n");
		text_add(out, "%s ", key);
		for (const char *c = s; c < end && c < s + TRACE_NATIVE_LINE_MAX - 20; c++)
			text_add_bytes(out, (unsigned char)*c < ' ' ? "?" : c, 1);
		text_add(out, "\n");
	}
}

void trace_native_put_head(struct text *out, const struct trace_native_head *head)
{
	text_add(out, "hvsim-trace %d\n", TRACE_NATIVE_VERSION);
	if (head->source.len)
		put_text(out, "source", head->source.s);
	text_add(out, "clock ns\n");
	if (head->floor_ns)
		text_add(out, "floor %llu\n", (unsigned long long)head->floor_ns);
	if (head->spin_ns)
		text_add(out, "spin %llu\n", (unsigned long long)head->spin_ns);
	if (head->l1_hz)
		text_add(out, "l1-hz %llu\n", (unsigned long long)head->l1_hz);
	if (head->host_recorded)
		text_add(out, "host recorded\n");
	if (head->end_ns)
		text_add(out, "end %llu\n", (unsigned long long)head->end_ns);
	if (head->assume.len)
		put_text(out, "assume", head->assume.s);
}

void trace_native_put_vcpu(struct text *out, uint32_t vcpu, uint64_t at_ns, uint64_t tick_ns,
			   const char *note)
{
	if (note)
		text_add(out, "# %s\n", note);
	text_add(out, "vcpu %u at %llu", vcpu, (unsigned long long)at_ns);
	if (tick_ns)
		text_add(out, " tick %llu", (unsigned long long)tick_ns);
	text_add(out, "\n");
}
