// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cycles of short sequences, calculated by hand from rules R1 to R7 with one
 * instruction a cycle: ipc 1, window 256, l_r 13, c 40, tau_w 20 (pmu 60), f 25,
 * hwsync 40, ptesync 100, eieio 10, interrupt 70, slbmte 12, l_slb 40, one store a
 * cycle.
 */
#include "check.h"

#include <stdlib.h>

#include "base/file.h"
#include "cpu/pipe.h"

static const char *const values[][2] = {
	{ "ipc", "1" },        { "window", "256" },      { "l_r", "13" },  { "c", "40" },
	{ "tau_w", "20" },     { "tau_w_timer", "20" },  { "tau_w_mmu", "20" },
	{ "tau_w_pmu", "60" }, { "tau_w_tm", "20" },     { "f", "25" },    { "hwsync", "40" },
	{ "ptesync", "100" },  { "eieio", "10" },        { "interrupt", "70" },
	{ "slbmte", "12" },    { "l_slb", "40" },        { "read_gap", "13" },
	{ "read_gap_pmu", "13" }, { "stores_per_cycle", "1" }, { "loads_per_cycle", "2" },
	{ "branches_per_cycle", "1" }, { "larx_stcx", "25" },  { "l_renamed", "5" },
};

struct fixture {
	struct mem *mem;
	const struct spr_table *sprs;
	struct jnode *root;
	struct pipe_cfg cfg;
	struct pipe pipe;
};

static void configure(struct fixture *f, const char *name, const char *value)
{
	struct err err = ERR_INIT;
	struct cpu_model *model;

	assert_int_equal(cpu_model_set(f->mem, f->root, name, value, &err), 0);
	model = cpu_model_from_node(f->mem, f->root, &err);
	assert_non_null(model);
	pipe_cfg_init(&f->cfg, model);
}

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));
	struct err err = ERR_INIT;

	f->mem = mem_new();
	f->sprs = spr_load(f->mem, &err);
	f->root = jdoc_load(f->mem, file_find(f->mem, "models", "power9", &err), &err);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		configure(f, values[i][0], values[i][1]);
	/* the rules as first written down: moves run on behind dispatch, reads overlap */
	configure(f, "rules.moves", "behind");
	configure(f, "rules.reads", "pipelined");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	mem_free(f->mem);
	free(f);
	return 0;
}

/* Run ops separated by ';' from an empty pipeline and wait for the end if asked. */
static uint64_t cycles(struct fixture *f, const char *ops, bool wait)
{
	char *rest = mem_strdup(f->mem, ops), *one;
	uint64_t sum = 0;

	pipe_init(&f->pipe, &f->cfg);
	while ((one = strsep(&rest, ";"))) {
		struct err err = ERR_INIT;
		struct op op;

		if (op_parse(f->sprs, one, &op, &err) < 0)
			fail_msg("%s", err.text);
		pipe_op(&f->pipe, &op);
	}
	if (wait)
		pipe_drain(&f->pipe);
	for (unsigned c = 0; c < PIPE_CLASSES; c++)
		sum += f->pipe.by_class[c];
	assert_int_equal(sum, pipe_cycles(&f->pipe));
	return pipe_cycles(&f->pipe);
}

