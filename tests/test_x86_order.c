// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The static analysis of request orders. Expected cancels are those of the
 * kernel's patch discussion (NMI requests after PMI requests, v6.7): by hand
 * from vcpu_enter_guest() of v6.6 and v6.7.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/text.h"
#include "hv/x86_order.h"

static const char *model_path(struct mem *mem)
{
	return mem_printf(mem, "%s/models/x86/requests.json", getenv("HVSIM_DATA"));
}

static struct x86_model *shipped(struct mem *mem)
{
	struct err err = ERR_INIT;
	struct x86_model *m = x86_model_load(mem, model_path(mem), &err);

	if (!m)
		fail_msg("%s", err.text);
	return m;
}

static struct x86_walk walk(const struct x86_model *m, const struct x86_order *o,
			    const char *config, const char *request)
{
	struct x86_set in = x86_set_all(m), at = x86_set_default(m);
	struct err err = ERR_INIT;
	struct x86_walk w;
	int r = x86_request_find(m, request, NULL, &err);

	assert_true(r >= 0);
	assert_int_equal(x86_set_parse(m, config, &in, &err), 0);
	for (unsigned a = 0; a < m->axes; a++)
		if (in.allow[a] & (in.allow[a] - 1))
			in.allow[a] = at.allow[a];
	x86_walk(m, o, &in, UINT64_C(1) << r, &w);
	return w;
}

static void the_four_orders(void **state)
{
	static const struct {
		const char *order;
		unsigned nmi, smi, fixed;
	} rows[] = {
		{ "old", 1, 1, 0 }, { "posted", 0, 1, 0 }, { "merged", 0, 0, 0 },
		{ "rescan", 0, 0, 0 },
	};
	struct mem *mem = mem_new();
	struct x86_model *m = shipped(mem);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct x86_order *o = x86_order_find(m, rows[i].order);
		struct x86_walk w = walk(m, o, "lvtpc=nmi", "PMI");

		assert_int_equal(w.cancels, rows[i].nmi);
		assert_int_equal(w.attempts, rows[i].nmi + 1);
		assert_int_equal(w.handled, 3); /* PMI, NMI, EVENT: once each, whatever the order */
		assert_int_equal(walk(m, o, "lvtpc=smi", "PMI").cancels, rows[i].smi);
		assert_int_equal(walk(m, o, "lvtpc=fixed", "PMI").cancels, rows[i].fixed);
		assert_int_equal(walk(m, o, "lvtpc=masked", "PMI").cancels, 0);
	}
	/* Scanning again costs the old order one scan where it cost an entry. */
	assert_int_equal(walk(m, x86_order_find(m, "rescan"), "lvtpc=nmi", "PMI").scans, 2);
	assert_int_equal(walk(m, x86_order_find(m, "rescan"), "lvtpc=fixed", "PMI").scans, 1);
	mem_free(mem);
}

static void an_emulated_overflow_counts_its_back_edges(void **state)
{
	struct mem *mem = mem_new();
	struct x86_model *m = shipped(mem);
	const char *config = "emulated_overflow=yes,lvtpc=nmi";
	const struct x86_order *o;
	struct err err = ERR_INIT;

	/* PMU -> PMI is forward, PMI -> NMI back. */
	assert_int_equal(walk(m, x86_order_find(m, "old"), config, "PMU").cancels, 1);
	assert_int_equal(walk(m, x86_order_find(m, "merged"), config, "PMU").cancels, 0);
	/* Both back: two cancelled entries. */
	o = x86_order_parse(mem, m, "NMI,PMI,PMU", &err);
	assert_int_equal(walk(m, o, config, "PMU").cancels, 2);
	mem_free(mem);
}

static const char *stretch(const struct x86_model *m, const struct x86_order *o, unsigned first,
			   unsigned n)
{
	static char line[256];

	*line = '\0';
	for (unsigned i = first; i < first + n; i++)
		strcat(strcat(line, m->request[o->at[i]].name), " ");
	return line;
}

