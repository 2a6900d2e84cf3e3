// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/words.h"

#include <string.h>

static unsigned enter(struct trace_words *words, const char *s, size_t n)
{
	struct trace_word *w;

	if (words->n == TRACE_WORD_OTHER) {
		w = &words->w[TRACE_WORD_OTHER];
		memcpy(w->s, "(others)", sizeof("(others)"));
		w->len = sizeof("(others)") - 1;
		return TRACE_WORD_OTHER;
	}
	w = &words->w[words->n];
	memcpy(w->s, s, n);
	w->s[n] = '\0';
	w->len = (uint32_t)n;
	return words->n++;
}

unsigned trace_word(struct trace_words *words, const char *s, size_t n, int *fresh)
{
	char clean[TRACE_WORD_LEN];

	*fresh = 0;
	if (n > TRACE_WORD_LEN - 1)
		n = TRACE_WORD_LEN - 1;
	for (unsigned i = 0; i < words->n; i++)
		if (words->w[i].len == n && !memcmp(words->w[i].s, s, n))
			return i;
	for (size_t i = 0; i < n; i++)
		clean[i] = s[i] >= ' ' && s[i] <= '~' ? s[i] : '?';
	for (unsigned i = 0; i < words->n; i++)
		if (words->w[i].len == n && !memcmp(words->w[i].s, clean, n))
			return i;
	*fresh = words->n < TRACE_WORD_OTHER;
	return enter(words, clean, n);
}
