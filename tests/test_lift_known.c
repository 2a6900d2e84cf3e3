// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lifting against the truth: hvsim runs a workload under one policy and writes what ftrace would
 * have; the recording is lifted and replayed under the same and under another policy; and the same
 * workload, run under that other policy itself, is what should come out.
 */
#include "check.h"

#include <stdio.h>
#include <unistd.h>

#include "agree.h"
#include "base/file.h"
#include "hv/observer.h"
#include "scenario/v2.h"
#include "trace/lift.h"

#define VCPUS 2

struct recorder {
	struct text out;
	bool dec[VCPUS];
	uint64_t pc[VCPUS];
};

static void put_line(struct recorder *r, uint64_t now, uint32_t vcpu, const char *event)
{
	text_add(&r->out, "qemu-%u [000] d.... %llu.%06llu: %s: VCPU %u: ", 100 + vcpu,
		 (unsigned long long)(now / 1000000000), (unsigned long long)(now / 1000 % 1000000),
		 event, vcpu);
}

static void note_pending(void *ctx, uint64_t now, uint32_t vcpu, bool dec)
{
	((struct recorder *)ctx)->dec[vcpu] = dec;
}

static void note_path(void *ctx, uint64_t now, uint32_t vcpu, const char *path)
{
	struct recorder *r = ctx;

	if (strcmp(path, "nestedv2-l1-flush") && strcmp(path, "nestedv2-l1-notentered"))
		return;
	put_line(r, now, vcpu, "kvm_guest_enter");
	text_add(&r->out, "pc=0x%llx pexcp=0x%x ceded=0\n", (unsigned long long)r->pc[vcpu],
		 r->dec[vcpu] ? 0x8000u : 0u);
}

static void note_exit(void *ctx, uint64_t now, uint32_t vcpu, unsigned trap, bool entered, bool ceded)
{
	static const char *const names[V2_TRAPS] = {
		[V2_TRAP_CEDE] = "0x0", [V2_TRAP_HDEC] = "HV_DECREMENTER",
		[V2_TRAP_HCALL] = "SYSCALL", [V2_TRAP_FAULT] = "H_DATA_STORAGE",
		[V2_TRAP_IFAULT] = "H_INST_STORAGE", [V2_TRAP_EXTERNAL] = "EXTERNAL",
		[V2_TRAP_HVIRT] = "H_VIRT",
	};
	struct recorder *r = ctx;

	r->pc[vcpu] += entered ? 0x1000 : 0;
	put_line(r, now, vcpu, "kvm_guest_exit");
	text_add(&r->out, "trap=%s pc=0x%llx msr=0x0, ceded=%d\n", names[trap],
		 (unsigned long long)r->pc[vcpu], ceded);
}

static void run(const char *scenario, const char *cancel, const char *expiry, struct recorder *rec,
		struct v2_result *result)
{
	const struct scn_set set[] = {
		{ "nestedv2.dec_cancel", cancel }, { "nestedv2.dec_expiry", expiry },
	};
	struct scn_options o = { .name = scenario, .set = set, .sets = 2 };
	struct hv_observer observer = { .ctx = rec, .pending = note_pending, .path = note_path,
					.exit = note_exit };
	struct scn_v2_traces traces = { 0 };
	struct err err = ERR_INIT;
	struct mem *mem = mem_new();
	struct scenario scn;
	struct scn_view view;
	struct scn_v2 v;

	if (scn_load(mem, &o, &scn, &err) < 0 || scn_view(&scn, &scn.variant[0], &view, &err) < 0 ||
	    scn_v2_load(&scn, &view, &traces, &v, &err) < 0)
		fail_msg("%s", err.text);
	if (rec)
		v.setup.observer = &observer;
	v2_run(&v.setup, result);
	mem_free(mem);
}

static void lift(const struct text *t, const char *to)
{
	static const struct trace_limits limits = { TRACE_NOT_ENTERED_NS, TRACE_BLOCK_NS };
	struct trace_lifted lifted;
	struct trace_facts f;
	struct err err = ERR_INIT;
	struct trace_reader *r = trace_reader_on(trace_source_bytes("t", t->s, t->len), false, &err);
	struct trace_sink *sink = trace_sink_open(to, TRACE_PLAIN, &err);

	assert_int_equal(trace_facts_read(&f, r, &limits, 0, &err), 0);
	trace_reader_close(r);
	r = trace_reader_on(trace_source_bytes("t", t->s, t->len), false, &err);
	assert_int_equal(trace_lift(&lifted, r, &limits, &f, sink, &err), 0);
	assert_int_equal(trace_sink_commit(sink, &err), 0);
	trace_facts_done(&f);
	trace_reader_close(r);
}

static void write_scenario(const char *name, const char *what)
{
	static const char form[] =
		"{\"schema\": \"hvsim-scenario/1\", \"kind\": \"nestedv2\", \"title\": \"t\", "
		"\"cpu\": \"qemu-tcg\", \"seed\": 1, \"policies\": {\"model.l1_timer_late\": 0}, %s, "
		"\"variants\": [{\"name\": \"x\"}]}";
	struct text t = { 0 };
	struct err err = ERR_INIT;

	text_add(&t, form, what);
	assert_int_equal(file_write(name, t.s, t.len, &err), 0);
	text_free(&t);
}

