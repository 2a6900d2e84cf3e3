// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turns to intents: the rules of docs/lifting.md, one function each. Those about what the host
 * did are in lift_host.c.
 */
#include "trace/lift_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FLUSH ((size_t)64 << 10)

static const char *cause_text(const struct trace_lifter *x, uint32_t cause)
{
	return x->turns.reader->parser.causes.w[cause].s;
}

static uint32_t trap_of(const struct trace_lifter *x, uint32_t cause)
{
	return x->turns.reader->parser.causes.w[cause].value;
}

static struct trace_lift_cpu *cpu_of(struct trace_lifter *x, const struct trace_vcpu *v,
				     uint64_t now)
{
	struct trace_lift_cpu *c;
	char note[80];

	while (x->n <= v->index) {
		x->cpu = mem_grow(x->cpu, &x->cap, x->n + 1, sizeof(*x->cpu));
		x->cpu[x->n++] = (struct trace_lift_cpu){ 0 };
	}
	c = &x->cpu[v->index];
	if (!c->known) {
		c->known = true;
		c->ran_from = now;
		x->l->vcpus++;
		snprintf(note, sizeof(note), "vCPU %u, thread %lld", v->vcpu, (long long)v->tid);
		trace_native_put_vcpu(&x->out, v->index, now - x->start,
				      x->f->grid_n ? trace_lift_tick_after_start(x, v->index) : 0,
				      note);
	}
	return c;
}

/* A name that is one word: x86 reasons may hold a blank. */
static const char *one_word(const char *s, char *buf, size_t n)
{
	snprintf(buf, n, "%s", *s && strcmp(s, "?") ? s : "unknown");
	for (char *c = buf; *c; c++)
		if (*c == ' ')
			*c = '_';
	return buf;
}

void trace_lift_put(struct trace_lifter *x, const struct trace_intent *i, const char *name)
{
	char word[TRACE_WORD_LEN];

	trace_native_put(&x->out, i, name ? one_word(name, word, sizeof(word)) : NULL);
	x->l->intents++;
	x->l->doubts += i->doubt;
}

static void put(struct trace_lifter *x, const struct trace_lift_cpu *c, enum trace_intent_kind kind,
		uint64_t ns, uint32_t target, const char *name, bool doubt)
{
	struct trace_intent i = { .kind = (uint8_t)kind, .ns = ns, .target = target,
				  .doubt = doubt, .vcpu = trace_lift_index(x, c) };

	trace_lift_put(x, &i, name);
}

void trace_lift_decide(struct trace_lifter *x, enum trace_decision d)
{
	x->l->count[d]++;
}

static void put_work(struct trace_lifter *x, struct trace_lift_cpu *c)
{
	if (c->work)
		put(x, c, TRACE_I_COMPUTE, c->work, 0, NULL, c->doubt);
	c->work = 0;
	c->doubt = false;
}

/* The idle period ends at `now`, woken by what `why` says. */
static void put_idle(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t now,
		     enum trace_decision why)
{
	bool doubt = why == TRACE_X_IDLE_UNKNOWN;

	if (why == TRACE_X_IDLE_IRQ)
		put(x, c, TRACE_I_IRQ, now - x->start, 0, NULL, false);
	else
		put(x, c, TRACE_I_TIMER, now - c->idle_from - c->idle_away, 0, NULL, doubt);
	put(x, c, TRACE_I_IDLE, 0, 0, NULL, doubt);
	trace_lift_decide(x, why);
	if (c->merged)
		trace_lift_decide(x, TRACE_X_MERGED);
	c->idle = c->merged = false;
	c->idle_away = 0;
}

/* Something shows that the guest was busy for the last stretch: the idle period ended before it. */
static void end_spin(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t now)
{
	uint64_t began = c->stretch_real ? c->stretch_from : now;

	if (began < c->idle_from + c->idle_away)
		began = c->idle_from + c->idle_away;
	put_idle(x, c, began, TRACE_X_IDLE_UNKNOWN);
	c->work = c->stretch;
	c->doubt = true;
}

