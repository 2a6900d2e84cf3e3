// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source-derived POWER9 round trip against two independent counts: ops
 * counted from the kernel's diffs by hand (the reference table of one round trip
 * after the series), and the path that Linux 6.1.176 executed (traces/paths).
 */
#include "check.h"

#include <stdlib.h>

#include "base/file.h"
#include "path/price.h"

struct fixture {
	struct mem *mem;
	const struct policy_table *policies;
	struct path_lib *lib;
	struct policy_set set;
	struct pricer *pricer;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));
	struct err err = ERR_INIT;

	f->mem = mem_new();
	f->policies = policy_load(f->mem, &err);
	f->lib = path_lib_new(f->mem, spr_load(f->mem, &err), f->policies);
	f->pricer = price_new(cpu_model_load(f->mem, "power9", &err));
	policy_defaults(f->policies, &f->set);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	price_free(f->pricer);
	mem_free(f->mem);
	free(f);
	return 0;
}

static void set(struct fixture *f, const char *name, const char *value)
{
	struct err err = ERR_INIT;

	if (policy_set(&f->set, name, value, &err) < 0)
		fail_msg("%s", err.text);
}

static struct path_counts counts(struct fixture *f, const char *name)
{
	struct cond_bits bits = policy_bits(&f->set);
	struct err err = ERR_INIT;
	const struct path *path = path_load(f->lib, name, &err);
	struct path_counts c;

	if (!path)
		fail_msg("%s", err.text);
	path_count(path, &bits, &c);
	return c;
}

static uint64_t cycles(struct fixture *f, const char *name)
{
	struct cond_bits bits = policy_bits(&f->set);
	struct err err = ERR_INIT;

	return price_path(f->pricer, path_load(f->lib, name, &err), &bits)->cycles;
}

/*
 * After the series, base case: mftb 4; mfmsr 2; mtmsrd L=0 1, L=1 1 at entry and 1
 * when interrupts go on; mfspr 35 in C, and PPR, SRR0, SRR1, HSPRG0 in assembly;
 * mtspr 33 in C, and CFAR, PPR; hwsync 3 and 2 of srcu; isync 2; slbmte 4; eieio 4;
 * 2 cache-inhibited loads and 2 stores; no tlbsync, ptesync or atomics.
 */
static void after_series(void **state)
{
	struct fixture *f = *state;
	struct path_counts c;

	set(f, "host.kick_barrier", "on");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MFTB], 4);
	assert_int_equal(c.kind[OP_MFMSR], 2);
	assert_int_equal(c.kind[OP_MTMSRD0], 1);
	assert_int_equal(c.kind[OP_MTMSRD1], 2);
	assert_int_equal(c.kind[OP_MFSPR], 39);
	assert_int_equal(c.kind[OP_MTSPR], 35);
	assert_int_equal(c.kind[OP_HWSYNC], 5);
	assert_int_equal(c.kind[OP_ISYNC], 2);
	assert_int_equal(c.kind[OP_SLBMTE], 4);
	assert_int_equal(c.kind[OP_EIEIO], 4);
	assert_int_equal(c.kind[OP_MMIO_LOAD], 2);
	assert_int_equal(c.kind[OP_MMIO_STORE], 2);
	assert_int_equal(c.kind[OP_HRFID], 1);
	assert_int_equal(c.kind[OP_TLBSYNC] + c.kind[OP_PTESYNC] + c.kind[OP_LARX], 0);
	/* mftb 2 and mtspr two fewer with no TB offset; 33 mfspr and 31 mtspr (in C) without TM
	 * assist and TIDR */
	set(f, "guest.tb_offset", "off");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MFTB], 2);
	assert_int_equal(c.kind[OP_MTSPR], 33);
	set(f, "guest.tb_offset", "on");
	set(f, "cpu.tm_hv_assist", "off");
	set(f, "cpu.tidr", "off");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MFSPR], 37);
	assert_int_equal(c.kind[OP_MTSPR], 33);
}

/* Live guest PMU: +13 mtspr at entry, +13 mfspr at exit; 16 and 16 on ISA 3.1. */
static void pmu_live(void **state)
{
	struct fixture *f = *state;
	struct path_counts base = counts(f, "p9-roundtrip"), c;

	set(f, "guest.pmu", "on");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MTSPR], base.kind[OP_MTSPR] + 13);
	assert_int_equal(c.kind[OP_MFSPR], base.kind[OP_MFSPR] + 13);
	set(f, "cpu.isa31", "on");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MTSPR], base.kind[OP_MTSPR] + 16);
	assert_int_equal(c.kind[OP_MFSPR], base.kind[OP_MFSPR] + 16);
	set(f, "cpu.isa31", "off");
	set(f, "guest.pmu", "off");
	/* host perf live: +13 mfspr, 2 mtspr of the freeze, isync; +13 mtspr, isync */
	set(f, "host.perf", "on");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MFSPR], base.kind[OP_MFSPR] + 13);
	assert_int_equal(c.kind[OP_MTSPR], base.kind[OP_MTSPR] + 15);
	assert_int_equal(c.kind[OP_ISYNC], base.kind[OP_ISYNC] + 2);
}

