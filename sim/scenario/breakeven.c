// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/breakeven.h"

#include "hv/p9_live.h"
#include "path/price.h"

#define MILLION 1000000
#define TURNS_MAX 200000
#define CASES_MAX 16
#define RATES_MAX 24

struct breakeven {
	struct scn_common common;
	const char *path_name;
	int64_t turns;
	const struct jnode *rates, *cases;
	const struct scenario *scn;
	struct scn_view view;
	struct path_lib *lib;
	const struct path *path;
	struct pricer *pricer;
};

struct one {
	const char *name, *event;
	const struct jnode *without, *with, *live, *costs;
	int64_t live_turns;
	uint64_t plain;               /* a turn without the policy */
	struct p9_live_costs priced;  /* with it */
};

struct cost {
	const char *path_name;
	const struct jnode *set;
};

static const struct jfield doc_fields[] = {
	SCN_COMMON_FIELDS(struct breakeven),
	{ "path", JK_TEXT, offsetof(struct breakeven, path_name), .required = true },
	{ "turns", JK_INT, offsetof(struct breakeven, turns), true, 1, TURNS_MAX },
	{ "rates", JK_ARRAY, offsetof(struct breakeven, rates), .required = true },
	{ "cases", JK_ARRAY, offsetof(struct breakeven, cases), .required = true },
};

static const struct jfield case_fields[] = {
	{ "name", JK_TEXT, offsetof(struct one, name), .required = true },
	{ "event", JK_TEXT, offsetof(struct one, event), .required = true },
	{ "without", JK_OBJECT, offsetof(struct one, without), .required = true },
	{ "with", JK_OBJECT, offsetof(struct one, with), .required = true },
	{ "live", JK_OBJECT, offsetof(struct one, live) },
	{ "live_turns", JK_INT, offsetof(struct one, live_turns), .lo = 0, .hi = 1000000 },
	{ "costs", JK_ARRAY, offsetof(struct one, costs), .required = true },
};

static const struct jfield cost_fields[] = {
	{ "what", JK_NOTE, 0, .required = true },
	{ "path", JK_TEXT, offsetof(struct cost, path_name), .required = true },
	{ "set", JK_OBJECT, offsetof(struct cost, set) },
};

static int price(struct breakeven *b, const struct path *path, const struct jnode *first,
		 const struct jnode *second, uint64_t *cycles, struct err *err)
{
	struct policy_set set = b->view.policy;
	struct cond_bits bits;

	if (policy_set_object(&set, first, err) < 0 || policy_set_object(&set, second, err) < 0)
		return -1;
	bits = policy_bits(&set);
	*cycles = price_path(b->pricer, path, &bits)->cycles;
	return 0;
}

static int load_costs(struct breakeven *b, struct one *c, struct err *err)
{
	for (const struct jnode *n = c->costs->child; n; n = n->next) {
		struct cost cost = { 0 };
		const struct path *path;
		uint64_t cycles;

		if (JFIELDS(n, cost_fields, &cost, err) < 0)
			return -1;
		path = path_load(b->lib, cost.path_name, err);
		if (!path || price(b, path, c->with, cost.set, &cycles, err) < 0)
			return -1;
		c->priced.event += cycles;
	}
	return 0;
}

static int load_case(struct breakeven *b, const struct jnode *node, struct one *c, struct err *err)
{
	*c = (struct one){ 0 };
	if (JFIELDS(node, case_fields, c, err) < 0)
		return -1;
	if (!c->live != !c->live_turns)
		return jnode_err(node, err, "needs both \"live\" and \"live_turns\", or neither");
	if (price(b, b->path, c->without, NULL, &c->plain, err) < 0 ||
	    price(b, b->path, c->with, NULL, &c->priced.idle, err) < 0 ||
	    price(b, b->path, c->with, c->live, &c->priced.live, err) < 0)
		return -1;
	c->priced.turns = (uint32_t)c->live_turns;
	return load_costs(b, c, err);
}

/*
 * The lowest rate (in a million turns) from which the policy costs more than it
 * saves, by halving: draws are the same for every rate, so costs rise with it.
 * 0: it never pays; over a million: it always does.
 */
