// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86 scenarios from any bytes, over the shipped requests and CPU model; what loads is run for
 * a moment: the loop must neither stop nor lose a cycle.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/file.h"
#include "scenario/x86.h"

#define LENGTH_MAX 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct scn_x86 *x)
{
	struct err err = ERR_INIT;
	struct scn_cell cell;
	struct x86_result r;

	if (x->setup.length > LENGTH_MAX)
		x->setup.length = LENGTH_MAX;
	if (x86_loop_run(&x->setup, &r, &err) < 0)
		return;
	for (unsigned n = 0; n < x->setup.vcpus; n++) {
		uint64_t sum = 0;

		for (unsigned i = 0; i < X86_STATES; i++)
			sum += r.vcpu[n].cycles[i];
		if (sum != x->setup.length)
			abort();
	}
	scn_x86_value(&x->setup, &r, "attempts", &cell);
	x86_result_done(&r);
}

/* The shipped policies and CPU model, read once. */
static const struct policy_table *policies;
static struct jnode *cpu;

static void load_shipped(void)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const char *file = file_find(mem, "models", "sapphire-rapids", &err);

	policies = file ? policy_load(mem, &err) : NULL;
	cpu = policies ? jdoc_load(mem, file, &err) : NULL;
	if (!cpu)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	struct scn_x86 *x = mem_alloc(mem, 1, sizeof(*x));
	struct scn_view view = { 0 };

	if (!cpu)
		load_shipped();
	*scn = (struct scenario){ .file = "fuzz", .mem = mem, .seed = 1, .policies = policies };
	view.cpu = cpu;
	policy_defaults(policies, &view.policy);
	view.root = jdoc_parse(mem, "fuzz", (const char *)data, size, &err);
	/* No other files than the shipped ones. */
	if (view.root && !jnode_get(view.root, "requests") &&
	    !scn_x86_load(scn, &view, x, &err))
		run(x);
	mem_free(mem);
	return 0;
}
