// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/elf_exec.h"

#include <string.h>

#include "report/elf_list.h"
#include "report/elf_walk.h"

static void kind_table(struct scn_result *r, const struct kelf_exec *x)
{
	static const char *const column[] = { "windows", "sequences", "of the commonest",
					      "instructions from", "to" };
	struct scn_table *t = scn_table_new(r, "kinds", "Windows by how the guest was left", "kind",
					    column, 5);

	for (size_t i = 0, end; i < x->n; i = end) {
		const struct kelf_shape *s = &x->shape[i];
		uint32_t least = s->least, most = s->most;
		struct scn_cell *cell;

		for (end = i + 1; end < x->n && !strcmp(x->shape[end].kind, s->kind); end++) {
			least = x->shape[end].least < least ? x->shape[end].least : least;
			most = x->shape[end].most > most ? x->shape[end].most : most;
		}
		cell = scn_table_row(t, rep_elf_name(r->mem, s->kind));
		cell[0] = scn_count(s->kind_windows);
		cell[1] = scn_count(end - i);
		cell[2] = scn_count(s->windows);
		cell[3] = scn_count(least);
		cell[4] = scn_count(most);
	}
	if (x->unknown)
		*scn_table_row(t, "blocks without translation") = scn_count(x->unknown);
}

void rep_elf_exec(struct scn_result *r, const struct kelf_exec *x, const struct kelf_shape *show)
{
	kind_table(r, x);
	rep_elf_seq(r, &show->seq, mem_printf(r->mem, "The commonest window of %s, %zu of %zu",
					      show->kind, show->windows, show->kind_windows));
}
