// SPDX-License-Identifier: GPL-2.0-or-later
/* One line of a trace. The lines are written by hand from the kernel's print formats. */
#include "check.h"

#include <stdio.h>

#include "trace/event.h"

struct fixture {
	struct trace_parser p;
	struct trace_event ev;
	enum trace_problem problem;
};

static enum trace_line parse(struct fixture *f, const char *line)
{
	f->problem = TRACE_P_KINDS;
	return trace_parse(&f->p, line, strlen(line), &f->ev, &f->problem);
}

static void ftrace_entry_and_exit(void **state)
{
	static struct fixture f;

	assert_int_equal(parse(&f, " qemu-system-ppc-157     [003] d....    21.768403: kvm_guest_enter:"
				   " VCPU 7: pc=0xc0000000000b7e1c pexcp=0x8000 ceded=0\r"),
			 TRACE_L_EVENT);
	assert_int_equal(f.ev.kind, TRACE_ENTER);
	assert_int_equal(f.ev.ns, UINT64_C(21768403000));
	assert_int_equal(f.ev.cpu, 3);
	assert_int_equal(f.ev.tid, 157);
	assert_int_equal(f.ev.vcpu, 7);
	assert_int_equal(f.ev.pc, UINT64_C(0xc0000000000b7e1c));
	assert_int_equal(f.ev.pexcp, 0x8000);
	assert_int_equal(f.p.format, TRACE_F_FTRACE);

	assert_int_equal(parse(&f, " qemu-system-ppc-157     [003] .n...    21.776284: kvm_guest_exit:"
				   " VCPU 7: trap=HV_DECREMENTER pc=0xc0000000005e4de8"
				   " msr=0x800000000280b033, ceded=1"), TRACE_L_EVENT);
	assert_int_equal(f.ev.kind, TRACE_EXIT);
	assert_true(f.ev.ceded);
	assert_string_equal(f.p.causes.w[f.ev.cause].s, "HV_DECREMENTER");
	assert_int_equal(f.p.causes.w[f.ev.cause].value, 0x980);
}

static void prefixes_of_other_tools(void **state)
{
	static const struct { const char *prefix; int64_t tid; uint32_t cpu; uint64_t ns; } good[] = {
		{ "  CPU 0/KVM-7289  [012]  1234.567890123: kvm_guest_exit:     ", 7289, 12,
		  UINT64_C(1234567890123) },
		{ "fc_vcpu 1 4711 [000]     0.000001: kvm_hv:kvm_guest_exit: ", 4711, 0, 1000 },
		{ "fc_vcpu 1 4700/4711 [000]     0.000001: kvm_hv:kvm_guest_exit: ", 4711, 0, 1000 },
		{ "CPU 1/KVM  4711     7.000000: kvm_hv:kvm_guest_exit: ", 4711, TRACE_NO_CPU,
		  UINT64_C(7000000000) },
		{ "7.5: kvm_hv:kvm_guest_exit:ppp: ", -1, TRACE_NO_CPU, UINT64_C(7500000000) },
		{ "a [3] b 12 [001] 7.500000:     1 kvm_hv:kvm_guest_exit: ", 12, 1,
		  UINT64_C(7500000000) },
		{ "kworker/0:1-33  (   99) [001] d..1. 7.500000: kvm_guest_exit: ", 33, 1,
		  UINT64_C(7500000000) },
		{ "<...>-33 [001] d.h1 7.500000: kvm_guest_exit: ", 33, 1, UINT64_C(7500000000) },
	};
	static const char text[] = "VCPU 0: trap=0xea0 pc=0x10 msr=0x0, ceded=0";

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct fixture *f = test_calloc(1, sizeof(*f));
		char line[256];

		snprintf(line, sizeof(line), "%s%s", good[i].prefix, text);
		assert_int_equal(parse(f, line), TRACE_L_EVENT);
		assert_int_equal(f->ev.kind, TRACE_EXIT);
		assert_int_equal(f->ev.tid, good[i].tid);
		assert_int_equal(f->ev.cpu, good[i].cpu);
		assert_int_equal(f->ev.ns, good[i].ns);
		assert_string_equal(f->p.causes.w[f->ev.cause].s, "H_VIRT");
		test_free(f);
	}
}

static void x86_exits_of_four_generations(void **state)
{
	static const struct { const char *text; uint32_t vcpu; const char *cause; } good[] = {
		{ "reason EXTERNAL_INTERRUPT rip 0x81 info 0 800000ef", TRACE_NO_VCPU,
		  "EXTERNAL_INTERRUPT" },
		{ "vcpu 2 reason EPT_VIOLATION rip 0x81 info 181 0", 2, "EPT_VIOLATION" },
		{ "vcpu 3 reason MSR_WRITE rip 0x81 info1 0x0000000000000000 info2 "
		  "0x0000000000000000 intr_info 0x00000000 error_code 0x00000000", 3, "MSR_WRITE" },
		{ "vcpu 3 reason MSR_WRITE FAILED_VMENTRY rip 0x81 info1 0x0 info2 0x0 intr_info 0x0 "
		  "error_code 0x0 requests 0x0000000000000000", 3, "MSR_WRITE FAILED_VMENTRY" },
		{ "vcpu 3 reason HLT rip 0x81 info1 0x0", 3, "HLT" },
	};
	static const char *const entries[] = { "vcpu 5", " vcpu 5 rip 0x81", "vcpu 5, rip 0x81",
		"vcpu 5, rip 0x81 intr_info 0x00000000 error_code 0x00000000" };
	static struct fixture f;
	char line[300];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(line, sizeof(line), "CPU 0/KVM 9 [001] 1.000000: kvm:kvm_exit: %s",
			 good[i].text);
		assert_int_equal(parse(&f, line), TRACE_L_EVENT);
		assert_int_equal(f.ev.kind, TRACE_EXIT);
		assert_int_equal(f.ev.vcpu, good[i].vcpu);
		assert_int_equal(f.ev.pc, 0x81);
		assert_string_equal(f.p.causes.w[f.ev.cause].s, good[i].cause);
		assert_int_equal(f.ev.ceded, !strcmp(good[i].cause, "HLT"));
	}
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		snprintf(line, sizeof(line), "CPU 0/KVM-9 [001] d..1. 1.000000: kvm_entry: %s",
			 entries[i]);
		assert_int_equal(parse(&f, line), TRACE_L_EVENT);
		assert_int_equal(f.ev.kind, TRACE_ENTER);
		assert_int_equal(f.ev.vcpu, 5);
	}
}

