// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/jdoc.h"
#include "base/text.h"
#include "trace/synth.h"

#define MILLION INT64_C(1000000)
#define NS_PER_MS UINT64_C(1000000)
#define HZ_MAX (10 * MILLION * MILLION)     /* 10 MHz in millionths */
#define US_MAX (INT64_C(86400) * MILLION * MILLION)
#define MS_MAX INT64_C(86400000)

struct top {
	const char *title;
	int64_t seed, duration_ms, vcpus;
	const struct jnode *loads;
};

static const struct jfield top_fields[] = {
	{ "schema", JK_NOTE, 0, false, 0, 0, NULL },
	{ "title", JK_TEXT, offsetof(struct top, title), false, 0, 0, NULL },
	{ "note", JK_NOTE, 0, false, 0, 0, NULL },
	{ "seed", JK_INT, offsetof(struct top, seed), false, 0, INT64_MAX, NULL },
	{ "duration_ms", JK_INT, offsetof(struct top, duration_ms), true, 1, MS_MAX, NULL },
	{ "vcpus", JK_INT, offsetof(struct top, vcpus), true, 1, TRACE_SYNTH_VCPUS_MAX, NULL },
	{ "loads", JK_ARRAY, offsetof(struct top, loads), true, 0, 0, NULL },
};

struct block {
	const char *vcpus, *hcall;
	bool busy, random;
	int64_t sleep_us, work_us, fault_hz, hcall_hz, ipi_hz, irq_hz, irq_work_us;
};

#define US(m) { #m, JK_MICRO, offsetof(struct block, m), false, 0, US_MAX, NULL }
#define HZ(m) { #m, JK_MICRO, offsetof(struct block, m), false, 0, HZ_MAX, NULL }

static const struct jfield block_fields[] = {
	{ "name", JK_NOTE, 0, false, 0, 0, NULL },
	{ "vcpus", JK_TEXT, offsetof(struct block, vcpus), true, 0, 0, NULL },
	{ "busy", JK_TRUTH, offsetof(struct block, busy), false, 0, 0, NULL },
	{ "random", JK_TRUTH, offsetof(struct block, random), false, 0, 0, NULL },
	US(sleep_us), US(work_us), HZ(fault_hz), HZ(hcall_hz), HZ(ipi_hz), HZ(irq_hz), US(irq_work_us),
	{ "hcall", JK_TEXT, offsetof(struct block, hcall), false, 0, 0, NULL },
};

static uint64_t mean_ns(int64_t micro_hz)
{
	return micro_hz ? (uint64_t)(INT64_C(1000000000) * MILLION / micro_hz) : 0;
}

static bool one_word(const char *s)
{
	for (const char *c = s; *c; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return *s && strcmp(s, "?") && strlen(s) < TRACE_WORD_LEN;
}

static int check(const struct jnode *node, const struct block *b, struct err *err)
{
	if (!b->busy && (!b->sleep_us || !b->work_us))
		return jnode_err(node, err, "must be \"busy\", or have sleep_us and work_us over 0");
	if (b->busy && (b->sleep_us || b->work_us))
		return jnode_err(node, err, "must be either \"busy\" or have sleep_us and work_us");
	if (b->hcall && !one_word(b->hcall))
		return jnode_err(jnode_get(node, "hcall"), err,
				 "must be a name such as H_PUT_TERM_CHAR");
	return 0;
}

static struct trace_synth_load load_of(const struct block *b)
{
	return (struct trace_synth_load){
		.busy = b->busy, .random = b->random,
		.sleep = (uint64_t)b->sleep_us / 1000u, .work = (uint64_t)b->work_us / 1000u,
		.fault = mean_ns(b->fault_hz), .hcall = mean_ns(b->hcall_hz),
		.ipi = mean_ns(b->ipi_hz), .irq = mean_ns(b->irq_hz),
		.irq_work = (uint64_t)b->irq_work_us / 1000u,
		.hcall_name = b->hcall ? b->hcall : "H_PUT_TERM_CHAR",
	};
}

/* "all", "3", "0-2", "1-" (to the last). False when it isn't one of them or names no vCPU. */
static bool range(const char *s, uint32_t vcpus, unsigned long *first, unsigned long *last)
{
	char *end;

	*first = 0;
	*last = vcpus - 1;
	if (!strcmp(s, "all"))
		return true;
	if (*s < '0' || *s > '9')
		return false;
	*first = *last = strtoul(s, &end, 10);
	if (*end == '-' && !end[1]) {
		*last = vcpus - 1;
		end++;
	} else if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
		*last = strtoul(end + 1, &end, 10);
	}
	return !*end && *first <= *last && *last < vcpus;
}

static int add_block(struct trace_synth *s, const struct jnode *node, bool *has, struct err *err)
{
	unsigned long first, last;
	struct block b = { 0 };

	if (jnode_is(node, J_OBJECT, err) < 0 || JFIELDS(node, block_fields, &b, err) < 0 ||
	    check(node, &b, err) < 0)
		return -1;
	if (!range(b.vcpus, s->vcpus, &first, &last))
		return jnode_err(jnode_get(node, "vcpus"), err,
				 "must be \"all\" or vCPUs from 0 to %u like "
				 "\"0\", \"0-2\" or \"1-\"",
				 s->vcpus - 1);
	for (unsigned long v = first; v <= last; v++) {
		if (has[v])
			return jnode_err(node, err, "vCPU %lu has a load already", v);
		has[v] = true;
		s->load[v] = load_of(&b);
	}
	return 0;
}

int trace_synth_load(struct mem *mem, const char *name, struct trace_synth *s, struct err *err)
{
	return trace_synth_from(mem, name, jdoc_load(mem, name, err), s, err);
}

int trace_synth_from(struct mem *mem, const char *name, const struct jnode *root,
		     struct trace_synth *s, struct err *err)
{
	struct top top = { .seed = 1 };
	bool *has;

	if (!root || jdoc_schema(root, "workload", 1, err) < 0 ||
	    JFIELDS(root, top_fields, &top, err) < 0)
		return -1;
	*s = (struct trace_synth){
		.title = top.title, .file = mem_strdup(mem, name), .seed = (uint64_t)top.seed,
		.duration = (uint64_t)top.duration_ms * NS_PER_MS, .vcpus = (uint32_t)top.vcpus,
	};
	s->load = mem_alloc(mem, s->vcpus, sizeof(*s->load));
	has = mem_alloc(mem, s->vcpus, sizeof(*has));
	for (const struct jnode *c = top.loads->child; c; c = c->next)
		if (add_block(s, c, has, err) < 0)
			return -1;
	for (uint32_t v = 0; v < s->vcpus; v++)
		if (!has[v])
			return jnode_err(top.loads, err,
					 "must give every vCPU a load; vCPU %u has none", v);
	return 0;
}
