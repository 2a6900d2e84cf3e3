// SPDX-License-Identifier: GPL-2.0-or-later
/* What reaches a vCPU from outside: requests, kicks, posted and host interrupts. */
#include "hv/x86_sim.h"

#define BIT(i) (UINT64_C(1) << (i))

static bool wants(const struct x86_sim *s, unsigned source, unsigned vcpu)
{
	return s->setup->source[source].vcpus >> vcpu & 1;
}

/*
 * Arrival k is keyed by k, whatever happened since k - 1. Sources that are for
 * all vCPUs at once draw from stream X86_VCPUS_MAX.
 */
uint64_t x86_next_arrival(struct x86_sim *s, struct x86_vcpu *v, unsigned source)
{
	const struct x86_source *src = &s->setup->source[source];
	struct rnd r = { s->setup->seed, src->together ? X86_VCPUS_MAX : v->index,
			 s->purpose[source] };
	uint64_t index = v->arrived[source]++, gap;

	if (src->spread == X86_EVEN)
		gap = index || src->clock == X86_HALT ? src->mean :
			rnd_between(&r, 0, 1, src->mean);
	else
		gap = rnd_exp(&r, index, src->mean);
	return gap ? gap : 1;
}

static void schedule(struct x86_sim *s, struct x86_vcpu *v, unsigned source)
{
	uint64_t gap = x86_next_arrival(s, v, source);

	if (gap <= s->setup->length - x86_now(s))
		evq_schedule(&s->queue, x86_now(s) + gap, v->index, X86_KIND_SOURCE + source);
}

void x86_arrive_start(struct x86_sim *s)
{
	for (unsigned i = 0; i < s->setup->sources; i++) {
		const struct x86_source *src = &s->setup->source[i];

		for (unsigned n = 0; n < s->setup->vcpus; n++) {
			struct x86_vcpu *v = &s->vcpu[n];

			if (src->clock == X86_TASK)
				v->due[i] = wants(s, i, n) ? x86_next_arrival(s, v, i) : UINT64_MAX;
			else if (src->clock == X86_WALL && wants(s, i, n) &&
				 (!src->together || !(src->vcpus & (BIT(n) - 1))))
				schedule(s, v, i);
		}
	}
}

void x86_raise(struct x86_sim *s, struct x86_vcpu *v, uint64_t bits)
{
	uint64_t check = x86_cost(s->setup->cpu, X86_CHECK), now = x86_now(s), tested = 0;

	for (uint64_t again = bits & v->bits; again; again &= again - 1)
		s->result->coalesced[__builtin_ctzll(again)]++;
	v->bits |= bits;
	if (v->stage != AT_SCAN || v->event == EVQ_NO_ID)
		return;
	/* A bit the pass has not come to yet is found by it. */
	if (now > v->skip_from && check)
		tested = (now - v->skip_from) / check + 1;
	for (; bits; bits &= bits - 1) {
		unsigned pos = s->setup->order->pos[__builtin_ctzll(bits)];

		if (pos < v->pos + tested || pos >= v->target)
			continue;
		v->target = pos;
		evq_reschedule(&s->queue, v->event, v->skip_from + (pos - v->pos) * check);
	}
}

/* KVM's grow_halt_poll_ns() and shrink_halt_poll_ns() after a halt of so long. */
static void adapt_poll(const struct x86_halt *h, struct x86_vcpu *v, uint64_t halted)
{
	if (h->poll != X86_POLL_DYNAMIC || halted <= v->poll)
		return;
	if (v->poll && halted > h->max) {
		v->poll = h->shrink ? v->poll / h->shrink : 0;
	} else if (v->poll < h->max && halted < h->max) {
		v->poll *= h->grow;
		if (v->poll < h->start)
			v->poll = h->start;
		if (v->poll > h->max)
			v->poll = h->max;
	}
}

void x86_halted(struct x86_sim *s, struct x86_vcpu *v)
{
	v->halted_at = x86_now(s);
	if (v->poll) {
		x86_vcpu_begin(s, v, AT_POLL, v->poll);
	} else {
		v->stage = AT_HALT;
		v->since = x86_now(s);
		v->event = EVQ_NO_ID;
		x86_observe(s, v, X86_IN_HALT);
	}
	for (unsigned i = 0; i < s->setup->sources; i++) {
		if (s->setup->source[i].clock != X86_HALT || !wants(s, i, v->index) ||
		    v->awaited >> i & 1)
			continue;
		v->awaited |= UINT32_C(1) << i;
		schedule(s, v, i);
	}
}

