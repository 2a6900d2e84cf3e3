// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Captures that tools/capture-nested recorded to test lifting and replay on what they had not seen.
 * docs/lifting.md says which of them showed a fault first, and what came out before it was mended.
 * No parameter was fitted to any. Counts are awk's.
 */
#include "check.h"

#include <stdio.h>
#include <unistd.h>

#include "agree.h"
#include "scenario/v2.h"
#include "trace/lift.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))
#define HVT "captured.hvt"

static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };

/* Rows of the table in docs/lifting.md. */
enum row { CEDE, HDEC, NOT_ENTERED, FAULT, ROWS };
static const char *const row_name[ROWS] = { "ceded", "HV_DECREMENTER, entered", "not entered",
					    "H_DATA_STORAGE" };

static const struct capture {
	const char *file, *variant; /* of scenarios/replay.json */
	bool spins;
	unsigned unpaired; /* exits whose entry came before the events were on */
	uint64_t events, count[ROWS];
} captures[] = {
	{ "nestedv1-busy-2vcpu.ftrace.txt", "cancel", false, 1, 263, { 12, 70, 0, 49 } },
	{ "nestedv1-busy-again-2vcpu.ftrace.txt", "cancel", false, 1, 268, { 12, 66, 16, 40 } },
	{ "nestedv1-timers-2vcpu.ftrace.txt", "cancel", false, 1, 1639, { 130, 12, 650, 28 } },
	{ "nestedv2-timers-2vcpu.ftrace.txt.gz", "stuck", true, 1, 8104, { 1490, 57, 2504, 1 } },
	{ "nestedv2-quiet-2vcpu.ftrace.txt.gz", "stuck", true, 1, 2922, { 1364, 49, 47, 0 } },
	{ "nestedv1-mix-2vcpu.ftrace.txt.gz", "cancel", false, 0, 614, { 56, 3, 223, 24 } },
	{ "nestedv1-sleep-busy-2vcpu.ftrace.txt.gz", "cancel", false, 1, 322, { 29, 84, 0, 47 } },
	{ "nestedv2-sleep-idle-2vcpu.ftrace.txt.gz", "stuck", true, 1, 10570, { 1486, 51, 3746, 1 } },
	{ "nestedv2-busy-mix-2vcpu.ftrace.txt.gz", "stuck", true, 1, 16340, { 5728, 283, 2137, 19 } },
	{ "nestedv2-mix-2vcpu.ftrace.txt.gz", "stuck", true, 1, 8490, { 1517, 79, 2636, 11 } },
	{ "nestedv1-busy-mix-2vcpu.ftrace.txt.gz", "cancel", false, 1, 5923, { 40, 94, 2794, 33 } },
};

static struct trace_reader *reader_of(const struct capture *c)
{
	struct err err = ERR_INIT;
	struct trace_reader *r;
	char path[4096];

	snprintf(path, sizeof(path), "%s/traces/real/%s", getenv("HVSIM_DATA"), c->file);
	r = trace_reader_on(trace_source_open(path, &err), false, &err);
	assert_non_null(r);
	return r;
}

/* It may begin with an exit whose entry came before the events were on, and has no other problem. */
static void assert_only_the_start(const struct capture *c, const struct trace_reader *r)
{
	assert_int_equal(trace_problem_total(&r->problems), c->unpaired);
	assert_int_equal(r->problems.count[TRACE_P_NO_ENTRY], c->unpaired);
}

static uint64_t recorded(const struct trace_stats *s, const char *cause, bool entered)
{
	const struct trace_words *w = &s->turns.reader->parser.causes;
	uint64_t n = 0;

	for (size_t v = 0; v < s->n; v++)
		for (unsigned c = 0; c < s->v[v].n_causes; c++) {
			const uint64_t *how = s->v[v].causes[c].how;

			if (!strcmp(w->w[c].s, cause))
				n += entered ? how[TRACE_ENTERED] + how[TRACE_UNPAIRED] :
					       how[TRACE_NOT_ENTERED];
		}
	return n;
}

