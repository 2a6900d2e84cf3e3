// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/grid.h"
#include "study/order.h"

/* The points a table row is about: those with one value of an axis, or all. */
struct subset {
	const struct study_grid *g;
	unsigned axis;
	const char *value;   /* NULL: all */
	size_t points, calibrated, agree;
};

static const int64_t *record_of(const struct study_grid *g, size_t point)
{
	return g->record + point * g->words;
}

static bool holds(const struct subset *s, size_t point)
{
	return !s->value || !strcmp(study_grid_value(s->g, s->axis, point), s->value);
}

static struct subset count(const struct study_grid *g, unsigned axis, const char *value)
{
	struct subset s = { .g = g, .axis = axis, .value = value };

	for (size_t p = 0; p < g->points; p++) {
		if (!holds(&s, p))
			continue;
		s.points++;
		s.calibrated += record_of(g, p)[GRID_CALIBRATED] != 0;
		s.agree += record_of(g, p)[GRID_AGREES] != 0;
	}
	return s;
}

static size_t agreeing(const struct subset *s, unsigned metric)
{
	size_t n = 0;

	for (size_t p = 0; p < s->g->points; p++)
		n += holds(s, p) && study_grid_metric_of(s->g, p, metric)[GRID_METRIC_AGREES];
	return n;
}

/* A quantile of a metric's difference over the calibrated points. */
static struct scn_cell quantile(const struct subset *s, unsigned metric, unsigned percent)
{
	struct scn_cell cell = { .kind = SCN_PERCENT };
	int64_t *v = mem_zalloc(s->calibrated + 1, sizeof(*v));
	size_t n = 0;

	for (size_t p = 0; p < s->g->points; p++)
		if (holds(s, p) && record_of(s->g, p)[GRID_CALIBRATED])
			v[n++] = study_grid_metric_of(s->g, p, metric)[GRID_DIFFERENCE];
	study_sort(v, n);
	cell.v = study_quantile(v, n, percent, 100);
	free(v);
	return n ? cell : (struct scn_cell){ 0 };
}

static void add_counted(struct scn_table *t, const char *name, const struct subset *all, size_t n)
{
	struct scn_cell *cell = scn_table_row(t, name);

	cell[0] = scn_count(n);
	cell[1] = scn_share(n, all->points, 1);
	cell[2] = scn_share(n, all->calibrated, 1);
}

static void tabulate_grid(const struct study_grid *g, const struct subset *all,
			  struct scn_result *r)
{
	static const char *const column[] = { "points", "% of all", "% of calibrated" };
	struct scn_table *t = scn_table_new(r, "grid", NULL, "grid", column, 3);
	struct scn_cell *cell;

	add_counted(t, "all points", all, all->points);
	t->row[0].cell[2] = (struct scn_cell){ 0 };
	if (g->items) {
		cell = scn_table_row(
			t, "can't have been the published machine: calibration out of reach");
		cell[0] = scn_count(all->points - all->calibrated);
		cell[1] = scn_share(all->points - all->calibrated, all->points, 1);
		add_counted(t, "calibrated", all, all->calibrated);
	}
	for (unsigned i = 0; i < g->metrics; i++)
		if (g->metric[i].m.tolerance >= 0)
			add_counted(t, mem_printf(r->mem, "%s agrees", g->metric[i].m.label), all,
				    agreeing(all, i));
	add_counted(t, "all of these agree", all, all->agree);
}

static void tabulate_metrics(const struct study_grid *g, const struct subset *all,
			     struct scn_result *r)
{
	static const char *const column[] = { "published", "tolerance", "5 %", "median", "95 %",
					      "% agree", "role" };
	struct scn_table *t = scn_table_new(r, "metrics", "Difference between the variants over the "
					    "calibrated points", "metric", column, 7);

	for (unsigned i = 0; i < g->metrics; i++) {
		const struct study_grid_metric *m = &g->metric[i];
		struct scn_cell *cell = scn_table_row(t, m->m.label);

		cell[0] = (struct scn_cell){ .kind = SCN_PERCENT, .v = m->published };
		if (m->m.tolerance >= 0) {
			cell[1] = scn_decimal(m->m.tolerance, 2);
			cell[5] = scn_share(agreeing(all, i), all->calibrated, 1);
		}
		cell[2] = quantile(all, i, 5);
		cell[3] = quantile(all, i, 50);
		cell[4] = quantile(all, i, 95);
		cell[6] = scn_text(scn_role_name(m->m.role));
	}
}

static void add_value_row(const struct study_grid *g, struct scn_table *t, unsigned axis,
			  const char *value, struct mem *mem)
{
	struct scn_cell *cell = scn_table_row(t, mem_printf(mem, "%s = %s", g->axis[axis].key, value));
	struct subset s = count(g, axis, value);
	unsigned at = 0;

	cell[at++] = scn_count(s.points);
	cell[at++] = scn_count(s.calibrated);
	cell[at++] = scn_share(s.agree, s.calibrated, 1);
	for (unsigned i = 0; i < g->metrics; i++) {
		cell[at++] = quantile(&s, i, 50);
		if (g->metric[i].m.tolerance >= 0)
			cell[at] = scn_share(agreeing(&s, i), s.calibrated, 1);
		at++;
	}
}

