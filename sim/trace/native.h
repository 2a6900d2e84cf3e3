/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Native traces: what the CPUs of a guest want, independent of the policy of
 * whatever runs them. One intent a line, in the order in which each vCPU has
 * them; docs/native-trace.md describes the file.
 */
#ifndef HVSIM_TRACE_NATIVE_H
#define HVSIM_TRACE_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/mem.h"
#include "base/text.h"
#include "trace/event.h"
#include "trace/source.h"

#define TRACE_NATIVE_VERSION 1
#define TRACE_NATIVE_LINE_MAX 512
#define TRACE_NATIVE_VCPUS_MAX 4096

enum trace_intent_kind {
	TRACE_I_COMPUTE,  /* ns of guest execution */
	TRACE_I_TIMER,    /* the decrementer is set to expire ns from here; the last setting counts */
	TRACE_I_IDLE,     /* nothing to do until the timer or an interrupt */
	TRACE_I_HCALL,    /* name */
	TRACE_I_FAULT,    /* target 0: data, 1: instruction */
	TRACE_I_IPI,      /* target: a vCPU of the trace */
	TRACE_I_IRQ,      /* an interrupt from outside the guest reaches the vCPU at ns from the start */
	TRACE_I_HOST,     /* an interrupt for the hypervisor comes at ns from the start; name */
	TRACE_I_OTHER,    /* something else that leaves the guest; name is the exit's */
	TRACE_I_LATE,     /* L1's timer interrupt was due at ns and came target ns late, after so many turns */
	TRACE_I_AWAY,     /* from ns on the vCPU's thread had no CPU for target ns */
	TRACE_I_TICK,     /* L1's timer ended a turn at ns */
	TRACE_I_RAN,      /* from ns on the vCPU ran for target ns: every turn L1's timer ended is a TICK */
	TRACE_I_KINDS,
};

struct trace_intent {
	uint64_t ns;
	uint32_t vcpu;    /* as declared */
	uint32_t target;  /* a vCPU, a kind of fault, or a span in ns: whichever the kind says */
	uint32_t turns;   /* TRACE_I_LATE: that didn't enter meanwhile; 0: not known */
	uint16_t name;    /* word of the reader's .names */
	uint8_t kind;     /* enum trace_intent_kind */
	bool doubt;       /* marked '?': the importer couldn't decide */
};

/* What the lines before the first intent say; 0 when they don't. */
struct trace_native_head {
	uint64_t floor_ns;  /* entry and exit of a recorded turn, already taken off compute */
	uint64_t spin_ns;   /* recorded time from a spurious wake-up to the next, mean */
	uint64_t l1_hz;     /* recorded host's tick rate */
	uint64_t end_ns;    /* length of the recording */
	bool host_recorded; /* late and away lines hold what the host did: a replay draws nothing */
	struct text source; /* where it came from */
	struct text assume; /* one assumption a line */
};

struct trace_native {
	struct trace_source *src; /* owned */
	struct trace_native_head head;
	struct trace_words names;
	const char *file;
	uint64_t line;
	uint64_t *at;             /* [vcpus]: start of each declared vCPU, ns */
	uint64_t *tick;           /* [vcpus]: a time at which its CPU of L1 ticked, ns; 0: not known */
	bool *declared;
	uint32_t vcpus;           /* highest declared number + 1 */
	char *buf;
	size_t start, end;
	bool ended;
	uint32_t said;            /* words of the head so far, a bit each */
	bool body, over;          /* an intent has come; 'end' has */
	struct digest digest;     /* of the text read so far, unpacked */
	uint16_t last_name;       /* word of .names that the last line with a name had */
	struct { uint64_t word, mask; unsigned len; } quick[TRACE_I_KINDS]; /* each kind's letters */
};

/* Open and read the head. NULL with *err set when it isn't a native trace. Packed files too. */
struct trace_native *trace_native_open(const char *name, struct err *err);
struct trace_native *trace_native_on(struct trace_source *src, struct err *err);
void trace_native_close(struct trace_native *n);

/*
 * The next intent: 1, or 0 at the end, or -1 with *err set. Intents of a vCPU
 * come in its own order, vCPUs are interleaved. Memory doesn't grow.
 */
int trace_native_next(struct trace_native *n, struct trace_intent *intent, struct err *err);

/* Append a head, a vCPU's declaration, an intent, as lines of the file. */
void trace_native_put_head(struct text *out, const struct trace_native_head *head);
void trace_native_put_vcpu(struct text *out, uint32_t vcpu, uint64_t at_ns, uint64_t tick_ns,
			   const char *note);
void trace_native_put(struct text *out, const struct trace_intent *intent, const char *name);

#endif
