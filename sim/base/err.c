// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* An error is one line on a terminal: input bytes must not be able to break or recolour it. */
static void make_printable(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = '?';
}

static void fill(struct err *err, size_t used, const char *fmt, va_list ap)
{
	int n = vsnprintf(err->text + used, sizeof(err->text) - used, fmt, ap);

	if (n >= 0 && (size_t)n >= sizeof(err->text) - used)
		memcpy(err->text + sizeof(err->text) - 4, "...", 4);
	make_printable(err->text);
	err->set = true;
}

int err_set(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (err->set)
		return -1;
	va_start(ap, fmt);
	fill(err, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int err_at(struct err *err, const char *file, unsigned line, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (err->set)
		return -1;
	if (line)
		n = snprintf(err->text, sizeof(err->text), "%.400s:%u: ", file, line);
	else
		n = snprintf(err->text, sizeof(err->text), "%.400s: ", file);
	va_start(ap, fmt);
	fill(err, n > 0 ? (size_t)n : 0, fmt, ap);
	va_end(ap);
	return -1;
}