/* Before the series: mftb 12; MMU switch 8 isync and no hwsync; one tlbsync sequence. */
static void before_series(void **state)
{
	struct fixture *f = *state;
	struct path_counts c;

	set(f, "p9.*", "off");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MFTB], 12);
	assert_int_equal(c.kind[OP_TLBSYNC], 1);
	assert_int_equal(c.kind[OP_PTESYNC], 1);
	/* 8 of the MMU switch, 6 of the PMU in assembly */
	assert_int_equal(c.kind[OP_ISYNC], 14);
	/* only the two of srcu */
	assert_int_equal(c.kind[OP_HWSYNC], 2);
	/* five locks and two cpumask updates; the executed 5.10 has these and two of an hcall */
	assert_int_equal(c.kind[OP_LARX], 7);
	assert_int_equal(c.kind[OP_LARX], c.kind[OP_STCX]);
}

/*
 * What each patch's description says it takes away or adds, one switch at a time
 * in the series' order. Columns: mtspr, mfspr, mftb, isync, mtmsrd, mfmsr.
 */
static void patch_op_counts(void **state)
{
	static const struct { const char *name; int mt, mf, tb, isync, msr, mfmsr; } rows[] = {
		{ "p9.no_wort", -2, -1, 0, 0, 0, 0 },
		{ "p9.host_timer_acct", 0, -1, 0, 0, 0, 0 },
		{ "p9.fewer_mftb", 0, 0, -3, 0, 0, 0 },
		{ "p9.timer_rearm", 0, 0, 0, 0, 0, 1 },
		{ "p9.amor_const", -1, 0, 0, 0, 0, 0 },
		{ "p9.nested_pmu_skip", 0, -11, 0, 0, 0, 0 },
		/* twice MMCR2, MMCR0, MMCRA; and the freeze before loading */
		{ "p9.pmu_c", -7, -4, 0, -6, 0, 0 },
		{ "p9.demand_fault_pmu", -13, -2, 0, 0, 0, 0 },
		{ "p9.late_ee_disable", 0, 0, 0, 0, 0, 0 },
		{ "p9.dec_guest_tb", 0, 0, 0, 0, 0, 0 },
		{ "p9.move_tb", 0, 0, 0, 0, 0, 0 },
		{ "p9.tb_reads", 0, 0, -5, 0, 0, 0 },
		{ "p9.spr_stalls", 0, 0, 0, 0, 0, 0 },
		{ "p9.mtspr_if_changed", -10, 0, 0, 0, 0, 0 },
		{ "p9.hdsisr_canary", -1, 0, 0, 0, 0, 0 },
		{ "p9.spr_speed", -7, 0, 0, 0, 0, 0 },
		{ "p9.demand_fault_ebb", -3, -3, 0, 0, 0, 0 },
		{ "p9.mmu_switch", 0, 0, 0, -6, 0, 0 },
		{ "p9.dawr_test", 0, -2, 0, 0, 0, 0 },
		{ "p9.no_ri", 0, 0, 0, 0, -2, -1 },
	};
	struct fixture *f = *state;
	struct path_counts was, is;

	set(f, "p9.*", "off");
	set(f, "guest.nested_capable", "on");
	/* DSCR, TIDR and FSCR reads of the host state depend on none of the rows above */
	was = counts(f, "p9-roundtrip");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int got[6], want[6] = { rows[i].mt, rows[i].mf, rows[i].tb, rows[i].isync,
					rows[i].msr, rows[i].mfmsr };

		set(f, rows[i].name, "on");
		is = counts(f, "p9-roundtrip");
		got[0] = (int)(is.kind[OP_MTSPR] - was.kind[OP_MTSPR]);
		got[1] = (int)(is.kind[OP_MFSPR] - was.kind[OP_MFSPR]);
		got[2] = (int)(is.kind[OP_MFTB] - was.kind[OP_MFTB]);
		got[3] = (int)(is.kind[OP_ISYNC] - was.kind[OP_ISYNC]);
		got[4] = (int)(is.kind[OP_MTMSRD0] + is.kind[OP_MTMSRD1] -
			       was.kind[OP_MTMSRD0] - was.kind[OP_MTMSRD1]);
		got[5] = (int)(is.kind[OP_MFMSR] - was.kind[OP_MFMSR]);
		for (unsigned k = 0; k < 6; k++)
			if (got[k] != want[k])
				fail_msg("%s: column %u is %d, by its description %d",
					 rows[i].name, k, got[k], want[k]);
		was = is;
	}
}

/*
 * The executed 6.1 path, class by class. The execution differs from the base
 * case in known ways: five user registers differ between guest and host, the
 * kernel has the barrier of 2022, and there is no XIVE context.
 */
