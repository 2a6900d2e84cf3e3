// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where two variants break even: between neighbouring points of an axis of
 * numbers the difference of a metric changes its sign. The place is narrowed by
 * halving: whole numbers until they touch, others to a thousandth of the step.
 */
#include <stdlib.h>
#include <string.h>

#include "study/pool.h"
#include "study/sweep.h"

#define MICRO INT64_C(1000000)
#define EVEN_MAX 1000
#define HALVINGS 40

struct crossing {
	size_t point;              /* the lower neighbour */
	unsigned over, metric, variant;
};

enum { LOW, HIGH, WORDS };

struct evens {
	struct study_sweep *s;
	struct crossing *at;
	size_t n, room, left_out;
};

/* The sign of variant - first; 2 when either is missing. */
static int sign_of(const struct scn_cell *a, const struct scn_cell *b)
{
	if (a->kind == SCN_EMPTY || a->kind != b->kind)
		return 2;
	return (b->v > a->v) - (b->v < a->v);
}

static int sign_at(const struct study_sweep *s, size_t point, unsigned metric, unsigned variant)
{
	struct scn_cell a = study_sweep_cell(s, point, metric, 0);
	struct scn_cell b = study_sweep_cell(s, point, metric, variant);

	return sign_of(&a, &b);
}

static void add(struct evens *e, struct crossing c)
{
	if (e->n == EVEN_MAX) {
		e->left_out++;
		return;
	}
	e->at = mem_grow(e->at, &e->room, e->n + 1, sizeof(*e->at));
	e->at[e->n++] = c;
}

static void find_between(struct evens *e, unsigned over, size_t point)
{
	const struct study_sweep *s = e->s;
	size_t next = point + study_sweep_stride(s, over);

	for (unsigned m = 0; m < s->metrics; m++)
		for (unsigned v = 1; v < s->scn->variants; v++)
			if (sign_at(s, point, m, v) * sign_at(s, next, m, v) == -1)
				add(e, (struct crossing){ point, over, m, v });
}

static void find_all(struct evens *e)
{
	const struct study_sweep *s = e->s;

	for (unsigned a = 0; a < s->overs; a++) {
		size_t stride = study_sweep_stride(s, a);

		for (size_t p = 0; s->over[a].numbers && p < s->points; p++)
			if (p / stride % s->over[a].values + 1 < s->over[a].values)
				find_between(e, a, p);
	}
}

static int sign_of_record(const struct study_sweep *s, const int64_t *record,
			  const struct crossing *c)
{
	const int64_t *a = record + 2 * (c->metric * (size_t)s->cells);
	const int64_t *b = a + 2 * c->variant;
	struct scn_cell x = { .kind = a[0] & 255, .v = a[1] }, y = { .kind = b[0] & 255, .v = b[1] };

	return sign_of(&x, &y);
}

static const char *number(char buf[40], int64_t micro, bool whole)
{
	int64_t abs = micro < 0 ? -micro : micro;

	if (whole)
		snprintf(buf, 40, "%lld", (long long)(micro / MICRO));
	else
		snprintf(buf, 40, "%s%lld.%06lld", micro < 0 ? "-" : "", (long long)(abs / MICRO),
			 (long long)(abs % MICRO));
	return buf;
}

static int narrow(const struct study_sweep *s, const struct crossing *c, int64_t *record,
		  struct err *err)
{
	size_t i = c->point / study_sweep_stride(s, c->over) % s->over[c->over].values;
	int64_t a = s->over[c->over].micro[i], b = s->over[c->over].micro[i + 1];
	bool whole = a % MICRO == 0 && b % MICRO == 0;
	int64_t step = whole ? MICRO : (b > a ? b - a : a - b) / 1000 + 1;
	int low = sign_at(s, c->point, c->metric, c->variant);
	int64_t *got = mem_zalloc(s->words, sizeof(*got));
	int rc = 0;

	for (unsigned k = 0; !rc && k < HALVINGS && (b > a ? b - a : a - b) > step; k++) {
		int64_t x = a + (b - a) / 2;
		char buf[40];

		if (whole)
			x -= x % MICRO;
		rc = study_sweep_point(s, c->point, c->over, number(buf, x, whole), got, err);
		if (rc)
			break;
		if (sign_of_record(s, got, c) == low)
			a = x;
		else
			b = x;
	}
	free(got);
	record[LOW] = a;
	record[HIGH] = b;
	return rc;
}

static int task(void *ctx, size_t i, int64_t *record, struct err *err)
{
	const struct evens *e = ctx;

	return narrow(e->s, &e->at[i], record, err);
}

/* The axes that stay as they are. */
static const char *rest(const struct study_sweep *s, const struct crossing *c, struct mem *mem)
{
	const char *text = "";

	for (unsigned a = 0; a < s->overs; a++)
		if (a != c->over)
			text = mem_printf(mem, "%s%s%s=%s", text, *text ? ", " : "", s->over[a].key,
					  study_sweep_value(s, a, c->point));
	return text;
}

static void tabulate(const struct evens *e, const int64_t *record, struct scn_result *r)
{
	static const char *const column[] = { "break even", "axis", "from", "to", "where" };
	const struct study_sweep *s = e->s;
	struct scn_table *t = scn_table_new(r, "break-even", "Where variants break even", "metric",
					    column, 5);

	for (size_t i = 0; i < e->n; i++) {
		const struct crossing *c = &e->at[i];
		struct scn_cell *cell = scn_table_row(t, s->metric[c->metric].label);
		bool whole = record[WORDS * i] % MICRO == 0 && record[WORDS * i + 1] % MICRO == 0;

		cell[0] = scn_text(mem_printf(r->mem, "%s, %s", s->scn->variant[0].name,
					      s->scn->variant[c->variant].name));
		cell[1] = scn_text(s->over[c->over].key);
		cell[2] = scn_decimal(record[WORDS * i + LOW], whole ? 0 : 6);
		cell[3] = scn_decimal(record[WORDS * i + HIGH], whole ? 0 : 6);
		cell[4] = scn_text(rest(s, c, r->mem));
	}
	if (e->left_out)
		scn_result_note(r, mem_printf(r->mem, "%zu further changes of sign are not shown: "
					      "only the first %u were narrowed", e->left_out, EVEN_MAX));
}

int study_sweep_even(struct study_sweep *s, struct scn_result *r, struct err *err)
{
	struct evens e = { .s = s };
	struct study_pool pool = { .jobs = s->jobs, .words = WORDS, .task = task, .ctx = &e,
				   .what = "break-even points", .progress = s->options->progress,
				   .progress_ctx = s->options->ctx };
	int64_t *record;
	int rc = 0;

	find_all(&e);
	record = mem_zalloc(e.n * WORDS + 1, sizeof(*record));
	if (e.n)
		rc = study_pool_run(&pool, e.n, NULL, record, err);
	if (!rc && e.n)
		tabulate(&e, record, r);
	else if (!rc)
		scn_result_note(r, "the variants break even nowhere on this grid");
	free(record);
	free(e.at);
	return rc;
}
