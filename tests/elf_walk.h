/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk over a kernel with a walk file, and its ops as one line. */
#ifndef HVSIM_TESTS_ELF_WALK_H
#define HVSIM_TESTS_ELF_WALK_H

#include "check.h"

#include "elf/walk.h"

struct walked {
	struct mem *mem;
	struct err err;
	struct kelf_kernel kernel;
	struct kelf_walkfile file;
	struct kelf_walk walk;
	const struct spr_table *sprs;
	struct text ops; /* joined by "; ", without ordinary work */
	int rc;
};

static inline void join_ops(struct walked *x)
{
	text_add(&x->ops, "%s", "");
	for (size_t i = 0; i < x->walk.seq.n; i++) {
		if (x->walk.seq.item[i].op.kind == OP_WORK)
			continue;
		text_add(&x->ops, "%s", x->ops.len ? "; " : "");
		op_text(&x->walk.seq.item[i].op, &x->ops);
	}
}

/*
 * Walk for a CPU with these feature bits (0: those of the walk file), with state set
 * ("guest.pmu", "!host.xive"), all else at its default; sets is NULL-terminated.
 */
static inline struct walked walk_on(uint64_t cpu, const char *kernel, const char *walkfile,
				    const char *entry, const char *const *sets)
{
	struct walked x = { .mem = mem_new(), .err = ERR_INIT };
	const struct policy_table *table = policy_load(x.mem, &x.err);
	struct policy_set set;

	x.sprs = spr_load(x.mem, &x.err);
	assert_non_null(table);
	assert_non_null(x.sprs);
	policy_defaults(table, &set);
	for (; sets && *sets; sets++)
		assert_int_equal(policy_set(&set, *sets + (**sets == '!'),
					    **sets == '!' ? "off" : "on", &x.err),
				 0);
	x.rc = kelf_kernel_open(&x.kernel, x.mem, kernel, &x.err);
	if (!x.rc)
		x.rc = kelf_walkfile_load(&x.file, x.mem, walkfile, &set, &x.err);
	if (cpu)
		x.file.live.feature[KELF_FTR_CPU] = cpu;
	if (!x.rc)
		x.rc = kelf_walk(&x.walk, x.mem, &x.kernel, &x.file, entry, x.sprs, &x.err);
	join_ops(&x);
	return x;
}

static inline struct walked walk(const char *kernel, const char *walkfile, const char *entry,
				 const char *const *sets)
{
	return walk_on(0, kernel, walkfile, entry, sets);
}

static inline void done(struct walked *x)
{
	text_free(&x->ops);
	kelf_walk_done(&x->walk);
	kelf_kernel_done(&x->kernel);
	mem_free(x->mem);
}

#endif
