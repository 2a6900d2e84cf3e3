// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/ensemble.h"

#include <string.h>

#include "study/calibrate.h"
#include "study/ensemble_part.h"
#include "study/pool.h"

/* A record begins with: whether a calibration is out of reach, and the runs of all searches. */
enum { MISSED, RUNS, AHEAD };

static bool is_own_column(const char *name)
{
	return strncmp(name, "published ", 10);
}

/* A cell's kind and digits in one word, its value in the other. */
static void store(int64_t *to, const struct scn_cell *c)
{
	bool number = c->kind == SCN_COUNT || c->kind == SCN_DECIMAL || c->kind == SCN_PERCENT;

	to[0] = number ? (int64_t)(c->kind | c->digits << 8) : SCN_EMPTY;
	to[1] = number ? c->v : 0;
}

struct scn_cell study_member_cell(const struct ensemble *e, size_t member, unsigned table,
				  unsigned row, unsigned column)
{
	const struct ensemble_table *t = &e->table[table];
	const int64_t *at = e->record + member * e->words + t->at +
			    2 * (row * (size_t)t->columns + column);

	return (struct scn_cell){ .kind = at[0] & 255, .digits = (unsigned)at[0] >> 8, .v = at[1] };
}

static int store_tables(const struct ensemble *e, const struct scn_result *r, int64_t *record,
			struct err *err)
{
	for (unsigned i = 0; i < e->tables; i++) {
		const struct ensemble_table *et = &e->table[i];
		const struct scn_table *t = et->index < r->tables ? r->table[et->index] : NULL;

		if (!t || t->rows != et->rows || t->columns != et->columns)
			return err_set(err, "the tables have another shape");
		for (unsigned row = 0; row < t->rows; row++)
			for (unsigned k = 0; k < t->columns; k++, record += 2)
				store(record, &t->row[row].cell[k]);
	}
	return 0;
}

static int run_member(const struct ensemble *e, size_t member, struct mem *mem, int64_t *record,
		      struct err *err)
{
	const struct study_search search = { .tolerance = STUDY_CLOSE, .draw = true,
					     .seed = e->seed, .member = member };
	struct study_calibration c[STUDY_CALIBRATE_MAX];
	struct scn_options o = *e->options;
	struct scn_result result;
	struct scn_set *set;
	unsigned n = 0;

	set = mem_alloc(mem, o.sets + e->params + STUDY_CALIBRATE_SETS, sizeof(*set));
	for (size_t i = 0; i < o.sets; i++)
		set[i] = o.set[i];
	for (unsigned i = 0; i < e->params; i++)
		set[o.sets++] = (struct scn_set){ e->param[i].key, study_decimal(mem,
					study_draw(&e->param[i], e->seed, member)) };
	o.set = set;
	o.progress = NULL;
	o.has_seed = true;
	o.seed = study_member_seed(e->seed, member);
	if (e->calibrate && study_calibrate(mem, &o, &search, c, &n, err) < 0)
		return -1;
	for (unsigned i = 0; i < n; i++) {
		o.sets = study_calibrated(mem, &c[i], set, o.sets);
		record[MISSED] |= !c[i].reached;
		record[RUNS] += c[i].runs;
	}
	if (scn_run(mem, &o, &result, err) < 0)
		return -1;
	return store_tables(e, &result, record + AHEAD, err);
}

static int task(void *ctx, size_t i, int64_t *record, struct err *err)
{
	struct mem *mem = mem_new();
	struct err inner = ERR_INIT;
	int rc = run_member(ctx, i, mem, record, &inner);

	if (rc < 0)
		err_set(err, "%.900s (member %zu of the ensemble)", inner.text, i + 1);
	mem_free(mem);
	return rc;
}