static void take_cede(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t now)
{
	if (c->idle && c->stretch_real > x->f->spin_limit_ns) {
		end_spin(x, c, now);
		trace_lift_decide(x, TRACE_X_BURST_WORK);
	}
	if (!c->idle) {
		put_work(x, c);
		c->idle = true;
		c->idle_from = now;
	}
	c->stretch = c->stretch_real = 0;
}

/* A turn whose reason is the guest's: whatever it idled before is over. */
static void guest_acts(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t now)
{
	if (c->idle)
		end_spin(x, c, now);
	put_work(x, c);
}

/* The vCPU of that number, when it is in the trace. */
static const struct trace_vcpu *vcpu_numbered(const struct trace_lifter *x, uint64_t number)
{
	for (size_t i = 0; i < x->turns.n; i++)
		if (x->turns.sorted[i]->vcpu == number)
			return x->turns.sorted[i];
	return NULL;
}

static void put_hcall(struct trace_lifter *x, struct trace_lift_cpu *c, const char *name,
		      uint64_t arg)
{
	const struct trace_vcpu *to = name && !strcmp(name, "H_IPI") ? vcpu_numbered(x, arg) : NULL;

	c->hcall_waits = false;
	if (!name) {
		put(x, c, TRACE_I_HCALL, 0, 0, "unknown", true);
		trace_lift_decide(x, TRACE_X_HCALL_UNNAMED);
	} else if (to && to->index < x->n && x->cpu[to->index].known) {
		put(x, c, TRACE_I_IPI, 0, to->index, NULL, false);
		trace_lift_decide(x, TRACE_X_IPI);
	} else {
		put(x, c, TRACE_I_HCALL, 0, 0, name, false);
		trace_lift_decide(x, TRACE_X_HCALL);
	}
}

