// SPDX-License-Identifier: GPL-2.0-or-later
/* Expected values are what the sources in tests/elf/ say. */
#include "check.h"

#include "elf/count.h"
#include "elf/fixup.h"
#include "elf_object.h"

static struct object open_good(const char *name)
{
	struct object o = object_read(name);

	if (object_open(&o) < 0)
		fail_msg("%s", o.err.text);
	return o;
}

static const struct kelf_func *func(const struct object *o, const char *name)
{
	uint64_t off;
	const struct kelf_func *f = kelf_func_named(&o->img, name, &off);

	if (!f || off)
		fail_msg("no function %s", name);
	return f;
}

/* The ops of tests/elf/ops.s in the order of the source. */
static const uint8_t ops_in_order[] = {
	KELF_MFSPR, KELF_MTSPR, KELF_MTSPR, KELF_MFTB, KELF_MFTB, KELF_MFTB, KELF_MFMSR,
	KELF_MTMSR, KELF_MTMSRD, KELF_MTMSRD_L1, KELF_ISYNC, KELF_HWSYNC, KELF_LWSYNC,
	KELF_PTESYNC, KELF_SYNC, KELF_EIEIO, KELF_TLBIE, KELF_TLBIEL, KELF_TLBSYNC, KELF_SLBMTE,
	KELF_SLBMFEE, KELF_SLBMFEV, KELF_SLBFEE, KELF_SLBIE, KELF_SLBIEG, KELF_SLBIA,
	KELF_SLBIAG, KELF_SLBSYNC, KELF_RFID, KELF_HRFID, KELF_RFSCV, KELF_SC, KELF_SC, KELF_SC,
	KELF_SCV, KELF_LARX, KELF_LARX, KELF_LARX, KELF_LARX, KELF_LARX, KELF_STCX, KELF_STCX,
	KELF_STCX, KELF_STCX, KELF_STCX, KELF_MSGSND, KELF_MSGCLR, KELF_MSGSYNC, KELF_MSGSNDP,
	KELF_MSGCLRP, KELF_CP_ABORT, KELF_STOP, KELF_CI_LOAD, KELF_CI_LOAD, KELF_CI_LOAD,
	KELF_CI_LOAD, KELF_CI_STORE, KELF_CI_STORE, KELF_CI_STORE, KELF_CI_STORE,
};

static void every_op_is_found(const char *name)
{
	struct object o = open_good(name);
	const struct kelf_func *f = func(&o, "ops");
	struct kelf_iter it = { 0 };
	struct kelf_insn insn;
	size_t i = 0;

	while (kelf_next(&o.img, f, &it, &insn)) {
		if (!kelf_is_op(&insn))
			continue;
		assert_true(i < sizeof(ops_in_order));
		if (insn.class != ops_in_order[i])
			fail_msg("%s+0x%llx is %s", name, (unsigned long long)it.off,
				 kelf_class_name(insn.class));
		i++;
	}
	assert_int_equal(i, sizeof(ops_in_order));
	object_done(&o);
}

static void ops_little_endian(void **state)
{
	every_op_is_found("ops.o");
}

static void ops_big_endian(void **state)
{
	every_op_is_found("ops-be.o");
}

/*
 * plain: 7 loads (ld ldu lwa lvx lxvd2x lxv pld), 7 stores (std stdu stvx stxvd2x stxv stxsd
 * pstd).
 */
static void ordinary_work_is_counted(void **state)
{
	struct object o = open_good("ops.o");
	struct kelf_count c = { 0 };

	kelf_count_func(&o.img, func(&o, "plain"), &c);
	assert_int_equal(c.loads, 7);
	assert_int_equal(c.stores, 7);
	assert_int_equal(c.branches, 6); /* bcl beq bdnz bctr bctrl blr */
	assert_int_equal(c.n[KELF_CALL], 1);
	assert_int_equal(kelf_count_ops(&c), 0);
	assert_int_equal(c.insns, 25); /* three of them prefixed; the words of data count as one */
	object_done(&o);
}

static struct kelf_target target(const struct object *o, const char *name, uint64_t at)
{
	const struct kelf_func *f = func(o, name);
	struct kelf_target to;
	struct kelf_insn insn = kelf_insn_at(&o->img, &o->img.sec[f->sec], f->off + at);

	if (!kelf_branch_target(&o->img, f->sec, f->off + at, &insn, &to))
		fail_msg("%s+0x%llx has no target", name, (unsigned long long)at);
	return to;
}

