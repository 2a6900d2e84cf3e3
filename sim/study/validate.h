/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The validation ledger: every published figure of every scenario beside what
 * is predicted for it, with its role. A difference between variants is judged
 * by its row's tolerance in points; where only one figure is published, that
 * is judged by the tolerance in per cent of it. A tolerance stated as an amount
 * judges each figure of its row, also one that was calibrated: whether it still
 * is what it was set to.
 */
#ifndef HVSIM_STUDY_VALIDATE_H
#define HVSIM_STUDY_VALIDATE_H

#include "scenario/scenario.h"
#include "study/ensemble.h"

struct study_validation {
	const char *const *name;     /* scenarios; n 0: all of the data folder */
	size_t n;
	struct study_ensemble ensemble; /* members 0: no intervals */
	unsigned failed;             /* out: predictions outside their stated tolerance */
};

/*
 * Run them and fill the result: tables "ledger" and "summary". Scenarios that
 * publish nothing are passed over. options: what all runs share (seed, progress);
 * its name is not used.
 */
int study_validate(struct mem *mem, const struct scn_options *options,
		   struct study_validation *v, struct scn_result *result, struct err *err);

#endif
