// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/published.h"
#include "scenario/v2.h"
#include "scenario/v2_over_time.h"

struct run {
	const struct scenario *scn;
	struct scn_v2 *v;          /* one a variant */
	struct v2_result *r;
	struct scn_v2_over_time *over_time; /* NULL with too many variants for its table */
	struct scn_result *result;
};

static bool value(void *ctx, unsigned variant, const char *metric, struct scn_cell *out)
{
	struct run *run = ctx;

	return scn_v2_value(&run->r[variant], &run->v[variant].setup, metric, out);
}

/* Tables of counts: a column a variant, and the difference when there are two. */
static struct scn_table *new_table(struct run *run, const char *name, const char *title,
				   const char *corner)
{
	const struct scenario *scn = run->scn;
	const char *column[SCN_VARIANTS_MAX + 1];
	unsigned n = scn->variants;

	for (unsigned i = 0; i < n; i++)
		column[i] = scn->variant[i].name;
	if (n == 2)
		column[n++] = "difference";
	return scn_table_new(run->result, name, title, corner, column, n);
}

static void add_counts(struct run *run, struct scn_table *t, const char *name,
		       uint64_t (*of)(const struct v2_vcpu_result *r, unsigned i), unsigned i)
{
	struct scn_cell *cell = scn_table_row(t, name);
	unsigned n = run->scn->variants;

	for (unsigned v = 0; v < n; v++)
		cell[v] = scn_count(of(&run->r[v].total, i));
	if (n == 2)
		cell[n] = scn_difference((uint64_t)cell[0].v, (uint64_t)cell[1].v);
}

static uint64_t exits_of(const struct v2_vcpu_result *r, unsigned trap)
{
	return r->exits[trap];
}

static uint64_t all_exits(const struct v2_vcpu_result *r, unsigned unused)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_TRAPS; i++)
		sum += r->exits[i];
	return sum;
}

static uint64_t not_entered_of(const struct v2_vcpu_result *r, unsigned unused)
{
	return r->not_entered;
}

static uint64_t blocks_of(const struct v2_vcpu_result *r, unsigned unused)
{
	return r->blocks;
}

static uint64_t spins_of(const struct v2_vcpu_result *r, unsigned unused)
{
	return r->ceded_spins;
}

/* Causes that only replayed guests have get a row when there are any. */
static bool any_exits(const struct run *run, unsigned trap)
{
	for (unsigned v = 0; v < run->scn->variants; v++)
		if (run->r[v].total.exits[trap])
			return true;
	return false;
}

static void tabulate_exits(struct run *run)
{
	struct scn_table *t = new_table(run, "exits", "Exits by cause (kvm_hv:kvm_guest_exit)", "trap");

	for (unsigned i = 0; i < V2_TRAPS; i++)
		if (i < V2_TRAP_HVIRT || any_exits(run, i))
			add_counts(run, t, v2_trap_name(i), exits_of, i);
	add_counts(run, t, "all turns", all_exits, 0);
	add_counts(run, t, "of them not entered", not_entered_of, 0);
	add_counts(run, t, "ceded turns that blocked", blocks_of, 0);
	add_counts(run, t, "ceded turns that came straight back", spins_of, 0);
	t->detail = run->scn->variants > SCN_WIDE;
}

static void tabulate_time(struct run *run)
{
	struct scn_table *t;
	const char *column[SCN_VARIANTS_MAX];

	for (unsigned v = 0; v < run->scn->variants; v++)
		column[v] = run->scn->variant[v].name;
	t = scn_table_new(run->result, "time", "Where the vCPUs' time goes, per cent", "state",
			  column, run->scn->variants);
	t->detail = run->scn->variants > SCN_WIDE;
	for (unsigned i = 0; i < V2_CYCLES; i++) {
		struct scn_cell *cell = scn_table_row(t, v2_cycles_name(i));

		for (unsigned v = 0; v < run->scn->variants; v++)
			cell[v] = scn_share(run->r[v].total.cycles[i],
					    run->v[v].setup.duration * run->r[v].vcpus, 3);
	}
}

