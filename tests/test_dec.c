// SPDX-License-Identifier: GPL-2.0-or-later
/* Expected values by hand from Power ISA 3.0B Book III, Decrementer. */
#include "check.h"

#include "cpu/dec.h"

static void sign_extension(void **state)
{
	assert_int_equal(dec_extend(0x7fffffff, 32), 0x7fffffff);
	assert_int_equal(dec_extend(0x80000000, 32), -INT64_C(0x80000000));
	assert_int_equal(dec_extend(0xffffffff, 32), -1);
	assert_int_equal(dec_extend(UINT64_C(0x007fffffffffffff), 56),
			 INT64_C(0x007fffffffffffff));
	assert_int_equal(dec_extend(UINT64_C(0x0080000000000000), 56),
			 -INT64_C(0x0080000000000000));
	assert_int_equal(dec_extend(UINT64_C(0xff00000000000005), 56), 5);
}

static void decrementer(void **state)
{
	/* written at tb, looked at later: value read, pending */
	static const struct {
		unsigned bits;
		uint64_t tb, value, at, read;
		bool pending;
	} cases[] = {
		{ 32, 1000, 100, 1000, 100, false },
		{ 32, 1000, 100, 1100, 0, false },           /* zero is not pending */
		{ 32, 1000, 100, 1101, 0xffffffff, true },   /* -1 is */
		{ 32, 1000, 0xffffffff, 1000, 0xffffffff, true }, /* negative: at once */
		{ 32, 1000, 0x80000000, 1000, 0x80000000, true },
		{ 32, 1000, 0x80000000, 1001, 0x7fffffff, false }, /* wraps to positive */
		/* 2^31 ticks after 0 the MSB drops again: level, not latched */
		{ 32, 0, 0, 0x80000000, 0x80000000, true },
		{ 32, 0, 0, 0x80000001, 0x7fffffff, false },
		{ 56, 1000, 0xffffffff, 1000, 0xffffffff, false }, /* large: positive */
		{ 56, 1000, 0xffffffff, 1001, 0xfffffffe, false },
		{ 56, 1000, UINT64_C(0xffffffffffffffff), 1000,
		  UINT64_C(0xffffffffffffffff), true },
		{ 56, 0, 5, 6, UINT64_C(0xffffffffffffffff), true },
		{ 56, 0, UINT64_C(0x0080000000000000), 0, UINT64_C(0xff80000000000000), true },
		/* the timebase itself wraps: 10 ticks before its end, 20 ahead */
		{ 56, UINT64_MAX - 9, 20, 5, 5, false },
		{ 56, UINT64_MAX - 9, 20, 11, UINT64_MAX, true },
		/* an expiry in the past: expiry - tb negative */
		{ 56, 5000, (uint64_t)(4000 - 5000), 5000, (uint64_t)-1000, true },
		{ 32, 5000, (uint64_t)(4000 - 5000), 5000, 0xfffffc18, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dec dec = { .bits = cases[i].bits };

		dec_write(&dec, cases[i].tb, cases[i].value);
		assert_int_equal(dec_read(&dec, cases[i].at), cases[i].read);
		assert_int_equal(dec_pending(&dec, cases[i].at), cases[i].pending);
	}
}

static void pending_drops_when_rewritten(void **state)
{
	struct dec dec = { .bits = 56 };

	dec_write(&dec, 0, 10);
	assert_int_equal(dec_due(&dec, 0), 11);
	assert_true(dec_pending(&dec, 11));
	assert_int_equal(dec_due(&dec, 50), 50);
	dec_write(&dec, 50, 100);
	assert_false(dec_pending(&dec, 50));
	assert_int_equal(dec_due(&dec, 50), 151);
}

static void width_changes(void **state)
{
	struct dec dec = { .bits = 32 };

	/* 0x80000000 small is negative; as a large value it is 2^31 */
	dec_write(&dec, 0, 0x80000000);
	assert_true(dec_pending(&dec, 0));
	dec_set_large(&dec, 0, true);
	assert_false(dec_pending(&dec, 0));
	assert_int_equal(dec_read(&dec, 0), 0x80000000);
	dec_set_large(&dec, 0, false);
	assert_true(dec_pending(&dec, 0));
}

static void hypervisor_decrementer(void **state)
{
	struct hdec h;

	hdec_init(&h, 0);
	hdec_set_hdice(&h, 0, true);
	hdec_write(&h, 100, 50);
	assert_int_equal(hdec_due(&h, 100), 151);
	assert_false(hdec_pending(&h, 150));
	assert_true(hdec_pending(&h, 151));
	/* edge: rewriting does not clear it, delivering does, and it comes once */
	hdec_write(&h, 160, 1000);
	assert_true(hdec_pending(&h, 160));
	hdec_deliver(&h);
	assert_false(hdec_pending(&h, 161));
	/* writing a negative value is no underflow */
	hdec_write(&h, 200, (uint64_t)-5);
	assert_false(hdec_pending(&h, 200));
	assert_false(hdec_pending(&h, 300));
}

/* POWER9 with HDICE=0: the underflow is lost, so LPCR is written before HDEC. */
static void hdice_gates(void **state)
{
	struct hdec h;

	hdec_init(&h, 0);
	hdec_write(&h, 0, 10);
	assert_int_equal(hdec_due(&h, 0), DEC_NEVER);
	assert_false(hdec_pending(&h, 20));
	hdec_set_hdice(&h, 21, true);
	assert_false(hdec_pending(&h, 22));
	hdec_write(&h, 30, 5);
	assert_true(hdec_pending(&h, 36));
	hdec_set_hdice(&h, 40, false);
	assert_false(hdec_pending(&h, 41));
}

/* The low 24 bits stay; a carry between two reads shows as falling low bits. */
static void timebase_upper(void **state)
{
	assert_int_equal(tb_write_u40(0x1234567, UINT64_C(0xabcdef00fffffe)),
			 UINT64_C(0xabcdef00234567));
	assert_true(tb_carried(0xfffff0, 0x1000003));
	assert_false(tb_carried(0xfffff0, 0xfffffe));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sign_extension),
		cmocka_unit_test(decrementer),
		cmocka_unit_test(pending_drops_when_rewritten),
		cmocka_unit_test(width_changes),
		cmocka_unit_test(hypervisor_decrementer),
		cmocka_unit_test(hdice_gates),
		cmocka_unit_test(timebase_upper),
	};

	return cmocka_run_group_tests_name("dec", tests, NULL, NULL);
}