static void sorting_finds_what_was_posted_and_what_was_merged(void **state)
{
	struct mem *mem = mem_new();
	struct x86_model *m = shipped(mem);
	const struct x86_order *old = x86_order_find(m, "old");
	struct x86_set in = x86_set_all(m);
	struct x86_order sorted;
	struct err err = ERR_INIT;
	const char *cycle;
	uint64_t moved;
	unsigned smi = old->pos[x86_request_find(m, "SMI", NULL, &err)];

	assert_int_equal(x86_sort(mem, m, old, &in, &sorted, &moved, &cycle), 0);
	assert_string_equal(stretch(m, &sorted, smi, 4), "PMU PMI SMI NMI ");
	assert_memory_equal(sorted.at, x86_order_find(m, "merged")->at,
			    m->requests * sizeof(sorted.at[0]));
	assert_int_equal(x86_set_parse(m, "lvtpc=nmi", &in, &err), 0);
	assert_int_equal(x86_sort(mem, m, old, &in, &sorted, &moved, &cycle), 0);
	assert_string_equal(stretch(m, &sorted, smi, 4), "SMI PMU PMI NMI ");
	assert_int_equal(__builtin_popcountll(moved), 1);
	mem_free(mem);
}

static void moving_one_request_of_the_merged_order(void **state)
{
	struct mem *mem = mem_new();
	struct x86_model *m = shipped(mem);
	struct x86_set in = x86_set_all(m);
	struct err err = ERR_INIT;
	struct x86_move move;
	unsigned nmi = (unsigned)x86_request_find(m, "NMI", NULL, &err);
	unsigned timer = (unsigned)x86_request_find(m, "HV_STIMER", NULL, &err);
	const struct x86_order *o = x86_order_find(m, "merged");

	assert_int_equal(x86_moves(mem, m, o, &in, nmi, &move, &err), 0);
	assert_true(move.up.limited);
	assert_string_equal(m->request[move.up.past].name, "PMI");
	assert_int_equal(move.up.cost, 1);
	assert_false(move.down.limited);
	/* The synthetic timers' clock must be up to date: no cancel, but wrong. */
	assert_int_equal(x86_moves(mem, m, o, &in, timer, &move, &err), 0);
	assert_true(move.up.wrong);
	assert_int_equal(move.up.cost, 0);
	mem_free(mem);
}

/* The shipped file with one piece of text replaced. */
static struct x86_model *changed(struct mem *mem, const char *was, const char *is,
				 struct err *err)
{
	struct text t = { 0 };
	struct jnode *root;
	const char *bytes, *at;
	size_t len;

	bytes = file_read(mem, model_path(mem), &len, err);
	at = bytes ? strstr(bytes, was) : NULL;
	if (!at)
		fail_msg("the model lacks '%s'", was);
	text_add_bytes(&t, bytes, (size_t)(at - bytes));
	text_add(&t, "%s%s", is, at + strlen(was));
	root = jdoc_parse(mem, "f.json", t.s, t.len, err);
	text_free(&t);
	return root ? x86_model_from(mem, root, err) : NULL;
}

#define COST "\"cycles\": {\"value\": 1, \"kind\": \"assumed\", \"source\": \"-\"}"

/* A request nobody heard of, by data only: it is checked last but one and raises the NMI. */
static void a_request_is_added_by_data(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct x86_model *m = changed(mem, "{\"name\": \"EVENT\"",
				      "{\"name\": \"WATCHDOG\", " COST ", \"raises\": [\"NMI\"]},"
				      "\n{\"name\": \"EVENT\"", &err);
	struct x86_set in;
	struct x86_order sorted;
	const char *cycle;
	uint64_t moved;

	assert_non_null(m);
	in = x86_set_all(m);
	assert_int_equal(walk(m, x86_order_find(m, "merged"), "", "WATCHDOG").cancels, 1);
	assert_int_equal(x86_sort(mem, m, x86_order_find(m, "merged"), &in, &sorted, &moved,
				  &cycle), 0);
	assert_int_equal(__builtin_popcountll(moved), 1);
	assert_int_equal(walk(m, &sorted, "", "WATCHDOG").cancels, 0);
	assert_int_equal(walk(m, &sorted, "lvtpc=nmi", "PMI").cancels, 0);
	mem_free(mem);
}

