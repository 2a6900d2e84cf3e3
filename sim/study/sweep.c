// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/sweep.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "study/pool.h"

#define MICRO INT64_C(1000000)

static const char *plain(struct mem *mem, int64_t micro)
{
	char *s;
	size_t len;

	if (micro % MICRO == 0)
		return mem_printf(mem, "%lld", (long long)(micro / MICRO));
	s = mem_printf(mem, "%s%lld.%06lld", micro < 0 ? "-" : "",
		       (long long)(micro < 0 ? -micro : micro) / MICRO,
		       (long long)(micro < 0 ? -micro : micro) % MICRO);
	for (len = strlen(s); s[len - 1] == '0'; len--)
		s[len - 1] = '\0';
	return s;
}

/* A:B:STEP; B belongs to it when a step lands on it. */
static int parse_range(struct mem *mem, const char *text, struct study_over *o, struct err *err)
{
	char *a = mem_strdup(mem, text), *b = strchr(a, ':'), *c;
	int64_t from, to, step;
	size_t n;

	*b++ = '\0';
	c = strchr(b, ':');
	if (c)
		*c++ = '\0';
	if (!c || !text_to_micro(a, &from) || !text_to_micro(b, &to) || !text_to_micro(c, &step) ||
	    step <= 0 || to < from)
		return err_set(err, "--over %s: must be KEY=FROM:TO:STEP with FROM up to TO and a STEP "
			       "over 0", o->spec);
	n = (size_t)((to - from) / step) + 1;
	if (n > STUDY_SWEEP_POINTS_MAX)
		return err_set(err, "--over %s: has more than %u values", o->spec,
			       STUDY_SWEEP_POINTS_MAX);
	o->value = mem_alloc(mem, n, sizeof(*o->value));
	for (size_t i = 0; i < n; i++)
		o->value[o->values++] = plain(mem, from + (int64_t)i * step);
	return 0;
}

static int parse_list(struct mem *mem, const char *text, struct study_over *o, struct err *err)
{
	char *p = mem_strdup(mem, text);
	size_t n = 1;

	for (const char *q = p; *q; q++)
		n += *q == ',';
	o->value = mem_alloc(mem, n, sizeof(*o->value));
	while (p) {
		char *comma = strchr(p, ',');

		if (comma)
			*comma++ = '\0';
		if (!*p)
			return err_set(err, "--over %s: has an empty value", o->spec);
		for (unsigned i = 0; i < o->values; i++)
			if (!strcmp(o->value[i], p))
				return err_set(err, "--over %s: has %s twice", o->spec, p);
		o->value[o->values++] = p;
		p = comma;
	}
	return 0;
}

int study_over_parse(struct mem *mem, const char *spec, struct study_over *o, struct err *err)
{
	const char *eq = strchr(spec, '=');
	char *key;
	int rc;

	*o = (struct study_over){ .spec = spec };
	if (!eq || eq == spec)
		return err_set(err, "--over %s: must be KEY=FROM:TO:STEP or KEY=VALUE,VALUE...", spec);
	if (strpbrk(spec, "\n\r"))
		return err_set(err, "--over: must be one line");
	key = mem_strdup(mem, spec);
	key[eq - spec] = '\0';
	o->key = key;
	rc = strchr(eq, ':') ? parse_range(mem, eq + 1, o, err) : parse_list(mem, eq + 1, o, err);
	if (rc < 0)
		return rc;
	o->micro = mem_alloc(mem, o->values, sizeof(*o->micro));
	o->numbers = true;
	for (unsigned i = 0; i < o->values; i++)
		o->numbers &= text_to_micro(o->value[i], &o->micro[i]);
	return 0;
}

