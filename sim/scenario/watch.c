// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/watch.h"

#include <string.h>

#include "base/file.h"
#include "scenario/v2.h"
#include "scenario/x86.h"

int scn_watch(struct mem *mem, const struct scn_options *options, const char *variant,
	      struct scn_watch *watch, struct err *err)
{
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));
	const struct scn_kind *kind;
	const struct jnode *title;

	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	kind = &scn_kinds[scn->kind_index];
	if (!kind->watch)
		return err_at(err, scn->file, 0,
			      "scenarios of kind '%s' run no vCPUs in time: nothing to "
			      "watch",
			      kind->name);
	if (!scn->variants)
		return err_at(err, scn->file, 0, "needs 'variants' to run");
	for (unsigned i = 0; i < scn->variants; i++) {
		if (variant && strcmp(scn->variant[i].name, variant))
			continue;
		title = jnode_get(scn->root, "title");
		watch->scenario = file_shown(mem, scn->file);
		watch->title = title && title->text ? title->text : "";
		watch->cpu = scn->cpu;
		watch->variant = scn->variant[i].name;
		watch->seed = scn->seed;
		return kind->watch(scn, &scn->variant[i], watch, err);
	}
	return err_at(err, scn->file, 0, "no variant '%s'", variant);
}

static void cut(uint64_t *length, const struct scn_watch *watch)
{
	uint64_t until = clk_ns_cycles(&watch->clock, watch->until_ns);

	if (until && until < *length)
		*length = until;
}

/* As the kind's loader prices the paths it walks. */
static int price_with(const struct scenario *scn, const struct scn_view *view,
		      struct scn_watch *watch, struct err *err)
{
	const struct spr_table *sprs = spr_load(scn->mem, err);

	if (!sprs)
		return -1;
	watch->model = view->model;
	watch->bits = policy_bits(&view->policy);
	watch->paths = path_lib_new(scn->mem, sprs, scn->policies);
	return 0;
}

int scn_v2_watch(const struct scenario *scn, const struct scn_variant *variant,
		 struct scn_watch *watch, struct err *err)
{
	static const struct scn_state state[V2_CYCLES] = {
		[V2_IN_GUEST] = { "guest", 0, 'G' }, [V2_IN_KERNEL] = { "guest kernel", 0, 'k' },
		[V2_IN_SNOOZE] = { "guest snooze", 0, 's' }, [V2_IN_L0] = { "L0", 2, '0' },
		[V2_IN_L1] = { "L1", 1, '1' }, [V2_IN_GSB] = { "state hcalls", 1, 'h' },
		[V2_BLOCKED] = { "blocked", 1, '.' }, [V2_RUNNABLE] = { "runnable", 1, 'r' },
		[V2_SMT] = { "smt", 0, '?' }, [V2_CUT] = { "cut by the end", 0, '?' },
	};
	const char **trap = mem_alloc(scn->mem, V2_TRAPS, sizeof(*trap));
	struct scn_v2_traces traces = { 0 };
	struct v2_result result;
	struct scn_view view;
	struct scn_v2 v;

	if (scn_view(scn, variant, &view, err) < 0 ||
	    scn_v2_load(scn, &view, &traces, &v, err) < 0)
		return -1;
	for (unsigned i = 0; i < V2_TRAPS; i++)
		trap[i] = v2_trap_name(i);
	if (price_with(scn, &view, watch, err) < 0)
		return -1;
	watch->clock = v.setup.clock;
	cut(&v.setup.duration, watch);
	watch->end = v.setup.duration;
	watch->vcpus = v.setup.vcpus;
	watch->level[0] = "L2";
	watch->level[1] = "L1";
	watch->level[2] = "L0";
	watch->levels = 3;
	watch->state = state;
	watch->states = V2_CYCLES;
	watch->trap = trap;
	watch->traps = V2_TRAPS;
	v.setup.observer = watch->observer;
	v2_run(&v.setup, &result);
	v2_result_done(&result);
	return 0;
}

int scn_x86_watch(const struct scenario *scn, const struct scn_variant *variant,
		  struct scn_watch *watch, struct err *err)
{
	static const char mark[X86_STATES + 1] = "GgxhpcniwPW.";
	struct scn_state *state = mem_alloc(scn->mem, X86_STATES, sizeof(*state));
	struct x86_result *result = mem_alloc(scn->mem, 1, sizeof(*result));
	struct scn_x86 *x = mem_alloc(scn->mem, 1, sizeof(*x));
	struct scn_view view;
	int rc;

	if (scn_view(scn, variant, &view, err) < 0 || scn_x86_load(scn, &view, x, err) < 0)
		return -1;
	for (unsigned i = 0; i < X86_STATES; i++)
		state[i] = (struct scn_state){ x86_state_name(i),
					       i == X86_IN_TASK || i == X86_IN_HANDLER ? 0 : 1,
					       mark[i] };
	clk_init(&watch->clock, x86_cost(x->setup.cpu, X86_CORE_HZ), CLK_TB_HZ);
	cut(&x->setup.length, watch);
	if (x->setup.interval > x->setup.length)
		x->setup.interval = 0;
	watch->end = x->setup.length;
	watch->vcpus = x->setup.vcpus;
	watch->level[0] = "guest";
	watch->level[1] = "host";
	watch->levels = 2;
	watch->state = state;
	watch->states = X86_STATES;
	watch->trap = x->setup.cause;
	watch->traps = x->setup.causes;
	x->setup.observer = watch->observer;
	rc = x86_loop_run(&x->setup, result, err);
	x86_result_done(result);
	return rc;
}