enum recorded_as { CANCEL, KEEP, STALE, POLICIES };

static void run_as(const char *scenario, enum recorded_as p, struct recorder *rec, struct v2_result *r)
{
	run(scenario, p == KEEP ? "keep" : "cancel", p == STALE ? "stale" : "returned", rec, r);
}

/* One second of a workload on two vCPUs: what it does under each policy, and what its recordings replay. */
struct known {
	struct v2_result truth[POLICIES], replayed[POLICIES][POLICIES]; /* recorded under, replayed under */
};

static void know(struct known *k, const char *loads)
{
	char what[1024];

	snprintf(what, sizeof(what), "\"duration_ms\": 1000, \"topology\": {\"l2_vcpus\": 2}, "
		 "\"workload\": [%s]", loads);
	write_scenario("known.json", what);
	write_scenario("known-replay.json", "\"trace\": \"./known.hvt\"");
	for (unsigned a = 0; a < POLICIES; a++) {
		struct recorder rec = { 0 };

		run_as("./known.json", a, &rec, &k->truth[a]);
		lift(&rec.out, "known.hvt");
		text_free(&rec.out);
		for (unsigned b = 0; b < POLICIES; b++)
			run_as("./known-replay.json", b, NULL, &k->replayed[a][b]);
	}
	unlink("known.json");
	unlink("known-replay.json");
	unlink("known.hvt");
}

static void forget(struct known *k)
{
	for (unsigned a = 0; a < POLICIES; a++) {
		v2_result_done(&k->truth[a]);
		for (unsigned b = 0; b < POLICIES; b++)
			v2_result_done(&k->replayed[a][b]);
	}
}

static void assert_like(const struct v2_result *got, const struct v2_result *truth, unsigned percent)
{
	const uint64_t *g = got->total.exits, *t = truth->total.exits;

	assert_agree("ceded", g[V2_TRAP_CEDE], t[V2_TRAP_CEDE], percent);
	assert_agree("blocks", got->total.blocks, truth->total.blocks, percent);
	assert_agree("HV_DECREMENTER, entered", g[V2_TRAP_HDEC] - got->total.not_entered,
		    t[V2_TRAP_HDEC] - truth->total.not_entered, percent);
	assert_agree("SYSCALL", g[V2_TRAP_HCALL], t[V2_TRAP_HCALL], percent);
	assert_agree("H_DATA_STORAGE", g[V2_TRAP_FAULT], t[V2_TRAP_FAULT], percent);
	/* A tick that falls between the last look and the comparison: a matter of chance. */
	assert_in_range(got->total.not_entered, 0, 10);
}

#define SLEEPER \
	"{\"name\": \"sleeper\", \"vcpus\": \"0\", \"sleep_us\": 10000, \"sleep_work_us\": 500}"

static const char *const workloads[] = {
	SLEEPER,
	SLEEPER ", {\"name\": \"busy\", \"vcpus\": \"1\", \"loop_cycles\": 10, "
		"\"fault_hz\": 50, \"hcall_hz\": 200}",
	"{\"name\": \"timers\", \"vcpus\": \"all\", \"timer_hz\": 100, \"timer_work_us\": 300}",
};

/* There and back, under all three policies. */
static void a_recording_comes_back(void **state)
{
	for (unsigned w = 0; w < sizeof(workloads) / sizeof(workloads[0]); w++) {
		struct known k;

		know(&k, workloads[w]);
		assert_like(&k.replayed[CANCEL][CANCEL], &k.truth[CANCEL], 5);
		assert_like(&k.replayed[KEEP][KEEP], &k.truth[KEEP], 10);
		assert_like(&k.replayed[STALE][STALE], &k.truth[STALE], 10);
		forget(&k);
	}
}

/* Recorded where cedes block, replayed where they don't: what the workload itself does there. */
static void a_recording_tells_another_policy(void **state)
{
	for (unsigned w = 0; w < sizeof(workloads) / sizeof(workloads[0]); w++) {
		struct known k;

		know(&k, workloads[w]);
		assert_like(&k.replayed[CANCEL][KEEP], &k.truth[KEEP], 10);
		assert_like(&k.replayed[CANCEL][STALE], &k.truth[STALE], 10);
		forget(&k);
	}
}

/*
 * Recorded where cedes come straight back: a guest that only spun is one idle period, whatever it
 * woke for inside (docs/lifting.md). So the sleeps of a replay are fewer, never more.
 */
static void a_spinning_recording_bounds_sleeps(void **state)
{
	for (unsigned w = 0; w < sizeof(workloads) / sizeof(workloads[0]); w++) {
		struct known k;

		know(&k, workloads[w]);
		assert_in_range(k.replayed[KEEP][CANCEL].total.blocks, 1,
				k.truth[CANCEL].total.blocks);
		assert_true(k.replayed[KEEP][CANCEL].total.exits[V2_TRAP_CEDE] * 10 <
			    k.truth[KEEP].total.exits[V2_TRAP_CEDE]);
		forget(&k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_comes_back),
		cmocka_unit_test(a_recording_tells_another_policy),
		cmocka_unit_test(a_spinning_recording_bounds_sleeps),
	};

	return cmocka_run_group_tests_name("lifting known recordings", tests, NULL, NULL);
}
