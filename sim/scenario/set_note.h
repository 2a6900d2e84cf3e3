/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --set does to the published figures a scenario's rows stand beside. */
#ifndef HVSIM_SCENARIO_SET_NOTE_H
#define HVSIM_SCENARIO_SET_NOTE_H

#include "scenario/scenario.h"

/* Whether anything in the document is "published". */
bool scn_publishes(const struct jnode *node);

/*
 * A scenario that has published figures and runs with --set gets one note: the
 * figures are of the scenario as it stands, and its calibration holds no more.
 * Values that `run --calibrate` found are no such change.
 * The text is the scenario's pool's; the same note is added once.
 */
void scn_set_note(const struct scenario *scn, struct scn_result *result);

#endif
