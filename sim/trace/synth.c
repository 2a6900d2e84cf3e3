// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each vCPU lives on a clock of its own on which nothing disturbs it: what it
 * wants comes out, not what it gets. vCPUs take turns in slices of that clock,
 * so that a reader needs little of one while it waits for another.
 */
#include "trace/synth.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/rnd.h"

#define SLICE UINT64_C(10000000)
#define FLUSH ((size_t)64 << 10)
#define NEVER UINT64_MAX

enum stream { S_SLEEP, S_WORK, S_FAULT, S_HCALL, S_IPI, S_IRQ, S_STREAMS };

struct cpu {
	const struct trace_synth *s;
	const struct trace_synth_load *load;
	struct text *out;
	uint32_t number;
	uint64_t now;
	uint64_t computed;               /* not yet written */
	uint64_t to_fault, to_hcall, to_ipi; /* work until then */
	uint64_t next_irq;               /* time */
	uint64_t drawn[S_STREAMS];
	uint64_t intents;
};

static uint64_t draw(struct cpu *c, enum stream stream, uint64_t mean)
{
	static const char *const purposes[S_STREAMS] = { "synth sleep", "synth work", "synth fault",
							 "synth hcall", "synth ipi", "synth irq" };
	struct rnd r = { c->s->seed, c->number, rnd_purpose(purposes[stream]) };
	uint64_t v = mean ? rnd_exp(&r, c->drawn[stream]++, mean) : NEVER;

	return v ? v : 1;
}

static uint64_t length(struct cpu *c, enum stream stream, uint64_t mean)
{
	return c->load->random ? draw(c, stream, mean) : mean;
}

static void put_one(struct cpu *c, enum trace_intent_kind kind, uint64_t ns, uint32_t target)
{
	struct trace_intent i = { .kind = (uint8_t)kind, .ns = ns, .target = target,
				  .vcpu = c->number };

	trace_native_put(c->out, &i, c->load->hcall_name);
	c->intents++;
}

static void put(struct cpu *c, enum trace_intent_kind kind, uint64_t ns, uint32_t target)
{
	if (c->computed)
		put_one(c, TRACE_I_COMPUTE, c->computed, 0);
	c->computed = 0;
	put_one(c, kind, ns, target);
}

static uint64_t min_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void count_down(uint64_t *left, uint64_t d)
{
	if (*left != NEVER)
		*left -= d;
}

/* An interrupt comes at next_irq == now. Returns the work it starts. */
static uint64_t take_irq(struct cpu *c)
{
	uint64_t gap = draw(c, S_IRQ, c->load->irq);

	put(c, TRACE_I_IRQ, c->next_irq, 0);
	c->next_irq = gap > NEVER - c->next_irq ? NEVER : c->next_irq + gap;
	return c->load->irq_work;
}

static void work(struct cpu *c, uint64_t left)
{
	while (left && c->now < c->s->duration) {
		uint64_t d = min_of(left, min_of(c->to_fault, min_of(c->to_hcall, c->to_ipi)));

		d = min_of(d, min_of(c->next_irq, c->s->duration) - c->now);
		c->now += d;
		c->computed += d;
		left -= d;
		count_down(&c->to_fault, d);
		count_down(&c->to_hcall, d);
		count_down(&c->to_ipi, d);
		if (!c->to_fault) {
			put(c, TRACE_I_FAULT, 0, 0);
			c->to_fault = draw(c, S_FAULT, c->load->fault);
		}
		if (!c->to_hcall) {
			put(c, TRACE_I_HCALL, 0, 0);
			c->to_hcall = draw(c, S_HCALL, c->load->hcall);
		}
		if (!c->to_ipi) {
			if (c->s->vcpus > 1)
				put(c, TRACE_I_IPI, 0, (c->number + 1) % c->s->vcpus);
			c->to_ipi = draw(c, S_IPI, c->load->ipi);
		}
		if (c->next_irq == c->now)
			left += take_irq(c);
	}
}

static void sleep_for(struct cpu *c, uint64_t ns)
{
	uint64_t wake = c->now + ns;

	if (c->now >= c->s->duration)
		return;
	put(c, TRACE_I_TIMER, ns, 0);
	while (c->now < wake && c->now < c->s->duration) {
		if (c->next_irq < wake && c->next_irq < c->s->duration) {
			c->now = c->next_irq;
			uint64_t left = take_irq(c);

			put(c, TRACE_I_IDLE, 0, 0);
			work(c, left);
			continue;
		}
		put(c, TRACE_I_IDLE, 0, 0);
		c->now = wake;
	}
}

static void live_until(struct cpu *c, uint64_t until)
{
	while (c->now < until) {
		if (c->load->busy) {
			work(c, until - c->now);
			continue;
		}
		work(c, length(c, S_WORK, c->load->work));
		sleep_for(c, length(c, S_SLEEP, c->load->sleep));
	}
}

static void begin(struct cpu *c, const struct trace_synth *s, uint32_t number, struct text *out)
{
	*c = (struct cpu){ .s = s, .load = &s->load[number], .out = out, .number = number };
	c->to_fault = draw(c, S_FAULT, c->load->fault);
	c->to_hcall = draw(c, S_HCALL, c->load->hcall);
	c->to_ipi = draw(c, S_IPI, c->load->ipi);
	c->next_irq = draw(c, S_IRQ, c->load->irq);
}

static void put_head(const struct trace_synth *s, struct text *out)
{
	struct trace_native_head head = { 0 };

	text_add(&head.source, "%s (synth, seed %llu)%s%s", s->file, (unsigned long long)s->seed,
		 s->title ? ": " : "", s->title ? s->title : "");
	trace_native_put_head(out, &head);
	text_free(&head.source);
	for (uint32_t v = 0; v < s->vcpus; v++)
		trace_native_put_vcpu(out, v, 0, 0, NULL);
}

static int flush(struct text *out, size_t least, struct trace_sink *sink, struct err *err)
{
	if (out->len <= least)
		return 0;
	if (trace_sink_put(sink, out->s, out->len, err) < 0)
		return -1;
	out->len = 0;
	return 0;
}

static int write_all(const struct trace_synth *s, struct cpu *cpu, struct text *out,
		     struct trace_sink *sink, struct err *err)
{
	for (uint64_t t = 0; t < s->duration; t += SLICE)
		for (uint32_t v = 0; v < s->vcpus; v++) {
			live_until(&cpu[v], min_of(t + SLICE, s->duration));
			if (flush(out, FLUSH, sink, err) < 0)
				return -1;
		}
	for (uint32_t v = 0; v < s->vcpus; v++)
		if (cpu[v].computed)
			put_one(&cpu[v], TRACE_I_COMPUTE, cpu[v].computed, 0);
	text_add(out, "end %llu\n", (unsigned long long)s->duration);
	return flush(out, 0, sink, err);
}

int trace_synth_write(const struct trace_synth *s, struct trace_sink *sink, uint64_t *intents,
		      struct err *err)
{
	struct cpu *cpu = mem_zalloc(s->vcpus, sizeof(*cpu));
	struct text out = { 0 };
	int status;

	put_head(s, &out);
	for (uint32_t v = 0; v < s->vcpus; v++)
		begin(&cpu[v], s, v, &out);
	status = write_all(s, cpu, &out, sink, err);
	*intents = 0;
	for (uint32_t v = 0; v < s->vcpus; v++)
		*intents += cpu[v].intents;
	text_free(&out);
	free(cpu);
	return status;
}