static void calls_are_resolved(void **state)
{
	static const struct { uint64_t at; const char *name; uint64_t off; bool known; } want[] = {
		{ 0x10, "outside", 0, false },
		{ 0x18, "twin", 0, true },
		{ 0x1c, "helper.constprop.0.isra.0", 4, true },
		{ 0x20, "caller", 0, true },
		{ 0x24, "caller_notoc", 0, true },
		{ 0x28, "caller_notoc", 0, true },
		{ 0x38, "unsized", 0, true },
		{ 0x3c, "twin", 0, true },
	};
	struct object o = open_good("calls.o");

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct kelf_target to = target(&o, "caller", want[i].at);

		assert_string_equal(to.name, want[i].name);
		assert_int_equal(to.off, want[i].off);
		assert_int_equal(to.func != NULL, want[i].known);
	}
	/* The linker sends the call of a function with a TOC to the local entry, 8 bytes in. */
	assert_int_equal(target(&o, "caller", 0x18).sec_off, func(&o, "twin")->off + 8);
	assert_int_equal(func(&o, "caller")->local_entry, 8);
	object_done(&o);
}

static void mcount_is_no_call(void **state)
{
	struct object o = open_good("calls.o");
	struct kelf_count c = { 0 };

	kelf_count_func(&o.img, func(&o, "caller"), &c);
	assert_int_equal(c.n[KELF_CALL], 7); /* 8 bl and bctrl, less _mcount */
	assert_int_equal(c.n[KELF_MTSPR], 1);
	object_done(&o);
}

static void symbols_without_size_end_at_the_next(void **state)
{
	struct object o = open_good("calls.o");

	assert_false(func(&o, "unsized")->sized);
	assert_int_equal(func(&o, "unsized")->size, 4);
	assert_int_equal(func(&o, "inner_label")->size, 8);
	object_done(&o);
}

static void suffixes_are_no_part_of_the_stem(void **state)
{
	assert_int_equal(kelf_stem("helper.constprop.0.isra.0"), 6);
	assert_int_equal(kelf_stem("helper.part.3"), 6);
	assert_int_equal(kelf_stem("helper.cold"), 6);
	assert_int_equal(kelf_stem("helper"), 6);
	assert_int_equal(kelf_stem("a.party"), 7);
	assert_int_equal(kelf_stem(".old_entry"), 10);
}

static void descriptors_lead_to_code(void **state)
{
	struct object o = open_good("opd.o");

	assert_int_equal(o.img.abi, 1);
	assert_true(o.img.big);
	assert_int_equal(o.img.nfunc, 2); /* "itself" leads to no code */
	assert_int_equal(func(&o, "first")->off, 0);
	assert_int_equal(func(&o, "second")->off, 24);
	assert_string_equal(target(&o, "first", 4).name, "second");
	assert_int_equal(target(&o, "first", 4).sec_off, 24);
	assert_string_equal(target(&o, "first", 12).name, "outside");
	object_done(&o);
}

static void feature_sections_are_read(void **state)
{
	struct object o = open_good("fixup.o");

	assert_int_equal(o.img.nfixup, 3);
	assert_int_equal(o.img.fixup[0].which, 0);
	assert_true(o.img.fixup[0].mask == 1ull << 50);
	assert_int_equal(o.img.fixup[0].start, 4);
	assert_int_equal(o.img.fixup[0].end, 12);
	assert_int_equal(o.img.fixup[0].alt_start, 20);
	assert_int_equal(o.img.fixup[0].alt_end, 24);
	/* The tables of MMU and firmware features, by their sections' names. */
	assert_int_equal(o.img.fixup[1].which, 1);
	assert_true(o.img.fixup[1].mask == 0x40 && o.img.fixup[1].value == 0x40);
	assert_int_equal(o.img.fixup[1].start, 12);
	assert_int_equal(o.img.fixup[1].end, 20);
	assert_int_equal(o.img.fixup[2].which, 2);
	assert_true(o.img.fixup[2].mask == 0x2000 && o.img.fixup[2].value == 0);
	assert_int_equal(o.img.fixup[2].start, 0);
	assert_int_equal(o.img.fixup[2].end, 4);
	assert_int_equal(o.img.fixup[2].alt_sec, 0);
	/* The alternative is not part of the symbol before it. */
	assert_int_equal(func(&o, "asm_entry")->size, 20);
	object_done(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ops_little_endian),
		cmocka_unit_test(ops_big_endian),
		cmocka_unit_test(ordinary_work_is_counted),
		cmocka_unit_test(calls_are_resolved),
		cmocka_unit_test(mcount_is_no_call),
		cmocka_unit_test(symbols_without_size_end_at_the_next),
		cmocka_unit_test(suffixes_are_no_part_of_the_stem),
		cmocka_unit_test(descriptors_lead_to_code),
		cmocka_unit_test(feature_sections_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