static void executed_61(void **state)
{
	static const enum op_kind kinds[] = {
		OP_MTSPR, OP_MFSPR, OP_MFTB, OP_MTMSRD0, OP_MTMSRD1, OP_MFMSR, OP_ISYNC, OP_HWSYNC,
		OP_LWSYNC, OP_SLBMTE, OP_LARX, OP_EIEIO, OP_TLBSYNC, OP_PTESYNC, OP_HRFID,
		OP_MTFSF, OP_MFFS, OP_MTVSCR, OP_MFVSCR, OP_MMIO_LOAD,
	};
	struct fixture *f = *state;
	struct err err = ERR_INIT;
	const char *file = mem_printf(f->mem, "%s/traces/paths/linux-6.1-power9-hcall.txt",
				      file_data_dir(f->mem, &err));
	struct path_counts ran = counts(f, file), c;

	/* from the published table of that execution */
	assert_int_equal(ran.insns, 2059);
	assert_int_equal(ran.kind[OP_MTSPR], 45);
	assert_int_equal(ran.kind[OP_MFSPR], 39);
	set(f, "host.kick_barrier", "on");
	set(f, "host.xive", "off");
	set(f, "guest.amr_differs", "on");
	set(f, "guest.iamr_differs", "on");
	set(f, "guest.fscr_differs", "on");
	set(f, "guest.dscr_differs", "on");
	set(f, "guest.vrsave_differs", "on");
	c = counts(f, "p9-roundtrip");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (c.kind[kinds[i]] != ran.kind[kinds[i]])
			fail_msg("%s: %llu in the model, %llu executed", op_kind_name(kinds[i]),
				 (unsigned long long)c.kind[kinds[i]],
				 (unsigned long long)ran.kind[kinds[i]]);
	/* ordinary instructions are estimates: within a tenth */
	assert_in_range(c.insns, ran.insns * 9 / 10, ran.insns * 11 / 10);
}

/* The order matters where reads stall behind writes: together more than apart. */
static void together_more_than_apart(void **state)
{
	struct fixture *f = *state;
	uint64_t none, a, b, both;

	set(f, "p9.*", "on");
	set(f, "p9.late_ee_disable", "off");
	set(f, "p9.low_level_sprs", "off");
	set(f, "p9.mfmsr_entry", "off");
	set(f, "p9.linux_spr_save", "off");
	set(f, "p9.spr_stalls", "off");
	set(f, "p9.move_tb", "off");
	none = cycles(f, "p9-roundtrip");
	set(f, "p9.spr_stalls", "on");
	a = cycles(f, "p9-roundtrip");
	set(f, "p9.spr_stalls", "off");
	set(f, "p9.move_tb", "on");
	b = cycles(f, "p9-roundtrip");
	set(f, "p9.spr_stalls", "on");
	both = cycles(f, "p9-roundtrip");
	/* A + B gain more than A alone and B alone */
	print_message("# none %llu, A %llu, B %llu, both %llu\n", (unsigned long long)none,
		      (unsigned long long)a, (unsigned long long)b, (unsigned long long)both);
	assert_true((int64_t)none - (int64_t)both > 2 * (int64_t)none - (int64_t)a - (int64_t)b);
}

/* Hash guests read all 32 SLB entries: 64 ops before, 32 and the valid ones after. */
static void hash_guest(void **state)
{
	struct fixture *f = *state;
	struct path_counts c;

	set(f, "guest.mmu", "hash");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_SLBMFEE], 32);
	assert_true(c.kind[OP_SLBMFEV] < 32);
	set(f, "p9.hash_slb", "off");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_SLBMFEV], 32);
	/* an L2 of nested v1 has no XIVE context of its own to push */
	set(f, "guest.mmu", "radix");
	set(f, "guest.nested", "on");
	c = counts(f, "p9-roundtrip");
	assert_int_equal(c.kind[OP_MMIO_LOAD] + c.kind[OP_MMIO_STORE], 0);
}

/* L1 loads no LPID, LPCR, HDEC, TB or PURR. */
static void nested_v1_l1(void **state)
{
	static const char *const never[] = { "LPID", "LPCR", "HDEC", "TBU40", "PURR", "PID" };
	struct fixture *f = *state;
	struct cond_bits bits = policy_bits(&f->set);
	struct err err = ERR_INIT;
	const struct path *path = path_load(f->lib, "p9-l1-enter-nested", &err);

	assert_non_null(path);
	for (uint32_t i = path_next(path, &bits, 0); i < path->n;
	     i = path_next(path, &bits, i + 1))
		for (size_t k = 0; k < sizeof(never) / sizeof(never[0]); k++)
			assert_true(!path->items[i].op.spr ||
				    strcmp(path->items[i].op.spr->name, never[k]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(after_series, setup, teardown),
		cmocka_unit_test_setup_teardown(pmu_live, setup, teardown),
		cmocka_unit_test_setup_teardown(before_series, setup, teardown),
		cmocka_unit_test_setup_teardown(patch_op_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(executed_61, setup, teardown),
		cmocka_unit_test_setup_teardown(together_more_than_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(hash_guest, setup, teardown),
		cmocka_unit_test_setup_teardown(nested_v1_l1, setup, teardown),
	};

	return cmocka_run_group_tests_name("p9", tests, NULL, NULL);
}
