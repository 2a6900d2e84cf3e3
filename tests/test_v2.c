// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The nestedv2 run loop against docs/model.md: what follows from the kernel's
 * steps by hand, and properties that hold whatever the numbers.
 */
#include "check.h"

#include "v2_fixture.h"

/* One CPU sleeps 10 ms at a time. Everything else about it is calm. */
static const struct guest_load sleeper = { .sleep = 10 * FX_MS, .sleep_work = 50 * FX_US };
static const struct guest_load looper = { .loop = true, .loop_ucycles = 12000000 };

static uint64_t sum_cycles(const struct v2_vcpu_result *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_CYCLES; i++)
		sum += r->cycles[i];
	return sum;
}

static uint64_t sum_exits(const struct v2_vcpu_result *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < V2_TRAPS; i++)
		sum += r->exits[i];
	return sum;
}

/*
 * docs/model.md works the nine cells out: an idle guest blocks for good only
 * with a DEC that is cleared (cancel, clear-on-delivery) and an expiry that is
 * fresh (returned, by-hcall). 1 s of 10 ms sleeps is some 99 sleeps; a cell
 * that spins comes straight back from H_CEDE far more often than that.
 */
static void nine_cells_spin_or_block(void **state)
{
	for (unsigned cancel = V2_KEEP; cancel <= V2_CLEAR_ON_DELIVERY; cancel++) {
		for (unsigned expiry = V2_RETURNED; expiry <= V2_STALE; expiry++) {
			bool spins = cancel == V2_KEEP || expiry == V2_STALE;
			struct v2_result r;
			struct v2_setup s;

			fx_setup(&s, &sleeper, 1, 1, 1);
			s.dec_cancel = cancel;
			s.dec_expiry = expiry;
			v2_run(&s, &r);
			print_message("# cell %u,%u: blocks %lu spins %lu exits %lu snoozes %lu gets %lu\n",
				cancel, expiry, r.total.blocks, r.total.ceded_spins,
				sum_exits(&r.total), r.total.guest.snoozes, r.total.gets);
			if (spins) {
				assert_true(r.total.ceded_spins > 200);
				assert_true(r.total.blocks <= 3);
			} else {
				assert_in_range(r.total.blocks, 95, 105);
				assert_true(r.total.ceded_spins <= 3);
			}
			v2_result_done(&r);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nine_cells_spin_or_block),
	};

	(void)sum_cycles; (void)looper;
	return cmocka_run_group_tests_name("v2", tests, NULL, NULL);
}
