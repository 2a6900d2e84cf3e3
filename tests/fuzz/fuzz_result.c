// SPDX-License-Identifier: GPL-2.0-or-later
/* Results and baselines: whatever is read without an error is written, and reads back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/plot.h"
#include "report/report.h"
#include "report/result_read.h"
#include "study/change.h"
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

/* Every plot of every table, a result held against itself: no differences, no crash. */
static void use(struct mem *mem, const struct scn_result *r)
{
	static const char *const names[] = { "a", "b" };
	const struct study_tolerance all = { .table = "metrics", .percent = 0, .absolute = -1 };
	struct scn_result two[2] = { *r, *r }, out = { .mem = mem };
	struct study_gate g;

	if (study_diff_inputs(r, r, &out))
		abort();
	if (!study_gate(mem, r, r, &all, 1, false, "fuzz", &g, &(struct err)ERR_INIT))
		study_gate_report(&g, r, r, &out);
	for (unsigned t = 0; t < r->tables && t < 4; t++) {
		for (unsigned kind = 0; kind < REP_PLOT_KINDS; kind++) {
			struct text script = { 0 };
			struct rep_plot p = { .kind = kind, .table = r->table[t]->name, .result = two,
					      .results = 1 + t % 2, .name = names,
					      .format = t % 2 ? REP_PLOT_TEXT : REP_PLOT_SVG };

			rep_plot_script(&script, &p, &(struct err)ERR_INIT);
			text_free(&script);
		}
	}
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
		again(mem, &r), use(mem, &r);
	if (list && list->type == J_ARRAY)
		study_tolerances(mem, list, &t, &n, &(struct err)ERR_INIT);
	mem_free(mem);
	return 0;
}
