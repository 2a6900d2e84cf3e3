/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which branches of a function decide whether an instruction runs: control
 * dependence, from post-dominators of its basic blocks.
 */
#ifndef HVSIM_ELF_FLOW_H
#define HVSIM_ELF_FLOW_H

#include "elf/live.h"

struct kelf_flow;

/*
 * Blocks of a function as it runs. NULL when it has more than
 * KELF_FLOW_INSNS_MAX instructions. Owned by the pool.
 */
#define KELF_FLOW_INSNS_MAX 4096
struct kelf_flow *kelf_flow_new(struct mem *mem, const struct kelf_image *img,
				const struct kelf_live *live, const struct kelf_func *f);

/*
 * What the conditional branch at an offset has to do so that the place runs:
 * 1 be taken, 0 fall through, -1 it doesn't decide. With `direct` only branches
 * that decide it by themselves count, else also those that decide whether such
 * a branch is reached.
 */
int kelf_flow_decides(struct kelf_flow *flow, uint64_t branch, uint64_t place, bool direct);

#endif
