// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of scenario there are. */
#include "scenario/breakeven.h"
#include "scenario/executed.h"
#include "scenario/ladder.h"
#include "scenario/load.h"
#include "scenario/scenario.h"
#include "scenario/v2.h"
#include "scenario/watch.h"
#include "scenario/x86.h"

const struct scn_kind scn_kinds[] = {
	{ .name = "nestedv2", .run = scn_v2_run, .metric = scn_v2_metric,
	  .watch = scn_v2_watch },
	{ .name = "ladder", .run = ladder_run },
	{ .name = "paths", .run = executed_run },
	{ .name = "break-even", .run = breakeven_run },
	{ .name = "load", .run = load_run },
	{ .name = "x86", .run = scn_x86_run, .set_model = scn_x86_set_model,
	  .watch = scn_x86_watch },
	{ .name = NULL },
};