static bool is_host_interrupt(uint32_t trap, const char *name)
{
	/* EXTERNAL, EXTERNAL_HV, doorbells, HMI, H_VIRT, PERFMON, and the two resets. */
	static const uint32_t traps[] = { 0x500, 0x502, 0xa00, 0xe80, 0xe60, 0xea0, 0xf00, 0x100,
					  0x200 };
	static const char *const names[] = { "EXTERNAL_INTERRUPT", "EXCEPTION_NMI", "interrupt",
					     "nmi", "smi" };

	for (unsigned i = 0; i < sizeof(traps) / sizeof(traps[0]); i++)
		if (traps[i] == trap)
			return true;
	for (unsigned i = 0; trap == TRACE_TRAP_UNKNOWN && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void take_cause(struct trace_lifter *x, struct trace_lift_cpu *c,
		       const struct trace_event *ev, bool doubt)
{
	const char *name = cause_text(x, ev->cause);
	uint32_t trap = trap_of(x, ev->cause);

	if (is_host_interrupt(trap, name)) {
		put(x, c, TRACE_I_HOST, ev->ns - x->start, 0, name, false);
		trace_lift_decide(x, TRACE_X_HOST);
		return;
	}
	guest_acts(x, c, ev->ns);
	if (trap == TRACE_TRAP_SYSCALL) {
		c->hcall_waits = true;
	} else if (trap == TRACE_TRAP_HDSI || trap == TRACE_TRAP_HISI ||
		   !strcmp(name, "EPT_VIOLATION") || !strcmp(name, "npf")) {
		put(x, c, TRACE_I_FAULT, 0, trap == TRACE_TRAP_HISI, NULL, doubt);
		trace_lift_decide(x, TRACE_X_FAULT);
	} else {
		put(x, c, TRACE_I_OTHER, 0, 0, name, doubt);
		trace_lift_decide(x, TRACE_X_OTHER);
	}
}

static void add_guest_time(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t enter_ns,
			   uint64_t ns)
{
	uint64_t net = ns > x->f->floor_ns ? ns - x->f->floor_ns : 0;

	if (c->idle) {
		if (!c->stretch_real)
			c->stretch_from = enter_ns;
		c->stretch += net;
		c->stretch_real += ns;
	} else {
		c->work += net;
	}
}

static void take_turn(struct trace_lifter *x, const struct trace_event *ev,
		      const struct trace_step *step)
{
	struct trace_lift_cpu *c = cpu_of(x, step->v, ev->ns);
	uint32_t trap = trap_of(x, ev->cause);

	if (c->hcall_waits)
		put_hcall(x, c, NULL, 0);
	x->l->turns++;
	if (step->how == TRACE_NOT_ENTERED) {
		trace_lift_late(x, c, step);
		return;
	}
	trace_lift_end_late(x, c);
	if (step->how == TRACE_UNPAIRED)
		trace_lift_decide(x, TRACE_X_UNPAIRED);
	else
		add_guest_time(x, c, step->enter_ns, step->exit_ns - step->enter_ns);
	/* Of an exit without its entry that isn't known: as it is for the others. */
	c->pending = step->how == TRACE_UNPAIRED ? x->f->spins : step->pexcp != 0;
	if (ev->ceded)
		take_cede(x, c, ev->ns);
	else if (trap == TRACE_TRAP_HDEC)
		trace_lift_tick(x, c, ev);
	else if (trap == TRACE_TRAP_HOST)
		trace_lift_decide(x, TRACE_X_RETURN);
	else
		take_cause(x, c, ev, step->how == TRACE_UNPAIRED);
}

/* What woke it: an interrupt delivered (its vector is the pc) or still pending. */
static enum trace_decision why_woken(const struct trace_event *ev)
{
	uint64_t vector = ev->pc & 0xfff;

	if (ev->x86)
		return TRACE_X_IDLE_UNKNOWN;
	if (vector == TRACE_TRAP_DEC)
		return TRACE_X_IDLE_TIMER;
	if (vector == TRACE_TRAP_EXTERNAL)
		return TRACE_X_IDLE_IRQ;
	if (ev->pexcp & TRACE_PEXCP_DEC)
		return TRACE_X_IDLE_TIMER;
	if (ev->pexcp & TRACE_PEXCP_EXT)
		return TRACE_X_IDLE_IRQ;
	return TRACE_X_IDLE_UNKNOWN;
}

/* The first entry after a cede. */
static void take_gap(struct trace_lifter *x, const struct trace_event *ev,
		     const struct trace_step *step)
{
	struct trace_lift_cpu *c = cpu_of(x, step->v, ev->ns);
	bool slept = step->gap_ceded && !(x->f->spins && c->pending);

	if (!slept && step->gap_ns > x->turns.limits.block_ns) {
		trace_lift_end_late(x, c);
		trace_lift_span(x, c, TRACE_I_AWAY, ev->ns - step->gap_ns, step->gap_ns);
		if (c->idle && !c->stretch_real)
			c->idle_away += step->gap_ns;
	}
	if (!c->idle || !step->gap_ceded)
		return;
	if (!slept) {
		c->merged = true;
		trace_lift_decide(x, step->blocked ? TRACE_X_LOST_CPU : TRACE_X_SPURIOUS);
		return;
	}
	if (!step->blocked)
		trace_lift_decide(x, TRACE_X_SHORT);
	trace_lift_end_run(x, c, ev->ns - step->gap_ns, ev->ns);
	put_idle(x, c, ev->ns, why_woken(ev));
}

/* An hcall's own event, on the vCPU's thread. */
static void take_hcall(struct trace_lifter *x, const struct trace_event *ev)
{
	struct trace_vcpu *v = trace_turns_find(&x->turns, ev);
	struct trace_lift_cpu *c = v && v->index < x->n ? &x->cpu[v->index] : NULL;

	if (c && c->hcall_waits)
		put_hcall(x, c, x->turns.reader->parser.hcalls.w[ev->cause].s, ev->arg);
}

/* The trace, or what is whole of it, ends at `now`: what was open is written up to there. */
static void finish(struct trace_lifter *x, struct trace_lift_cpu *c, uint64_t now)
{
	if (c->hcall_waits)
		put_hcall(x, c, NULL, 0);
	trace_lift_end_late(x, c);
	trace_lift_end_run(x, c, c->last, now);
	if (c->idle) {
		put_idle(x, c, now > c->idle_from + c->idle_away ? now : c->idle_from + c->idle_away,
			 TRACE_X_IDLE_UNKNOWN);
		trace_lift_decide(x, TRACE_X_OPEN);
	}
	put_work(x, c);
}

static int flush(struct trace_lifter *x, struct err *err)
{
	int status = x->out.len ? trace_sink_put(x->sink, x->out.s, x->out.len, err) : 0;

	x->out.len = 0;
	return status;
}

static void take(struct trace_lifter *x, const struct trace_event *ev,
		 const struct trace_step *step)
{
	if (ev->kind == TRACE_HCALL_ENTER)
		take_hcall(x, ev);
	if (step->v)
		cpu_of(x, step->v, ev->ns)->power = !ev->x86;
	if (step->broken) {
		struct trace_lift_cpu *c = cpu_of(x, step->v, ev->ns);

		finish(x, c, c->last);
		c->ran_from = ev->ns;
	}
	if (step->turn)
		take_turn(x, ev, step);
	if (step->gap)
		take_gap(x, ev, step);
	if (step->v) {
		struct trace_lift_cpu *c = cpu_of(x, step->v, ev->ns);

		if (c->hcall_waits && ev->kind == TRACE_ENTER)
			put_hcall(x, c, NULL, 0);
		c->last = ev->ns;
	}
}

static void put_head(struct trace_lifter *x)
{
	const struct trace_reader *r = x->turns.reader;
	struct trace_native_head head = { .floor_ns = x->f->floor_ns, .spin_ns = x->f->spin_period_ns,
					  .l1_hz = x->f->grid_n ? x->f->l1_hz : 0,
					  .host_recorded = true };


	text_add(&head.source, "%s (%s)", r->problems.file, trace_format_name(r->parser.format));
	text_add(&head.assume, "every entered turn spent floor outside the guest's own work");
	if (x->f->floor_capped)
		text_add(&head.assume, ", a guess: the shortest turn is longer");
	if (x->f->spins)
		text_add(&head.assume, "\ncedes that came back at once with an exception pending "
			 "were no wake-ups");
	if (x->f->grid_n && x->f->hz_assumed)
		text_add(&head.assume, "\nL1 ticks at %llu Hz, which the trace doesn't show",
			 (unsigned long long)x->f->l1_hz);
	trace_native_put_head(&x->out, &head);
	text_free(&head.source);
	text_free(&head.assume);
}

int trace_lift(struct trace_lifted *l, struct trace_reader *reader,
	       const struct trace_limits *limits, const struct trace_facts *facts,
	       struct trace_sink *sink, struct err *err)
{
	struct trace_lifter x = { .l = l, .f = facts, .sink = sink };
	struct trace_event ev;
	struct trace_step step;
	uint64_t last = 0;
	int got;

	*l = (struct trace_lifted){ 0 };
	trace_turns_init(&x.turns, reader, limits);
	while ((got = trace_reader_next(reader, &ev, err)) > 0) {
		if (!x.started) {
			x.started = true;
			x.start = ev.ns;
			put_head(&x);
		}
		if (ev.ns < x.start) /* another CPU's clock, or time running backwards: counted there */
			ev.ns = x.start;
		if (ev.ns > last)
			last = ev.ns;
		if (trace_turns_feed(&x.turns, &ev, &step, err) < 0) {
			got = -1;
			break;
		}
		take(&x, &ev, &step);
		if (x.out.len > FLUSH && flush(&x, err) < 0) {
			got = -1;
			break;
		}
	}
	if (got == 0)
		got = trace_reader_check(reader, err);
	if (got == 0) {
		if (!x.started)
			put_head(&x);
		for (size_t i = 0; i < x.n; i++)
			finish(&x, &x.cpu[i], last);
		l->span_ns = x.started ? last - x.start : 0;
		l->events = reader->events;
		text_add(&x.out, "end %llu\n", (unsigned long long)l->span_ns);
		got = flush(&x, err);
	}
	text_free(&x.out);
	free(x.cpu);
	trace_turns_done(&x.turns);
	return got < 0 ? -1 : 0;
}