/* Read all data files below a folder, so that the pool knows them. */
static int add_tree(struct mem *mem, const char *dir, struct err *err)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int rc = 0;

	while (d && !rc && (e = readdir(d))) {
		const char *name = mem_printf(mem, "%s/%s", dir, e->d_name);
		size_t len = strlen(e->d_name);
		struct stat st;

		if (e->d_name[0] == '.' || stat(name, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			rc = add_tree(mem, name, err);
		else if (S_ISREG(st.st_mode) && len > 5 && !strcmp(e->d_name + len - 5, ".json"))
			rc = file_read(mem, name, &(size_t){ 0 }, err) ? 0 : -1;
	}
	if (d)
		closedir(d);
	return rc;
}

/* The sum over files of a hash of name and bytes: their order doesn't matter. */
static int digest_inputs(struct study_sweep *s, struct err *err)
{
	struct mem *mem = mem_new();
	const char *dir = file_data_dir(mem, err);
	int rc = dir ? add_tree(mem, mem_printf(mem, "%s/models", dir), err) : -1;

	if (!rc && !file_read(mem, s->scn->file, &(size_t){ 0 }, err))
		rc = -1;
	for (const struct mem_input *i = mem_inputs(mem); i && !rc; i = i->next) {
		uint64_t h = i->fnv1a;

		for (const char *p = file_shown(mem, i->name); *p; p++)
			h = (h ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
		s->inputs += h;
	}
	mem_free(mem);
	return rc;
}

static int read_metrics(struct study_sweep *s, struct err *err)
{
	const struct jnode *list = jnode_get(s->scn->root, "metrics");

	s->metric = mem_alloc(s->scn->mem, list ? list->n : 0, sizeof(*s->metric));
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next)
		if (scn_metric_read(c, &s->metric[s->metrics++], err) < 0)
			return -1;
	if (!s->metrics || !s->scn->variants)
		return err_at(err, s->scn->file, 0, "a sweep needs 'metrics' and 'variants'");
	s->cells = s->scn->variants + (s->scn->variants == 2);
	s->words = 2 * (size_t)s->metrics * s->cells;
	return 0;
}

static int check_keys(const struct study_sweep *s, struct err *err)
{
	for (unsigned a = 0; a < s->overs; a++) {
		const char *key = s->over[a].key;

		for (unsigned b = 0; b < a; b++)
			if (!strcmp(s->over[b].key, key))
				return err_set(err, "--over %s: given twice", key);
		for (size_t i = 0; i < s->options->sets; i++)
			if (!strcmp(s->options->set[i].key, key))
				return err_set(err, "--set %s: is swept over", key);
	}
	return 0;
}

int study_sweep_open(struct mem *mem, struct study_sweep *s, struct err *err)
{
	struct scn_view view;

	s->scn = mem_alloc(mem, 1, sizeof(*s->scn));
	if (scn_load(mem, s->options, s->scn, err) < 0 || read_metrics(s, err) < 0 ||
	    check_keys(s, err) < 0 || scn_view(s->scn, NULL, &view, err) < 0 ||
	    digest_inputs(s, err) < 0)
		return -1;
	s->points = 1;
	for (unsigned a = 0; a < s->overs; a++) {
		if (s->points > STUDY_SWEEP_POINTS_MAX / s->over[a].values)
			return err_set(err, "the sweep has more than %u points", STUDY_SWEEP_POINTS_MAX);
		s->points *= s->over[a].values;
	}
	s->record = mem_alloc(mem, s->points * s->words, sizeof(*s->record));
	s->have = mem_alloc(mem, s->points, 1);
	return 0;
}

size_t study_sweep_stride(const struct study_sweep *s, unsigned over)
{
	size_t stride = 1;

	for (unsigned a = over + 1; a < s->overs; a++)
		stride *= s->over[a].values;
	return stride;
}

const char *study_sweep_value(const struct study_sweep *s, unsigned over, size_t point)
{
	return s->over[over].value[point / study_sweep_stride(s, over) % s->over[over].values];
}

struct scn_cell study_sweep_cell(const struct study_sweep *s, size_t point, unsigned metric,
				 unsigned cell)
{
	const int64_t *at = s->record + point * s->words + 2 * (metric * (size_t)s->cells + cell);

	return (struct scn_cell){ .kind = at[0] & 255, .digits = (unsigned)at[0] >> 8, .v = at[1] };
}

static void store(int64_t *to, const struct scn_cell *c)
{
	bool number = c && (c->kind == SCN_COUNT || c->kind == SCN_DECIMAL || c->kind == SCN_PERCENT);

	to[0] = number ? (int64_t)(c->kind | c->digits << 8) : SCN_EMPTY;
	to[1] = number ? c->v : 0;
}

static void take(const struct study_sweep *s, const struct scn_result *r, int64_t *record)
{
	for (unsigned m = 0; m < s->metrics; m++) {
		const char *label = s->metric[m].label;

		for (unsigned v = 0; v < s->cells; v++, record += 2) {
			const char *column = v < s->scn->variants ? s->scn->variant[v].name :
								    "difference";
			const struct scn_cell *c = scn_metric_cell(r, label, column);

			store(record, c ? c : scn_metric_cell(r, column, label));
		}
	}
}

int study_sweep_point(const struct study_sweep *s, size_t point, unsigned over, const char *value,
		      int64_t *record, struct err *err)
{
	struct mem *mem = mem_new();
	struct scn_options o = *s->options;
	struct scn_set *set = mem_alloc(mem, o.sets + s->overs, sizeof(*set));
	struct err inner = ERR_INIT;
	struct text where = { 0 };
	struct scn_result r;
	int rc;

	for (size_t i = 0; i < o.sets; i++)
		set[i] = o.set[i];
	for (unsigned a = 0; a < s->overs; a++) {
		const char *v = value && a == over ? value : study_sweep_value(s, a, point);

		set[o.sets++] = (struct scn_set){ s->over[a].key, v };
		text_add(&where, " %s=%s", s->over[a].key, v);
	}
	o.set = set;
	o.progress = NULL;
	rc = scn_run(mem, &o, &r, &inner);
	if (rc < 0)
		err_set(err, "%.600s (at%.300s)", inner.text, where.s ? where.s : " the only point");
	else
		take(s, &r, record);
	text_free(&where);
	mem_free(mem);
	return rc;
}

struct part {
	struct study_sweep *s;
	unsigned shard, shards;
	FILE *file;
	bool failed;
};

static int task(void *ctx, size_t i, int64_t *record, struct err *err)
{
	const struct part *p = ctx;

	return study_sweep_point(p->s, i, 0, NULL, record, err);
}

/* One write a line: a kill leaves whole lines and at most one torn. */
static void save(void *ctx, size_t i, const int64_t *record)
{
	struct part *p = ctx;
	struct text line = { 0 };

	p->s->have[i] = 1;
	if (!p->file)
		return;
	study_points_line(&line, p->s, i, record);
	if (fwrite(line.s, 1, line.len, p->file) != line.len || fflush(p->file))
		p->failed = true;
	text_free(&line);
}

int study_sweep_run(struct study_sweep *s, unsigned shard, unsigned shards, FILE *file,
		    struct err *err)
{
	struct part part = { s, shard, shards, file, false };
	struct study_pool pool = { .jobs = s->jobs, .words = s->words, .task = task, .ctx = &part,
				   .done = save, .what = "points",
				   .progress = s->options->progress,
				   .progress_ctx = s->options->ctx };
	unsigned char *skip = mem_zalloc(s->points, 1);
	int rc;

	for (size_t i = 0; i < s->points; i++)
		skip[i] = s->have[i] || i % shards != shard - 1;
	rc = study_pool_run(&pool, s->points, skip, s->record, err);
	free(skip);
	if (rc == 0 && part.failed)
		rc = err_set(err, "points could not be saved: is the disk full?");
	return rc;
}