/* Columns of numbers, whose interval is wanted. */
static void find_outputs(struct ensemble_table *et, const struct scn_table *t, struct mem *mem)
{
	et->output = mem_alloc(mem, t->columns, sizeof(*et->output));
	for (unsigned c = 0; c < t->columns; c++) {
		bool numbers = false;

		for (unsigned r = 0; r < t->rows; r++)
			numbers |= t->row[r].cell[c].kind != SCN_EMPTY &&
				   t->row[r].cell[c].kind != SCN_TEXT;
		if (t->predicted ? !strcmp(t->column[c], t->predicted) :
				   numbers && is_own_column(t->column[c]))
			et->output[et->outputs++] = c;
	}
}

static void find_tables(struct ensemble *e, const struct scn_result *r, struct mem *mem)
{
	e->table = mem_alloc(mem, r->tables, sizeof(*e->table));
	for (unsigned i = 0; i < r->tables; i++) {
		const struct scn_table *t = r->table[i];
		struct ensemble_table *et = &e->table[e->tables];

		if (!t->predicted && strcmp(t->name, "metrics"))
			continue;
		*et = (struct ensemble_table){ .index = i, .rows = t->rows, .columns = t->columns,
					       .at = e->words };
		find_outputs(et, t, mem);
		e->words += 2 * (size_t)t->rows * t->columns;
		e->tables++;
	}
}

/* What calibrating the members came to. */
static void sum_calibration(const struct ensemble *e, struct study_ensemble *out)
{
	out->runs = out->missed = 0;
	for (unsigned m = 0; m < e->members; m++) {
		out->missed += e->record[m * e->words + MISSED] != 0;
		out->runs += (uint64_t)e->record[m * e->words + RUNS];
	}
}

static const char *joint_source(const struct ensemble *e)
{
	for (unsigned i = 0; i < e->params; i++)
		if (e->param[i].joint)
			return e->param[i].joint->covariance.source;
	return "";
}

static void add_note(const struct ensemble *e, const struct study_ensemble *sum,
		     struct scn_result *r)
{
	unsigned joint = 0;

	for (unsigned i = 0; i < e->params; i++)
		joint += e->param[i].joint != NULL;
	scn_result_note(r, mem_printf(r->mem, "intervals: %u members, each with %u parameters of the "
		"model drawn within their ranges (uniform where assumed or documented, triangular "
		"around what was measured, derived or fitted) and a seed of its own, the same in "
		"all variants", e->members, e->params));
	if (joint)
		scn_result_note(r, mem_printf(r->mem, "%u of them are drawn together, with the "
			"standard errors and correlations of their fit (%s)", joint,
			joint_source(e)));
	if (sum->runs)
		scn_result_note(r, mem_printf(r->mem, "each member is calibrated anew, to targets "
			"drawn from what the published figures themselves may be off (%llu runs of "
			"one variant in all); out of reach, the nearest taken: %u of %u",
			(unsigned long long)sum->runs, sum->missed, e->members));
}

int study_ensemble_add(struct mem *mem, const struct scn_options *options,
		       struct study_ensemble *ask, struct scn_result *result, struct err *err)
{
	struct ensemble e = { .options = options, .members = ask->members,
			      .calibrate = ask->calibrate };
	struct study_pool pool = { .jobs = ask->jobs, .task = task, .ctx = &e, .what = "members",
				   .progress = options->progress, .progress_ctx = options->ctx };
	struct scenario *scn = mem_alloc(mem, 1, sizeof(*scn));

	if (scn_load(mem, options, scn, err) < 0)
		return -1;
	e.seed = scn->seed;
	e.param = study_params(mem, scn, &e.params, err);
	if (!e.param)
		return -1;
	if (!e.params)
		return err_at(err, scn->file, 0, "has nothing to draw: no parameter of its model has a "
			      "range, or all are set");
	e.words = AHEAD;
	find_tables(&e, result, mem);
	pool.words = e.words;
	e.record = mem_alloc(mem, e.members * e.words, sizeof(*e.record));
	if (study_pool_run(&pool, e.members, NULL, e.record, err) < 0)
		return -1;
	study_ensemble_tables(&e, result);
	sum_calibration(&e, ask);
	add_note(&e, ask, result);
	return 0;
}