static void faults_have_a_line_and_a_name(void **state)
{
	static const struct { const char *was, *is, *what; } cases[] = {
		{ "\"raises\": [\"LOAD_EOI_EXITMAP\"]", "\"raises\": [\"LOAD_EOI_EXITMAPS\"]",
		  "did you mean 'LOAD_EOI_EXITMAP'" },
		{ "{\"name\": \"LOAD_EOI_EXITMAP\",",
		  "{\"name\": \"LOAD_EOI_EXITMAP\", \"raises\": [\"SCAN_IOAPIC\"],",
		  "SCAN_IOAPIC -> LOAD_EOI_EXITMAP -> SCAN_IOAPIC" },
		{ "{\"name\": \"MIGRATE_TIMER\",",
		  "{\"name\": \"MIGRATE_TIMER\", \"raises\": [\"MIGRATE_TIMER\"],",
		  "the cycle MIGRATE_TIMER -> MIGRATE_TIMER" },
		{ "{\"lvtpc\": \"smi\"}", "{\"lvtpc\": \"sni\"}", "nmi, smi, fixed, masked" },
		{ "{\"lvtpc\": \"smi\"}", "{\"lvtcp\": \"smi\"}", "did you mean 'lvtpc'" },
		{ "\"list\": [\"SMI\", \"PMU\"", "\"list\": [\"SMI\", \"SMI\"", "twice" },
		{ "\"list\": [\"SMI\", \"PMU\"", "\"list\": [\"EVENT\", \"PMU\"", "leave it out" },
		{ "\"name\": \"posted\"", "\"name\": \"old\"", "repeats the name 'old'" },
		{ "\"range\": [500, 5000]", "\"range\": [1501, 5000]", "within its range" },
		{ "\"range\": [500, 5000]", "\"range\": [500]", "two whole numbers" },
		{ "\"name\": \"NMI\"", "\"name\": \"N M I\"", "1 to 48 letters" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;

		assert_null(changed(mem, cases[i].was, cases[i].is, &err));
		assert_error_has(err, cases[i].what);
		assert_true(!strncmp(err.text, "f.json:", 7) && atoi(err.text + 7) > 1);
		mem_free(mem);
	}
}

/* Edges that never exist together make no cycle that matters; one that may repeat is fine. */
static void conditional_cycles_are_allowed(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct x86_model *m = changed(mem, "\"raises\": [\"LOAD_EOI_EXITMAP\"]},\n"
		"    {\"name\": \"LOAD_EOI_EXITMAP\",",
		"\"raises\": [{\"request\": \"LOAD_EOI_EXITMAP\", \"when\": {\"lvtpc\": \"smi\"}}]},\n"
		"    {\"name\": \"LOAD_EOI_EXITMAP\", \"raises\": [{\"request\": \"SCAN_IOAPIC\", "
		"\"when\": {\"lvtpc\": [\"nmi\", \"fixed\"]}}],", &err);
	struct x86_order sorted;
	struct x86_walk w;
	struct x86_set in;
	const char *cycle;
	uint64_t moved;

	assert_non_null(m);
	w = walk(m, &m->order[0], "tsc_khz=unknown", "CLOCK_UPDATE");
	assert_true(w.retries);
	assert_int_equal(w.cancels, 0);
	/* One order can't serve both, but each configuration has one. */
	in = x86_set_all(m);
	assert_int_equal(x86_sort(mem, m, &m->order[0], &in, &sorted, &moved, &cycle), -1);
	assert_string_equal(cycle, "SCAN_IOAPIC -> LOAD_EOI_EXITMAP -> SCAN_IOAPIC");
	assert_int_equal(x86_set_parse(m, "lvtpc=nmi", &in, &err), 0);
	assert_int_equal(x86_sort(mem, m, &m->order[0], &in, &sorted, &moved, &cycle), 0);
	mem_free(mem);
}

/* A model with n requests that raise each other as bits of a number say, forward in index. */
static struct x86_model *random_model(struct mem *mem, unsigned n, uint64_t bits)
{
	struct text t = { 0 };
	struct err err = ERR_INIT;
	struct x86_model *m;
	struct jnode *root;

	text_add(&t, "{\"schema\": \"hvsim-requests/1\", \"name\": \"r\", \"requests\": [");
	for (unsigned i = 0; i < n; i++) {
		text_add(&t, "%s{\"name\": \"R%u\", " COST ", \"raises\": [", i ? "," : "", i);
		for (unsigned j = i + 1, some = 0; j < n; j++, bits >>= 1)
			if (bits & 1)
				text_add(&t, "%s\"R%u\"", some++ ? "," : "", j);
		text_add(&t, "]}");
	}
	text_add(&t, "], \"orders\": [{\"name\": \"o\"}], \"events\": [{\"name\": \"e\", "
		 "\"raises\": [\"R0\"]}]}");
	root = jdoc_parse(mem, "r.json", t.s, t.len, &err);
	m = root ? x86_model_from(mem, root, &err) : NULL;
	if (!m)
		fail_msg("%s", err.text);
	text_free(&t);
	return m;
}

/* Most back edges on any chain that starts at a request, straight from the definition. */
static unsigned longest(const struct x86_model *m, const struct x86_order *o, unsigned from)
{
	unsigned most = 0;

	for (unsigned i = 0; i < m->edges; i++) {
		const struct x86_edge *e = &m->edge[i];
		unsigned n;

		if (e->from != from)
			continue;
		n = longest(m, o, e->to) + (o->pos[e->to] < o->pos[from]);
		most = n > most ? n : most;
	}
	return most;
}

/* How many requests of an order without back edges can keep their place: its longest rise. */
static unsigned kept(const unsigned *order, const unsigned *pos, unsigned n)
{
	unsigned rise[8], most = 0;

	for (unsigned i = 0; i < n; i++) {
		rise[i] = 1;
		for (unsigned j = 0; j < i; j++)
			if (pos[order[j]] < pos[order[i]] && rise[j] + 1 > rise[i])
				rise[i] = rise[j] + 1;
		most = rise[i] > most ? rise[i] : most;
	}
	return most;
}

static void best_of_all(const struct x86_model *m, const unsigned *pos, unsigned *order,
			unsigned n, unsigned used, unsigned *best)
{
	if (n == m->requests) {
		unsigned k = kept(order, pos, n);

		*best = k > *best ? k : *best;
		return;
	}
	for (unsigned r = 0; r < m->requests; r++) {
		bool ready = !(used >> r & 1);

		for (unsigned i = 0; i < m->edges; i++)
			ready = ready && (m->edge[i].to != r || used >> m->edge[i].from & 1);
		if (!ready)
			continue;
		order[n] = r;
		best_of_all(m, pos, order, n + 1, used | 1u << r, best);
	}
}

/* Walks against the definition and sorting against all orders, over small random graphs. */
static void analysis_agrees_with_brute_force(void **state)
{
	uint64_t x = UINT64_C(0x9e3779b97f4a7c15);

	for (int round = 0; round < 300; round++) {
		unsigned n = 2 + (unsigned)round % 5, list[8], order[8], best = 0;
		struct mem *mem = mem_new();
		struct x86_model *m;
		struct x86_order o, sorted;
		struct x86_set in;
		struct x86_walk w;
		const char *cycle;
		uint64_t moved;

		x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
		m = random_model(mem, n, x >> 20 & x >> 9);
		for (unsigned i = 0; i < n; i++)
			list[i] = i;
		for (unsigned i = n; i-- > 1;) {
			unsigned j = (unsigned)((x >> (5 * i)) % (i + 1)), swap = list[i];

			list[i] = list[j];
			list[j] = swap;
		}
		o = m->order[0];
		for (unsigned i = 0; i < n; i++)
			o.pos[o.at[i] = list[i]] = i;
		in = x86_set_all(m);
		x86_walk(m, &o, &in, 1, &w);
		assert_int_equal(w.cancels, longest(m, &o, 0));
		assert_int_equal(x86_sort(mem, m, &o, &in, &sorted, &moved, &cycle), 0);
		for (unsigned i = 0; i < m->edges; i++)
			assert_true(sorted.pos[m->edge[i].from] < sorted.pos[m->edge[i].to]);
		best_of_all(m, o.pos, order, 0, 0, &best);
		assert_int_equal(n - best, __builtin_popcountll(moved));
		assert_int_equal(kept(sorted.at, o.pos, n), best);
		mem_free(mem);
	}
}

/* Run the program on the shipped model; its exit status. out gets what it printed. */
static int run(const char *args, char *out, size_t size)
{
	char line[2048];
	size_t n;
	FILE *f;

	snprintf(line, sizeof(line), "'%s' requests '%s/models/x86/requests.json' %s 2>&1",
		 getenv("HVSIM"), getenv("HVSIM_DATA"), args);
	f = popen(line, "r");
	assert_non_null(f);
	n = fread(out, 1, size - 1, f);
	out[n] = '\0';
	while (fgetc(f) != EOF)
		;
	return WEXITSTATUS(pclose(f));
}

static void the_command_prints_and_refuses(void **state)
{
	char out[32768];

	assert_int_equal(run("", out, sizeof(out)), 0);
	assert_non_null(strstr(out, "PMU,PMI,SMI,NMI"));
	assert_int_equal(run("--format json", out, sizeof(out)), 0);
	assert_non_null(strstr(out, "\"hvsim-requests-analysis/1\""));
	assert_int_equal(run("--format dot --order old", out, sizeof(out)), 0);
	assert_non_null(strstr(out, "\"PMI\" -> \"NMI\" [label=\"lvtpc=nmi\", color=red"));
	assert_int_equal(run("--format csv", out, sizeof(out)), 0);
	assert_non_null(strstr(out, "\ncancels,pmi: lvtpc=nmi,old,1\n"));
	assert_int_equal(run("--order olf", out, sizeof(out)), 2);
	assert_non_null(strstr(out, "old, posted, merged, rescan"));
	assert_int_equal(run("--order PMI,NM1", out, sizeof(out)), 2);
	assert_non_null(strstr(out, "did you mean 'NMI'"));
	assert_int_equal(run("--config lvtpc=nmi,lvtpc=smi", out, sizeof(out)), 2);
	assert_non_null(strstr(out, "leaves no value"));
	assert_int_equal(run("--format xml", out, sizeof(out)), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_four_orders),
		cmocka_unit_test(an_emulated_overflow_counts_its_back_edges),
		cmocka_unit_test(sorting_finds_what_was_posted_and_what_was_merged),
		cmocka_unit_test(moving_one_request_of_the_merged_order),
		cmocka_unit_test(a_request_is_added_by_data),
		cmocka_unit_test(faults_have_a_line_and_a_name),
		cmocka_unit_test(conditional_cycles_are_allowed),
		cmocka_unit_test(analysis_agrees_with_brute_force),
		cmocka_unit_test(the_command_prints_and_refuses),
	};

	return cmocka_run_group_tests_name("x86_order", tests, NULL, NULL);
}
