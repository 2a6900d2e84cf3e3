/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scenario kind "load": a guest that serves requests, each so many cycles of its
 * own and so many exits, under each variant. What a place (direct, nested) makes
 * of an event of the guest is data: the paths of each exit, and how many exits an
 * event and a request cost. Throughput is the core's clock by the cycles of a request.
 *
 *   "request": {"cycles": 150000}, "event": "IPI between vCPUs",
 *   "rates": events in a thousand requests,
 *   "places": [ {"name", "published", "exits": [
 *       {"what", "per_event": 2, "per_request": 0.02, "set": {…}, "paths": […]} … ]} … ]
 */
#ifndef HVSIM_SCENARIO_LOAD_H
#define HVSIM_SCENARIO_LOAD_H

#include "scenario/scenario.h"

int load_run(const struct scenario *scn, struct scn_result *result, struct err *err);

#endif
