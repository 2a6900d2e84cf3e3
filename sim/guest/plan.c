// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/plan.h"

#include "guest/guest.h"

/*
 * An idle period that has no timer ends with an interrupt. Under a policy that
 * delays the guest that interrupt may have come before the period begins: then
 * the guest finds its work waiting and doesn't sleep.
 */
static bool over_already(const struct guest_plan_at *at)
{
	if (at->timer != GUEST_NEVER)
		return false;
	return at->woken || (at->named && at->irqs_come >= at->irqs_due);
}

static void begin_idle(struct guest_plan_at *at)
{
	at->idle = !over_already(at);
	if (at->ceded)
		at->disturbed = at->spurious;
	at->began = at->ceded = at->spurious = false;
	at->woken = false;
	at->named = false;
}

uint64_t guest_plan_advance(const struct guest_plan *plan, struct guest_plan_at *at, uint64_t now)
{
	while (!at->idle && at->next < plan->n) {
		const struct guest_intent *i = &plan->intent[at->next];

		switch (i->kind) {
		case GUEST_I_COMPUTE:
			at->next++;
			if (i->cycles)
				return i->cycles;
			break;
		case GUEST_I_TIMER:
			at->next++;
			at->timer = i->cycles < GUEST_NEVER - now ? now + i->cycles : GUEST_NEVER;
			break;
		case GUEST_I_IDLE:
			at->next++;
			begin_idle(at);
			break;
		case GUEST_I_IRQ:
			at->next++;
			at->irqs_due++;
			at->named = true;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

const struct guest_intent *guest_plan_act(const struct guest_plan *plan,
					  const struct guest_plan_at *at)
{
	return !at->idle && at->next < plan->n ? &plan->intent[at->next] : NULL;
}

bool guest_plan_expire(struct guest_plan_at *at, uint64_t now)
{
	if (at->timer > now)
		return false;
	at->timer = GUEST_NEVER;
	guest_plan_interrupt(at);
	return true;
}

void guest_plan_interrupt(struct guest_plan_at *at)
{
	at->woken = !at->idle;
	at->idle = false;
}