static void rules_one_by_one(void **state)
{
	static const struct { const char *ops; bool wait; uint64_t cycles; } cases[] = {
		/* R1: dispatch 1 each; completer 1+20, then +20 each */
		{ "mtspr SPRG0", false, 1 },
		{ "mtspr SPRG0", true, 21 },
		{ "mtspr SPRG0;mtspr SPRG1;mtspr SPRG2", false, 3 },
		{ "mtspr SPRG0;mtspr SPRG1;mtspr SPRG2", true, 61 },
		{ "mtspr PMC1;mtspr PMC2", true, 121 },
		/* R2: no pending write: 1 each, last result 13 after the last dispatch */
		{ "mfspr DAR", true, 14 },
		{ "mfspr DAR;mfspr DSISR;mfspr AMR", false, 3 },
		{ "mfspr DAR;mfspr DSISR;mfspr AMR", true, 16 },
		/* R2: write done at 21; hold to 21, bubble to 61, dispatch 62, result 75 */
		{ "mtspr SPRG0;mfspr DAR", false, 62 },
		{ "mtspr SPRG0;mfspr DAR", true, 75 },
		/* any other SPR stalls too: one bit a thread, and MSR is under it */
		{ "mtmsrd L=1;mfspr AMR", false, 62 },
		{ "mtmsrd L=1;mfmsr", false, 62 },
		/* after the hold reads flow again */
		{ "mtspr SPRG0;mfspr DAR;mfspr DSISR", false, 63 },
		/* a write after a read does not stall */
		{ "mfspr DAR;mtspr SPRG0", false, 2 },
		/* the write is done before the read: no stall (work to 31) */
		{ "mtspr SPRG0;work 30;mfspr DAR", false, 32 },
		/* R3: 1, older complete at 21, +40+13 */
		{ "mftb", false, 54 },
		{ "mtspr SPRG0;mftb", false, 74 },
		/* R4: dispatch 1, nothing older, 40+25; with a write: 2, wait to 21, 65 */
		{ "isync", false, 66 },
		{ "mtspr SPRG0;isync", false, 86 },
		{ "mtspr SPRG0;mtmsrd L=0;mfspr DAR", false, 87 },
		{ "hrfid", false, 71 },
		{ "sc 1", false, 71 },
		{ "mtspr SPRG0;hrfid", false, 91 },
		/* R5: no scoreboard, latency 5 hidden until the end */
		{ "mtspr LR;mfspr DAR", false, 2 },
		{ "mtspr CTR", true, 6 },
		/* R6: 1+40; after 10 stores: work to 10, stores done at 20, +1 dispatch hidden */
		{ "hwsync", false, 41 },
		{ "work 10 stores 10;hwsync", false, 60 },
		{ "eieio", false, 11 },
		{ "ptesync", false, 101 },
		/* R7: hold as R2, then 40 each */
		{ "slbmfee", false, 41 },
		{ "slbmfee;slbmfev", false, 82 },
		{ "mtspr LPID;slbmfee", false, 102 },
		{ "slbmte;slbmte;slbmte;slbmte", true, 49 },
		{ "larx;stcx", false, 27 },
		/* work: max of issue and branch port */
		{ "work 100 loads 50", false, 100 },
		{ "work 10 branches 10", false, 10 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t got = cycles(f, cases[i].ops, cases[i].wait);

		if (got != cases[i].cycles)
			fail_msg("'%s': %llu cycles, by hand %llu", cases[i].ops,
				 (unsigned long long)got, (unsigned long long)cases[i].cycles);
	}
}

static void cycles_have_a_cause(void **state)
{
	struct fixture *f = *state;

	/* mtspr 1, held 1->21 and bubble to 61, mfspr 1: issue 2, scoreboard 60 */
	cycles(f, "mtspr SPRG0;mfspr DAR", false);
	assert_int_equal(f->pipe.by_class[PIPE_ISSUE], 2);
	assert_int_equal(f->pipe.by_class[PIPE_SCOREBOARD], 60);
	/* isync: 2 issued, wait 2->21 and c 40 are drain, 25 refetch */
	cycles(f, "mtspr SPRG0;isync", false);
	assert_int_equal(f->pipe.by_class[PIPE_DRAIN], 59);
	assert_int_equal(f->pipe.by_class[PIPE_REFETCH], 25);
}

/* Write at instruction 1, done at 21; with a window of 10 the 11th waits for it. */
static void window_holds_dispatch(void **state)
{
	struct fixture *f = *state;

	configure(f, "window", "10");
	assert_int_equal(cycles(f, "mtspr SPRG0;work 9", false), 10);
	assert_int_equal(cycles(f, "mtspr SPRG0;work 10", false), 22);
	assert_int_equal(f->pipe.by_class[PIPE_SERIAL], 11);
	/* two writes done at 21 and 41: insn 11 at 22, insn 12 waits to 41, 42; then 8 more */
	assert_int_equal(cycles(f, "mtspr SPRG0;mtspr SPRG1;work 18", false), 50);
}

/* 7 instructions at 1.2 a cycle take 5.8333; twelve times 7 take exactly 70. */
static void fractions_carry_exactly(void **state)
{
	struct fixture *f = *state;

	configure(f, "ipc", "1.2");
	assert_int_equal(cycles(f, "work 7", false), 5);
	assert_int_equal(cycles(f, "work 7;work 7;work 7;work 7;work 7;work 7;work 7;work 7;"
				"work 7;work 7;work 7;work 7", false), 70);
	/* 2.5-cycle writes: 4 after an instruction at 1: 1 + 10 */
	configure(f, "ipc", "1");
	configure(f, "tau_w", "2.5");
	assert_int_equal(cycles(f, "mtspr SPRG0;mtspr SPRG1;mtspr SPRG2;mtspr SPRG3", true), 11);
}

static void rules_are_data(void **state)
{
	struct fixture *f = *state;

	/* bits per unit: a timer write does not hold a plain read, a plain one does */
	configure(f, "rules.scoreboard", "unit");
	assert_int_equal(cycles(f, "mtspr DEC;mfspr DAR", false), 2);
	assert_int_equal(cycles(f, "mtspr SPRG0;mfspr DAR", false), 62);
	configure(f, "rules.scoreboard", "one");
	/* serial reads, 13 each: dispatch 1,2,3; start 1,14,27; last done 40 */
	configure(f, "rules.reads", "serial");
	assert_int_equal(cycles(f, "mfspr DAR;mfspr DSISR;mfspr AMR", false), 3);
	assert_int_equal(cycles(f, "mfspr DAR;mfspr DSISR;mfspr AMR", true), 40);
	configure(f, "rules.reads", "pipelined");
	/* only the bubble: 1, +40, 1 */
	configure(f, "rules.stall", "bubble");
	assert_int_equal(cycles(f, "mtspr SPRG0;mfspr DAR", false), 42);
	/* the bit stays until a read finds it: work to 31, bubble to 71, 72; the next read flows */
	configure(f, "rules.stall", "sticky");
	assert_int_equal(cycles(f, "mtspr SPRG0;work 30;mfspr DAR", false), 72);
	assert_int_equal(cycles(f, "mtspr SPRG0;work 30;mfspr DAR;mfspr AMR", false), 73);
	/* or dispatch drains */
	assert_int_equal(cycles(f, "mtspr SPRG0;isync;mfspr DAR", false), 87);
}

/* One SPR unit: a move waits at dispatch until the one before is done. */
static void moves_hold_dispatch(void **state)
{
	static const struct { const char *ops; bool wait; uint64_t cycles; } cases[] = {
		/* dispatch 1; unit free at 21, dispatch 22; free at 42, dispatch 43; done 63 */
		{ "mtspr SPRG0;mtspr SPRG1;mtspr SPRG2", false, 43 },
		{ "mtspr SPRG0;mtspr SPRG1;mtspr SPRG2", true, 63 },
		/* the unit is free at 21: work to 31 hides it */
		{ "mtspr SPRG0;work 30;mtspr SPRG1", false, 32 },
		/* reads 13 each: 1; to 14, 15; to 28, 29; the last result at 42 */
		{ "mfspr DAR;mfspr DSISR;mfspr AMR", false, 29 },
		{ "mfspr DAR;mfspr DSISR;mfspr AMR", true, 42 },
		/* the turn from write to read: to 21, bubble to 61, 62; back: read busy to 75, 76 */
		{ "mtspr SPRG0;mfspr DAR;mtspr SPRG1", false, 76 },
		/* renamed registers are elsewhere */
		{ "mtspr SPRG0;mtspr LR;mfspr CTR", false, 3 },
	};
	struct fixture *f = *state;

	configure(f, "rules.moves", "held");
	configure(f, "rules.reads", "serial");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t got = cycles(f, cases[i].ops, cases[i].wait);

		if (got != cases[i].cycles)
			fail_msg("'%s': %llu cycles, by hand %llu", cases[i].ops,
				 (unsigned long long)got, (unsigned long long)cases[i].cycles);
	}
}

