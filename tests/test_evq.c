// SPDX-License-Identifier: GPL-2.0-or-later
/* The event queue, against a sorted list that is too simple to be wrong. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/evq.h"
#include "random.h"

#define LIST_MAX 600

struct item {
	uint64_t time;
	uint32_t owner, kind;
	evq_id id;
};

/* Sorted by time; an item goes in behind those of its own time. */
struct list {
	struct item item[LIST_MAX];
	unsigned n;
};

static void list_add(struct list *l, struct item it)
{
	unsigned i = l->n++;

	for (; i && l->item[i - 1].time > it.time; i--)
		l->item[i] = l->item[i - 1];
	l->item[i] = it;
}

static struct item list_take(struct list *l, unsigned i)
{
	struct item it = l->item[i];

	l->n--;
	memmove(&l->item[i], &l->item[i + 1], (l->n - i) * sizeof(it));
	return it;
}

static void pop_both(struct evq *q, struct list *l)
{
	struct evq_event e;
	struct item it;

	assert_int_equal(evq_peek_time(q), l->n ? l->item[0].time : EVQ_NEVER);
	assert_int_equal(evq_pop(q, &e), l->n > 0);
	if (!l->n)
		return;
	it = list_take(l, 0);
	assert_int_equal(e.time, it.time);
	assert_int_equal(e.owner, it.owner);
	assert_int_equal(e.kind, it.kind);
	assert_int_equal(evq_now(q), it.time);
	assert_int_equal(evq_time(q, it.id), EVQ_NEVER);
}

static void one_step(struct evq *q, struct list *l, uint64_t *rs, uint64_t spread, unsigned max)
{
	uint64_t r = next(rs), time = evq_now(q) + next(rs) % spread;
	unsigned i = l->n ? (unsigned)(next(rs) % l->n) : 0;
	struct item it = { time, (uint32_t)(r >> 32), (uint32_t)(r >> 16) & 255, 0 };

	if (r % 8 < 3 && l->n < max) {
		it.id = evq_schedule(q, time, it.owner, it.kind);
		assert_int_not_equal(it.id, EVQ_NO_ID);
		list_add(l, it);
	} else if (r % 8 == 3 && l->n) {
		it = list_take(l, i);
		assert_true(evq_cancel(q, it.id));
		assert_false(evq_cancel(q, it.id));
		assert_false(evq_reschedule(q, it.id, time));
	} else if (r % 8 == 4 && l->n) {
		it = list_take(l, i);
		assert_int_equal(evq_time(q, it.id), it.time);
		assert_true(evq_reschedule(q, it.id, time));
		it.time = time;
		list_add(l, it);
	} else {
		pop_both(q, l);
	}
	assert_int_equal(evq_len(q), l->n);
}

/* Times from few values (many ties) to many, queues from 1 event to hundreds. */
static void same_as_a_sorted_list(void **state)
{
	static const uint64_t spread[] = { 1, 3, 50, 1000000 };
	static const unsigned max[] = { 1, 2, 5, 17, 64, LIST_MAX };
	static struct list l;
	uint64_t rs = 1;

	for (size_t s = 0; s < 4; s++) {
		for (size_t m = 0; m < 6; m++) {
			struct evq q;

			evq_init(&q, 0);
			l.n = 0;
			for (unsigned i = 0; i < 20000; i++)
				one_step(&q, &l, &rs, spread[s], max[m]);
			while (l.n)
				pop_both(&q, &l);
			pop_both(&q, &l);
			evq_done(&q);
		}
	}
}

static void events_of_one_cycle_keep_their_order(void **state)
{
	struct evq q;
	struct evq_event e;

	evq_init(&q, 0);
	for (uint32_t i = 0; i < 1000; i++)
		evq_schedule(&q, 7, i, 0);
	for (uint32_t i = 0; i < 1000; i++) {
		assert_true(evq_pop(&q, &e));
		assert_int_equal(e.owner, i);
		if (i < 500) /* scheduled while that cycle goes on: after all that was there */
			evq_schedule(&q, 7, 1000 + i, 0);
	}
	for (uint32_t i = 0; i < 500; i++) {
		assert_true(evq_pop(&q, &e));
		assert_int_equal(e.owner, 1000 + i);
	}
	assert_false(evq_pop(&q, &e));
	evq_done(&q);
}