static uint32_t find_rate(const struct breakeven *b, const struct one *c, const struct rnd *rnd)
{
	uint64_t plain = c->plain * (uint64_t)b->turns;
	uint32_t lo = 0, hi = MILLION + 1;

	if (p9_live_run(&c->priced, rnd, (uint64_t)b->turns, 0).cycles > plain)
		return 0;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p9_live_run(&c->priced, rnd, (uint64_t)b->turns, mid).cycles > plain)
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

static const char *say_rate(struct mem *mem, const struct one *c, uint32_t rate)
{
	if (!rate)
		return "never pays";
	if (rate > MILLION)
		return mem_printf(mem, "pays at every rate of: %s", c->event);
	return mem_printf(mem, "%u in a million turns, or one turn in %u", rate, MILLION / rate);
}

static int add_rates(const struct breakeven *b, const struct one *c, const struct rnd *rnd,
		     struct scn_result *result, struct err *err)
{
	static const char *const columns[] = { "without", "with", "difference", "paid",
					       "turns on, %" };
	struct scn_table *t = scn_table_new(result, c->name,
		mem_printf(result->mem, "%s: cycles a turn, by the rate of: %s", c->name, c->event),
		"in a million", columns, 5);
	int64_t rate;

	for (const struct jnode *n = b->rates->child; n; n = n->next) {
		struct p9_live_result r;
		struct scn_cell *cell;
		uint64_t with;

		if (!jnode_whole(n, &rate) || rate < 0 || rate > MILLION)
			return jnode_err(n, err, "must be a whole number from 0 to %d", MILLION);
		r = p9_live_run(&c->priced, rnd, (uint64_t)b->turns, (uint32_t)rate);
		with = r.cycles / (uint64_t)b->turns;
		cell = scn_table_row(t, n->text);
		cell[0] = scn_count(c->plain);
		cell[1] = scn_count(with);
		cell[2] = scn_difference(c->plain, with);
		cell[3] = scn_count(r.paid);
		cell[4] = scn_share(r.live, (uint64_t)b->turns, 1);
	}
	return 0;
}

static int run_cases(struct breakeven *b, struct scn_result *result, struct err *err)
{
	static const char *const columns[] = { "saved a turn", "cost of an event", "stops paying at" };
	struct rnd rnd = { b->scn->seed, 0, rnd_purpose("break-even event") };
	struct scn_table *t = scn_table_new(result, "break-even", "Where it stops paying (cycles)",
					    "policy", columns, 3);

	for (const struct jnode *n = b->cases->child; n; n = n->next) {
		struct scn_cell *cell;
		struct one c;

		if (load_case(b, n, &c, err) < 0)
			return -1;
		cell = scn_table_row(t, c.name);
		cell[0] = scn_decimal(((int64_t)c.plain - (int64_t)c.priced.idle) * MILLION, 0);
		cell[1] = scn_count(c.priced.event);
		cell[2] = scn_text(say_rate(result->mem, &c, find_rate(b, &c, &rnd)));
		if (add_rates(b, &c, &rnd, result, err) < 0)
			return -1;
	}
	return 0;
}

int breakeven_run(const struct scenario *scn, struct scn_result *result, struct err *err)
{
	struct breakeven *b = mem_alloc(scn->mem, 1, sizeof(*b));
	const struct spr_table *sprs;
	int rc;

	b->scn = scn;
	if (scn_view(scn, NULL, &b->view, err) < 0 || JFIELDS(b->view.root, doc_fields, b, err) < 0)
		return -1;
	if (!b->view.model)
		return jnode_err(b->view.root, err, "needs a 'cpu'");
	if (b->rates->n > RATES_MAX)
		return jnode_err(b->rates, err, "must hold at most %d numbers", RATES_MAX);
	if (b->cases->n > CASES_MAX)
		return jnode_err(b->cases, err, "must hold at most %d cases", CASES_MAX);
	sprs = spr_load(scn->mem, err);
	b->lib = sprs ? path_lib_new(scn->mem, sprs, scn->policies) : NULL;
	b->path = b->lib ? path_load(b->lib, b->path_name, err) : NULL;
	if (!b->path)
		return -1;
	b->pricer = price_new(b->view.model);
	rc = run_cases(b, result, err);
	price_free(b->pricer);
	return rc;
}
