/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenario kind "break-even": a policy that saves something every turn and pays
 * when an event happens (a facility is used, a vCPU changes CPU), over the rate
 * of that event, and the rate from which it no longer pays.
 *
 *   "path": the turn, "turns": how many are run,
 *   "rates": events in a million turns, for the table,
 *   "cases": [ {"name", "event", "without": {…}, "with": {…},
 *               "live": {…} state while switched on, "live_turns": 256,
 *               "costs": [ {"what", "path", "set": {…}} … ]} … ]
 */
#ifndef HVSIM_SCENARIO_BREAKEVEN_H
#define HVSIM_SCENARIO_BREAKEVEN_H

#include "scenario/scenario.h"

int breakeven_run(const struct scenario *scn, struct scn_result *result, struct err *err);

#endif
