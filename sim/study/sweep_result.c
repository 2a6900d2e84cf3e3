// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/file.h"
#include "study/sweep.h"

static void describe(const struct study_sweep *s, struct scn_result *r)
{
	const struct scenario *scn = s->scn;
	const struct jnode *title = jnode_get(scn->root, "title");
	const char **names = mem_alloc(scn->mem, scn->variants, sizeof(*names));

	*r = (struct scn_result){ .mem = scn->mem, .set = s->options->set, .sets = s->options->sets,
				  .scenario = file_shown(scn->mem, scn->file), .kind = scn->kind,
				  .cpu = scn->cpu, .seed = scn->seed };
	r->title = mem_printf(scn->mem, "Sweep: %s", title && title->text ? title->text : scn->file);
	for (unsigned i = 0; i < scn->variants; i++)
		names[i] = scn->variant[i].name;
	r->variant = names;
	r->variants = scn->variants;
	scn_result_digest(r, "scenario and models", s->inputs);
}

static void tabulate_points(const struct study_sweep *s, struct scn_result *r)
{
	unsigned n = 0, columns = s->overs + s->metrics * s->cells;
	const char **column = mem_alloc(r->mem, columns, sizeof(*column));
	struct scn_table *t;
	char name[32];

	for (unsigned a = 0; a < s->overs; a++)
		column[n++] = s->over[a].key;
	for (unsigned m = 0; m < s->metrics; m++)
		for (unsigned v = 0; v < s->cells; v++)
			column[n++] = mem_printf(r->mem, "%s %s", s->metric[m].label,
						 v < s->scn->variants ? s->scn->variant[v].name :
									"difference");
	t = scn_table_new(r, "points", NULL, "point", column, columns);
	t->keys = s->overs;
	for (size_t p = 0; p < s->points; p++) {
		struct scn_cell *cell;

		snprintf(name, sizeof(name), "%zu", p);
		cell = scn_table_row(t, name);
		for (unsigned a = 0; a < s->overs; a++)
			*cell++ = scn_text(study_sweep_value(s, a, p));
		for (unsigned m = 0; m < s->metrics; m++)
			for (unsigned v = 0; v < s->cells; v++)
				*cell++ = study_sweep_cell(s, p, m, v);
	}
}

int study_sweep_result(struct study_sweep *s, struct scn_result *r, struct err *err)
{
	size_t missing = 0, first = 0;

	for (size_t p = s->points; p--;) {
		missing += !s->have[p];
		first = s->have[p] ? first : p;
	}
	if (missing)
		return err_set(err, "%zu of %zu points are missing, the first is point %zu: run the "
			       "shards that hold them", missing, s->points, first);
	describe(s, r);
	tabulate_points(s, r);
	return s->coarse ? 0 : study_sweep_even(s, r, err);
}