static void captures_are_read(void **state)
{
	for (const struct capture *c = captures; c < captures + N(captures); c++) {
		struct trace_reader *r = reader_of(c);
		struct err err = ERR_INIT;
		struct trace_stats s;
		uint64_t ceded = 0;

		assert_int_equal(trace_stats_read(&s, r, &limits, NULL, &err), 0);
		for (size_t v = 0; v < s.n; v++)
			ceded += s.v[v].ceded;
		assert_int_equal(s.n, 2);
		assert_int_equal(s.events, c->events);
		assert_int_equal(ceded, c->count[CEDE]);
		assert_int_equal(recorded(&s, "HV_DECREMENTER", true), c->count[HDEC]);
		assert_int_equal(recorded(&s, "HV_DECREMENTER", false), c->count[NOT_ENTERED]);
		assert_int_equal(recorded(&s, "H_DATA_STORAGE", true), c->count[FAULT]);
		assert_only_the_start(c, r);
		trace_stats_done(&s);
		trace_reader_close(r);
	}
}

static void lift(const struct capture *c, struct trace_facts *f, struct trace_lifted *lifted)
{
	struct trace_reader *r = reader_of(c);
	struct err err = ERR_INIT;
	struct trace_sink *sink;

	assert_int_equal(trace_facts_read(f, r, &limits, 0, &err), 0);
	trace_reader_close(r);
	r = reader_of(c);
	sink = trace_sink_open(HVT, TRACE_PLAIN, &err);
	assert_int_equal(trace_lift(lifted, r, &limits, f, sink, &err), 0);
	assert_int_equal(trace_sink_commit(sink, &err), 0);
	assert_only_the_start(c, r);
	trace_reader_close(r);
}

static void replay(struct mem *mem, const char *variant, struct v2_result *r)
{
	const struct scn_set set = { "trace", "./" HVT };
	struct scn_options o = { .name = "replay", .set = &set, .sets = 1 };
	struct scn_v2_traces traces = { 0 };
	struct err err = ERR_INIT;
	struct scenario scn;
	struct scn_view view;
	struct scn_v2 v;
	size_t i = 0;

	if (scn_load(mem, &o, &scn, &err) < 0)
		fail_msg("%s", err.text);
	while (strcmp(scn.variant[i].name, variant))
		i++;
	if (scn_view(&scn, &scn.variant[i], &view, &err) < 0 ||
	    scn_v2_load(&scn, &view, &traces, &v, &err) < 0)
		fail_msg("%s", err.text);
	v2_run(&v.setup, r);
}

static void assert_row(const struct capture *c, enum row row, uint64_t got)
{
	char what[128];

	snprintf(what, sizeof(what), "%s, %s", c->file, row_name[row]);
	assert_agree(what, got, c->count[row], 10);
}

static void captures_lift_and_come_back(void **state)
{
	for (const struct capture *c = captures; c < captures + N(captures); c++) {
		struct mem *mem = mem_new();
		struct trace_lifted lifted;
		struct trace_facts f;
		struct v2_result r;

		lift(c, &f, &lifted);
		assert_int_equal(f.spins, c->spins);
		assert_int_equal(lifted.count[TRACE_X_NOT_ENTERED], c->count[NOT_ENTERED]);
		assert_int_equal(lifted.count[TRACE_X_FAULT], c->count[FAULT]);
		replay(mem, c->variant, &r);
		unlink(HVT);
		assert_row(c, CEDE, r.total.exits[V2_TRAP_CEDE]);
		assert_row(c, HDEC, r.total.exits[V2_TRAP_HDEC] - r.total.not_entered);
		assert_row(c, NOT_ENTERED, r.total.not_entered);
		assert_row(c, FAULT, r.total.exits[V2_TRAP_FAULT]);
		v2_result_done(&r);
		trace_facts_done(&f);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures_are_read),
		cmocka_unit_test(captures_lift_and_come_back),
	};

	return cmocka_run_group_tests_name("captured", tests, NULL, NULL);
}
