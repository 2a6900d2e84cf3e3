/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that share a core. What a thread gets of it depends on what its
 * siblings do; the time this costs is dilation, attributed to the class `smt`.
 */
#ifndef HVSIM_HV_SMT_H
#define HVSIM_HV_SMT_H

#include <stdint.h>

#define SMT_THREADS_MAX 8
#define SMT_FULL 1000 /* the rate of a thread alone, per mille */

enum smt_activity {
	SMT_IDLE,   /* in an idle state of the hardware */
	SMT_POLL,   /* polling at very low priority (snooze) */
	SMT_ACTIVE, /* executing: guest or hypervisor */
	SMT_ACTIVITIES,
};

struct smt_rule {
	uint32_t share[SMT_THREADS_MAX + 1];  /* per mille a thread gets with n active; [1] = 1000 */
	uint32_t weight[SMT_ACTIVITIES];      /* per mille of an active thread it counts as */
};

/*
 * Fill share[] for 1 to 8 threads from the values for 2, 4 and 8 (per mille),
 * straight lines between.
 */
void smt_fill(struct smt_rule *rule, uint32_t share2, uint32_t share4, uint32_t share8);

/*
 * The rate, per mille, of an active thread whose siblings do what activity[]
 * counts: activity[a] of them do a.
 */
uint32_t smt_rate(const struct smt_rule *rule, const uint32_t activity[SMT_ACTIVITIES]);

#endif
