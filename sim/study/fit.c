// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/fit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define MICRO 1e6
#define STEP 2.0       /* cycles: prices are whole cycles, so a smaller step measures rounding */
#define ITERATIONS 60

/*
 * Bounds: the solver moves t without limits, the parameter is
 * lo + (hi - lo) (1 + sin t) / 2.
 */
struct problem {
	const struct ladder *l;
	struct study_fit *fit;
	struct cpu_model model;
	uint64_t *cycles;   /* scratch: n + 1 */
	size_t skip;        /* row left out, or SIZE_MAX */
};

static double from_t(const struct study_fit_param *p, double t)
{
	return p->lo + (p->hi - p->lo) * (1 + sin(t)) / 2;
}

static double to_t(const struct study_fit_param *p, double x)
{
	double u = p->hi > p->lo ? 2 * (x - p->lo) / (p->hi - p->lo) - 1 : 0;

	/* exactly at a bound the derivative is 0 and the solver would stay there */
	return asin(u > 0.98 ? 0.98 : u < -0.98 ? -0.98 : u);
}

/* Predicted differences of all rows with the parameters at x. */
static void predict(struct problem *pr, const double *x, double *out)
{
	for (size_t k = 0; k < pr->fit->params; k++)
		pr->model.params[pr->fit->param[k].id].micro = llround(x[k] * MICRO);
	cpu_model_tie(&pr->model);
	ladder_price(pr->l, &pr->model, pr->cycles);
	for (size_t i = 0; i < pr->fit->rows; i++) {
		size_t rung = pr->fit->row[i].rung;

		out[i] = (double)pr->cycles[rung + 1] - (double)pr->cycles[rung];
	}
}

static void parameters(const struct problem *pr, const gsl_vector *t, double *x)
{
	for (size_t k = 0; k < pr->fit->params; k++)
		x[k] = from_t(&pr->fit->param[k], gsl_vector_get(t, k));
}

static int residuals(const gsl_vector *t, void *arg, gsl_vector *f)
{
	struct problem *pr = arg;
	double x[STUDY_FIT_PARAMS_MAX], *y = mem_zalloc(pr->fit->rows, sizeof(*y));

	parameters(pr, t, x);
	predict(pr, x, y);
	for (size_t i = 0; i < pr->fit->rows; i++) {
		const struct study_fit_row *row = &pr->fit->row[i];

		gsl_vector_set(f, i, i == pr->skip ? 0 :
			       (y[i] - row->published) / row->weight_off);
	}
	free(y);
	return GSL_SUCCESS;
}

/* d(prediction)/d(parameter k), by differences wide enough to be above rounding. */
static void slope(struct problem *pr, const double *x, size_t k, double *out)
{
	const struct study_fit_param *p = &pr->fit->param[k];
	size_t n = pr->fit->rows;
	double *lower = mem_zalloc(2 * n, sizeof(*lower)), *upper = lower + n;
	double a[STUDY_FIT_PARAMS_MAX], b[STUDY_FIT_PARAMS_MAX];
	double step = fmin(STEP, (p->hi - p->lo) / 8);

	memcpy(a, x, sizeof(a));
	memcpy(b, x, sizeof(b));
	a[k] = fmax(p->lo, x[k] - step);
	b[k] = fmin(p->hi, x[k] + step);
	predict(pr, a, lower);
	predict(pr, b, upper);
	for (size_t i = 0; i < n; i++)
		out[i] = (upper[i] - lower[i]) / (b[k] - a[k]);
	free(lower);
}

static int jacobian(const gsl_vector *t, void *arg, gsl_matrix *j)
{
	struct problem *pr = arg;
	size_t n = pr->fit->rows;
	double x[STUDY_FIT_PARAMS_MAX] = { 0 }, *d = mem_zalloc(n, sizeof(*d));

	parameters(pr, t, x);
	for (size_t k = 0; k < pr->fit->params; k++) {
		const struct study_fit_param *p = &pr->fit->param[k];
		double dt = (p->hi - p->lo) / 2 * cos(gsl_vector_get(t, k));

		slope(pr, x, k, d);
		for (size_t i = 0; i < n; i++)
			gsl_matrix_set(j, i, k, i == pr->skip ? 0 :
				       d[i] * dt / pr->fit->row[i].weight_off);
	}
	free(d);
	return GSL_SUCCESS;
}

