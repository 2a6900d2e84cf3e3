// SPDX-License-Identifier: GPL-2.0-or-later
/* Points files. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "study/sweep.h"

#define SCHEMA "hvsim-points/1"
#define LIST_MAX 4096
#define WORDS_MAX (UINT64_C(1) << 24)

void study_points_head(struct text *out, const struct study_sweep *s, unsigned shard,
		       unsigned shards)
{
	const struct scn_options *o = s->options;

	text_add(out, "%s\nversion %s\nscenario %s\n", SCHEMA, HVSIM_VERSION, o->name);
	if (o->has_seed)
		text_add(out, "seed %" PRIu64 "\n", o->seed);
	for (size_t i = 0; i < o->sets; i++)
		text_add(out, "set %s=%s\n", o->set[i].key, o->set[i].value);
	for (size_t i = 0; i < o->variants; i++)
		text_add(out, "variant %s\n", o->variant[i]);
	for (unsigned a = 0; a < s->overs; a++)
		text_add(out, "over %s\n", s->over[a].spec);
	text_add(out, "inputs %016" PRIx64 "\nshape %zu %zu\nshard %u/%u\n", s->inputs, s->points,
		 s->words, shard, shards);
}

void study_points_line(struct text *out, const struct study_sweep *s, size_t point,
		       const int64_t *record)
{
	text_add(out, "point %zu", point);
	for (size_t i = 0; i < s->words; i++)
		text_add(out, " %" PRId64, record[i]);
	text_add(out, "\n");
}

struct reader {
	struct mem *mem;
	const char *p, *end;
	unsigned line;
	struct study_points *out;
	struct err *err;
};

/* The next whole line without its end; NULL when there is none. */
static char *next_line(struct reader *r)
{
	const char *nl = r->p < r->end ? memchr(r->p, '\n', (size_t)(r->end - r->p)) : NULL;
	char *s;

	if (!nl)
		return NULL;
	s = mem_printf(r->mem, "%.*s", (int)(nl - r->p), r->p);
	r->p = nl + 1;
	r->line++;
	return s;
}

static int bad(const struct reader *r, const char *what)
{
	return err_at(r->err, r->out->name, r->line, "%s", what);
}

static int add_set(struct reader *r, char *value)
{
	char *eq = strchr(value, '=');
	struct study_points *p = r->out;

	if (!eq || p->sets == LIST_MAX)
		return bad(r, "needs KEY=VALUE after 'set'");
	*eq = '\0';
	p->set[p->sets++] = (struct scn_set){ value, eq + 1 };
	return 0;
}

/* Two numbers apart by a character. */
static bool two_numbers(const char *s, char apart, uint64_t *a, uint64_t *b)
{
	char first[32];
	size_t len = strcspn(s, (char[]){ apart, '\0' });

	if (s[len] != apart || len >= sizeof(first))
		return false;
	memcpy(first, s, len);
	first[len] = '\0';
	return text_to_u64(first, a) && text_to_u64(s + len + 1, b);
}

static int take_shape(struct reader *r, const char *value)
{
	uint64_t points, words;

	if (!two_numbers(value, ' ', &points, &words) || points < 1 ||
	    points > STUDY_SWEEP_POINTS_MAX || words > WORDS_MAX)
		return bad(r, "needs the numbers of points and words after 'shape'");
	r->out->points = points;
	r->out->words = words;
	return 0;
}

static int take_shard(struct reader *r, const char *value)
{
	uint64_t shard, shards;

	if (!two_numbers(value, '/', &shard, &shards) || shards < 1 || shards > STUDY_SHARDS_MAX ||
	    shard < 1 || shard > shards)
		return bad(r, "needs I/N after 'shard', I from 1 to N");
	r->out->shard = (unsigned)shard;
	r->out->shards = (unsigned)shards;
	return 0;
}

static int take_head(struct reader *r, const char *key, char *value)
{
	struct study_points *p = r->out;
	char *end;

	if (!strcmp(key, "version"))
		return p->version = value, 0;
	if (!strcmp(key, "scenario"))
		return p->scenario = value, 0;
	if (!strcmp(key, "seed")) {
		p->has_seed = true;
		return text_to_u64(value, &p->seed) ? 0 : bad(r, "needs a whole number after 'seed'");
	}
	if (!strcmp(key, "set"))
		return add_set(r, value);
	if (!strcmp(key, "variant") && p->variants < LIST_MAX)
		return p->variant[p->variants++] = value, 0;
	if (!strcmp(key, "over") && p->overs < STUDY_OVER_MAX)
		return p->over[p->overs++] = value, 0;
	if (!strcmp(key, "inputs")) {
		p->inputs = strtoull(value, &end, 16);
		return strlen(value) == 16 && !*end ? 0 : bad(r, "needs 16 digits after 'inputs'");
	}
	if (!strcmp(key, "shape"))
		return take_shape(r, value);
	if (!strcmp(key, "shard"))
		return take_shard(r, value);
	return bad(r, "is no line of a points file's head (version, scenario, seed, set, variant, "
		   "over, inputs, shape, shard)");
}

