// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/validate.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "scenario/ladder.h"
#include "scenario/published.h"
#include "scenario/set_note.h"

#define MICRO INT64_C(1000000)

enum { PUBLISHED, PREDICTED, MEDIAN, LOW, HIGH, ERROR, TOLERANCE, ROLE, VERDICT, SOURCE, COLUMNS };

static const char *const column[COLUMNS] = { "published", "predicted", "median", "5 %", "95 %",
					     "error", "tolerance", "role", "verdict", "source" };

enum verdict { NOT_JUDGED, WITHIN, OUTSIDE, VERDICTS };

#define ROLES_MAX 16

struct tally {
	const char *role;
	unsigned rows, verdict[VERDICTS], interval[VERDICTS];
};

struct ledger {
	struct study_validation *v;
	struct scn_table *table;
	struct tally tally[ROLES_MAX];
	unsigned roles;
	struct scn_result *out;
	struct text missed;  /* scenarios with members out of reach, and how many */
	struct mem *mem;
	struct err *err;
	/* of the scenario at hand */
	const char *name;
	const struct scenario *scn;
	const struct scn_result *run;
};

/* One line of the ledger. */
struct entry {
	const char *row;
	struct scn_cell published, predicted, interval[3];
	const char *role;
	int64_t error, tolerance;  /* points or per cent, millionths */
	int64_t allowed;           /* in the figure's unit, millionths; -1: judged by tolerance */
	bool has_error;
	const char *source;
};

static int64_t distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

/* Cells of one meaning may be a count here and a decimal there. */
static int64_t micro(const struct scn_cell *c)
{
	return c->kind == SCN_COUNT ? c->v * MICRO : c->v;
}

static enum verdict by_interval(const struct entry *e)
{
	int64_t v = micro(&e->published);

	if (e->interval[1].kind == SCN_EMPTY)
		return NOT_JUDGED;
	return v >= micro(&e->interval[1]) && v <= micro(&e->interval[2]) ? WITHIN : OUTSIDE;
}

static enum verdict by_tolerance(const struct entry *e)
{
	if (e->allowed >= 0)
		return e->predicted.kind != SCN_EMPTY &&
		       distance(micro(&e->published), micro(&e->predicted)) <= e->allowed ?
		       WITHIN : OUTSIDE;
	if (e->tolerance < 0 || !strcmp(e->role, scn_role_name(SCN_CALIBRATION)))
		return NOT_JUDGED;
	return e->has_error && distance(e->error, 0) <= e->tolerance ? WITHIN : OUTSIDE;
}

static int sign(int64_t v)
{
	return (v > 0) - (v < 0);
}

/* Of rows too small to compare but by it. */
static enum verdict by_sign(const struct entry *e)
{
	if (strcmp(e->role, ladder_role_name(LADDER_SIGN)) || e->predicted.kind == SCN_EMPTY)
		return NOT_JUDGED;
	return sign(micro(&e->published)) == sign(micro(&e->predicted)) ? WITHIN : OUTSIDE;
}

static const char *verdict_text(struct mem *mem, enum verdict tolerance, enum verdict sign,
				enum verdict interval)
{
	static const char *const t[] = { "", "within tolerance", "OUTSIDE its tolerance" };
	static const char *const s[] = { "", "sign agrees", "sign differs" };
	static const char *const i[] = { "", "in the interval", "not in the interval" };

	return mem_printf(mem, "%s%s%s%s%s", t[tolerance], tolerance && sign ? ", " : "", s[sign],
			  (tolerance || sign) && interval ? ", " : "", i[interval]);
}

/* Roles in the order they come up; the last place takes what doesn't fit. */
static struct tally *tally_of(struct ledger *l, const char *role)
{
	unsigned i = 0;

	while (i < l->roles && strcmp(l->tally[i].role, role))
		i++;
	if (i == l->roles && i < ROLES_MAX)
		l->tally[l->roles++].role = role;
	return &l->tally[i < ROLES_MAX ? i : ROLES_MAX - 1];
}

/* Per cent of the published value, halves away from zero. */
static int64_t percent_off(int64_t published, __int128 predicted)
{
	__int128 den = published < 0 ? -(__int128)published : published;
	__int128 num = (predicted - published) * 200 * MICRO;

	return (int64_t)((num + (num < 0 ? -den : den)) / (2 * den));
}

