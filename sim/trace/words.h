/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small table of the words a trace uses (event names, exit causes, hcalls):
 * a number for each word, in the order of first use. Bounded, so that junk
 * can't make it grow: past the bound every new word is TRACE_WORD_OTHER.
 */
#ifndef HVSIM_TRACE_WORDS_H
#define HVSIM_TRACE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_WORDS_MAX 256
#define TRACE_WORD_LEN 48
#define TRACE_WORD_OTHER (TRACE_WORDS_MAX - 1)

struct trace_word {
	char s[TRACE_WORD_LEN];
	uint32_t len;
	uint32_t value;  /* the table's owner decides what it means */
	uint64_t count;  /* likewise */
};

struct trace_words {
	struct trace_word w[TRACE_WORDS_MAX];
	unsigned n;      /* words in use, TRACE_WORD_OTHER not counted */
};

/*
 * The number of a word of n bytes, entered when it is new. *fresh says whether
 * it was. Only the first TRACE_WORD_LEN - 1 bytes tell words apart; bytes that
 * aren't printable ASCII are kept as '?'.
 */
unsigned trace_word(struct trace_words *words, const char *s, size_t n, int *fresh);

#endif
