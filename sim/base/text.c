// SPDX-License-Identifier: GPL-2.0-or-later
#define _XOPEN_SOURCE 700
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"

#define WORD_MAX 64

/* Levenshtein distance with one row, case ignored; both at most WORD_MAX letters. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[WORD_MAX + 1];
	size_t la = strlen(a), lb = strlen(b);

	for (size_t j = 0; j <= lb; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned diag = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
			unsigned best = diag + !same;

			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diag = row[j];
			row[j] = best;
		}
	}
	return row[lb];
}

const char *text_nearest(const char *word, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t len = strlen(word);
	unsigned best_d = (unsigned)(len + 2) / 3 + 1;

	if (len > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		unsigned d;

		if (strlen(names[i]) > WORD_MAX)
			continue;
		d = distance(word, names[i]);
		if (d < best_d) {
			best_d = d;
			best = names[i];
		}
	}
	return best;
}

bool text_to_micro(const char *s, int64_t *micro)
{
	bool neg = *s == '-', digits = false;
	int64_t v = 0;
	int decimals = -1;

	for (s += neg; *s; s++) {
		if (*s == '.' && decimals < 0) {
			decimals = 0;
			continue;
		}
		if (!isdigit((unsigned char)*s) || decimals == 6)
			return false;
		digits = true;
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *s - '0', &v))
			return false;
		decimals += decimals >= 0;
	}
	for (int i = decimals < 0 ? 0 : decimals; i < 6; i++)
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	*micro = neg ? -v : v;
	return digits;
}

bool text_to_u64(const char *s, uint64_t *out)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	char *end;

	if (!isxdigit((unsigned char)s[hex ? 2 : 0]))
		return false;
	errno = 0;
	*out = strtoull(s, &end, hex ? 16 : 10);
	return !*end && !errno;
}

void text_add_bytes(struct text *t, const char *bytes, size_t n)
{
	t->s = mem_grow(t->s, &t->cap, t->len + n + 1, 1);
	memcpy(t->s + t->len, bytes, n);
	t->len += n;
	t->s[t->len] = '\0';
}

void text_add(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	t->s = mem_grow(t->s, &t->cap, t->len + (size_t)n + 1, 1);
	va_start(ap, fmt);
	vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->len += (size_t)n;
}

void text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}

unsigned text_columns(const char *s)
{
	mbstate_t state = { 0 };
	size_t left = strlen(s);
	unsigned columns = 0;

	while (left) {
		wchar_t wc;
		size_t n;

		if (*s >= ' ' && *s <= '~') { /* nearly all: as it is in every locale */
			columns++;
			s++;
			left--;
			continue;
		}
		n = mbrtowc(&wc, s, left, &state);
		if (n == (size_t)-1 || n == (size_t)-2) { /* not text in this locale: a column a byte */
			columns++;
			n = 1;
			state = (mbstate_t){ 0 };
		} else if (wcwidth(wc) > 0) {
			columns += (unsigned)wcwidth(wc);
		}
		s += n ? n : 1;
		left -= n ? n : 1;
	}
	return columns;
}
