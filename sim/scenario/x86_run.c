// SPDX-License-Identifier: GPL-2.0-or-later
/* Running the variants of an x86 scenario, and the tables that come of it. */
#include <stdio.h>
#include <string.h>

#include "scenario/published.h"
#include "scenario/x86.h"

#define MICRO 1000000

struct run {
	const struct scenario *scn;
	struct scn_x86 *v;             /* one a variant */
	struct x86_result *r;
	struct scn_x86_total *total;
	struct scn_result *result;
};

static bool value(void *ctx, unsigned variant, const char *metric, struct scn_cell *out)
{
	struct run *run = ctx;

	return scn_x86_value(&run->v[variant].setup, &run->r[variant], metric, out);
}

static struct scn_table *new_table(struct run *run, const char *name, const char *title,
				   const char *corner)
{
	const char *column[SCN_VARIANTS_MAX];

	for (unsigned i = 0; i < run->scn->variants; i++)
		column[i] = run->scn->variant[i].name;
	return scn_table_new(run->result, name, title, corner, column, run->scn->variants);
}

static void tabulate_cancels(struct run *run)
{
	struct scn_table *t = new_table(run, "cancels", "Cancelled entries by reason "
					"(the first is what the order does)", "reason");

	for (unsigned i = 0; i < X86_REASONS; i++) {
		struct scn_cell *cell = scn_table_row(t, x86_reason_name(i));

		for (unsigned v = 0; v < run->scn->variants; v++)
			cell[v] = scn_count(run->total[v].cancels[i]);
	}
}

/* Causes by name: variants may have different ones. */
static void tabulate_exits(struct run *run)
{
	struct scn_table *t = new_table(run, "exits", "Exits by cause (kvm:kvm_exit)", "cause");
	const char *name[X86_CAUSES_MAX * 2];
	unsigned n = 0;

	for (unsigned v = 0; v < run->scn->variants; v++) {
		const struct x86_setup *s = &run->v[v].setup;

		for (unsigned i = 0; i < s->causes; i++) {
			unsigned k = 0;

			while (k < n && strcmp(name[k], s->cause[i]))
				k++;
			if (k == n && n < X86_CAUSES_MAX * 2)
				name[n++] = s->cause[i];
		}
	}
	for (unsigned k = 0; k < n; k++) {
		struct scn_cell *cell = scn_table_row(t, name[k]);
		char metric[128];

		snprintf(metric, sizeof(metric), "exits:%.100s", name[k]);
		for (unsigned v = 0; v < run->scn->variants; v++)
			value(run, v, metric, &cell[v]);
	}
}

static void tabulate_time(struct run *run)
{
	struct scn_table *t = new_table(run, "time", "Where the vCPUs' time goes, per cent",
					"state");

	for (unsigned i = 0; i < X86_STATES; i++) {
		struct scn_cell *cell = scn_table_row(t, x86_state_name(i));

		for (unsigned v = 0; v < run->scn->variants; v++)
			cell[v] = scn_share(run->total[v].cycles[i],
					    run->v[v].setup.length * run->v[v].setup.vcpus, 4);
	}
}

/* (b - a) / a in per cent with four decimals: changes under a tenth of one are the point. */
static struct scn_cell change(uint64_t a, uint64_t b)
{
	__int128 d = ((__int128)b - (__int128)a) * 100 * MICRO;

	if (!a)
		return (struct scn_cell){ 0 };
	return scn_decimal((int64_t)(d / (__int128)a), 4);
}

static void tabulate_change(struct run *run)
{
	static const char *const column[] = { "cancelled entries, %", "exits, %", "guest task, %" };
	struct scn_table *t;

	if (run->scn->variants < 2)
		return;
	t = scn_table_new(run->result, "change",
			  mem_printf(run->scn->mem, "Change against '%s'",
				     run->scn->variant[0].name),
			  "variant", column, 3);
	for (unsigned v = 1; v < run->scn->variants; v++) {
		struct scn_cell *cell = scn_table_row(t, run->scn->variant[v].name);
		const struct scn_x86_total *a = &run->total[0], *b = &run->total[v];

		cell[0] = change(a->all_cancels, b->all_cancels);
		cell[1] = change(a->all_exits, b->all_exits);
		cell[2] = change(a->cycles[X86_IN_TASK], b->cycles[X86_IN_TASK]);
	}
}

/* For --format perf-stat: the table's name says the event, rows are ends of intervals. */
static void tabulate_intervals(struct run *run)
{
	struct scn_table *t = new_table(run, "perf-stat probe:vmx_cancel_injection", NULL, "time");
	uint64_t ns = (uint64_t)run->v[0].interval_ms * 1000000;

	t->detail = true;
	for (size_t i = 0; i < run->r[0].intervals; i++) {
		uint64_t end = ns * (i + 1);
		struct scn_cell *cell = scn_table_row(t, mem_printf(run->scn->mem, "%llu.%09llu",
					(unsigned long long)(end / 1000000000),
					(unsigned long long)(end % 1000000000)));

		for (unsigned v = 0; v < run->scn->variants; v++)
			if (i < run->r[v].intervals)
				cell[v] = scn_count(run->r[v].at[i].cancels -
						    (i ? run->r[v].at[i - 1].cancels : 0));
	}
}

