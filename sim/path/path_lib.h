/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two readers of paths share. Only sim/path includes this. */
#ifndef HVSIM_PATH_PATH_LIB_H
#define HVSIM_PATH_PATH_LIB_H

#include "path/path.h"

struct path_lib {
	struct mem *mem;
	const struct spr_table *sprs;
	const struct policy_table *policies;
	struct entry *entries; /* paths by name */
	unsigned depth;
};

#endif
