// SPDX-License-Identifier: GPL-2.0-or-later
/* A fit as tables, and as a model file. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "study/fit.h"

#define WITHIN 0.25       /* of a published difference: what counts as predicted */
#define SMALLEST 50.0     /* cycles: smaller differences are compared by sign only */

static struct scn_cell decimal(double v, unsigned digits)
{
	return scn_decimal(llround(v * 1e6), digits);
}

static void add_params(const struct study_fit *fit, struct scn_result *r)
{
	static const char *const columns[] = { "start", "range", "fitted", "error" };
	struct scn_table *t = scn_table_new(r, "parameters", "Parameters (cycles; one standard error)",
					    "parameter", columns, 4);

	for (size_t k = 0; k < fit->params; k++) {
		const struct study_fit_param *p = &fit->param[k];
		struct scn_cell *c = scn_table_row(t, cpu_param_name(p->id));

		c[0] = decimal(p->start, 1);
		c[1] = scn_text(mem_printf(r->mem, "%g to %g", p->lo, p->hi));
		c[2] = decimal(p->value, 1);
		if (p->at_bound)
			c[3] = scn_text("at its bound");
		else
			c[3] = decimal(p->error, 1);
	}
}

static void add_correlations(const struct study_fit *fit, struct scn_result *r)
{
	const char *columns[STUDY_FIT_PARAMS_MAX];
	struct scn_table *t;

	for (size_t k = 0; k < fit->params; k++)
		columns[k] = cpu_param_name(fit->param[k].id);
	t = scn_table_new(r, "correlations", "Correlations", "parameter", columns,
			  (unsigned)fit->params);
	for (size_t k = 0; k < fit->params; k++) {
		struct scn_cell *c = scn_table_row(t, columns[k]);

		for (size_t j = 0; j < fit->params; j++)
			if (!fit->param[k].at_bound && !fit->param[j].at_bound)
				c[j] = decimal(fit->correlation[k][j], 2);
	}
}

struct score {
	unsigned n, within, null_within;
	double squares, null_squares;
};

static void add_score(struct score *s, const struct study_fit_row *row)
{
	double size = fabs(row->published);

	if (size < SMALLEST || row->alone >= 0)
		return;
	s->n++;
	s->within += fabs(row->left_out - row->published) <= WITHIN * size;
	s->null_within += fabs(row->null_left_out - row->published) <= WITHIN * size;
	s->squares += pow(row->left_out - row->published, 2);
	s->null_squares += pow(row->null_left_out - row->published, 2);
}

static void add_rows(const struct ladder *l, const struct study_fit *fit, struct scn_result *r,
		     struct score *s)
{
	static const char *const columns[] = { "given", "fitted", "left out", "off by", "null",
					       "alone sets" };
	struct scn_table *t = scn_table_new(r, "rows", "Differences, cycles (left out: predicted by a "
					    "fit without that row)", "patch", columns, 6);

	for (size_t i = 0; i < fit->rows; i++) {
		const struct study_fit_row *row = &fit->row[i];
		struct scn_cell *c = scn_table_row(t, l->rung[row->rung].name);

		c[0] = decimal(row->published, 0);
		c[1] = decimal(row->fitted, 0);
		c[2] = decimal(row->left_out, 0);
		c[3] = (struct scn_cell){ .kind = SCN_PERCENT, .v =
			llround((row->left_out - row->published) / fabs(row->published) * 1e8) };
		c[4] = decimal(row->null_left_out, 0);
		if (row->alone >= 0)
			c[5] = scn_text(cpu_param_name(fit->param[row->alone].id));
		add_score(s, row);
	}
}

static void add_summary(const struct study_fit *fit, const struct score *s, struct scn_result *r)
{
	static const char *const columns[] = { "model", "null" };
	struct scn_table *t = scn_table_new(r, "summary", "Leave-one-out", "", columns, 2);
	struct scn_cell *c = scn_table_row(t, "rows of 50 cycles or more that set nothing alone");

	c[0] = c[1] = scn_count(s->n);
	c = scn_table_row(t, "within a quarter");
	c[0] = scn_count(s->within);
	c[1] = scn_count(s->null_within);
	c = scn_table_row(t, "root mean square error, cycles");
	c[0] = decimal(s->n ? sqrt(s->squares / s->n) : 0, 0);
	c[1] = decimal(s->n ? sqrt(s->null_squares / s->n) : 0, 0);
	c = scn_table_row(t, "weighted squares of the fit");
	c[0] = decimal(fit->chi2, 1);
	c = scn_table_row(t, "degrees of freedom");
	c[0] = scn_count(fit->rows - fit->params);
}

/* The totals were not fitted: what the fitted parameters give. */
static void add_totals(const struct ladder *l, const struct study_fit *fit, struct scn_result *r)
{
	static const char *const columns[] = { "cycles", "given", "off by" };
	struct scn_table *t = scn_table_new(r, "totals", "Totals, not fitted", "state", columns, 3);
	uint64_t *cycles = mem_alloc(r->mem, l->n + 1, sizeof(*cycles));

	ladder_price(l, &fit->model, cycles);
	for (size_t i = 0; i < l->totals; i++) {
		struct scn_cell *c = scn_table_row(t, l->total[i].name);

		c[0] = scn_count(cycles[l->total[i].rung]);
		if (!l->total[i].published)
			continue;
		c[1] = scn_count((uint64_t)l->total[i].cycles);
		c[2] = scn_difference((uint64_t)l->total[i].cycles, cycles[l->total[i].rung]);
	}
}

int study_fit_run(struct mem *mem, const struct scn_options *options, struct study_fit *fit,
		  struct scn_result *result, struct err *err)
{
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct ladder *l = mem_alloc(mem, 1, sizeof(*l));
	struct score score = { 0 };
	const struct jnode *title;

	*result = (struct scn_result){ .mem = mem, .set = options->set, .sets = options->sets };
	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	if (strcmp(scn->kind, "ladder"))
		return err_at(err, scn->file, 0, "is of kind '%s': only a ladder can be fitted",
			      scn->kind);
	if (ladder_load(scn, l, result, err) < 0 || study_fit(l, fit, err) < 0)
		return -1;
	title = jnode_get(scn->root, "title");
	result->scenario = file_shown(mem, scn->file);
	result->title = mem_printf(mem, "Fit: %s", title && title->text ? title->text : "");
	result->kind = "fit";
	result->cpu = scn->cpu;
	result->seed = scn->seed;
	add_params(fit, result);
	add_correlations(fit, result);
	add_rows(l, fit, result, &score);
	add_summary(fit, &score, result);
	add_totals(l, fit, result);
	return 0;
}