/* What may be off: points or per cent; of a published 0, which has no per cent, the amount. */
static struct scn_cell tolerance_cell(const struct ledger *l, const struct entry *e)
{
	int64_t figure = micro(&e->published);

	if (e->allowed >= 0 && !figure)
		return scn_text(mem_printf(l->mem, "+-%lld.%02lld", (long long)(e->allowed / MICRO),
					   (long long)(e->allowed / (MICRO / 100) % 100)));
	if (e->allowed >= 0)
		return scn_decimal(percent_off(figure, (__int128)figure + e->allowed), 2);
	return e->tolerance >= 0 ? scn_decimal(e->tolerance, 2) : (struct scn_cell){ 0 };
}

static void add_entry(struct ledger *l, const struct entry *e)
{
	struct scn_cell *cell = scn_table_row(l->table, mem_printf(l->mem, "%s: %s", l->name, e->row));
	enum verdict tolerance = by_tolerance(e), sign = by_sign(e), interval = by_interval(e);
	struct tally *tally = tally_of(l, e->role);

	cell[PUBLISHED] = e->published;
	cell[PREDICTED] = e->predicted;
	memcpy(&cell[MEDIAN], e->interval, sizeof(e->interval));
	if (e->has_error)
		cell[ERROR] = (struct scn_cell){ .kind = SCN_PERCENT, .v = e->error };
	cell[TOLERANCE] = tolerance_cell(l, e);
	cell[ROLE] = scn_text(e->role);
	if (tolerance || sign || interval)
		cell[VERDICT] = scn_text(verdict_text(l->mem, tolerance, sign, interval));
	cell[SOURCE] = scn_text(e->source);
	tally->rows++;
	tally->verdict[tolerance]++;
	tally->interval[interval]++;
	l->v->failed += !strcmp(e->role, scn_role_name(SCN_PREDICTION)) && tolerance == OUTSIDE;
}

/* The interval of a column of the table of metrics (or of differences), when there is one. */
static void find_interval(const struct ledger *l, const char *table, const char *row,
			  const char *what, struct scn_cell to[3])
{
	static const char *const head[] = { "median", "5 %", "95 %" };
	const struct scn_table *t = scn_result_table(l->run, table);

	for (unsigned r = 0; t && r < t->rows; r++) {
		if (strcmp(t->row[r].name, row))
			continue;
		for (unsigned i = 0; i < 3; i++) {
			unsigned c = scn_table_column(t, mem_printf(l->mem, "%s %s", head[i], what));

			if (c < t->columns)
				to[i] = t->row[r].cell[c];
		}
	}
}

/* The cell of a metric for a variant, however the table lies. */
static const struct scn_cell *predicted(const struct ledger *l, const char *label,
					const char *variant)
{
	const struct scn_cell *c = scn_metric_cell(l->run, label, variant);

	return c ? c : scn_metric_cell(l->run, variant, label);
}

static void add_value(struct ledger *l, const struct scn_metric *m, const char *variant, bool alone,
		      const char *source)
{
	const struct jnode *node = jnode_get(m->published, variant);
	const struct scn_cell *got = predicted(l, m->label, variant);
	unsigned role = scn_calibrated(l->scn, m->metric, variant) ? SCN_CALIBRATION : m->role;
	struct entry e = { .role = scn_role_name(role),
			   .tolerance = alone ? m->tolerance : -1, .allowed = -1,
			   .source = source };
	int64_t whole;

	if (!node || node->type != J_NUMBER)
		return;
	e.row = mem_printf(l->mem, "%s, %s", m->label, variant);
	e.published = jnode_whole(node, &whole) ? scn_count((uint64_t)whole) :
						  scn_decimal(node->micro, 2);
	if (got && got->kind != SCN_EMPTY) {
		e.predicted = *got;
		e.has_error = node->micro != 0;
		e.error = e.has_error ? percent_off(node->micro, micro(got)) : 0;
	}
	if (scn_amount_is(&m->allowed))
		e.allowed = scn_amount_of(&m->allowed, node->micro);
	find_interval(l, "metrics", m->label, variant, e.interval);
	if (e.interval[1].kind == SCN_EMPTY)
		find_interval(l, "metrics", variant, m->label, e.interval);
	add_entry(l, &e);
}