static uint64_t class_cycles(const struct run *run, unsigned variant, unsigned class)
{
	uint64_t sum = 0;

	for (unsigned p = 0; p < V2_PATHS; p++)
		sum += run->r[variant].paths[p] * run->v[variant].price[p].by_class[class];
	return sum;
}

static void tabulate_classes(struct run *run)
{
	struct scn_table *t = new_table(run, "cycles", "Hypervisor cycles (L1, L0, state hcalls) by "
					"what they wait for", "class");
	unsigned n = run->scn->variants;

	t->detail = true;
	for (unsigned c = 0; c < PIPE_CLASSES; c++) {
		struct scn_cell *cell = scn_table_row(t, pipe_class_name(c));

		for (unsigned v = 0; v < n; v++)
			cell[v] = scn_count(class_cycles(run, v, c));
		if (n == 2)
			cell[n] = scn_difference((uint64_t)cell[0].v, (uint64_t)cell[1].v);
	}
}

static void tabulate_prices(struct run *run)
{
	const char *column[SCN_VARIANTS_MAX];
	struct scn_table *t;

	for (unsigned v = 0; v < run->scn->variants; v++)
		column[v] = run->scn->variant[v].name;
	t = scn_table_new(run->result, "paths", "Price of the paths, core cycles", "path", column,
			  run->scn->variants);
	t->detail = true;
	for (unsigned p = 0; p < V2_PATHS; p++) {
		struct scn_cell *cell = scn_table_row(t, v2_path_file(p));

		for (unsigned v = 0; v < run->scn->variants; v++)
			cell[v] = scn_count(run->v[v].setup.cost[p]);
	}
}

static int run_variants(struct run *run, struct err *err)
{
	const struct scenario *scn = run->scn;
	const struct scn_options *o = scn->options;
	struct scn_v2_traces traces = { 0 };

	for (unsigned i = 0; i < scn->variants; i++) {
		struct scn_view view;

		if (o->progress)
			o->progress(o->ctx, scn->variant[i].name, i, scn->variants);
		if (scn_view(scn, &scn->variant[i], &view, err) < 0 ||
		    scn_v2_load(scn, &view, &traces, &run->v[i], err) < 0)
			return -1;
		if (run->over_time) {
			scn_v2_over_time_init(&run->over_time[i], &run->v[i].setup);
			run->v[i].setup.observer = &run->over_time[i].observer;
		}
		v2_run(&run->v[i].setup, &run->r[i]);
		run->result->events += run->r[i].events;
	}
	if (o->progress)
		o->progress(o->ctx, "", scn->variants, scn->variants);
	return 0;
}

static int publish(struct run *run, struct err *err)
{
	const char *names[64];
	const char *about;
	size_t n = 0;

	while (n < 64 && (names[n] = scn_v2_metric(n, &about)))
		n++;
	return scn_published(run->scn, run->result, value, run, names, n, err);
}

int scn_v2_run(const struct scenario *scn, struct scn_result *result, struct err *err)
{
	struct run run = { .scn = scn, .result = result };
	int rc;

	if (!scn->variants)
		return err_at(err, scn->file, 0, "needs 'variants' to run");
	run.v = mem_alloc(scn->mem, scn->variants, sizeof(*run.v));
	run.r = mem_alloc(scn->mem, scn->variants, sizeof(*run.r));
	if (scn->variants <= SCN_WIDE)
		run.over_time = mem_alloc(scn->mem, scn->variants, sizeof(*run.over_time));
	result->event_is = "a deadline that fired: the end of a phase of a turn, of the guest's "
			   "activity, or of an idle CPU's sleep";
	rc = run_variants(&run, err);
	if (!rc)
		rc = publish(&run, err);
	if (!rc) {
		tabulate_exits(&run);
		tabulate_time(&run);
		scn_v2_wake(scn, run.v, run.r, result);
		tabulate_classes(&run);
		tabulate_prices(&run);
		if (run.over_time)
			scn_v2_over_time_add(scn, run.v, run.over_time, result);
	}
	for (unsigned i = 0; i < scn->variants; i++)
		v2_result_done(&run.r[i]);
	return rc;
}
