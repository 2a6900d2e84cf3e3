// SPDX-License-Identifier: GPL-2.0-or-later
/* Deadlines of owners, against looking at every owner each time. */
#include "check.h"

#include "engine/dlq.h"
#include "random.h"

#define OWNERS_MAX 300

struct plain {
	uint64_t time[OWNERS_MAX], order[OWNERS_MAX], orders;
	uint32_t n;
};

/* The owner of the earliest deadline, the one set first of equals; n for none. */
static uint32_t plain_first(const struct plain *p)
{
	uint32_t best = p->n;

	for (uint32_t i = 0; i < p->n; i++) {
		if (p->time[i] == DLQ_NEVER)
			continue;
		if (best == p->n || p->time[i] < p->time[best] ||
		    (p->time[i] == p->time[best] && p->order[i] < p->order[best]))
			best = i;
	}
	return best;
}

static void fire_both(struct dlq *q, struct plain *p)
{
	uint32_t owner, want = plain_first(p);

	assert_int_equal(dlq_fire(q, &owner), want < p->n);
	if (want == p->n)
		return;
	assert_int_equal(owner, want);
	assert_int_equal(q->now, p->time[want]);
	assert_int_equal(dlq_time(q, owner), DLQ_NEVER);
	p->time[want] = DLQ_NEVER;
}

static void one_step(struct dlq *q, struct plain *p, uint64_t *rs, uint64_t spread)
{
	uint64_t r = next(rs), time = q->now + next(rs) % spread;
	uint32_t owner = (uint32_t)((r >> 32) % p->n), first, len = 0;

	if (r % 8 < 4) {
		dlq_set(q, owner, time);
		p->time[owner] = time;
		p->order[owner] = p->orders++;
	} else if (r % 8 == 4) {
		if (r & 256)
			dlq_clear(q, owner);
		else
			dlq_set(q, owner, DLQ_NEVER);
		p->time[owner] = DLQ_NEVER;
	} else if (r % 8 == 5) {
		first = plain_first(p);
		assert_int_equal(dlq_next(q), first < p->n ? p->time[first] : DLQ_NEVER);
		assert_int_equal(dlq_time(q, owner), p->time[owner]);
	} else {
		fire_both(q, p);
	}
	for (uint32_t i = 0; i < p->n; i++)
		len += p->time[i] != DLQ_NEVER;
	assert_int_equal(dlq_len(q), len);
}

/* Every number of owners at which the shape of the tournament changes, and some between. */
static void same_as_looking_at_all(void **state)
{
	static const uint32_t owners[] = { 1, 2, 3, 4, 5, 15, 16, 17, 20, 63, 64, 65, 257 };
	static const uint64_t spread[] = { 1, 4, 100, UINT64_C(1) << 40 };
	static struct plain p;
	uint64_t rs = 2;

	for (size_t o = 0; o < sizeof(owners) / sizeof(owners[0]); o++) {
		for (size_t s = 0; s < 4; s++) {
			struct dlq q;

			dlq_init(&q, owners[o]);
			p = (struct plain){ .n = owners[o] };
			memset(p.time, 0xff, sizeof(p.time));
			for (unsigned i = 0; i < 4000; i++)
				one_step(&q, &p, &rs, spread[s]);
			dlq_done(&q);
		}
	}
}

/* Growing and running out of order numbers at any moment changes nothing that is seen. */
static void growing_keeps_deadlines(void **state)
{
	static struct plain p;
	struct dlq q;
	uint64_t rs = 5;

	dlq_init(&q, 1);
	p = (struct plain){ .n = 1 };
	memset(p.time, 0xff, sizeof(p.time));
	while (p.n < OWNERS_MAX) {
		for (unsigned i = 0; i < 40; i++)
			one_step(&q, &p, &rs, 20);
		if (p.n % 7 == 0)
			q.order = (UINT64_C(1) << 40) - next(&rs) % 30;
		dlq_resize(&q, ++p.n);
	}
	dlq_done(&q);
}

/* The last times there are still compare as numbers. */
static void late_times(void **state)
{
	struct dlq q;
	uint32_t owner;

	dlq_init(&q, 3);
	dlq_set(&q, 0, DLQ_NEVER - 1);
	dlq_set(&q, 1, DLQ_NEVER - 2);
	dlq_set(&q, 2, UINT64_C(1) << 63);
	assert_true(dlq_fire(&q, &owner) && owner == 2);
	assert_true(dlq_fire(&q, &owner) && owner == 1);
	assert_true(dlq_fire(&q, &owner) && owner == 0);
	assert_int_equal(q.now, DLQ_NEVER - 1);
	assert_false(dlq_fire(&q, &owner));
	dlq_done(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_looking_at_all),
		cmocka_unit_test(growing_keeps_deadlines),
		cmocka_unit_test(late_times),
	};

	return cmocka_run_group_tests_name("dlq", tests, NULL, NULL);
}
