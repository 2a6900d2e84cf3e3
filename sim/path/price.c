// SPDX-License-Identifier: GPL-2.0-or-later
#include "path/price.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct memo {
	const struct path *path;
	struct cond_bits bits;
	struct price price;
	struct memo *next;
};

#define BUCKETS 256

struct pricer {
	struct pipe_cfg cfg;
	struct memo *buckets[BUCKETS];
	struct pipe pipe; /* scratch of price_path(): too large to set up on each stack */
};

struct pricer *price_new(const struct cpu_model *model)
{
	struct pricer *pricer = mem_zalloc(1, sizeof(*pricer));

	pipe_cfg_init(&pricer->cfg, model);
	return pricer;
}

void price_free(struct pricer *pricer)
{
	struct memo *next;

	if (!pricer)
		return;
	for (unsigned i = 0; i < BUCKETS; i++) {
		for (struct memo *m = pricer->buckets[i]; m; m = next) {
			next = m->next;
			free(m);
		}
	}
	free(pricer);
}

static void finish(struct pipe *pipe, uint64_t ops, struct price *out)
{
	pipe_drain(pipe);
	out->cycles = pipe_cycles(pipe);
	memcpy(out->by_class, pipe->by_class, sizeof(out->by_class));
	out->ops = ops;
	out->insns = pipe->insns;
}

static void run(struct pipe *pipe, const struct path *path, const struct cond_bits *bits,
		struct price *out)
{
	uint64_t ops = 0;

	for (uint32_t i = path_next(path, bits, 0); i < path->n;
	     i = path_next(path, bits, i + 1)) {
		pipe_op(pipe, &path->items[i].op);
		ops++;
	}
	finish(pipe, ops, out);
}

void price_uncached(const struct pricer *pricer, const struct path *path,
		    const struct cond_bits *bits, struct price *out)
{
	struct pipe pipe;

	pipe_init(&pipe, &pricer->cfg);
	run(&pipe, path, bits, out);
}

static uint64_t hash(const struct path *path, const struct cond_bits *bits)
{
	uint64_t h = (uintptr_t)path;

	for (unsigned i = 0; i < COND_BITS_MAX / 64; i++)
		h = (h ^ bits->w[i]) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
	return h ^ h >> 32;
}

const struct price *price_path(struct pricer *pricer, const struct path *path,
			       const struct cond_bits *bits)
{
	struct cond_bits key;
	struct memo **bucket, *m;

	for (unsigned i = 0; i < COND_BITS_MAX / 64; i++)
		key.w[i] = bits->w[i] & path->uses.w[i];
	bucket = &pricer->buckets[hash(path, &key) % BUCKETS];
	for (m = *bucket; m; m = m->next)
		if (m->path == path && !memcmp(&m->bits, &key, sizeof(key)))
			return &m->price;
	m = mem_zalloc(1, sizeof(*m));
	m->path = path;
	m->bits = key;
	m->next = *bucket;
	*bucket = m;
	pipe_init(&pricer->pipe, &pricer->cfg);
	run(&pricer->pipe, path, bits, &m->price);
	return &m->price;
}

static void step_end(struct price_step *step, const struct pipe *pipe, const uint64_t *before)
{
	step->cycles = pipe_cycles(pipe) - step->start;
	for (unsigned c = 0; c < PIPE_CLASSES; c++)
		step->by_class[c] = pipe->by_class[c] - before[c];
}

void price_trace(const struct pricer *pricer, const struct path *path,
		 const struct cond_bits *bits, void (*each)(void *arg, const struct price_step *),
		 void *arg, struct price *out)
{
	uint64_t before[PIPE_CLASSES], ops = 0;
	struct price_step step;
	struct pipe pipe;

	pipe_init(&pipe, &pricer->cfg);
	for (uint32_t i = path_next(path, bits, 0); i < path->n;
	     i = path_next(path, bits, i + 1)) {
		step.item = &path->items[i];
		step.start = pipe_cycles(&pipe);
		memcpy(before, pipe.by_class, sizeof(before));
		pipe_op(&pipe, &path->items[i].op);
		step_end(&step, &pipe, before);
		each(arg, &step);
		ops++;
	}
	step.item = NULL;
	step.start = pipe_cycles(&pipe);
	memcpy(before, pipe.by_class, sizeof(before));
	finish(&pipe, ops, out);
	step_end(&step, &pipe, before);
	if (step.cycles)
		each(arg, &step);
}