/* The order has 40 bits: when they run out the pending events are numbered anew. */
static void order_survives_running_out_of_numbers(void **state)
{
	struct evq q;
	struct evq_event e;
	evq_id id;

	evq_init(&q, 0);
	q.times.order = (UINT64_C(1) << 40) - 3;
	id = evq_schedule(&q, 9, 100, 0);
	for (uint32_t i = 0; i < 6; i++)
		evq_schedule(&q, 5, i, 0);
	assert_true(q.times.order < 10);
	assert_int_equal(evq_time(&q, id), 9);
	for (uint32_t i = 0; i < 6; i++) {
		assert_true(evq_pop(&q, &e));
		assert_int_equal(e.owner, i);
	}
	assert_true(evq_cancel(&q, id));
	assert_false(evq_pop(&q, &e));
	evq_done(&q);
}

static void stale_ids_are_told(void **state)
{
	struct evq q;
	struct evq_event e;
	evq_id a, b;

	evq_init(&q, 0);
	a = evq_schedule(&q, 5, 1, 2);
	assert_true(evq_pop(&q, &e));
	b = evq_schedule(&q, 6, 1, 2); /* takes the place of a */
	assert_int_not_equal(a, b);
	assert_false(evq_cancel(&q, a));
	assert_false(evq_reschedule(&q, a, 10));
	assert_false(evq_cancel(&q, EVQ_NO_ID));
	assert_false(evq_cancel(&q, UINT64_MAX));
	assert_int_equal(evq_time(&q, b), 6);
	assert_int_equal(evq_len(&q), 1);
	evq_done(&q);
}

static void a_hundred_thousand_pending_without_moving(void **state)
{
	struct evq q;
	struct evq_event e;
	uint64_t rs = 3, last = 0;
	const void *slots, *nodes;

	evq_init(&q, 0);
	for (uint32_t i = 0; i < 100000; i++)
		evq_schedule(&q, next(&rs) % 1000000, i, 0);
	slots = q.slot;
	nodes = q.times.node;
	for (uint32_t i = 0; i < 300000; i++) {
		assert_true(evq_pop(&q, &e));
		assert_true(e.time >= last);
		last = e.time;
		evq_schedule(&q, e.time + next(&rs) % 1000000, e.owner, 0);
	}
	assert_int_equal(evq_len(&q), 100000);
	assert_ptr_equal(q.slot, slots); /* nothing was allocated on the way */
	assert_ptr_equal(q.times.node, nodes);
	evq_done(&q);
}

static void schedule_in_the_past(void)
{
	struct evq q;
	struct evq_event e;

	evq_init(&q, 0);
	evq_schedule(&q, 5, 0, 0);
	evq_pop(&q, &e);
	evq_schedule(&q, 4, 0, 0);
}

static void schedule_never(void)
{
	struct evq q;

	evq_init(&q, 0);
	evq_schedule(&q, EVQ_NEVER, 0, 0);
}

static void assert_aborts(void (*f)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		signal(SIGABRT, SIG_DFL); /* cmocka catches it */
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		f();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void the_past_is_an_assertion(void **state)
{
	assert_aborts(schedule_in_the_past);
	assert_aborts(schedule_never);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_a_sorted_list),
		cmocka_unit_test(events_of_one_cycle_keep_their_order),
		cmocka_unit_test(order_survives_running_out_of_numbers),
		cmocka_unit_test(stale_ids_are_told),
		cmocka_unit_test(a_hundred_thousand_pending_without_moving),
		cmocka_unit_test(the_past_is_an_assertion),
	};

	return cmocka_run_group_tests_name("evq", tests, NULL, NULL);
}
