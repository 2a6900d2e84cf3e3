// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdint.h>
#include <stdlib.h>

#include "study/sweep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct study_points p;

	if (study_points_parse(mem, "fuzz", (const char *)data, size, &p, &err) < 0) {
		if (!err.set)
			__builtin_trap();
	} else if (p.points * p.words < 100000) {
		struct study_sweep s = { .points = p.points, .words = p.words };

		s.record = mem_alloc(mem, s.points * s.words, sizeof(*s.record));
		s.have = mem_alloc(mem, s.points, 1);
		study_points_take(&p, &s, &err);
	}
	for (unsigned i = 0; !err.set && i < p.overs; i++) {
		struct study_over o;

		study_over_parse(mem, p.over[i], &o, &err);
	}
	mem_free(mem);
	return 0;
}
