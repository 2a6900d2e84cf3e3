/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows a scenario reports, beside the figures that were published for them
 * and the role each has: "metrics" in the scenario file.
 */
#ifndef HVSIM_SCENARIO_PUBLISHED_H
#define HVSIM_SCENARIO_PUBLISHED_H

#include "scenario/amount.h"
#include "scenario/scenario.h"

enum scn_role {
	SCN_PREDICTION,      /* nothing was set from it */
	SCN_STRUCTURE,       /* the mechanism, not the amount, is predicted */
	SCN_CROSS_VALIDATED, /* predicted by a fit that left it out */
	SCN_CALIBRATION,     /* a parameter was set from it */
};

struct scn_metric {
	const char *metric; /* "kvm_hv:kvm_guest_exit": what the kind calls it */
	const char *label;  /* as the publication calls it; the metric when absent */
	unsigned role;      /* enum scn_role, of the difference between variants */
	const char *source;
	/*
	 * Points the predicted difference may be off, millionths; where one figure alone is
	 * published, per cent of it. -1: none stated so.
	 */
	int64_t tolerance;
	struct scn_amount allowed; /* "tolerance" as an object: what each figure may be off */
	struct scn_noise noise;    /* of the published figures; source NULL: not stated */
	const struct jnode *published; /* object variant -> value, or NULL */
	const struct jnode *node;
};

/*
 * The value of a metric for a variant (index into scn->variant): fills a count
 * or a decimal. False when the kind has no such metric.
 */
typedef bool (*scn_value_fn)(void *ctx, unsigned variant, const char *metric,
			     struct scn_cell *out);

/*
 * Add the table "metrics". names: the metrics the kind has, for the error at
 * an unknown one.
 */
int scn_published(const struct scenario *scn, struct scn_result *result, scn_value_fn value,
		  void *ctx, const char *const *names, size_t n, struct err *err);

/*
 * A published number of cycles: a whole one from lo to SCN_CYCLES_MAX, which leaves room for
 * millionths and for sums. No node: *v stays as it is.
 */
#define SCN_CYCLES_MAX INT64_C(1000000000)
int scn_cycles_read(const struct jnode *node, int64_t lo, int64_t *v, struct err *err);

/* Read one row of "metrics"; what it publishes are numbers from 0 to 10^12. */
int scn_metric_read(const struct jnode *node, struct scn_metric *m, struct err *err);

/* Whether the scenario says that it set a parameter from this metric of this variant. */
bool scn_calibrated(const struct scenario *scn, const char *metric, const char *variant);

const char *scn_role_name(unsigned role);

/* A cell of the table "metrics" by the row's label and the column, or NULL. */
const struct scn_cell *scn_metric_cell(const struct scn_result *result, const char *label,
				       const char *column);

#endif
