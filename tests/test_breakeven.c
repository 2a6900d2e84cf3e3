// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"
#include "scenario_file.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "hv/p9_live.h"
#include "scenario/scenario.h"

/* Nothing happens; it happens every turn; it stays on for two turns of three. */
static void by_hand(void **state)
{
	static const struct {
		struct p9_live_costs costs;
		uint64_t turns;
		uint32_t rate;
		struct p9_live_result want;
	} cases[] = {
		{ { 10, 20, 100, 2 }, 6, 0, { 60, 0, 0 } },
		{ { 10, 20, 100, 0 }, 6, 1000000, { 660, 6, 0 } },
		/* idle and event, live, live, idle and event, live, live */
		{ { 10, 20, 100, 2 }, 6, 1000000, { 300, 2, 4 } },
		{ { 10, 20, 100, 256 }, 257, 1000000, { 110 + 256 * 20, 1, 256 } },
	};
	const struct rnd rnd = { 1, 0, 7 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct p9_live_result r = p9_live_run(&cases[i].costs, &rnd, cases[i].turns,
						      cases[i].rate);

		assert_int_equal(r.cycles, cases[i].want.cycles);
		assert_int_equal(r.paid, cases[i].want.paid);
		assert_int_equal(r.live, cases[i].want.live);
	}
}

/*
 * Renewal theory: a cycle is 1/p idle turns, the event, and L turns with the
 * facility on: (idle/p + event + L live) / (1/p + L) a turn.
 */
static void agrees_with_closed_form(void **state)
{
	static const double rates[] = { 0.001, 0.01, 0.1, 0.5 };
	const struct p9_live_costs c = { 1000, 1100, 5000, 256 };
	const struct rnd rnd = { 3, 0, 9 };

	for (size_t i = 0; i < 4; i++) {
		const uint64_t n = 2000000;
		double p = rates[i], want = (1000 / p + 5000 + 256 * 1100.0) / (1 / p + 256);
		struct p9_live_result r = p9_live_run(&c, &rnd, n, (uint32_t)(p * 1e6));

		assert_true(fabs((double)r.cycles / (double)n / want - 1) < 0.005);
	}
}

/* A rarer event happens in a subset of the turns: costs rise with the rate. */
static void costs_rise_with_the_rate(void **state)
{
	const struct p9_live_costs c = { 1000, 1000, 5000, 0 };
	const struct rnd rnd = { 5, 0, 11 };
	uint64_t last = 0;

	for (uint32_t rate = 0; rate <= 1000000; rate += 50000) {
		uint64_t cycles = p9_live_run(&c, &rnd, 20000, rate).cycles;

		assert_true(cycles >= last);
		last = cycles;
	}
}

static const struct scn_table *table(const struct scn_result *r, const char *name)
{
	for (unsigned i = 0; i < r->tables; i++)
		if (!strcmp(r->table[i]->name, name))
			return r->table[i];
	fail_msg("no table %s", name);
	return NULL;
}

/*
 * With nothing that stays on, the policy stops paying where rate x cost is what
 * a turn saves. tlbsync saves its 522 cycles and what dispatching three ops takes.
 */
static void tlbsync_breaks_even_where_it_must(void **state)
{
	struct mem *mem = mem_new();
	struct scn_options o = { .name = "p9-tlbsync" };
	struct scn_result r;
	struct err err = ERR_INIT;
	const struct scn_table *t;

	if (scn_run(mem, &o, &r, &err) < 0)
		fail_msg("%s", err.text);
	t = table(&r, "break-even");
	for (unsigned i = 0; i < t->rows; i++) {
		double saved = (double)t->row[i].cell[0].v / 1e6;
		double cost = (double)t->row[i].cell[1].v;
		double rate = atof(t->row[i].cell[2].text) / 1e6;

		assert_in_range((uint64_t)saved, 522, 530);
		assert_true(fabs(rate / (saved / cost) - 1) < 0.02);
	}
	mem_free(mem);
}

/* The PMU stops paying at a rarer use than a fault's price alone says; the rest too. */
static void facilities_break_even(void **state)
{
	struct mem *mem = mem_new();
	struct scn_options o = { .name = "p9-demand-fault" };
	struct scn_result r;
	struct err err = ERR_INIT;
	const struct scn_table *t;

	if (scn_run(mem, &o, &r, &err) < 0)
		fail_msg("%s", err.text);
	t = table(&r, "break-even");
	assert_int_equal(t->rows, 3);
	/* the PMU's 13 writes save most; EBB's three reads least */
	assert_true(t->row[0].cell[0].v > t->row[2].cell[0].v);
	assert_true(t->row[2].cell[0].v > t->row[1].cell[0].v);
	mem_free(mem);
}

static void bad_files(void **state)
{
	static const struct { const char *rest, *what; } cases[] = {
		{ "\"turns\": 0}", "from 1 to 200000" },
		{ "\"turns\": 10, \"rates\": [2000000], \"cases\": [{\"name\": \"a\", \"event\": \"e\", "
		  "\"without\": {}, \"with\": {}, \"costs\": []}]}", "from 0 to 1000000" },
		{ "\"turns\": 10, \"rates\": [1], \"cases\": [{\"name\": \"a\", \"event\": \"e\", "
		  "\"without\": {}, \"with\": {}, \"live_turns\": 3, \"costs\": []}]}", "both" },
		{ "\"turns\": 10, \"rates\": [1], \"cases\": [{\"name\": \"a\", \"event\": \"e\", "
		  "\"without\": {}, \"with\": {}, \"costs\": [{\"path\": \"x\"}]}]}", "needs a 'what'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct scn_options o = { 0 };
		struct scn_result r;
		struct err err = ERR_INIT;
		const char *text = mem_printf(mem, "{\"schema\": \"hvsim-scenario/1\", \"kind\": "
			"\"break-even\", \"title\": \"t\", \"cpu\": \"power9\", \"path\": "
			"\"p9-roundtrip\",\n%s", cases[i].rest);

		o.name = scenario_file(mem, text);
		assert_int_equal(scn_run(mem, &o, &r, &err), -1);
		assert_error_has(err, ":2:");
		assert_error_has(err, cases[i].what);
		unlink(o.name);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(agrees_with_closed_form),
		cmocka_unit_test(costs_rise_with_the_rate),
		cmocka_unit_test(tlbsync_breaks_even_where_it_must),
		cmocka_unit_test(facilities_break_even),
		cmocka_unit_test(bad_files),
	};

	return cmocka_run_group_tests_name("breakeven", tests, NULL, NULL);
}
