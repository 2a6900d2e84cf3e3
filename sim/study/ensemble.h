/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ensembles: a scenario run again with the CPU model's parameters drawn within
 * their ranges, so that a prediction carries an interval.
 *
 * A parameter is drawn uniformly over its range when nothing more is known than
 * the range (kinds assumed and doc), and from the triangle over the range with
 * its peak at the value when there is evidence for the value (meas, derived,
 * fitted). Parameters whose covariance the model file states are drawn together:
 * normal numbers with their standard errors and correlations, drawn again until
 * each is within its range. All others are drawn apart from each other. Where a
 * file states whole numbers, whole numbers are drawn, else thousandths of the
 * unit. A draw depends on the seed, the parameter's name and the member alone.
 * Every member has a seed of its own for the workload, so that what a seed alone
 * moves is in the interval. All variants of a member get the same parameters and
 * the same workload, so a difference between variants is paired.
 *
 * Parameters that --set or a variant sets are not drawn.
 */
#ifndef HVSIM_STUDY_ENSEMBLE_H
#define HVSIM_STUDY_ENSEMBLE_H

#include "scenario/scenario.h"

#define STUDY_MEMBERS_MAX 100000

/* Parameters that are drawn together. */
struct study_joint {
	struct cpu_covariance covariance;
	uint32_t purpose[CPU_JOINT_MAX]; /* of their random streams */
	bool drawn[CPU_JOINT_MAX];       /* not set by --set or a variant */
};

struct study_param {
	const char *name, *key; /* "ipc", "model.ipc" */
	int64_t value, lo, hi;  /* millionths */
	int64_t step;           /* draws are lo plus a multiple of this */
	bool peak;              /* triangular */
	uint32_t purpose;       /* of its random stream */
	const struct study_joint *joint; /* NULL: drawn apart from the others */
	unsigned at;            /* its place in joint */
};

struct study_ensemble {
	unsigned members;       /* 1 to STUDY_MEMBERS_MAX */
	unsigned jobs;          /* workers; 0: one an online CPU. The result is the same */
	bool calibrate;         /* search the scenario's "calibrate" list anew in every member */
	unsigned missed;        /* out: members with a target out of reach, the nearest taken */
	uint64_t runs;          /* out: of one variant, for all searches */
};

/*
 * Run the members and add to a result of scn_run() with the same options:
 * columns "median X", "5 % X" and "95 % X" of the table "metrics" for every
 * column X of numbers; a table "differences" when there are more than two
 * variants; a table "spread": the squared rank correlation of the parameters
 * with what is predicted.
 */
int study_ensemble_add(struct mem *mem, const struct scn_options *options,
		       struct study_ensemble *e, struct scn_result *result, struct err *err);

/* The seed that all variants of a member run with: from the given seed and the member's number. */
uint64_t study_member_seed(uint64_t seed, uint64_t member);

/* A parameter's value in a member, millionths. */
int64_t study_draw(const struct study_param *p, uint64_t seed, uint64_t member);

/*
 * Squared rank correlation (Spearman, ties at their mean rank) of n pairs, in
 * millionths; 0 when either side is constant. n at most STUDY_MEMBERS_MAX.
 */
int64_t study_rank_share(const int64_t *x, const int64_t *y, size_t n);

/* The parameters a scenario's model would have drawn. *n gets how many. Owned by the pool. */
struct study_param *study_params(struct mem *mem, const struct scenario *scn, unsigned *n,
				 struct err *err);

#endif
