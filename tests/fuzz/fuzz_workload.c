// SPDX-License-Identifier: GPL-2.0-or-later
/* Descriptions of workloads, as far as their first milliseconds. */
#include <stddef.h>
#include <stdint.h>

#include "trace/synth.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct text out = { 0 };
	struct trace_synth s;
	struct trace_sink *sink;
	uint64_t intents;

	if (trace_synth_from(mem, "fuzz", jdoc_parse(mem, "fuzz", (const char *)data, size, &err), &s,
			     &err) == 0) {
		s.duration = 200000; /* what a description may ask for takes longer than a fuzzer
					waits */
		sink = trace_sink_text(&out);
		trace_synth_write(&s, sink, &intents, &err);
		trace_sink_abort(sink);
	}
	text_free(&out);
	mem_free(mem);
	return 0;
}
