// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/v2_over_time.h"

static void count(void *ctx, uint64_t now, uint32_t vcpu, unsigned trap, bool entered, bool ceded)
{
	struct scn_v2_over_time *o = ctx;
	while (now >= o->next && o->bin < SCN_V2_BINS - 1) {
		o->bin++;
		o->next += o->width;
	}
	o->exits[o->bin][trap]++;
}

void scn_v2_over_time_init(struct scn_v2_over_time *o, const struct v2_setup *setup)
{
	*o = (struct scn_v2_over_time){ .observer = { .ctx = o, .exit = count },
					.width = setup->duration / SCN_V2_BINS + 1 };
	o->next = o->width;
}

static bool has_any(const struct scn_v2_over_time *o, unsigned trap)
{
	for (unsigned b = 0; b < SCN_V2_BINS; b++)
		if (o->exits[b][trap])
			return true;
	return false;
}

/* When a bin begins, in seconds to the millionth. */
static const char *seconds(const struct scenario *scn, const struct scn_v2 *v, uint64_t cycles)
{
	uint64_t us = clk_ns(&v->setup.clock, cycles) / 1000;

	return mem_printf(scn->mem, "%llu.%06llu", (unsigned long long)(us / 1000000),
			  (unsigned long long)(us % 1000000));
}

void scn_v2_over_time_add(const struct scenario *scn, const struct scn_v2 *v,
			  const struct scn_v2_over_time *o, struct scn_result *result)
{
	struct { unsigned variant, trap; } of[SCN_WIDE * V2_TRAPS];
	const char *column[SCN_WIDE * V2_TRAPS];
	struct scn_table *t;
	unsigned n = 0;

	for (unsigned i = 1; i < scn->variants; i++)
		if (o[i].width != o[0].width)
			return; /* runs of different lengths have no bins in common */
	for (unsigned i = 0; i < scn->variants; i++)
		for (unsigned trap = 0; trap < V2_TRAPS; trap++) {
			if (!has_any(&o[i], trap))
				continue;
			of[n].variant = i;
			of[n].trap = trap;
			column[n++] = mem_printf(scn->mem, "%s: %s", scn->variant[i].name,
						 v2_trap_name(trap));
		}
	t = scn_table_new(result, "exits_time",
			  mem_printf(scn->mem, "Exits by cause in each %s s",
				     seconds(scn, &v[0], o[0].width)),
			  "time, s", column, n);
	t->detail = true;
	for (unsigned b = 0; b < SCN_V2_BINS; b++) {
		struct scn_cell *cell = scn_table_row(t, seconds(scn, &v[0], b * o[0].width));

		for (unsigned c = 0; c < n; c++)
			cell[c] = scn_count(o[of[c].variant].exits[b][of[c].trap]);
	}
}
