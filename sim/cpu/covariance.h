/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a fit says of parameters that it set together: their standard errors and
 * how those go together. "covariance" of a model file, of any kind that has
 * "params":
 *
 *	"covariance": {"errors": {"c": 5.6, "tau_w": 6}, "correlations":
 *	               [{"of": ["c", "tau_w"], "value": -0.13}], "source": "…"}
 *
 * A pair that is not listed has no correlation.
 */
#ifndef HVSIM_CPU_COVARIANCE_H
#define HVSIM_CPU_COVARIANCE_H

#include "base/err.h"
#include "base/jdoc.h"

#define CPU_JOINT_MAX 16

struct cpu_joint_param {
	const char *name;
	int64_t value, lo, hi; /* of the parameter, millionths of its unit */
	int64_t error;         /* standard error, the same */
};

struct cpu_covariance {
	struct cpu_joint_param param[CPU_JOINT_MAX]; /* in the order of "errors" */
	unsigned n;                                  /* 0: the file states none */
	/*
	 * Cholesky's factor of the correlations, lower triangle, millionths: times independent
	 * numbers of variance 1 it gives numbers with the correlations. Whole numbers, so that it
	 * is the same on every machine.
	 */
	int64_t factor[CPU_JOINT_MAX][CPU_JOINT_MAX];
	const char *source;
};

/*
 * Read it from a model's document. Unknown parameters, those that take their
 * value from another, and correlations that can't all hold at once (a matrix
 * that is not positive definite) are errors.
 */
int cpu_covariance_read(const struct jnode *root, struct cpu_covariance *c, struct err *err);

/* The place of a parameter in it, or -1. */
int cpu_covariance_find(const struct cpu_covariance *c, const char *name);

#endif
