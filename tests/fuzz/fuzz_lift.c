// SPDX-License-Identifier: GPL-2.0-or-later
/* Lifting: whatever the capture holds, the native trace made of it can be read. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/lift.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };

static struct trace_reader *reader(const uint8_t *data, size_t size, struct err *err)
{
	return trace_reader_on(trace_source_bytes("fuzz", (const char *)data, size), false, err);
}

static void read_back(const struct text *native)
{
	struct trace_source *src = trace_source_bytes("native", native->s, native->len);
	struct err err = ERR_INIT;
	struct trace_native *n = trace_native_on(src, &err);
	struct trace_intent i;

	while (n && trace_native_next(n, &i, &err) > 0)
		;
	if (err.set) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	trace_native_close(n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct trace_reader *r = reader(data, size, &err);
	struct trace_facts facts;
	struct trace_lifted lifted;
	struct trace_sink *sink;
	struct text native = { 0 };
	int status;

	if (!r)
		return 0;
	status = trace_facts_read(&facts, r, &limits, 0, &err);
	trace_reader_close(r);
	if (status < 0) {
		trace_facts_done(&facts);
		return 0;
	}
	r = reader(data, size, &err);
	sink = trace_sink_text(&native);
	status = trace_lift(&lifted, r, &limits, &facts, sink, &err);
	trace_reader_close(r);
	trace_sink_abort(sink);
	trace_facts_done(&facts);
	if (status == 0)
		read_back(&native);
	text_free(&native);
	return 0;
}