static void tabulate_requests(struct run *run)
{
	static const char *const column[] = { "handled", "delivered", "raised while set" };
	struct scn_table *t;

	for (unsigned v = 0; v < run->scn->variants; v++) {
		const struct x86_model *m = run->v[v].setup.model;
		const struct x86_result *r = &run->r[v];
		const char *name = run->scn->variant[v].name;

		t = scn_table_new(run->result, mem_printf(run->scn->mem, "requests %s", name),
				  mem_printf(run->scn->mem, "Requests: %s", name), "request",
				  column, 3);
		t->detail = true;
		for (unsigned i = 0; i < m->requests; i++) {
			struct scn_cell *cell;

			if (!r->handled[i] && !r->coalesced[i])
				continue;
			cell = scn_table_row(t, m->request[i].name);
			cell[0] = scn_count(r->handled[i]);
			cell[1] = scn_count(r->delivered[i]);
			cell[2] = scn_count(r->coalesced[i]);
		}
	}
}

static void note_costs(struct run *run)
{
	const struct x86_setup *s = &run->v[0].setup;
	const struct scn_x86_total *t = &run->total[0];
	struct mem *mem = run->scn->mem;

	scn_result_note(run->result, mem_printf(mem,
		"a cancelled attempt costs one software pass of %llu cycles and what its handlers "
		"take, no VM entry: an estimate, no time was published",
		(unsigned long long)x86_software_pass(s->cpu)));
	if (t->attempts)
		scn_result_note(run->result, mem_printf(mem,
			"from the test for host task work to the final check an attempt of '%s' took "
			"%llu cycles on average: what arrives then cancels it",
			run->scn->variant[0].name, (unsigned long long)(t->window / t->attempts)));
}

/* 'order' wins over the policy, but not silently where the policy is what variants differ in. */
static int check_order(const struct scn_variant *v, const struct scn_x86 *x, struct err *err)
{
	const struct jnode *set = v->set, *policy;

	policy = set ? jnode_get(set, "x86.request_order") : NULL;
	if (policy && x->order && !jnode_get(set, "order"))
		return jnode_err(policy, err, "has no effect: 'order' is %.200s in all variants",
				 x->order);
	return 0;
}

static int run_variants(struct run *run, struct err *err)
{
	const struct scenario *scn = run->scn;
	const struct scn_options *o = scn->options;

	for (unsigned i = 0; i < scn->variants; i++) {
		struct scn_view view;

		if (o->progress)
			o->progress(o->ctx, scn->variant[i].name, i, scn->variants);
		if (scn_view(scn, &scn->variant[i], &view, err) < 0 ||
		    scn_x86_load(scn, &view, &run->v[i], err) < 0 ||
		    check_order(&scn->variant[i], &run->v[i], err) < 0 ||
		    x86_loop_run(&run->v[i].setup, &run->r[i], err) < 0)
			return -1;
		scn_x86_sum(&run->v[i].setup, &run->r[i], &run->total[i]);
		run->result->events += run->r[i].events;
	}
	if (o->progress)
		o->progress(o->ctx, "", scn->variants, scn->variants);
	return 0;
}

static int report(struct run *run, struct err *err)
{
	const char *const *names;
	size_t n;

	names = scn_x86_metrics(run->scn->mem, &run->v[0].setup, &n);
	if (scn_published(run->scn, run->result, value, run, names, n, err) < 0)
		return -1;
	tabulate_change(run);
	tabulate_cancels(run);
	tabulate_exits(run);
	tabulate_time(run);
	tabulate_intervals(run);
	tabulate_requests(run);
	note_costs(run);
	return 0;
}

int scn_x86_run(const struct scenario *scn, struct scn_result *result, struct err *err)
{
	struct run run = { .scn = scn, .result = result };
	int rc;

	if (!scn->variants)
		return err_at(err, scn->file, 0, "needs 'variants' to run");
	run.v = mem_alloc(scn->mem, scn->variants, sizeof(*run.v));
	run.r = mem_alloc(scn->mem, scn->variants, sizeof(*run.r));
	run.total = mem_alloc(scn->mem, scn->variants, sizeof(*run.total));
	result->event_is =
		"the end of a stage of a vCPU's turn, an arrival, or the end of an interval";
	rc = run_variants(&run, err);
	if (!rc)
		rc = report(&run, err);
	for (unsigned i = 0; i < scn->variants; i++)
		x86_result_done(&run.r[i]);
	return rc;
}
