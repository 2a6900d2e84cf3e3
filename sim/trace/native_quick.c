// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line of a native trace as trace_native_put() writes it, read where it lies
 * in the buffer. What is written any other way, or wrong, is left to the reader
 * of words, which takes it or says what is wrong: both give the same intents.
 */
#define _DEFAULT_SOURCE
#include <endian.h>
#include <string.h>

#include "trace/native_part.h"

#define ZEROS UINT64_C(0x3030303030303030)
#define DIGITS_MAX 18  /* any number of so many is below TRACE_NS_MAX */

/* Up to eight digits at once: the value, and in *n how many they were. */
static uint64_t eight_digits(const char *s, unsigned *n)
{
	uint64_t x, other;

	memcpy(&x, s, sizeof(x));
	x = le64toh(x) ^ ZEROS;
	other = ((x + UINT64_C(0x7676767676767676)) | x) & UINT64_C(0x8080808080808080);
	*n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
	if (!*n)
		return 0;
	x <<= 64 - 8 * *n; /* zeros in front */
	x = x * 10 + (x >> 8);
	return ((x & UINT64_C(0xff000000ff)) * (100 + (UINT64_C(1000000) << 32)) +
		(x >> 16 & UINT64_C(0xff000000ff)) * (1 + (UINT64_C(10000) << 32))) >> 32;
}

/* One of eight digits or more, which is rare enough to be kept out of what is inlined. */
static __attribute__((noinline)) const char *long_number(const char *s, char end, uint64_t *v)
{
	static const uint64_t scale[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
					  100000000 };
	unsigned n, digits;
	uint64_t more;

	*v = eight_digits(s, &n);
	for (digits = n; n == 8; digits += n) {
		more = eight_digits(s + digits, &n);
		if (digits + n > DIGITS_MAX)
			return NULL;
		*v = *v * scale[n] + more;
	}
	return s[digits] == end ? s + digits + 1 : NULL;
}

/* A number that `end` follows: behind that, or NULL. */
static inline const char *number(const char *s, char end, uint64_t *v)
{
	unsigned n;

	*v = eight_digits(s, &n);
	if (n == 8)
		return long_number(s, end, v);
	return n && s[n] == end ? s + n + 1 : NULL;
}

/* A name that `end` follows, if it is the one that the trace named last. */
static const char *name(struct trace_native *n, const char *s, char end, struct trace_intent *i)
{
	const struct trace_word *w = &n->names.w[n->last_name];

	if (!w->len || memcmp(s, w->s, w->len) || s[w->len] != end)
		return NULL;
	i->name = n->last_name;
	return s + w->len + 1;
}

static const char *narrow(const char *s, uint64_t v, uint64_t max, uint32_t *to)
{
	*to = (uint32_t)v;
	return v <= max ? s : NULL;
}

static const char *arguments(struct trace_native *n, enum trace_native_args args, const char *s,
			     struct trace_intent *i)
{
	uint64_t v = 0;

	switch (args) {
	case TRACE_ARGS_NONE:
		return s;
	case TRACE_ARGS_NS:
		return number(s, '\n', &i->ns);
	case TRACE_ARGS_NAME:
		return name(n, s, '\n', i);
	case TRACE_ARGS_NAME_NS:
		s = name(n, s, ' ', i);
		return s ? number(s, '\n', &i->ns) : NULL;
	case TRACE_ARGS_FAULT:
		i->target = !memcmp(s, "inst\n", 5);
		return i->target || !memcmp(s, "data\n", 5) ? s + 5 : NULL;
	case TRACE_ARGS_VCPU:
		s = number(s, '\n', &v);
		return s ? narrow(s, v, TRACE_NATIVE_VCPUS_MAX - 1, &i->target) : NULL;
	case TRACE_ARGS_SPAN:
		s = number(s, ' ', &i->ns);
		s = s ? number(s, '\n', &v) : NULL;
		return s ? narrow(s, v, UINT32_MAX, &i->target) : NULL;
	case TRACE_ARGS_LATE: /* too rare to be quick about */
		return NULL;
	}
	return NULL;
}

void trace_native_quick_init(struct trace_native *n)
{
	for (int k = 0; k < TRACE_I_KINDS; k++) {
		const struct trace_native_kind *kind = &trace_native_kinds[k];
		size_t len = strlen(kind->name);
		char word[sizeof(uint64_t)] = "", mask[sizeof(uint64_t)] = "";

		memcpy(word, kind->name, len);
		word[len] = kind->args == TRACE_ARGS_NONE ? '\n' : ' ';
		memset(mask, 0xff, len + 1);
		n->quick[k].len = (unsigned)len + 1;
		memcpy(&n->quick[k].word, word, sizeof(word));
		memcpy(&n->quick[k].mask, mask, sizeof(mask));
	}
}

bool trace_native_quick(struct trace_native *n, struct trace_intent *i)
{
	const char *start = n->buf + n->start, *s;
	uint64_t vcpu, word;
	unsigned k;

	if (n->end - n->start <= TRACE_NATIVE_LINE_MAX)
		return false;
	if (start[1] == ' ' && start[0] >= '0' && start[0] <= '9') { /* guests are small */
		vcpu = (uint64_t)(start[0] - '0');
		s = start + 2;
	} else {
		s = number(start, ' ', &vcpu);
	}
	if (!s || vcpu >= TRACE_NATIVE_VCPUS_MAX || !n->declared[vcpu])
		return false;
	memcpy(&word, s, sizeof(word));
	for (k = 0; (word & n->quick[k].mask) != n->quick[k].word; )
		if (++k == TRACE_I_KINDS)
			return false;
	*i = (struct trace_intent){ .vcpu = (uint32_t)vcpu, .kind = (uint8_t)k };
	s = arguments(n, trace_native_kinds[k].args, s + n->quick[k].len, i);
	if (!s)
		return false;
	n->start += (size_t)(s - start);
	n->line++;
	return true;
}