/* Variant v against the first. */
static void add_difference(struct ledger *l, const struct scn_metric *m, unsigned v,
			   const char *source)
{
	const char *from = l->scn->variant[0].name, *to = l->scn->variant[v].name;
	const struct jnode *a = jnode_get(m->published, from), *b = jnode_get(m->published, to);
	const struct scn_cell *pa = predicted(l, m->label, from), *pb = predicted(l, m->label, to);
	struct entry e = { .role = scn_role_name(m->role), .tolerance = m->tolerance, .allowed = -1,
			   .source = source };

	if (!a || !b || a->type != J_NUMBER || b->type != J_NUMBER || !a->micro)
		return;
	e.row = mem_printf(l->mem, "%s, %s -> %s", m->label, from, to);
	e.published = scn_difference((uint64_t)a->micro, (uint64_t)b->micro);
	if (pa && pb && pa->kind != SCN_EMPTY && pb->kind != SCN_EMPTY)
		e.predicted = scn_difference((uint64_t)micro(pa), (uint64_t)micro(pb));
	e.has_error = e.predicted.kind != SCN_EMPTY;
	e.error = e.has_error ? e.predicted.v - e.published.v : 0;
	if (l->scn->variants == 2)
		find_interval(l, "metrics", m->label, "difference", e.interval);
	else
		find_interval(l, "differences", m->label, mem_printf(l->mem, "%s -> %s", from, to),
			      e.interval);
	add_entry(l, &e);
}

static int add_metrics(struct ledger *l)
{
	const struct jnode *list = jnode_get(l->scn->root, "metrics");

	if (!scn_result_table(l->run, "metrics"))
		return 0;
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		struct scn_metric m;
		const char *source;

		if (scn_metric_read(c, &m, l->err) < 0)
			return -1;
		if (!m.published)
			continue;
		source = m.source ? m.source : l->run->title;
		for (unsigned v = 0; v < l->scn->variants; v++)
			add_value(l, &m, l->scn->variant[v].name, m.published->n == 1, source);
		for (unsigned v = 1; v < l->scn->variants; v++)
			add_difference(l, &m, v, source);
	}
	return 0;
}

/* A table that has what was published in its column "given". */
static void add_given(struct ledger *l, const struct scn_table *t)
{
	unsigned given = scn_table_column(t, "given"), role = scn_table_column(t, "role");
	unsigned predicted = scn_table_column(t, t->predicted);
	unsigned allowed = scn_table_column(t, "allowed, %");

	for (unsigned r = 0; r < t->rows && given < t->columns && role < t->columns &&
			     predicted < t->columns; r++) {
		const struct scn_cell *c = t->row[r].cell;
		struct entry e = { .row = t->row[r].name, .published = c[given],
				   .predicted = c[predicted], .tolerance = -1, .allowed = -1,
				   .source = l->run->title };

		if (c[given].kind == SCN_EMPTY)
			continue;
		e.role = c[role].kind == SCN_TEXT ? c[role].text : "";
		if (allowed < t->columns && c[allowed].kind != SCN_EMPTY)
			e.tolerance = micro(&c[allowed]);
		e.has_error = micro(&e.published) != 0;
		e.error = e.has_error ? percent_off(micro(&e.published), micro(&e.predicted)) : 0;
		find_interval(l, t->name, e.row, t->predicted, e.interval);
		add_entry(l, &e);
	}
}

/* "scenarios/x.json" -> "x" */
static const char *short_name(struct mem *mem, const char *name)
{
	const char *slash = strrchr(name, '/');
	char *s = mem_strdup(mem, slash ? slash + 1 : name);
	size_t len = strlen(s);

	if (len > 5 && !strcmp(s + len - 5, ".json"))
		s[len - 5] = '\0';
	return s;
}

static int add_ensemble(struct ledger *l, const struct scn_options *o, struct scn_result *run)
{
	struct study_ensemble *e = &l->v->ensemble;

	if (study_ensemble_add(l->mem, o, e, run, l->err) < 0)
		return -1;
	if (e->missed)
		text_add(&l->missed, "%s %s %u", l->missed.len ? "," : "", l->name, e->missed);
	return 0;
}