/* With four instructions a cycle the ports bind: two loads, one branch a cycle. */
static void ports_bind(void **state)
{
	struct fixture *f = *state;

	configure(f, "ipc", "4");
	assert_int_equal(cycles(f, "work 40", false), 10);
	assert_int_equal(cycles(f, "work 40 loads 40", false), 20);
	assert_int_equal(cycles(f, "work 40 branches 30", false), 30);
}

/* Of 50 loads 20 per mille miss for 15 cycles each: 15. Of 40 branches 10 for 25: 10. */
static void misses_cost_their_share(void **state)
{
	struct fixture *f = *state;

	configure(f, "load_miss", "20");
	configure(f, "load_miss_cost", "15");
	assert_int_equal(cycles(f, "work 100 loads 50", false), 115);
	assert_int_equal(f->pipe.by_class[PIPE_MEMORY], 15);
	configure(f, "branch_miss", "10");
	configure(f, "branch_miss_cost", "25");
	assert_int_equal(cycles(f, "work 100 branches 40", false), 110);
	assert_int_equal(f->pipe.by_class[PIPE_REFETCH], 10);
}

/* Each parameter reaches the ops that are named after it: dispatch 1, then the value. */
static void ops_have_their_parameters(void **state)
{
	static const struct { const char *param, *value, *op; bool wait; uint64_t cycles; } cases[] = {
		{ "tau_w_timer", "31", "mtspr DEC", true, 32 },
		{ "tau_w_mmu", "32", "mtspr LPID", true, 33 },
		{ "tau_w_pmu", "33", "mtspr PMC1", true, 34 },
		{ "tau_w_pmu_control", "34", "mtspr MMCR0", true, 35 },
		{ "tau_w_tm", "35", "mtspr TFHAR", true, 36 },
		{ "tau_w_ebb", "36", "mtspr EBBHR", true, 37 },
		{ "tau_w_debug", "37", "mtspr CIABR", true, 38 },
		{ "mmu_off_entry", "41", "real-entry", false, 42 },
		{ "msgsnd", "42", "msgsnd", false, 43 },
		{ "msgsnd", "43", "msgsync", false, 44 },
		{ "mmio_load", "44", "mmio-load", false, 45 },
		{ "cp_abort", "45", "cp_abort", false, 46 },
		{ "tlbie", "46", "tlbie", false, 47 },
		{ "tlbiel", "47", "tlbiel", false, 48 },
		{ "lwsync", "48", "lwsync", false, 49 },
		/* the store is performed at 1 + 50; hwsync is dispatched at 2 and adds its 40 */
		{ "mmio_store", "50", "mmio-store;hwsync", false, 91 },
		/* as hwsync after ten stores: they are done at 20 */
		{ "tlbsync", "30", "work 10 stores 10;tlbsync", false, 50 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		configure(f, cases[i].param, cases[i].value);
		if (cycles(f, cases[i].op, cases[i].wait) != cases[i].cycles)
			fail_msg("'%s' with %s %s: not %llu cycles", cases[i].op, cases[i].param,
				 cases[i].value, (unsigned long long)cases[i].cycles);
	}
}

/* What is dispatched later completes no earlier. */
static void completion_is_in_order(void **state)
{
	struct fixture *f = *state;

	configure(f, "tau_w", "2.5");
	/* the first read is complete at 14, so the write is too: hold to 14, bubble to 54, 55 */
	assert_int_equal(cycles(f, "mfspr DAR;mtspr SPRG0;mfspr AMR", false), 55);
	/* and the store, which is then performed by 15: hwsync to 55 */
	assert_int_equal(cycles(f, "mfspr DAR;store;hwsync", false), 55);
}

/* After an op that drains all is as at the start: no store, no read unit is busy. */
static void draining_leaves_nothing(void **state)
{
	struct fixture *f = *state;

	/* stores would be performed until 200; isync: 101, to 166; hwsync: 167 + 40 */
	assert_int_equal(cycles(f, "work 100 stores 100;isync;hwsync", false), 207);
	/* reads at 1 and 101, complete at 114; isync to 179; dispatch 180, and 13 to the result */
	configure(f, "rules.reads", "serial");
	configure(f, "read_gap", "100");
	assert_int_equal(cycles(f, "mfspr DAR;mfspr DSISR;isync;mfspr AMR", true), 193);
}

/* PMU registers are read at a gap of their own; reads may share the writes' unit. */
static void reads_have_gaps(void **state)
{
	struct fixture *f = *state;

	configure(f, "rules.reads", "serial");
	configure(f, "read_gap_pmu", "30");
	/* starts at 1 and 31 against 1 and 14, and 13 to the result */
	assert_int_equal(cycles(f, "mfspr PMC1;mfspr PMC2", true), 44);
	assert_int_equal(cycles(f, "mfspr DAR;mfspr DSISR", true), 27);
	configure(f, "rules.reads", "shared");
	/* the read has the unit until 1 + 13, then the write's 20 */
	assert_int_equal(cycles(f, "mfspr DAR;mtspr SPRG0", true), 34);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rules_one_by_one, setup, teardown),
		cmocka_unit_test_setup_teardown(cycles_have_a_cause, setup, teardown),
		cmocka_unit_test_setup_teardown(window_holds_dispatch, setup, teardown),
		cmocka_unit_test_setup_teardown(fractions_carry_exactly, setup, teardown),
		cmocka_unit_test_setup_teardown(rules_are_data, setup, teardown),
		cmocka_unit_test_setup_teardown(moves_hold_dispatch, setup, teardown),
		cmocka_unit_test_setup_teardown(ports_bind, setup, teardown),
		cmocka_unit_test_setup_teardown(misses_cost_their_share, setup, teardown),
		cmocka_unit_test_setup_teardown(ops_have_their_parameters, setup, teardown),
		cmocka_unit_test_setup_teardown(completion_is_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(draining_leaves_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_have_gaps, setup, teardown),
	};

	return cmocka_run_group_tests_name("pipe", tests, NULL, NULL);
}
