/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event of a trace, and the parser of one line.
 *
 * The lines are those of ftrace, trace-cmd report and perf script; the texts
 * are the kernel's (arch/powerpc/kvm/trace_hv.h, arch/x86/kvm/trace.h). The
 * anchor of a line is its "TIMESTAMP: EVENT: " because what is before it
 * (task, CPU, flags) varies and may hold spaces; fields are found by name.
 */
#ifndef HVSIM_TRACE_EVENT_H
#define HVSIM_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/problem.h"
#include "trace/words.h"

enum trace_kind {
	TRACE_OTHER,        /* an event that is counted and passed over */
	TRACE_ENTER,        /* kvm_guest_enter, kvm_entry */
	TRACE_EXIT,         /* kvm_guest_exit, kvm_exit */
	TRACE_HCALL_ENTER,
	TRACE_HCALL_EXIT,
	TRACE_FAULT_ENTER,
	TRACE_FAULT_EXIT,
	TRACE_RUN_ENTER,    /* kvmppc_run_vcpu_enter */
	TRACE_RUN_EXIT,
	TRACE_BLOCKED,      /* kvmppc_vcore_blocked, kvm_vcpu_wakeup: counted only */
	TRACE_PROBE,        /* a probe of KVM, such as kvmppc_gsb_recv: counted only */
	TRACE_L1_HCALL,     /* powerpc:hcall_entry: what the recording kernel itself calls */
};

#define TRACE_NS_MAX (UINT64_C(1) << 62) /* times are below: 146 years */
#define TRACE_NO_CPU UINT32_MAX
#define TRACE_NO_VCPU UINT32_MAX
#define TRACE_VCPU_MAX (UINT32_C(1) << 31)

struct trace_event {
	enum trace_kind kind;
	bool x86;
	bool ceded;         /* TRACE_EXIT: the guest ceded (H_CEDE), or halted on x86 */
	uint32_t name;      /* its word in trace_parser.events */
	uint32_t cpu;       /* TRACE_NO_CPU when the line doesn't say */
	uint32_t vcpu;      /* TRACE_NO_VCPU likewise */
	uint32_t cause;     /* TRACE_EXIT: word in .causes; hcalls: word in .hcalls */
	int64_t tid;        /* -1 when the line doesn't say */
	uint64_t line;
	uint64_t ns;        /* timestamp in nanoseconds, from the tracer's own zero */
	uint64_t pc;
	uint64_t pexcp;     /* TRACE_ENTER: pending exceptions, a bit for each priority */
	uint64_t arg;       /* TRACE_HCALL_ENTER: GPR4 */
};

/*
 * Priorities of pending exceptions (arch/powerpc/include/asm/kvm_asm.h of
 * Linux 6: BOOK3S_IRQPRIO_EXTERNAL is 14, BOOK3S_IRQPRIO_DECREMENTER 15).
 */
#define TRACE_PEXCP_EXT (UINT64_C(1) << 14)
#define TRACE_PEXCP_DEC (UINT64_C(1) << 15)

/* Trap numbers the readers of turns care about. */
#define TRACE_TRAP_HOST 0x0
#define TRACE_TRAP_EXTERNAL 0x500
#define TRACE_TRAP_DEC 0x900
#define TRACE_TRAP_HDEC 0x980
#define TRACE_TRAP_SYSCALL 0xc00
#define TRACE_TRAP_HDSI 0xe00
#define TRACE_TRAP_HISI 0xe20
#define TRACE_TRAP_UNKNOWN UINT32_MAX

enum trace_format { TRACE_F_UNKNOWN, TRACE_F_FTRACE, TRACE_F_TRACE_CMD, TRACE_F_PERF };

struct trace_parser {
	struct trace_words events;  /* value: enum trace_kind, TRACE_KIND_X86 added; count: events */
	struct trace_words causes;  /* value: the trap number, or TRACE_TRAP_UNKNOWN */
	struct trace_words hcalls;  /* count: calls */
	enum trace_format format;
	uint64_t lost;              /* events known to be lost; markers without a number count one */
	uint64_t overwritten;       /* events ftrace's header says the ring buffer dropped */
};

#define TRACE_KIND_X86 UINT32_C(0x100)

enum trace_line {
	TRACE_L_EVENT,
	TRACE_L_NOTHING,  /* a comment, a stack, an empty line, a header */
	TRACE_L_PROBLEM,
};

/*
 * Parse one line of n bytes (no newline). TRACE_L_EVENT fills *ev (all but
 * .line); TRACE_L_PROBLEM says which in *problem. An event with
 * *problem == TRACE_P_UNPARSED is both: an event, and a problem to count.
 */
enum trace_line trace_parse(struct trace_parser *p, const char *s, size_t n,
			    struct trace_event *ev, enum trace_problem *problem);

/* Linux's name of a powerpc trap ("HV_DECREMENTER"), or NULL. */
const char *trace_trap_name(uint32_t trap);

/* "ftrace", "trace-cmd report", "perf script" or "unknown". */
const char *trace_format_name(enum trace_format format);

#endif
