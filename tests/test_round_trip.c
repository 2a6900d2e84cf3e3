// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The captures under traces/real lifted and replayed under the policy they were recorded
 * under: whole, and what was fitted on the first half of one tested on its second. The counts
 * they are held to are those of the captures; docs/lifting.md has them as a table.
 */
#include "check.h"

#include <stdio.h>
#include <unistd.h>

#include "agree.h"
#include "base/file.h"
#include "scenario/v2.h"
#include "trace/lift.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };

static const struct capture { const char *name, *scenario; unsigned percent; } captures[] = {
	{ "nestedv2-idle-2vcpu", "replay-idle", 10 },
	{ "nestedv2-arith-2vcpu", "replay-arith", 10 },
	{ "nestedv2-hcalls-1vcpu", "replay-hcalls", 10 },
	{ "nestedv1-sleep10ms-2vcpu", "replay-sleep10ms", 5 },
};

struct counts {
	uint64_t ceded, hdec, not_entered, syscall, hdsi, hisi;
};

static char *text_of(struct mem *mem, const struct capture *c)
{
	struct err err = ERR_INIT;
	char path[4096];
	size_t len;
	char *s;

	snprintf(path, sizeof(path), "%s/traces/real/%s.ftrace.txt", getenv("HVSIM_DATA"), c->name);
	s = file_read(mem, path, &len, &err);
	assert_non_null(s);
	return s;
}

/* A half of a capture, by its events. */
static char *half_of(struct mem *mem, const struct capture *c, unsigned half)
{
	char *s = text_of(mem, c), *at, *out = mem_alloc(mem, strlen(s) + 1, 1), *to = out;
	size_t events = 0, n = 0, len;

	for (at = s; *at; at = strchr(at, '\n') + 1)
		events += *at != '#';
	for (at = s; *at; at += len) {
		len = (size_t)(strchr(at, '\n') + 1 - at);
		if (*at != '#' && (n++ < events / 2) != (half == 0))
			continue;
		memcpy(to, at, len);
		to += len;
	}
	*to = '\0';
	return out;
}

static struct trace_reader *reader_of(const char *s)
{
	struct err err = ERR_INIT;
	struct trace_reader *r = trace_reader_on(trace_source_bytes("t", s, strlen(s)), false, &err);

	assert_non_null(r);
	return r;
}

static uint64_t recorded(const struct trace_stats *s, const char *cause, enum trace_how how)
{
	const struct trace_words *w = &s->turns.reader->parser.causes;
	uint64_t n = 0;

	for (size_t v = 0; v < s->n; v++)
		for (unsigned c = 0; c < s->v[v].n_causes; c++)
			if (!strcmp(w->w[c].s, cause))
				n += s->v[v].causes[c].how[how];
	return n;
}

static uint64_t entered(const struct trace_stats *s, const char *cause)
{
	return recorded(s, cause, TRACE_ENTERED) + recorded(s, cause, TRACE_UNPAIRED);
}

static void count_capture(const char *text, struct counts *c)
{
	struct trace_reader *r = reader_of(text);
	struct err err = ERR_INIT;
	struct trace_stats s;

	assert_int_equal(trace_stats_read(&s, r, &limits, NULL, &err), 0);
	*c = (struct counts){
		.ceded = entered(&s, "0x0"), .hdec = entered(&s, "HV_DECREMENTER"),
		.not_entered = recorded(&s, "HV_DECREMENTER", TRACE_NOT_ENTERED),
		.syscall = entered(&s, "SYSCALL"), .hdsi = entered(&s, "H_DATA_STORAGE"),
		.hisi = entered(&s, "H_INST_STORAGE"),
	};
	trace_stats_done(&s);
	trace_reader_close(r);
}

static void facts_of(const char *text, struct trace_facts *f)
{
	struct trace_reader *r = reader_of(text);
	struct err err = ERR_INIT;

	assert_int_equal(trace_facts_read(f, r, &limits, 0, &err), 0);
	trace_reader_close(r);
}

