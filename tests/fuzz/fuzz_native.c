// SPDX-License-Identifier: GPL-2.0-or-later
/* Native traces, read and written again. */
#include <stddef.h>
#include <stdint.h>

#include "trace/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_source *src = trace_source_bytes("fuzz", (const char *)data, size);
	struct err err = ERR_INIT;
	struct trace_native *n = trace_native_on(src, &err);
	struct trace_intent i;
	struct text out = { 0 };

	while (n && trace_native_next(n, &i, &err) > 0)
		trace_native_put(&out, &i, n->names.w[i.name].s);
	if (n)
		trace_native_put_head(&out, &n->head);
	trace_native_close(n);
	text_free(&out);
	return 0;
}
