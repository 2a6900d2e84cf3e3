// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of scenario there are. */
#include "scenario/scenario.h"
#include "scenario/v2.h"

const struct scn_kind scn_kinds[] = {
	{ .name = "nestedv2", .run = scn_v2_run, .metric = scn_v2_metric },
	{ .name = NULL },
};
