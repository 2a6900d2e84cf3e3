// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of scenario there are. */
#include "scenario/ladder.h"
#include "scenario/scenario.h"
#include "scenario/v2.h"
#include "scenario/x86.h"

const struct scn_kind scn_kinds[] = {
	{ "nestedv2", scn_v2_run, NULL },
	{ "ladder", ladder_run, NULL },
	{ "x86", scn_x86_run, scn_x86_set_model },
	{ "ladder", ladder_run, NULL },
	{ NULL, NULL, NULL },
};