static void lift(const char *text, const struct trace_facts *f, const char *to,
		 struct trace_lifted *lifted)
{
	struct trace_reader *r = reader_of(text);
	struct err err = ERR_INIT;
	struct trace_sink *sink = trace_sink_open(to, TRACE_PLAIN, &err);

	assert_int_equal(trace_lift(lifted, r, &limits, f, sink, &err), 0);
	assert_int_equal(trace_sink_commit(sink, &err), 0);
	trace_reader_close(r);
}

/* The scenario's variant, of the trace it names or another one. */
static void set_up(struct mem *mem, const char *scenario, unsigned variant, const char *trace,
		   struct scn_v2 *v)
{
	const struct scn_set set = { "trace", trace };
	struct scn_options o = { .name = scenario, .set = &set, .sets = trace != NULL };
	struct scn_v2_traces traces = { 0 };
	struct err err = ERR_INIT;
	struct scenario scn;
	struct scn_view view;

	if (scn_load(mem, &o, &scn, &err) < 0 ||
	    scn_view(&scn, &scn.variant[variant], &view, &err) < 0 ||
	    scn_v2_load(&scn, &view, &traces, v, &err) < 0)
		fail_msg("%s", err.text);
}

static void replay(const char *scenario, unsigned variant, const char *trace, struct v2_result *r)
{
	struct mem *mem = mem_new();
	struct scn_v2 v;

	set_up(mem, scenario, variant, trace, &v);
	v2_run(&v.setup, r);
	mem_free(mem);
}

static void assert_come_back(const struct counts *was, const struct v2_result *r, unsigned percent)
{
	const uint64_t *e = r->total.exits;

	assert_agree("ceded", e[V2_TRAP_CEDE], was->ceded, percent);
	assert_agree("HV_DECREMENTER, entered", e[V2_TRAP_HDEC] - r->total.not_entered, was->hdec,
		     percent);
	assert_agree("SYSCALL", e[V2_TRAP_HCALL], was->syscall, percent);
	assert_agree("H_DATA_STORAGE", e[V2_TRAP_FAULT], was->hdsi, percent);
	assert_agree("H_INST_STORAGE", e[V2_TRAP_IFAULT], was->hisi, percent);
	assert_agree("not entered", r->total.not_entered, was->not_entered, percent);
}

static void captures_come_back(void **state)
{
	for (size_t i = 0; i < N(captures); i++) {
		struct mem *mem = mem_new();
		struct counts was;
		struct v2_result r;

		count_capture(text_of(mem, &captures[i]), &was);
		replay(captures[i].scenario, 0, NULL, &r);
		assert_come_back(&was, &r, captures[i].percent);
		v2_result_done(&r);
		mem_free(mem);
	}
}

/* Leave the cost of a turn that doesn't enter to the model: late lines lose how many there were. */
static void forget_late_turns(struct mem *mem, const char *name)
{
	struct err err = ERR_INIT;
	struct text t = { 0 };
	size_t len;
	char *s = file_read(mem, name, &len, &err);

	for (char *line = strtok(s, "\n"); line; line = strtok(NULL, "\n")) {
		if (strstr(line, " late "))
			*strrchr(line, ' ') = '\0';
		text_add(&t, "%s\n", line);
	}
	assert_int_equal(file_write(name, t.s, t.len, &err), 0);
	text_free(&t);
}

/*
 * The spin of a first half is the second's. The rest of what was fitted is in models/qemu-tcg.json:
 * the cost of a turn that doesn't enter, which the second half's own late lines would tell.
 */
static void first_halves_predict_second_halves(void **state)
{
	static const char name[] = "round-trip-half.hvt";

	for (size_t i = 0; i < N(captures); i++) {
		struct mem *mem = mem_new();
		char *second = half_of(mem, &captures[i], 1);
		struct trace_lifted lifted;
		struct trace_facts first, f;
		struct counts was;
		struct v2_result r;

		facts_of(half_of(mem, &captures[i], 0), &first);
		facts_of(second, &f);
		f.spin_period_ns = first.spin_period_ns;
		lift(second, &f, name, &lifted);
		forget_late_turns(mem, name);
		count_capture(second, &was);
		replay(captures[i].scenario, 0, "./round-trip-half.hvt", &r);
		assert_come_back(&was, &r, captures[i].percent);
		v2_result_done(&r);
		trace_facts_done(&first);
		trace_facts_done(&f);
		mem_free(mem);
	}
	unlink(name);
}

