// SPDX-License-Identifier: GPL-2.0-or-later
/* Request models from any bytes, and all that the analysis does with what loads. */
#include <stddef.h>
#include <stdint.h>

#include "hv/x86_order.h"
#include "report/rep_requests.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void analyse(struct mem *mem, const struct x86_model *m)
{
	struct rep_requests r = { .model = m, .in = x86_set_all(m), .orders = m->orders };
	struct err err = ERR_INIT;
	struct text out = { 0 };

	for (unsigned i = 0; i < m->orders; i++)
		r.order[i] = &m->order[i];
	rep_requests_table(mem, &r, REP_MARKDOWN, &out, &err);
	rep_requests_json(mem, &r, &out, &err);
	rep_requests_dot(&r, &out);
	text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	struct x86_model *m = root ? x86_model_from(mem, root, &err) : NULL;

	if (m)
		analyse(mem, m);
	mem_free(mem);
	return 0;
}
