// SPDX-License-Identifier: GPL-2.0-or-later
/* Results and baselines: whatever is read without an error is written, and reads back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/result_read.h"
#include "study/gate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void again(struct mem *mem, const struct scn_result *r)
{
	struct text one = { 0 }, two = { 0 }, out = { 0 };
	struct err err = ERR_INIT;
	struct scn_result back;
	struct jnode *root;

	rep_result_json(&one, r);
	root = jdoc_parse(mem, "again", one.s, one.len, &err);
	if (root && !rep_result_from_node(mem, root, &back, &err)) {
		rep_result_json(&two, &back);
		if (strcmp(one.s, two.s))
			abort();
	}
	rep_result_cover(&out, r, &(struct rep_options){ .details = true });
	text_free(&one);
	text_free(&two);
	text_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	const struct jnode *list = root ? jnode_get(root, "tolerances") : NULL;
	struct study_tolerance *t;
	struct scn_result r;
	unsigned n;

	if (root && !rep_result_from_node(mem, root, &r, &err))
		again(mem, &r);
	if (list && list->type == J_ARRAY)
		study_tolerances(mem, list, &t, &n, &(struct err)ERR_INIT);
	mem_free(mem);
	return 0;
}