/* Solve from `from`; the parameters found go to x, the weighted squares are returned. */
static double solve(struct problem *pr, const double *from, double *x)
{
	gsl_multifit_nlinear_parameters par = gsl_multifit_nlinear_default_parameters();
	size_t p = pr->fit->params;
	gsl_multifit_nlinear_fdf fdf = { residuals, jacobian, NULL, pr->fit->rows, p, pr,
					 0, 0, 0 };
	gsl_multifit_nlinear_workspace *w =
		gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &par, pr->fit->rows, p);
	gsl_vector *t = gsl_vector_alloc(p);
	double chi2;
	int info;

	for (size_t k = 0; k < p; k++)
		gsl_vector_set(t, k, to_t(&pr->fit->param[k], from[k]));
	gsl_multifit_nlinear_init(t, &fdf, w);
	gsl_multifit_nlinear_driver(ITERATIONS, 1e-4, 1e-4, 1e-6, NULL, NULL, &info, w);
	parameters(pr, w->x, x);
	gsl_blas_ddot(w->f, w->f, &chi2);
	gsl_multifit_nlinear_free(w);
	gsl_vector_free(t);
	return chi2;
}

/* The best of several starts: the model's own values, and the quarters of the ranges. */
static double solve_best(struct problem *pr, double *x)
{
	double from[STUDY_FIT_PARAMS_MAX] = { 0 }, got[STUDY_FIT_PARAMS_MAX] = { 0 };
	double best = INFINITY;

	for (int start = 0; start < 4; start++) {
		double chi2;

		for (size_t k = 0; k < pr->fit->params; k++) {
			const struct study_fit_param *p = &pr->fit->param[k];

			from[k] = start ? p->lo + (p->hi - p->lo) * start / 4 : p->start;
		}
		chi2 = solve(pr, from, got);
		if (chi2 < best) {
			best = chi2;
			memcpy(x, got, sizeof(got));
		}
	}
	return best;
}

/* Covariance in the parameters themselves, of those that are not at a bound. */
static void errors(struct problem *pr, const double *x)
{
	struct study_fit *fit = pr->fit;
	size_t n = fit->rows, free_of[STUDY_FIT_PARAMS_MAX], m = 0;
	double *d = mem_zalloc(n * STUDY_FIT_PARAMS_MAX, sizeof(*d)), s2;
	gsl_matrix *c;

	for (size_t k = 0; k < fit->params; k++) {
		const struct study_fit_param *p = &fit->param[k];
		double edge = (p->hi - p->lo) / 200;

		fit->param[k].at_bound = x[k] < p->lo + edge || x[k] > p->hi - edge;
		if (!fit->param[k].at_bound)
			free_of[m++] = k;
	}
	s2 = n > fit->params ? fit->chi2 / (double)(n - fit->params) : 0;
	c = m ? gsl_matrix_calloc(m, m) : NULL;
	for (size_t a = 0; a < m; a++)
		slope(pr, x, free_of[a], d + a * n);
	for (size_t a = 0; a < m; a++)
		for (size_t b = 0; b < m; b++)
			for (size_t i = 0; i < n; i++)
				*gsl_matrix_ptr(c, a, b) += d[a * n + i] * d[b * n + i] /
					(fit->row[i].weight_off * fit->row[i].weight_off);
	if (m && gsl_linalg_cholesky_decomp1(c) == GSL_SUCCESS) {
		gsl_linalg_cholesky_invert(c);
		for (size_t a = 0; a < m; a++) {
			fit->param[free_of[a]].error = sqrt(s2 * gsl_matrix_get(c, a, a));
			for (size_t b = 0; b < m; b++)
				fit->correlation[free_of[a]][free_of[b]] =
					gsl_matrix_get(c, a, b) /
					sqrt(gsl_matrix_get(c, a, a) * gsl_matrix_get(c, b, b));
		}
	}
	if (c)
		gsl_matrix_free(c);
	free(d);
}

