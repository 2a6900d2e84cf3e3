// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU model that loads must be usable: one op of each kind is priced with it, and what was
 * fitted together is drawn within its ranges.
 */
#include <string.h>

#include "base/jdoc.h"
#include "cpu/pipe.h"
#include "study/ensemble.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(const struct cpu_covariance *c)
{
	struct study_joint joint = { .covariance = *c };

	for (unsigned i = 0; i < c->n; i++) {
		joint.purpose[i] = i;
		joint.drawn[i] = true;
	}
	for (unsigned i = 0; i < c->n; i++) {
		const struct cpu_joint_param *q = &c->param[i];
		struct study_param p = { .lo = q->lo, .hi = q->hi, .step = 1000, .joint = &joint,
					 .at = i };
		int64_t v = study_draw(&p, 1, i);

		if (v < q->lo || v > q->hi)
			__builtin_trap();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct spr spr = { .number = 22, .name = "DEC", .class = SPR_SCOREBOARDED,
					.unit = SPR_TIMER };
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct jnode *root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	struct cpu_model *model = root ? cpu_model_from_node(mem, root, &err) : NULL;
	struct pipe_cfg cfg;
	struct pipe pipe;

	if (model) {
		draw(&model->covariance);
		pipe_cfg_init(&cfg, model);
		pipe_init(&pipe, &cfg);
		for (uint16_t k = 0; k < OP_KINDS; k++)
			pipe_op(&pipe, &(struct op){ .kind = k, .n = 1, .spr =
				k == OP_MFSPR || k == OP_MTSPR ? &spr : NULL });
		pipe_drain(&pipe);
	} else if (!err.set) {
		__builtin_trap();
	}
	mem_free(mem);
	return 0;
}
