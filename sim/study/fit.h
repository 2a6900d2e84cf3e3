/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fitting a CPU model's parameters to a ladder's published differences: least
 * squares over the rows of role "fit", each weighted by how far off it may be,
 * over the parameters of kind "fitted", each within its range. Totals are never
 * used. Leave-one-out predicts each row by a fit that did not see it.
 */
#ifndef HVSIM_STUDY_FIT_H
#define HVSIM_STUDY_FIT_H

#include "scenario/ladder.h"

#define STUDY_FIT_PARAMS_MAX 16

struct study_fit_param {
	enum cpu_param_id id;
	double start, lo, hi; /* of the model, in the parameter's unit */
	double value;
	double error;         /* standard error; 0 when at a bound */
	bool at_bound;
};

struct study_fit_row {
	size_t rung;
	double published, fitted, left_out; /* cycles: by the fit, and by one without this row */
	double null_left_out;               /* the null model, without this row */
	double weight_off;                  /* how far off it may be */
	int alone;                          /* index of a parameter that no other row sets; -1 */
};

struct study_fit {
	struct study_fit_param param[STUDY_FIT_PARAMS_MAX];
	size_t params;
	double correlation[STUDY_FIT_PARAMS_MAX][STUDY_FIT_PARAMS_MAX];
	struct study_fit_row *row;
	size_t rows;
	double chi2;            /* weighted squares; rows - params degrees of freedom */
	struct cpu_model model; /* with the fitted values */
};

/*
 * Fit. It is an error when no parameter is of kind "fitted", or when there are
 * half as many as rows or more. Owned by the scenario's pool.
 */
int study_fit(const struct ladder *l, struct study_fit *fit, struct err *err);

/*
 * The model's parameters set to the fitted values, with their covariance, as the text of a model
 * file.
 */
void study_fit_model(const struct study_fit *fit, struct text *out);

/* Load a ladder scenario, fit, and fill the result with its tables. */
int study_fit_run(struct mem *mem, const struct scn_options *options, struct study_fit *fit,
		  struct scn_result *result, struct err *err);

#endif