static void bad_lines_say_what_is_wrong(void **state)
{
	static const struct { const char *line; enum trace_problem problem; } bad[] = {
		{ "hello world", TRACE_P_JUNK },
		{ "a-1 [000] d.... 1.0: kvm_guest_enter: VCPU 0: pc=0x1 pexcp=0x0", TRACE_P_CUT },
		{ "a-1 [000] d.... 1.0: kvm_guest_enter: VCPU 0: pc=0x1 pexcp=0x0 ceded=", TRACE_P_CUT },
		{ "a-1 [000] ..... 1.0: kvm_guest_exit: VCPU 0: trap=0x", TRACE_P_CUT },
		{ "a-1 [000] ..... 1.0: kvm_guest_exit: VC", TRACE_P_CUT },
		{ "a-1 [000] ..... 1.0: kvm_guest_exit: VCPU -1: trap=0x0 pc=0x0 msr=0x0, ceded=0",
		  TRACE_P_VCPU },
		{ "a-1 [000] ..... 1.0: kvm_guest_exit: VCPU 2147483649: trap=0x0 pc=0x0 msr=0x0, "
		  "ceded=0", TRACE_P_VCPU },
		{ "a-1 [000] ..... 12345678: kvm_guest_exit: VCPU 0: trap=0x0 pc=0x0 msr=0x0, ceded=0",
		  TRACE_P_CLOCK },
		{ "a-1 [000] ..... 1.0: kvm_guest_exit: VCPU 0: trap=0x0 pc=0x10000000000000000 msr=0x0,"
		  " ceded=0", TRACE_P_CUT },
		{ "a 1 [000] 1.0: kvm:kvm_exit: reason HLT", TRACE_P_CUT },
		{ "a 1 [000] 1.0: kvm:kvm_entry: ", TRACE_P_CUT },
	};
	static struct fixture f;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(&f, bad[i].line), TRACE_L_PROBLEM);
		assert_int_equal(f.problem, bad[i].problem);
	}
}

static void losses_are_counted(void **state)
{
	static const char *const lines[] = {
		"CPU:1 [LOST 12 EVENTS]", "CPU:0 [LOST EVENTS]", "CPU:3 [5 EVENTS DROPPED]",
		"qemu 1 [000] 1.000000: PERF_RECORD_LOST lost 7", "lost 2 events",
	};
	static struct fixture f;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_int_equal(parse(&f, lines[i]), TRACE_L_PROBLEM);
		assert_int_equal(f.problem, TRACE_P_LOST);
	}
	/* 12 + at least one + 5 + 7 + 2 */
	assert_int_equal(f.p.lost, 27);
	assert_int_equal(parse(&f, "# entries-in-buffer/entries-written: 212/300   #P:1"),
			 TRACE_L_NOTHING);
	assert_int_equal(f.p.overwritten, 88);
}

static void lines_without_events_are_nothing(void **state)
{
	static const char *const lines[] = { "", "   \r", "# tracer: nop", "cpus=2",
		"##### CPU 1 buffer started ####", " => kvmppc_run_core",
		"\tffffffff8104f45a native_write_msr+0xa ([kernel.kallsyms])" };
	static struct fixture f;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(parse(&f, lines[i]), TRACE_L_NOTHING);
}

static void raw_fields_stand_in_for_a_failed_print(void **state)
{
	static struct fixture f;

	assert_int_equal(parse(&f, "a-1 [000] 1.0: kvm_guest_exit: [FAILED TO PARSE] vcpu_id=4 "
				   "trap=2432 pc=16 msr=0 ceded=0"), TRACE_L_EVENT);
	assert_int_equal(f.problem, TRACE_P_UNPARSED);
	assert_int_equal(f.ev.vcpu, 4);
	assert_int_equal(f.ev.pc, 16);
	assert_string_equal(f.p.causes.w[f.ev.cause].s, "HV_DECREMENTER"); /* 2432 = 0x980 */
}

static void words_stay_bounded(void **state)
{
	static struct trace_words w;
	char name[16];
	int fresh;

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "e%d", i);
		assert_int_equal(trace_word(&w, name, strlen(name), &fresh),
				 i < TRACE_WORD_OTHER ? i : TRACE_WORD_OTHER);
	}
	assert_int_equal(trace_word(&w, "a\x1b[1mb", 6, &fresh), TRACE_WORD_OTHER);
	assert_string_equal(w.w[TRACE_WORD_OTHER].s, "(others)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ftrace_entry_and_exit),
		cmocka_unit_test(prefixes_of_other_tools),
		cmocka_unit_test(x86_exits_of_four_generations),
		cmocka_unit_test(bad_lines_say_what_is_wrong),
		cmocka_unit_test(losses_are_counted),
		cmocka_unit_test(lines_without_events_are_nothing),
		cmocka_unit_test(raw_fields_stand_in_for_a_failed_print),
		cmocka_unit_test(words_stay_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
