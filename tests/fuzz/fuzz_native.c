// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Native traces. Text whose lines are as trace_native_put() writes them is read
 * another way than the same lines with CRLF: both have to give the same intents,
 * and the same error.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "trace/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct trace_native *open_bytes(const char *bytes, size_t n, struct err *err)
{
	return trace_native_on(trace_source_bytes("fuzz", bytes, n), err);
}

static bool same_intent(const struct trace_native *a, const struct trace_intent *x,
			const struct trace_native *b, const struct trace_intent *y)
{
	return x->ns == y->ns && x->vcpu == y->vcpu && x->target == y->target &&
	       x->kind == y->kind && x->doubt == y->doubt &&
	       !strcmp(a->names.w[x->name].s, b->names.w[y->name].s);
}

static void read_both(const struct text *lf, const struct text *crlf)
{
	struct err err = ERR_INIT, err_b = ERR_INIT;
	struct trace_native *a = open_bytes(lf->s, lf->len, &err);
	struct trace_native *b = open_bytes(crlf->s, crlf->len, &err_b);
	struct trace_intent x, y;
	int got = 1;

	if (!a != !b)
		abort();
	while (a && got > 0) {
		got = trace_native_next(a, &x, &err);
		if (trace_native_next(b, &y, &err_b) != got)
			abort();
		if (got > 0 && !same_intent(a, &x, b, &y))
			abort();
	}
	if (strcmp(err.text, err_b.text))
		abort();
	trace_native_close(a);
	trace_native_close(b);
}

static void read_and_write(const char *bytes, size_t n)
{
	struct err err = ERR_INIT;
	struct trace_native *trace = open_bytes(bytes, n, &err);
	struct trace_intent i;
	struct text out = { 0 };

	while (trace && trace_native_next(trace, &i, &err) > 0)
		trace_native_put(&out, &i, trace->names.w[i.name].s);
	if (trace)
		trace_native_put_head(&out, &trace->head);
	trace_native_close(trace);
	text_free(&out);
}

/* Plain text, its lines with both kinds of ends, and a tail behind the last. */
static void compare(const char *s, size_t n)
{
	const char *end = s + n;
	struct text lf = { 0 }, crlf = { 0 };

	while (s < end) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((nl ? nl : end) - s);

		if (len >= TRACE_NATIVE_LINE_MAX)
			break;
		text_add_bytes(&lf, s, len);
		text_add(&lf, "\n");
		text_add_bytes(&crlf, s, len);
		text_add(&crlf, "\r\n");
		s += len + 1;
	}
	for (unsigned k = 0; k < 2; k++) {
		text_add(&lf, "#%0500u\n", 0u);
		text_add(&crlf, "#%0500u\r\n", 0u);
	}
	read_both(&lf, &crlf);
	text_free(&lf);
	text_free(&crlf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;

	read_and_write(bytes, size);
	if (size && *bytes == 'h' && !memchr(bytes, '\r', size))
		compare(bytes, size);
	return 0;
}