/* Nothing was fitted to this one: no nested guest at all, and another kernel and processor. */
static void a_capture_of_another_machine_comes_back(void **state)
{
	static const struct capture other = { "bare-metal-power9-hcalls", "replay-sleep10ms", 10 };
	struct mem *mem = mem_new();
	char *text = text_of(mem, &other);
	struct trace_lifted lifted;
	struct trace_facts f;
	struct counts was;
	struct v2_result r;

	facts_of(text, &f);
	lift(text, &f, "round-trip-other.hvt", &lifted);
	count_capture(text, &was);
	replay(other.scenario, 0, "./round-trip-other.hvt", &r);
	unlink("round-trip-other.hvt");
	was.ceded = 0; /* its one exit with trap 0x0 is a return to the host, not a cede */
	assert_come_back(&was, &r, other.percent);
	v2_result_done(&r);
	trace_facts_done(&f);
	mem_free(mem);
}

/*
 * What the model's `ipc` was fitted to: in the first half of nestedv2-idle 357 turns don't enter, in
 * one run of 1,330 us (both by awk). A turn that doesn't enter is two of the model's paths.
 */
static void the_first_half_gives_the_price_of_a_turn(void **state)
{
	struct mem *mem = mem_new();
	struct trace_lifted lifted;
	struct trace_facts f;
	struct scn_v2 v;
	uint64_t cost;

	facts_of(half_of(mem, &captures[0], 0), &f);
	lift(half_of(mem, &captures[0], 0), &f, "round-trip-half.hvt", &lifted);
	unlink("round-trip-half.hvt");
	assert_int_equal(lifted.count[TRACE_X_NOT_ENTERED], 357);
	assert_int_equal(lifted.count[TRACE_X_LATE], 1);
	set_up(mem, "replay-idle", 0, NULL, &v);
	cost = v.setup.cost[V2_L1_ENTER] + v.setup.cost[V2_L1_NOT_ENTERED];
	assert_in_range(cost * 357, 1330000 * 98 / 100, 1330000 * 102 / 100);
	trace_facts_done(&f);
	mem_free(mem);
}

/*
 * The idle guest spins while an interrupt stays pending or the expiry is stale
 * (docs/model.md: every policy does), and sleeps when neither is so.
 */
static void the_spin_stops(void **state)
{
	struct v2_result r;

	for (unsigned variant = 0; variant < 4; variant++) {
		replay("replay-idle", variant, NULL, &r);
		if (variant < 3) {
			assert_true(r.total.ceded_spins > 190);
			assert_true(r.total.blocks <= 2);
		} else {
			assert_true(r.total.ceded_spins <= 2);
			assert_in_range(r.total.blocks, 1, 20);
		}
		v2_result_done(&r);
	}
}

/* The files under traces/lifted are what the importer makes of the captures. */
static void lifted_files_are_current(void **state)
{
	char cmd[4096];

	for (size_t i = 0; i < N(captures); i++) {
		snprintf(cmd, sizeof(cmd), "cd '%s' && '%s' trace import traces/real/%s.ftrace.txt "
			 "-o - 2>/dev/null | cmp - traces/lifted/%s.hvt", getenv("HVSIM_DATA"),
			 getenv("HVSIM"), captures[i].name, captures[i].name);
		assert_int_equal(system(cmd), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures_come_back),
		cmocka_unit_test(first_halves_predict_second_halves),
		cmocka_unit_test(a_capture_of_another_machine_comes_back),
		cmocka_unit_test(the_first_half_gives_the_price_of_a_turn),
		cmocka_unit_test(the_spin_stops),
		cmocka_unit_test(lifted_files_are_current),
	};

	return cmocka_run_group_tests_name("round trip", tests, NULL, NULL);
}
