// SPDX-License-Identifier: GPL-2.0-or-later
/* Traces made of descriptions; expected counts are worked out by hand. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/synth.h"

#define HEAD "{\"schema\": \"hvsim-workload/1\", \"duration_ms\": 100, "

static int load(struct mem *mem, const char *json, struct trace_synth *s, struct err *err)
{
	char name[64];
	int status;

	snprintf(name, sizeof(name), "/tmp/hvsim-synth-%d.json", (int)getpid());
	assert_int_equal(file_write(name, json, strlen(json), err), 0);
	status = trace_synth_load(mem, name, s, err);
	unlink(name);
	return status;
}

/* Write and read back: counts by kind, and the time computed. */
static uint64_t count(const struct trace_synth *s, uint64_t *kinds, struct text *native)
{
	struct trace_sink *sink = trace_sink_text(native);
	struct err err = ERR_INIT;
	struct trace_intent i;
	struct trace_native *n;
	uint64_t intents, computed = 0;

	assert_int_equal(trace_synth_write(s, sink, &intents, &err), 0);
	trace_sink_abort(sink);
	n = trace_native_on(trace_source_bytes("synth", native->s, native->len), &err);
	assert_non_null(n);
	memset(kinds, 0, TRACE_I_KINDS * sizeof(*kinds));
	while (trace_native_next(n, &i, &err) > 0) {
		kinds[i.kind]++;
		computed += i.kind == TRACE_I_COMPUTE ? i.ns : 0;
		intents--;
	}
	assert_false(err.set);
	assert_int_equal(intents, 0);
	trace_native_close(n);
	return computed;
}

static void a_fixed_sleeper(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct text native = { 0 };
	uint64_t kinds[TRACE_I_KINDS];
	struct trace_synth s;

	/* Periods of 10.3 ms: the tenth begins at 92.7 ms, an eleventh would at 103. */
	assert_int_equal(load(mem,
			      HEAD
			      "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"all\", \"sleep_us\": 10000, "
			      "\"work_us\": 300}]}",
			      &s, &err),
			 0);
	assert_int_equal(count(&s, kinds, &native), 3000000);
	assert_int_equal(kinds[TRACE_I_COMPUTE], 10);
	assert_int_equal(kinds[TRACE_I_TIMER], 10);
	assert_int_equal(kinds[TRACE_I_IDLE], 10);
	assert_non_null(strstr(native.s, "\nvcpu 0 at 0\n0 compute 300000\n0 timer 10000000\n0 idle\n"));
	assert_non_null(strstr(native.s, "\nend 100000000\n"));
	text_free(&native);
	mem_free(mem);
}

static void a_busy_vcpu_with_everything(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct text a = { 0 }, b = { 0 };
	uint64_t kinds[TRACE_I_KINDS];
	struct trace_synth s;

	assert_int_equal(load(mem, HEAD "\"vcpus\": 2, \"loads\": [{\"vcpus\": \"0-\", \"busy\": true, "
			      "\"fault_hz\": 10000, \"hcall_hz\": 5000, \"hcall\": \"H_CONFER\", "
			      "\"ipi_hz\": 2500, \"irq_hz\": 1000}]}", &s, &err), 0);
	/* Two vCPUs compute all of 100 ms. */
	assert_int_equal(count(&s, kinds, &a), 200000000);
	/* Poisson counts: means 2000, 1000, 500, 200; within five standard deviations. */
	assert_in_range(kinds[TRACE_I_FAULT], 2000 - 224, 2000 + 224);
	assert_in_range(kinds[TRACE_I_HCALL], 1000 - 158, 1000 + 158);
	assert_in_range(kinds[TRACE_I_IPI], 500 - 112, 500 + 112);
	assert_in_range(kinds[TRACE_I_IRQ], 200 - 71, 200 + 71);
	assert_int_equal(kinds[TRACE_I_IDLE], 0);
	assert_non_null(strstr(a.s, "0 ipi 1\n"));
	assert_non_null(strstr(a.s, "1 ipi 0\n"));
	count(&s, kinds, &b);
	assert_string_equal(a.s, b.s);
	b.len = 0;
	s.seed = 2;
	count(&s, kinds, &b);
	assert_string_not_equal(a.s, b.s);
	text_free(&a);
	text_free(&b);
	mem_free(mem);
}

static void wrong_descriptions_are_refused(void **state)
{
	static const struct { const char *json, *error;
	} bad[] = {
		{ "{\"schema\": \"hvsim-scenario/1\"}", "hvsim-workload/1" },
		{ HEAD "\"vcpus\": 2, \"loads\": [{\"vcpus\": \"0\", \"busy\": true}]}",
		  "vCPU 1 has none" },
		{ HEAD "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"0\"}]}", "must be \"busy\"" },
		{ HEAD
		  "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"0\", \"busy\": true, \"work_us\": 1}]}",
		  "either" },
		{ HEAD "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"1\", \"busy\": true}]}",
		  "vCPUs from 0 to 0" },
		{ HEAD "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"0\", \"busy\": true}, {\"vcpus\": "
		       "\"all\", "
		       "\"busy\": true}]}",
		  "already" },
		{ HEAD "\"vcpus\": 5000, \"loads\": []}", "vcpus" },
		{ HEAD "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"0\", \"busy\": true, \"hcall\": "
		       "\"a b\"}]}",
		  "must be a name" },
		{ HEAD "\"vcpus\": 1, \"loads\": [{\"vcpus\": \"0\", \"busi\": true}]}", "busy" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct mem *mem = mem_new();
		struct err err = ERR_INIT;
		struct trace_synth s;

		assert_int_equal(load(mem, bad[i].json, &s, &err), -1);
		assert_error_has(err, bad[i].error);
		mem_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_sleeper),
		cmocka_unit_test(a_busy_vcpu_with_everything),
		cmocka_unit_test(wrong_descriptions_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
