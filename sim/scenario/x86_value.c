// SPDX-License-Identifier: GPL-2.0-or-later
/* Metrics of the x86 loop by name. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scenario/x86.h"

#define CANCELS "probe:vmx_cancel_injection"
#define MICRO 1000000
#define INTERVALS_MAX 1000 /* that can be named */

static const char *const fixed[] = {
	CANCELS,
	CANCELS "/2-",   /* in all intervals but the first */
	"kvm:kvm_entry",
	"kvm:kvm_exit",
	"kvm:kvm_entry/s",
	"attempts",
	"task_cycles",
};

static const char *const reasons[X86_REASONS] = {
	[X86_BACK_EDGE] = "cancels:back-edge", [X86_REMOTE] = "cancels:remote",
	[X86_WORK] = "cancels:task-work",      [X86_RELOAD] = "cancels:mmu-reload",
};

static const char *const per_source[] = { "arrivals:", "gap_us:", "gap_cycles:" };
static const char *const per_request[] = { "delivered:", "cancels_per:" };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

void scn_x86_sum(const struct x86_setup *s, const struct x86_result *r,
		 struct scn_x86_total *t)
{
	*t = (struct scn_x86_total){ 0 };
	for (unsigned n = 0; n < s->vcpus; n++) {
		const struct x86_vcpu_result *v = &r->vcpu[n];

		for (unsigned i = 0; i < X86_STATES; i++)
			t->cycles[i] += v->cycles[i];
		for (unsigned i = 0; i < X86_REASONS; i++) {
			t->cancels[i] += v->cancels[i];
			t->all_cancels += v->cancels[i];
		}
		for (unsigned i = 0; i < s->causes; i++) {
			t->exits[i] += v->exits[i];
			t->all_exits += v->exits[i];
		}
		t->entries += v->entries;
		t->attempts += v->attempts;
		t->window += v->window;
	}
}

const char *const *scn_x86_metrics(struct mem *mem, const struct x86_setup *s, size_t *n)
{
	/* A shorter run has fewer intervals: those it lacks are known, and empty. */
	size_t intervals = s->interval ? INTERVALS_MAX : 0, at = 0;
	const char **names;

	*n = COUNT(fixed) + X86_REASONS + s->causes + s->model->requests * COUNT(per_request) +
	     s->sources * COUNT(per_source) + intervals;
	names = mem_alloc(mem, *n, sizeof(*names));
	for (size_t i = 0; i < COUNT(fixed); i++)
		names[at++] = fixed[i];
	for (size_t i = 0; i < X86_REASONS; i++)
		names[at++] = reasons[i];
	for (size_t i = 0; i < s->causes; i++)
		names[at++] = mem_printf(mem, "exits:%s", s->cause[i]);
	for (size_t k = 0; k < COUNT(per_request); k++)
		for (size_t i = 0; i < s->model->requests; i++)
			names[at++] = mem_printf(mem, "%s%s", per_request[k],
						 s->model->request[i].name);
	for (size_t k = 0; k < COUNT(per_source); k++)
		for (size_t i = 0; i < s->sources; i++)
			names[at++] = mem_printf(mem, "%s%s", per_source[k], s->source[i].name);
	for (size_t i = 0; i < intervals; i++)
		names[at++] = mem_printf(mem, CANCELS "/%zu", i + 1);
	return names;
}

static uint64_t ratio_micro(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * MICRO / b);
}

static bool fixed_value(const struct x86_setup *s, const struct x86_result *r,
			const struct scn_x86_total *t, const char *metric, struct scn_cell *out)
{
	uint64_t first = r->intervals ? r->at[0].cancels : 0;
	uint64_t last = r->intervals ? r->at[r->intervals - 1].cancels : 0;
	const struct { const char *name; uint64_t v; } values[] = {
		{ CANCELS, t->all_cancels },
		{ CANCELS "/2-", last - first },
		{ "kvm:kvm_entry", t->entries },
		{ "kvm:kvm_exit", t->all_exits },
		{ "kvm:kvm_entry/s", (uint64_t)((unsigned __int128)t->entries *
						x86_cost(s->cpu, X86_CORE_HZ) / s->length) },
		{ "attempts", t->attempts },
		{ "task_cycles", t->cycles[X86_IN_TASK] },
	};

	for (size_t i = 0; i < COUNT(values); i++) {
		if (strcmp(metric, values[i].name))
			continue;
		*out = scn_count(values[i].v);
		return true;
	}
	return false;
}

/* Mean time between arrivals at one vCPU. */
static bool source_value(const struct x86_setup *s, const struct x86_result *r, unsigned i,
			 unsigned kind, struct scn_cell *out)
{
	unsigned vcpus = (unsigned)__builtin_popcountll(s->source[i].vcpus);
	uint64_t n = r->arrivals[i], hz = x86_cost(s->cpu, X86_CORE_HZ);
	unsigned __int128 micro = (unsigned __int128)s->length * vcpus * MICRO;

	if (!kind)
		*out = scn_count(n);
	else if (n && kind == 1)
		*out = scn_decimal((int64_t)(micro * MICRO / hz / n), 2);
	else if (n)
		*out = scn_decimal((int64_t)(micro / n), 2);
	return true;
}

static bool request_value(const struct x86_result *r, const struct scn_x86_total *t, unsigned i,
			  unsigned kind, struct scn_cell *out)
{
	if (!kind)
		*out = scn_count(r->delivered[i]);
	else if (r->delivered[i])
		*out = scn_decimal((int64_t)ratio_micro(t->cancels[X86_BACK_EDGE],
							r->delivered[i]), 4);
	return true;
}

static const char *after(const char *metric, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(metric, prefix, len) ? NULL : metric + len;
}

static bool listed_value(const struct x86_setup *s, const struct x86_result *r,
			 const struct scn_x86_total *t, const char *metric, struct scn_cell *out)
{
	const char *name;

	for (unsigned k = 0; k < COUNT(per_source); k++)
		for (unsigned i = 0; (name = after(metric, per_source[k])) && i < s->sources; i++)
			if (!strcmp(name, s->source[i].name))
				return source_value(s, r, i, k, out);
	for (unsigned k = 0; k < COUNT(per_request); k++)
		for (unsigned i = 0; (name = after(metric, per_request[k])) &&
				     i < s->model->requests; i++)
			if (!strcmp(name, s->model->request[i].name))
				return request_value(r, t, i, k, out);
	for (unsigned i = 0; (name = after(metric, "exits:")) && i < s->causes; i++) {
		if (strcmp(name, s->cause[i]))
			continue;
		*out = scn_count(t->exits[i]);
		return true;
	}
	return false;
}

bool scn_x86_value(const struct x86_setup *s, const struct x86_result *r, const char *metric,
		   struct scn_cell *out)
{
	struct scn_x86_total t;
	const char *name;
	uint64_t n;

	scn_x86_sum(s, r, &t);
	*out = (struct scn_cell){ 0 };
	if (fixed_value(s, r, &t, metric, out))
		return true;
	for (unsigned i = 0; i < X86_REASONS; i++) {
		if (strcmp(metric, reasons[i]))
			continue;
		*out = scn_count(t.cancels[i]);
		return true;
	}
	if (listed_value(s, r, &t, metric, out))
		return true;
	name = after(metric, CANCELS "/");
	if (!name || !text_to_u64(name, &n) || n < 1 || n > r->intervals)
		return false;
	*out = scn_count(r->at[n - 1].cancels - (n > 1 ? r->at[n - 2].cancels : 0));
	return true;
}
