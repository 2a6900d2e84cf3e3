/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many independent runs over forked workers. A task fills a record of whole
 * numbers that depends on its index alone; the records are read in order of
 * index afterwards, so the number of workers cannot be seen in a result.
 */
#ifndef HVSIM_STUDY_POOL_H
#define HVSIM_STUDY_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define STUDY_JOBS_MAX 1024

struct study_pool {
	unsigned jobs;   /* workers; 0: one an online CPU */
	size_t words;    /* of a record */
	/* Fill the record of task i (zeroed before). Runs in a worker. */
	int (*task)(void *ctx, size_t i, int64_t *record, struct err *err);
	void *ctx;
	/* Task i is complete; called in the parent, in no order. NULL for none. */
	void (*done)(void *ctx, size_t i, const int64_t *record);
	void (*progress)(void *ctx, const char *what, unsigned done, unsigned of);
	void *progress_ctx;
	const char *what; /* for progress */
};

/*
 * Run tasks 0 to n - 1; records has room for n * words and is filled. skip: one
 * byte a task, not zero where its record is filled already; NULL for none. An
 * error in a task stops the rest; the one of the lowest index is reported. An
 * interrupt (SIGINT, SIGTERM) ends the workers and is an error that begins with
 * "interrupted"; done() has been called for what was complete.
 */
int study_pool_run(const struct study_pool *pool, size_t n, const unsigned char *skip,
		   int64_t *records, struct err *err);

#endif