static void tabulate_values(const struct study_grid *g, struct scn_result *r)
{
	unsigned n = 0, columns = 3 + 2 * g->metrics;
	const char **column = mem_alloc(r->mem, columns, sizeof(*column));
	struct scn_table *t;

	column[n++] = "points";
	column[n++] = "calibrated";
	column[n++] = "% all agree";
	for (unsigned i = 0; i < g->metrics; i++) {
		column[n++] = mem_printf(r->mem, "%s, median", g->metric[i].m.label);
		column[n++] = mem_printf(r->mem, "%s, %% agree", g->metric[i].m.label);
	}
	t = scn_table_new(r, "values", "By value of each axis", "axis", column, columns);
	for (unsigned a = 0; a < g->axes; a++)
		for (unsigned v = 0; v < g->axis[a].values; v++)
			add_value_row(g, t, a, g->axis[a].value[v], r->mem);
}

static void add_point_row(const struct study_grid *g, struct scn_table *t, size_t point)
{
	char name[32];
	struct scn_cell *cell;
	const int64_t *record = record_of(g, point), *part;

	snprintf(name, sizeof(name), "%zu", point + 1);
	cell = scn_table_row(t, name);
	for (unsigned a = 0; a < g->axes; a++)
		*cell++ = scn_text(study_grid_value(g, a, point));
	for (unsigned i = 0; i < g->items; i++) {
		part = study_grid_item_of(g, point, i);
		*cell++ = scn_decimal(part[GRID_VALUE], 6);
		*cell++ = scn_decimal(part[GRID_GOT], 2);
	}
	*cell++ = scn_text(record[GRID_CALIBRATED] ? "yes" : "no");
	for (unsigned i = 0; record[GRID_CALIBRATED] && i < g->metrics; i++, cell += 4) {
		part = study_grid_metric_of(g, point, i);
		cell[0] = cell[1] = (struct scn_cell){ .kind = part[GRID_SHAPE] & 255,
						       .digits = (unsigned)part[GRID_SHAPE] >> 8 };
		cell[0].v = part[GRID_A];
		cell[1].v = part[GRID_B];
		cell[2] = (struct scn_cell){ .kind = SCN_PERCENT, .v = part[GRID_DIFFERENCE] };
		if (g->metric[i].m.tolerance >= 0)
			cell[3] = scn_text(part[GRID_METRIC_AGREES] ? "yes" : "no");
	}
}

static void tabulate_points(const struct study_grid *g, struct scn_result *r)
{
	unsigned n = 0, columns = g->axes + 2 * g->items + 1 + 4 * g->metrics;
	const char **column = mem_alloc(r->mem, columns, sizeof(*column));
	struct scn_table *t;

	for (unsigned a = 0; a < g->axes; a++)
		column[n++] = g->axis[a].key;
	for (unsigned i = 0; i < g->items; i++) {
		column[n++] = g->item[i];
		column[n++] = mem_printf(r->mem, "%s reached", g->item[i]);
	}
	column[n++] = "calibrated";
	for (unsigned i = 0; i < g->metrics; i++) {
		const char *label = g->metric[i].m.label;

		column[n++] = mem_printf(r->mem, "%s %s", label, r->variant[0]);
		column[n++] = mem_printf(r->mem, "%s %s", label, r->variant[1]);
		column[n++] = mem_printf(r->mem, "%s difference", label);
		column[n++] = mem_printf(r->mem, "%s agrees", label);
	}
	t = scn_table_new(r, "points", "All points", "point", column, columns);
	t->detail = true;
	for (size_t p = 0; p < g->points; p++)
		add_point_row(g, t, p);
}

static void add_notes(const struct study_grid *g, const struct subset *all, struct scn_result *r)
{
	for (unsigned a = 0; a < g->axes; a++) {
		const char *also = "";

		for (unsigned i = 0; i < g->axis[a].alsos; i++)
			also = mem_printf(r->mem, "%s, %s", also, g->axis[a].also[i]);
		scn_result_note(r, mem_printf(r->mem, "%s%s: %s", g->axis[a].key, also,
					      g->axis[a].why));
	}
	scn_result_note(r, mem_printf(r->mem, "The published differences are met at %s half of the "
				      "calibrated points: what they test is the %s.",
				      2 * all->agree < all->calibrated ? "less than" : "at least",
				      2 * all->agree < all->calibrated ? "structure, not the amount" :
				      "prediction"));
}

void study_grid_tables(const struct study_grid *g, struct scn_result *r)
{
	struct subset all = count(g, 0, NULL);

	tabulate_grid(g, &all, r);
	tabulate_metrics(g, &all, r);
	tabulate_values(g, r);
	tabulate_points(g, r);
	add_notes(g, &all, r);
}
