// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a nestedv2 scenario: an error with a text, or a setup the model accepts. Rows of
 * "metrics" that can be read give targets.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/v2.h"
#include "study/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw_targets(struct mem *mem, const struct jnode *root)
{
	const struct jnode *list = jnode_get(root, "metrics");

	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct err err = ERR_INIT;
		struct scn_metric m;

		if (scn_metric_read(c, &m, &err) < 0 || !m.published)
			continue;
		for (const struct jnode *v = m.published->child; v; v = v->next) {
			struct study_target t;

			if (v->type != J_NUMBER || v != jnode_get(m.published, v->key))
				continue;
			t = study_target(mem, &m, v->key, true);
			if (study_target_draw(&t, 1, 2) < 0 || study_target_close(&t, true) < 0 ||
			    scn_amount_of(&m.allowed, v->micro) < 0)
				abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_options options = { .name = "fuzz.json" };
	struct scenario scn = { .options = &options, .file = "fuzz.json", .mem = mem, .seed = 1 };
	struct scn_view view = { 0 };
	struct scn_v2_traces traces = { 0 };
	struct scn_v2 v2;

	scn.policies = policy_load(mem, &err);
	view.model = cpu_model_load(mem, "power10", &err);
	if (!scn.policies || !view.model)
		abort();
	policy_defaults(scn.policies, &view.policy);
	view.root = jdoc_parse(mem, "fuzz.json", (const char *)data, size, &err);
	if (view.root)
		draw_targets(mem, view.root);
	if (view.root && scn_v2_load(&scn, &view, &traces, &v2, &err) == 0) {
		struct v2_result r;

		/* Short enough for a fuzzer, whatever the file says. */
		if (v2.setup.vcpus > 64)
			goto out;
		if (v2.setup.duration > 2000000)
			v2.setup.duration = 2000000;
		v2_run(&v2.setup, &r);
		v2_result_done(&r);
	} else if (!err.set || !err.text[0]) {
		abort();
	}
out:
	mem_free(mem);
	return 0;
}
