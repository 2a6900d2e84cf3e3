// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast the event queue is: the hold model (Jones, CACM 1986). n events are
 * pending; the next one is taken and one is scheduled at its time plus an
 * exponential increment. One pair is one of both. Printed is the best of
 * several repeats, in millions of pairs a second of processor time, and beside
 * it what plain heaps do in the same run. Nothing here passes or fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "engine/evq.h"
#include "engine/rnd.h"
#include "heap.h"

#define STEPS 16384 /* increments, drawn beforehand: draws are not what is measured */
#define REPEATS 7

struct load {
	uint32_t n;
	uint64_t pairs;
	uint64_t step[STEPS];
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Each returns the seconds that load->pairs took, and the last time in *end: all the same. */
typedef double run_fn(const struct load *load, uint64_t *end);

static double run_evq(const struct load *l, uint64_t *end)
{
	struct evq q;
	struct evq_event e = { 0 };
	double t;

	evq_init(&q, l->n);
	for (uint32_t i = 0; i < l->n; i++)
		evq_schedule(&q, l->step[i % STEPS], i, 0);
	t = seconds();
	for (uint64_t i = 0; i < l->pairs; i++) {
		evq_pop(&q, &e);
		evq_schedule(&q, e.time + l->step[i % STEPS], e.owner, e.kind);
	}
	t = seconds() - t;
	*end = evq_now(&q);
	evq_done(&q);
	return t;
}

static double run_dlq(const struct load *l, uint64_t *end)
{
	struct dlq q;
	uint32_t owner = 0;
	double t;

	dlq_init(&q, l->n);
	for (uint32_t i = 0; i < l->n; i++)
		dlq_set(&q, i, l->step[i % STEPS]);
	t = seconds();
	for (uint64_t i = 0; i < l->pairs; i++) {
		dlq_fire(&q, &owner);
		dlq_set(&q, owner, q.now + l->step[i % STEPS]);
	}
	t = seconds() - t;
	*end = q.now;
	dlq_done(&q);
	return t;
}

/* With each pair the event of one other owner is moved, as when a timer is armed anew. */
static double run_evq_moved(const struct load *l, uint64_t *end)
{
	struct evq q;
	struct evq_event e = { 0 };
	evq_id *id = mem_zalloc(l->n, sizeof(*id));
	double t;

	evq_init(&q, l->n);
	for (uint32_t i = 0; i < l->n; i++)
		id[i] = evq_schedule(&q, l->step[i % STEPS], i, 0);
	t = seconds();
	for (uint64_t i = 0; i < l->pairs; i++) {
		uint32_t other = (uint32_t)((l->step[i % STEPS] * l->n) >> 32) % l->n;

		evq_pop(&q, &e);
		id[e.owner] = evq_schedule(&q, e.time + l->step[i % STEPS], e.owner, e.kind);
		evq_reschedule(&q, id[other], e.time + l->step[(i + 7) % STEPS]);
	}
	t = seconds() - t;
	*end = evq_now(&q);
	evq_done(&q);
	free(id);
	return t;
}

static double run_dlq_moved(const struct load *l, uint64_t *end)
{
	struct dlq q;
	uint32_t owner = 0;
	double t;

	dlq_init(&q, l->n);
	for (uint32_t i = 0; i < l->n; i++)
		dlq_set(&q, i, l->step[i % STEPS]);
	t = seconds();
	for (uint64_t i = 0; i < l->pairs; i++) {
		uint32_t other = (uint32_t)((l->step[i % STEPS] * l->n) >> 32) % l->n;

		dlq_fire(&q, &owner);
		dlq_set(&q, owner, q.now + l->step[i % STEPS]);
		dlq_set(&q, other, q.now + l->step[(i + 7) % STEPS]);
	}
	t = seconds() - t;
	*end = q.now;
	dlq_done(&q);
	return t;
}

static double run_heap2(const struct load *l, uint64_t *end)
{
	struct heap h = { mem_zalloc(l->n + 1, sizeof(struct heap_event)), 0, 0 };
	struct heap_event e = { 0 };
	double t;

	for (uint32_t i = 0; i < l->n; i++)
		heap2_push(&h, l->step[i % STEPS], i, 0);
	t = seconds();
	for (uint64_t i = 0; i < l->pairs; i++) {
		e = heap2_pop(&h);
		heap2_push(&h, e.time + l->step[i % STEPS], e.owner, e.kind);
	}
	t = seconds() - t;
	*end = e.time;
	free(h.e);
	return t;
}

static double run_heap4(const struct load *l, uint64_t *end)
{
	struct heap4 h = { .n = 0 };
	size_t bytes = ((size_t)l->n + 12) * sizeof(heap4_key) / 64 * 64 + 64;
	void *memory = aligned_alloc(64, bytes);
	uint64_t now = 0;
	double t;

	memset(memory, 0xff, bytes);
	h.k = (heap4_key *)memory + 3;
	h.n = l->n;
	/* All at the root's time: a heap at once; the first n pairs put the real times in. */
	for (uint32_t i = 0; i < l->n; i++)
		h.k[i] = heap4_make(&h, 0, i);
	for (uint32_t i = 0; i < l->n; i++)
		heap4_replace(&h, heap4_make(&h, l->step[i % STEPS], (uint32_t)h.k[0] & 0xffffff));
	t = seconds();
	for (uint64_t i = 0; i < l->pairs; i++) {
		now = (uint64_t)(h.k[0] >> 64);
		heap4_replace(&h, heap4_make(&h, now + l->step[i % STEPS],
					     (uint32_t)h.k[0] & 0xffffff));
	}
	t = seconds() - t;
	*end = now;
	free(memory);
	return t;
}

static double best(run_fn *run, const struct load *l, uint64_t *end)
{
	double min = 1e9;

	for (int i = 0; i < REPEATS; i++) {
		double t = run(l, end);

		min = t < min ? t : min;
	}
	return (double)l->pairs / min / 1e6;
}

static void print_size(struct load *l, uint32_t n)
{
	static run_fn *const runs[] = { run_evq, run_dlq, run_heap2, run_heap4, run_evq_moved,
					run_dlq_moved };
	double rate[6];
	uint64_t end[6];

	l->n = n;
	l->pairs = n > 10000 ? 1000000 : 2000000;
	for (int i = 0; i < 6; i++)
		rate[i] = best(runs[i], l, &end[i]);
	printf("%8u %8.1f %8.1f %12.1f %11.1f %11.2f %10.1f %9.1f\n", n, rate[0], rate[1], rate[2],
	       rate[3], rate[0] / rate[2], rate[4], rate[5]);
	for (int i = 1; i < 4; i++)
		if (end[i] != end[0])
			printf("         the queues disagree: not the same work\n");
	if (end[4] != end[5])
		printf("         the queues disagree when events move\n");
}

static void print_memory(uint32_t n)
{
	struct evq q;
	size_t bytes;

	evq_init(&q, n);
	bytes = q.slots * sizeof(*q.slot) + 2 * q.times.owners * sizeof(dlq_key);
	printf("memory: %.1f bytes an event the queue has room for (at %u)\n",
	       (double)bytes / q.slots, q.slots);
	evq_done(&q);
}

int main(int argc, char **argv)
{
	static const uint32_t sizes[] = { 10, 64, 1000, 100000 };
	const struct rnd r = { 1, 0, 0 };
	struct load *load = mem_zalloc(1, sizeof(*load));

	for (uint32_t i = 0; i < STEPS; i++)
		load->step[i] = 1 + rnd_exp(&r, i, UINT64_C(1) << 31);
	printf("Event queue, hold model: million pairs of schedule and fire a second, one core, "
	       "best of %d.\n+move: another event is moved in each pair.\n", REPEATS);
	printf(" pending      evq      dlq  binary heap  4-ary heap  evq/binary   evq+move  "
	       "dlq+move\n");
	if (argc > 1)
		print_size(load, (uint32_t)strtoul(argv[1], NULL, 10));
	for (size_t i = 0; argc == 1 && i < sizeof(sizes) / sizeof(sizes[0]); i++)
		print_size(load, sizes[i]);
	print_memory(100000);
	free(load);
	return 0;
}
