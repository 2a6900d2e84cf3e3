// SPDX-License-Identifier: GPL-2.0-or-later
/* The host's part of a capture: L1's ticks, late or not, and threads without a CPU. */
#include "trace/lift_part.h"

#define NS_PER_S UINT64_C(1000000000)

static uint64_t period_of(const struct trace_facts *f)
{
	return NS_PER_S / f->l1_hz;
}

/* How long after the last tick of the vCPU's CPU that is. */
static uint64_t since_tick(const struct trace_facts *f, uint32_t vcpu, uint64_t ns)
{
	uint64_t period = period_of(f);
	uint64_t start = vcpu < f->vcpus ? f->vcpu_start_ns[vcpu] : f->grid_start_ns;

	return (ns % NS_PER_S % period + period - start % period) % period;
}

uint64_t trace_lift_tick_after_start(const struct trace_lifter *x, uint32_t vcpu)
{
	return period_of(x->f) - since_tick(x->f, vcpu, x->start);
}

/* Spans of the host's own: at most what a line holds. */
void trace_lift_span(struct trace_lifter *x, const struct trace_lift_cpu *c,
		     enum trace_intent_kind kind, uint64_t from, uint64_t ns)
{
	struct trace_intent i = {
		.kind = (uint8_t)kind, .vcpu = trace_lift_index(x, c), .ns = from - x->start,
		.target = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX,
		.turns = kind == TRACE_I_LATE ? c->late_turns : 0,
	};

	trace_lift_put(x, &i, NULL);
	if (kind != TRACE_I_RAN)
		trace_lift_decide(x, kind == TRACE_I_LATE ? TRACE_X_LATE : TRACE_X_AWAY);
}

/* It ran up to there; what it does next begins at `again`. Longer than a line holds: several. */
void trace_lift_end_run(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t to,
			uint64_t again)
{
	while (c->power && to > c->ran_from) {
		uint64_t ns = to - c->ran_from < UINT32_MAX ? to - c->ran_from : UINT32_MAX;

		trace_lift_span(x, c, TRACE_I_RAN, c->ran_from, ns);
		c->ran_from += ns;
	}
	c->ran_from = again;
}

/* A run of turns that didn't enter is over. */
void trace_lift_end_late(struct trace_lifter *x, struct trace_lift_cpu *c)
{
	if (c->late_to)
		trace_lift_span(x, c, TRACE_I_LATE, c->late_from, c->late_to - c->late_from);
	c->late_to = 0;
	c->late_turns = 0;
}

/* A gap longer than any turn that didn't enter isn't L1's doing: its thread stood still. */
void trace_lift_late(struct trace_lifter *x, struct trace_lift_cpu *c,
		     const struct trace_step *step)
{
	uint64_t stood = c->late_to ? step->enter_ns - c->late_to : 0;

	trace_lift_decide(x, TRACE_X_NOT_ENTERED);
	if (stood > x->turns.limits.not_entered_ns) {
		uint64_t from = c->late_to;

		trace_lift_end_late(x, c);
		trace_lift_span(x, c, TRACE_I_AWAY, from, stood);
	}
	if (!c->late_to)
		c->late_from = step->enter_ns;
	c->late_to = step->exit_ns;
	c->late_turns++;
}

static bool on_grid(const struct trace_facts *f, uint32_t vcpu, uint64_t ns)
{
	return !f->hz_assumed && since_tick(f, vcpu, ns) < period_of(f) / 4;
}

/* An entered turn that L1's timer ended. */
void trace_lift_tick(struct trace_lifter *x, struct trace_lift_cpu *c, const struct trace_event *ev)
{
	struct trace_intent i = { .kind = TRACE_I_TICK, .vcpu = trace_lift_index(x, c),
				  .ns = ev->ns - x->start };

	trace_lift_put(x, &i, NULL);
	trace_lift_decide(x, on_grid(x->f, i.vcpu, ev->ns) ? TRACE_X_HDEC_GRID
							     : TRACE_X_HDEC_OFF);
}
