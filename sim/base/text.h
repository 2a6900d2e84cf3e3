/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small helpers for text: suggestions, numbers, growing buffers. */
#ifndef HVSIM_BASE_TEXT_H
#define HVSIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The name nearest to `word` among n names, or NULL when none is near enough
 * to be worth suggesting (more than a third of the letters differ).
 */
const char *text_nearest(const char *word, const char *const *names, size_t n);

/*
 * Parse a whole string as a decimal number scaled to millionths: "1.25" gives
 * 1250000. At most six decimals, no exponent. False when it isn't one or does
 * not fit.
 */
bool text_to_micro(const char *s, int64_t *micro);

/* Parse a whole string as an unsigned decimal or 0x hexadecimal integer. */
bool text_to_u64(const char *s, uint64_t *out);

/* A string that grows. Zero-initialise, free with text_free(). Never NULL after an append. */
struct text {
	char *s;
	size_t len, cap;
};

void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *t, const char *bytes, size_t n);
void text_free(struct text *t);

/* Columns a UTF-8 string takes on a terminal, control characters counted as none. */
unsigned text_columns(const char *s);

#endif