static int add_scenario(struct ledger *l, const struct scn_options *options, const char *name)
{
	struct scn_options o = *options;
	struct scenario *scn = mem_alloc(l->mem, 1, sizeof(*scn));
	struct scn_result *run = mem_alloc(l->mem, 1, sizeof(*run));

	o.name = name;
	l->name = short_name(l->mem, name);
	l->scn = scn;
	l->run = run;
	if (scn_load(l->mem, &o, scn, l->err) < 0)
		return -1;
	if (!scn_publishes(scn->root))
		return 0;
	scn_set_note(scn, l->out);
	if (scn_run(l->mem, &o, run, l->err) < 0)
		return -1;
	if (l->v->ensemble.members && add_ensemble(l, &o, run) < 0)
		return -1;
	for (unsigned i = 0; i < run->tables; i++)
		if (run->table[i]->predicted)
			add_given(l, run->table[i]);
	return add_metrics(l);
}

static void tabulate_summary(struct ledger *l)
{
	static const char *const heads[] = { "rows", "with a tolerance", "within it", "outside it",
					     "with an interval", "in it", "not in it" };
	struct scn_table *t = scn_table_new(l->out, "summary", "By role", "role", heads, 7);

	for (unsigned r = 0; r < l->roles; r++) {
		const struct tally *y = &l->tally[r];
		struct scn_cell *cell = scn_table_row(t, y->role);

		cell[0] = scn_count(y->rows);
		cell[1] = scn_count(y->verdict[WITHIN] + y->verdict[OUTSIDE]);
		cell[2] = scn_count(y->verdict[WITHIN]);
		cell[3] = scn_count(y->verdict[OUTSIDE]);
		if (!l->v->ensemble.members)
			continue;
		cell[4] = scn_count(y->interval[WITHIN] + y->interval[OUTSIDE]);
		cell[5] = scn_count(y->interval[WITHIN]);
		cell[6] = scn_count(y->interval[OUTSIDE]);
	}
}

static void add_notes(struct ledger *l)
{
	static const char anew[] = ", each calibrated anew to targets drawn from what the "
				   "published figures may be off";
	static const char fixed[] = "; what was calibrated stays as it is in the file, so absolute "
				    "figures move with the parameters";

	scn_result_note(l->out, "error: of a difference between variants in points, of a figure in "
			"per cent of the published one; a tolerance is of the same kind (of a "
			"published 0 an amount)");
	scn_result_note(l->out, "roles: prediction - nothing was set from it; structure - the "
			"mechanism, not the amount, is predicted; cross-validated - predicted by a fit "
			"that left it out; calibration - a parameter was set from it; fit - "
			"one of the rows parameters were fitted to; sign - too small to compare but by "
			"its sign; excluded - unexplained by its author, never fitted");
	if (l->v->ensemble.members)
		scn_result_note(l->out, mem_printf(l->mem, "intervals: %u members a scenario, "
			"parameters of the model drawn within their ranges and a seed of its own "
			"each%s", l->v->ensemble.members, l->v->ensemble.calibrate ? anew : fixed));
	else
		scn_result_note(l->out, "no intervals: made without --ensemble");
	if (l->missed.len)
		scn_result_note(l->out, mem_printf(l->mem, "members whose parameters put a target "
			"out of reach, so that they come as near as they can:%s", l->missed.s));
}

int study_validate(struct mem *mem, const struct scn_options *options,
		   struct study_validation *v, struct scn_result *result, struct err *err)
{
	struct ledger l = { .v = v, .out = result, .mem = mem, .err = err };
	const char *const *name = v->name;
	size_t n = v->n;

	*result = (struct scn_result){ .mem = mem, .scenario = "scenarios", .kind = "validation",
				       .title = "Validation ledger", .seed = options->has_seed ?
				       options->seed : 1, .set = options->set,
				       .sets = options->sets };
	v->failed = 0;
	if (!n)
		name = file_list(mem, "scenarios", &n, err);
	if (!name)
		return -1;
	l.table = scn_table_new(result, "ledger", NULL, "scenario and row", column, COLUMNS);
	for (size_t i = 0; i < n; i++)
		if (add_scenario(&l, options, name[i]) < 0) {
			text_free(&l.missed);
			return -1;
		}
	tabulate_summary(&l);
	add_notes(&l);
	text_free(&l.missed);
	return 0;
}