static void wake(struct x86_sim *s, struct x86_vcpu *v)
{
	bool polling = v->stage == AT_POLL;

	x86_vcpu_account(s, v, x86_now(s));
	evq_cancel(&s->queue, v->event);
	v->out->wakes++;
	v->out->polled += polling;
	adapt_poll(&s->setup->halt, v, x86_now(s) - v->halted_at);
	x86_vcpu_begin(s, v, AT_WAKE,
		       x86_cost(s->setup->cpu, polling ? X86_POLL_WAKE : X86_WAKE));
}

/* A host interrupt on the vCPU's CPU. */
static void interrupt(struct x86_sim *s, struct x86_vcpu *v, uint64_t cycles, bool work)
{
	const struct x86_exit e = { .handle = x86_cost(s->setup->cpu, X86_EXIT_HANDLE),
				    .source = X86_NONE };

	switch (v->stage) {
	case AT_HALT: /* the CPU is idle: the vCPU has no part in it */
	case AT_POLL:
		return;
	case AT_FINAL:
	case AT_ENTRY:
	case AT_EXIT:
	case AT_FAST:
	case AT_GUEST:
		v->irq_cycles += cycles;
		v->irqs++;
		v->irq_work |= work;
		if (v->stage == AT_GUEST)
			x86_inside_leave(s, v, s->setup->cause_interrupt, &e);
		return;
	default:
		v->work |= work;
		v->dilated += cycles;
		v->skip_from += cycles;
		evq_reschedule(&s->queue, v->event, evq_time(&s->queue, v->event) + cycles);
	}
}

/* kvm_vcpu_kick(): an IPI only where it is needed. */
static void kick(struct x86_sim *s, struct x86_vcpu *v, bool asleep)
{
	switch (v->stage) {
	case AT_HALT:
	case AT_POLL:
		if (!asleep)
			wake(s, v);
		return;
	case AT_FINAL: /* mode is IN_GUEST_MODE already */
	case AT_ENTRY:
	case AT_GUEST:
		interrupt(s, v, x86_cost(s->setup->cpu, X86_KICK), false);
		return;
	default:
		return;
	}
}

static void posted(struct x86_sim *s, struct x86_vcpu *v)
{
	if (v->stage == AT_HALT || v->stage == AT_POLL)
		wake(s, v);
	else if (v->stage == AT_GUEST)
		x86_inside_replan(s, v);
}

static bool leaves_work(struct x86_sim *s, struct x86_vcpu *v, unsigned source)
{
	const struct x86_source *src = &s->setup->source[source];
	struct rnd r = { s->setup->seed, v->index, s->chance_purpose[source] };

	return src->task_work && rnd_chance(&r, v->arrived[source], src->task_work);
}

/* Bits, then the kick: the order kvm_make_request() and kvm_vcpu_kick() have. */
static void tell(struct x86_sim *s, struct x86_vcpu *v, const struct x86_source *src)
{
	if (src->reaction != X86_NONE)
		v->pending[src->reaction]++;
	if (!src->raises) {
		posted(s, v);
		return;
	}
	x86_raise(s, v, src->raises);
	kick(s, v, src->asleep);
}

void x86_effects(struct x86_sim *s, struct x86_vcpu *v, unsigned source)
{
	const struct x86_source *src = &s->setup->source[source];
	struct rnd r = { s->setup->seed, v->index, s->target_purpose };
	unsigned n = s->setup->vcpus;

	s->result->arrivals[source]++;
	if (leaves_work(s, v, source))
		v->work = true;
	if (src->remote && n > 1) {
		uint64_t step = 1 + rnd_below(&r, v->arrived[source], n - 1);

		tell(s, &s->vcpu[(v->index + step) % n], src);
		return;
	}
	x86_raise(s, v, src->raises);
	if (src->reaction != X86_NONE)
		v->pending[src->reaction]++;
}

static void deliver(struct x86_sim *s, struct x86_vcpu *v, unsigned source)
{
	const struct x86_source *src = &s->setup->source[source];

	s->result->arrivals[source]++;
	switch (src->route) {
	case X86_INTERRUPT:
		interrupt(s, v, src->handle, leaves_work(s, v, source));
		return;
	case X86_REQUEST:
	case X86_POSTED:
		if (leaves_work(s, v, source))
			v->work = true;
		tell(s, v, src);
		return;
	case X86_EXIT: /* on the guest's own clock only: x86_inside_event() */
		return;
	}
}

void x86_arrive(struct x86_sim *s, struct x86_vcpu *v, unsigned source)
{
	const struct x86_source *src = &s->setup->source[source];

	for (unsigned n = 0; src->together && n < s->setup->vcpus; n++)
		if (wants(s, source, n))
			deliver(s, &s->vcpu[n], source);
	if (!src->together)
		deliver(s, v, source);
	v->awaited &= ~(UINT32_C(1) << source);
	if (src->clock == X86_WALL)
		schedule(s, v, source);
}
