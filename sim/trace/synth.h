/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Native traces from a description of a workload (docs/native-trace.md, hvsim-workload/1). */
#ifndef HVSIM_TRACE_SYNTH_H
#define HVSIM_TRACE_SYNTH_H

#include "base/jdoc.h"
#include "base/mem.h"
#include "trace/native.h"
#include "trace/sink.h"

#define TRACE_SYNTH_VCPUS_MAX 1024

/* What a vCPU does. Times in ns; 0 switches a stream off. */
struct trace_synth_load {
	bool busy;                /* never sleeps */
	bool random;              /* sleep and work are means of exponential draws */
	uint64_t sleep, work;
	uint64_t fault, hcall, ipi; /* mean work between two of them */
	uint64_t irq, irq_work;   /* mean time between interrupts from outside; work one starts */
	const char *hcall_name;
};

struct trace_synth {
	const char *title, *file;
	uint64_t seed;
	uint64_t duration;        /* ns */
	uint32_t vcpus;
	struct trace_synth_load *load; /* [vcpus] */
};

/* Load a description; everything is owned by the pool. -1 with *err set. */
int trace_synth_load(struct mem *mem, const char *name, struct trace_synth *s, struct err *err);

/* The same from a document that was read; NULL passes its reader's error on. */
int trace_synth_from(struct mem *mem, const char *name, const struct jnode *root,
		     struct trace_synth *s, struct err *err);

/* Write the trace. *intents gets how many. -1 with *err set; the sink stays the caller's. */
int trace_synth_write(const struct trace_synth *s, struct trace_sink *sink, uint64_t *intents,
		      struct err *err);

#endif
