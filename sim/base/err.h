/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one way hvsim reports an error.
 *
 * A function that can fail takes `struct err *` as its last parameter and
 * returns -1 (or NULL for a pointer) after filling it; 0 or a pointer is
 * success. The first error wins: setting an error that is already set keeps
 * the first. Only sim/cli prints errors and chooses exit codes.
 */
#ifndef HVSIM_BASE_ERR_H
#define HVSIM_BASE_ERR_H

#include <stdbool.h>

#define ERR_TEXT_MAX 1024

struct err {
	bool set;
	char text[ERR_TEXT_MAX]; /* one line: "FILE:LINE: what is wrong, and what would be right" */
};

#define ERR_INIT { .set = false, .text = "" }

/* Set an error with no position. Always returns -1. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Set an error at a line of a file. line 0 means the line is unknown and is
 * left out. Control characters in the text are replaced, so that the error
 * stays one line whatever the input held. Always returns -1.
 */
int err_at(struct err *err, const char *file, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
