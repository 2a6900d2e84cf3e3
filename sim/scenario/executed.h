/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenario kind "paths": whole paths, mostly executed listings, priced beside
 * published totals, with what a listing lacks priced separately and named.
 *
 *   "paths": [ {"name", "path", "set": {…}, "published", "role",
 *               "lacks": [ {"what", "path", "set": {…}, "base": {…}} … ]} … ],
 *   "ipc": [0.8, 1, …]
 *
 * What is lacking costs its path under "set", less the same path under "base"
 * where there is one: so a part is priced in its place. Without a path it is
 * named only.
 */
#ifndef HVSIM_SCENARIO_EXECUTED_H
#define HVSIM_SCENARIO_EXECUTED_H

#include "scenario/scenario.h"

int executed_run(const struct scenario *scn, struct scn_result *result, struct err *err);

#endif