static void alloc_lists(struct reader *r)
{
	struct study_points *p = r->out;

	p->set = mem_alloc(r->mem, LIST_MAX, sizeof(*p->set));
	p->variant = mem_alloc(r->mem, LIST_MAX, sizeof(*p->variant));
	p->over = mem_alloc(r->mem, STUDY_OVER_MAX, sizeof(*p->over));
}

int study_points_parse(struct mem *mem, const char *name, const char *bytes, size_t len,
		       struct study_points *out, struct err *err)
{
	struct reader r = { mem, bytes, bytes + len, 0, out, err };
	char *line;

	*out = (struct study_points){ .name = name };
	alloc_lists(&r);
	line = next_line(&r);
	if (!line || strcmp(line, SCHEMA))
		return err_at(err, name, 1, "is no points file: must begin with the line " SCHEMA);
	while (!out->shards) {
		char *space;

		line = next_line(&r);
		if (!line)
			return err_at(err, name, r.line + 1, "the head ends early: its last line is "
				      "'shard I/N'");
		space = strchr(line, ' ');
		if (!space)
			return bad(&r, "needs a name and a value");
		*space = '\0';
		if (take_head(&r, line, space + 1) < 0)
			return -1;
	}
	if (!out->version || !out->scenario || !out->points)
		return err_at(err, name, r.line, "the head lacks version, scenario or shape");
	out->lines = r.p;
	out->first_line = r.line + 1;
	while (r.end > r.p && r.end[-1] != '\n')
		r.end--;
	out->lines_len = (size_t)(r.end - r.p);
	out->good_len = (size_t)(r.end - bytes);
	return 0;
}

static bool same_lists(const struct study_points *p, const struct study_sweep *s)
{
	const struct scn_options *o = s->options;
	bool same = p->sets == o->sets && p->variants == o->variants && p->overs == s->overs;

	for (size_t i = 0; same && i < o->sets; i++)
		same = !strcmp(p->set[i].key, o->set[i].key) &&
		       !strcmp(p->set[i].value, o->set[i].value);
	for (size_t i = 0; same && i < o->variants; i++)
		same = !strcmp(p->variant[i], o->variant[i]);
	for (unsigned i = 0; same && i < s->overs; i++)
		same = !strcmp(p->over[i], s->over[i].spec);
	return same;
}

int study_points_match(const struct study_points *p, const struct study_sweep *s,
		       struct err *err)
{
	const struct scn_options *o = s->options;

	if (strcmp(p->version, HVSIM_VERSION))
		return err_at(err, p->name, 2, "was made by hvsim %s, this is %s: make its points anew",
			      p->version, HVSIM_VERSION);
	if (strcmp(p->scenario, o->name) || p->has_seed != o->has_seed ||
	    (p->has_seed && p->seed != o->seed) || !same_lists(p, s))
		return err_at(err, p->name, 0, "is of another sweep: scenario, seed, --set, --variant "
			      "and --over must be the same");
	if (p->inputs != s->inputs || p->points != s->points || p->words != s->words)
		return err_at(err, p->name, 0, "was made from other models or another scenario file "
			      "(inputs %016" PRIx64 ", now %016" PRIx64 "): make its points anew",
			      p->inputs, s->inputs);
	return 0;
}

/* A whole number and what follows it: a space or the line's end. */
static bool next_number(const char **p, int64_t *v)
{
	char *end;

	if (**p != '-' && (**p < '0' || **p > '9'))
		return false;
	*v = strtoll(*p, &end, 10);
	if (end == *p || (*end != ' ' && *end != '\n'))
		return false;
	*p = end + (*end == ' ');
	return true;
}

static int take_line(const struct study_points *p, struct study_sweep *s, const char *line,
		     unsigned number, struct err *err)
{
	const char *at = line + 6;
	int64_t point, *record;

	if (strncmp(line, "point ", 6) || !next_number(&at, &point) || point < 0 ||
	    (uint64_t)point >= s->points)
		return err_at(err, p->name, number, "needs 'point' and a number below %zu", s->points);
	if ((uint64_t)point % p->shards != p->shard - 1)
		return err_at(err, p->name, number, "point %lld is not of shard %u/%u",
			      (long long)point, p->shard, p->shards);
	if (s->have[point])
		return err_at(err, p->name, number, "has point %lld, which is there already: files "
			      "must not overlap", (long long)point);
	record = s->record + (size_t)point * s->words;
	for (size_t i = 0; i < s->words; i++)
		if (!next_number(&at, &record[i]))
			return err_at(err, p->name, number, "needs %zu numbers after the point",
				      s->words);
	if (*at != '\n')
		return err_at(err, p->name, number, "has more than %zu numbers", s->words);
	s->have[point] = 1;
	return 0;
}

int study_points_take(const struct study_points *p, struct study_sweep *s, struct err *err)
{
	const char *line = p->lines, *end = p->lines + p->lines_len;

	for (unsigned number = p->first_line; line < end; number++) {
		if (take_line(p, s, line, number, err) < 0)
			return -1;
		line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
	}
	return 0;
}
