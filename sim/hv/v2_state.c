// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What L1 knows of the guest's state without asking. A run makes everything it
 * had invalid; L0's output buffer and H_GUEST_GET_STATE make elements valid
 * (kernel: guest-state-buffer.c; `valids` in struct kvmhv_nestedv2_io).
 */
#include "hv/v2_sim.h"

/*
 * The host timebase at which L2's decrementer expires, as L1 sees it, as a
 * cycle. Only meaningful after v2_state_read() of DEC_EXPIRY_TB.
 */
uint64_t v2_state_dec_expiry(const struct v2_sim *sim, struct vcpu *v)
{
	if (sim->s->dec_expiry == V2_STALE)
		return v->stale_expiry;
	return guest_dec(&v->guest, sim->now);
}

/* Make elements valid; returns how many H_GUEST_GET_STATE that took. */
uint32_t v2_state_read(struct v2_sim *sim, struct vcpu *v, uint64_t elements)
{
	uint64_t missing = elements & ~v->valid;
	uint32_t gets = (uint32_t)__builtin_popcountll(missing);

	v->valid |= elements;
	v->r.gets += gets;
	v->r.dec_gets += (missing & sim->s->elements.dec_expiry) != 0;
	return gets;
}