static int collect(const struct ladder *l, struct study_fit *fit, struct err *err)
{
	const struct cpu_model *m = l->view.model;

	for (int i = 0; i < CPU_PARAM_COUNT; i++) {
		const struct cpu_param *p = &m->params[i];

		if (p->kind != CPU_FITTED || p->as >= 0)
			continue;
		if (fit->params == STUDY_FIT_PARAMS_MAX)
			return err_set(err, "%s: more than %d fitted parameters", m->file,
				       STUDY_FIT_PARAMS_MAX);
		fit->param[fit->params++] = (struct study_fit_param){
			.id = (enum cpu_param_id)i, .start = (double)p->micro / MICRO,
			.lo = (double)p->lo / MICRO, .hi = (double)p->hi / MICRO,
		};
	}
	fit->row = mem_alloc(l->scn->mem, l->n, sizeof(*fit->row));
	for (size_t i = 0; i < l->n; i++) {
		const struct ladder_rung *r = &l->rung[i];
		double off = (double)l->absolute / MICRO +
			     (double)l->percent / MICRO / 100 * fabs((double)r->delta);

		if (r->role == LADDER_FIT && r->published)
			fit->row[fit->rows++] = (struct study_fit_row){
				.rung = i, .published = (double)r->delta,
				.weight_off = off > 0 ? off : 1 };
	}
	if (!fit->params)
		return err_set(err, "%s: no parameter is of kind \"fitted\"", m->file);
	if (2 * fit->params >= fit->rows)
		return err_set(err, "%s: %zu fitted parameters for %zu rows of role \"fit\": must be "
			       "fewer than half", l->scn->file, fit->params, fit->rows);
	return 0;
}

/*
 * A row alone sets a parameter when, without it, what the other rows say of the
 * parameter is less than a tenth of all there is: such a row can't be predicted
 * by a fit that left it out.
 */
static void find_alone(struct problem *pr, const double *x)
{
	struct study_fit *fit = pr->fit;
	double *d = mem_zalloc(fit->rows, sizeof(*d));

	for (size_t i = 0; i < fit->rows; i++)
		fit->row[i].alone = -1;
	for (size_t k = 0; k < fit->params; k++) {
		double all = 0;

		slope(pr, x, k, d);
		for (size_t i = 0; i < fit->rows; i++)
			all += pow(d[i] / fit->row[i].weight_off, 2);
		for (size_t i = 0; i < fit->rows; i++)
			if (all > 0 && pow(d[i] / fit->row[i].weight_off, 2) > 0.9 * all)
				fit->row[i].alone = (int)k;
	}
	free(d);
}

static void leave_one_out(struct problem *pr)
{
	struct study_fit *fit = pr->fit;
	double x[STUDY_FIT_PARAMS_MAX] = { 0 }, *y = mem_zalloc(fit->rows, sizeof(*y));

	for (size_t i = 0; i < fit->rows; i++) {
		size_t rung = fit->row[i].rung;

		pr->skip = i;
		solve_best(pr, x); /* from the model's own values, not from the full fit's */
		predict(pr, x, y);
		fit->row[i].left_out = y[i];
		fit->row[i].null_left_out = (double)ladder_null(pr->l, rung) / MICRO *
					    (double)ladder_ops(pr->l, rung);
	}
	pr->skip = SIZE_MAX;
	free(y);
}

int study_fit(const struct ladder *l, struct study_fit *fit, struct err *err)
{
	double x[STUDY_FIT_PARAMS_MAX] = { 0 }, *y;
	gsl_error_handler_t *old;
	struct problem pr = { .l = l, .fit = fit, .skip = SIZE_MAX };

	*fit = (struct study_fit){ .params = 0 };
	if (!l->has_fit)
		return err_set(err, "%s: needs a 'fit'", l->scn->file);
	if (collect(l, fit, err) < 0)
		return -1;
	old = gsl_set_error_handler_off();
	pr.model = *l->view.model;
	pr.cycles = mem_zalloc(l->n + 1, sizeof(*pr.cycles));
	fit->chi2 = solve_best(&pr, x);
	y = mem_zalloc(fit->rows, sizeof(*y));
	predict(&pr, x, y);
	for (size_t i = 0; i < fit->rows; i++)
		fit->row[i].fitted = y[i];
	for (size_t k = 0; k < fit->params; k++)
		fit->param[k].value = x[k];
	fit->model = pr.model;
	errors(&pr, x);
	find_alone(&pr, x);
	leave_one_out(&pr);
	gsl_set_error_handler(old);
	free(pr.cycles);
	free(y);
	return 0;
}
