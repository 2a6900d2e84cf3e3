/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Guest state elements: models/nestedv2-state.json into masks for the model. */
#ifndef HVSIM_SCENARIO_ELEMENTS_H
#define HVSIM_SCENARIO_ELEMENTS_H

#include "base/err.h"
#include "base/mem.h"
#include "hv/v2.h"

/* A file, or a name in models/. */
int scn_elements_load(struct mem *mem, const char *name, struct v2_elements *e, struct err *err);

#endif
