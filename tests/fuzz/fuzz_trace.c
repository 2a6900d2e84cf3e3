// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace readers, from bytes to what `hvsim trace info` prints. */
#include <stddef.h>
#include <stdint.h>

#include "report/trace_info.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };
	bool strict = size && data[size - 1] == '!';
	struct trace_source *src = trace_source_bytes("fuzz", (const char *)data, size);
	struct err err = ERR_INIT;
	struct trace_reader *r = trace_reader_on(src, strict, &err);
	struct trace_stats stats = { 0 };
	struct text out = { 0 };

	if (!r)
		return 0;
	if (trace_stats_read(&stats, r, &limits, NULL, &err) == 0)
		for (int f = REP_TABLE; f <= REP_JSON; f++)
			rep_trace_info(&stats, (enum rep_format)f, &out);
	text_free(&out);
	trace_stats_done(&stats);
	trace_reader_close(r);
	return 0;
}
