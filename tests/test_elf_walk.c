// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks: over tests/elf/walk.o, whose source says what runs, and over a real kernel, against
 * the path it was seen to execute and the op counts derived from its source.
 */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "elf/walk.h"
#include "elf_real.h"

struct walked {
	struct mem *mem;
	struct err err;
	struct kelf_kernel kernel;
	struct kelf_walkfile file;
	struct kelf_walk walk;
	const struct spr_table *sprs;
	struct text ops; /* joined by "; ", without ordinary work */
	int rc;
};

static void join_ops(struct walked *x)
{
	text_add(&x->ops, "%s", "");
	for (size_t i = 0; i < x->walk.seq.n; i++) {
		if (x->walk.seq.item[i].op.kind == OP_WORK)
			continue;
		text_add(&x->ops, "%s", x->ops.len ? "; " : "");
		op_text(&x->walk.seq.item[i].op, &x->ops);
	}
}

/* Walk with state set ("guest.pmu"), all else at its default; sets is NULL-terminated. */
static struct walked walk(const char *kernel, const char *walkfile, const char *entry,
			  const char *const *sets)
{
	struct walked x = { .mem = mem_new(), .err = ERR_INIT };
	const struct policy_table *table = policy_load(x.mem, &x.err);
	struct policy_set set;

	x.sprs = spr_load(x.mem, &x.err);
	assert_non_null(table);
	assert_non_null(x.sprs);
	policy_defaults(table, &set);
	for (; sets && *sets; sets++)
		assert_int_equal(policy_set(&set, *sets, "on", &x.err), 0);
	x.rc = kelf_kernel_open(&x.kernel, x.mem, kernel, &x.err);
	if (!x.rc)
		x.rc = kelf_walkfile_load(&x.file, x.mem, walkfile, &set, &x.err);
	if (!x.rc)
		x.rc = kelf_walk(&x.walk, x.mem, &x.kernel, &x.file, entry, x.sprs, &x.err);
	join_ops(&x);
	return x;
}

static void done(struct walked *x)
{
	text_free(&x->ops);
	kelf_walk_done(&x->walk);
	kelf_kernel_done(&x->kernel);
	mem_free(x->mem);
}

static char *object(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/tests/elf/%s", getenv("HVSIM_DATA"), name);
	return path;
}

static struct walked walk_object(const char *walkfile, const char *entry, const char *const *sets)
{
	char kernel[4096];

	snprintf(kernel, sizeof(kernel), "%s", object("walk.o"));
	return walk(kernel, walkfile ? object(walkfile) : NULL, entry, sets);
}

/* Falls through all conditions; the feature bit is clear, so cp_abort is jumped over. */
static void by_default_it_falls_through(void **state)
{
	struct walked x = walk_object(NULL, "walk_entry", NULL);

	assert_int_equal(x.rc, 0);
	assert_string_equal(x.ops.s, "mfspr PID; mtspr LPCR; mfmsr; isync; hrfid");
	assert_string_equal(x.walk.ended, "left by hrfid at walk_entry+0x4c");
	assert_int_equal(x.walk.nnote, 2);
	assert_int_equal(x.walk.note[0].kind, KELF_NOTE_UNRESOLVED);
	assert_string_equal(x.walk.note[0].place, "walk_entry+0x30");
	assert_int_equal(x.walk.note[1].kind, KELF_NOTE_MISSING);
	assert_string_equal(x.walk.note[1].what, "elsewhere");
	/* 17 of walk_entry's 20 instructions and 2 of leaf; the loop runs once. */
	assert_int_equal(x.walk.seq.count.insns, 21);
	done(&x);
}

/*
 * walk-back.json: LPCR only with guest.pmu, the loop twice more, the indirect call goes to leaf,
 * bit 50 is set, and after hrfid the guest comes back at vector, which runs into vector_common.
 */
static void choices_are_followed(void **state)
{
	static const char *const pmu[] = { "guest.pmu", NULL };
	struct walked x = walk_object("walk-back.json", "walk_entry", NULL);

	assert_int_equal(x.rc, 0);
	assert_string_equal(x.ops.s, "mfspr PID; mfmsr; cp_abort; mfspr PID; isync; isync; isync; "
			    "hrfid; interrupt 0xc00; mfspr HSPRG0; mfspr SRR0");
	assert_string_equal(x.walk.ended, "returned at vector_common+0x4");
	assert_int_equal(x.walk.nnote, 1);
	assert_int_equal(x.walk.note[0].kind, KELF_NOTE_SKIPPED);
	done(&x);
	x = walk_object("walk-back.json", "walk_entry", pmu);
	assert_non_null(strstr(x.ops.s, "mfspr PID; mtspr LPCR; mfmsr"));
	done(&x);
}

static void static_keys_have_states(void **state)
{
	struct walked x = walk_object("walk-key.json", "walk_entry", NULL);

	assert_string_equal(x.ops.s, "mfspr PID; mtspr LPCR; isync; hrfid");
	done(&x);
}

static void acquire_barriers_become_lwsync(void **state)
{
	struct walked x = walk_object(NULL, "locker", NULL);

	assert_string_equal(x.ops.s, "larx; stcx; lwsync");
	done(&x);
}

static void endless_code_is_an_error(void **state)
{
	struct walked x = walk_object(NULL, "spin", NULL);

	assert_int_equal(x.rc, -1);
	assert_error_has(x.err, "in a loop at spin");
	done(&x);
	x = walk_object(NULL, "no_such", NULL);
	assert_error_has(x.err, "no function 'no_such'");
	done(&x);
	x = walk_object(NULL, "fail", NULL);
	assert_string_equal(x.walk.ended, "ran into a trap at fail+0x0");
	done(&x);
}

static void bad_walk_files_are_refused(void **state)
{
	static const struct { const char *text, *error;
	} bad[] = {
		{ "{\"schema\": \"hvsim-path/1\"}", "hvsim-walk" },
		{ "{\"schema\": \"hvsim-walk/1\", \"branchs\": []}", "branches" },
		{ "{\"schema\": \"hvsim-walk/1\",\n \"branches\": [{\"function\": \"f\"}]}",
		  "x:2:" },
		{ "{\"schema\": \"hvsim-walk/1\", \"branches\": [{\"function\": \"f\", \"offset\": "
		  "\"0x4\", "
		  "\"reach\": true}]}",
		  "\"taken\" goes with \"offset\"" },
		{ "{\"schema\": \"hvsim-walk/1\", \"branches\": [{\"function\": \"f\", \"op\": "
		  "\"isync\", "
		  "\"times\": 2}]}",
		  "go with \"offset\"" },
		{ "{\"schema\": \"hvsim-walk/1\", \"branches\": [{\"function\": \"f\", \"offset\": "
		  "64}]}",
		  "such as \"0x40\"" },
		{ "{\"schema\": \"hvsim-walk/1\", \"branches\": [{\"function\": \"f\", \"op\": "
		  "\"isync\", "
		  "\"when\": \"guest.pmuu\"}]}",
		  "guest.pmuu" },
		{ "{\"schema\": \"hvsim-walk/1\", \"depth\": 1000}", "depth" },
	};
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct policy_table *table = policy_load(mem, &err);
	struct policy_set set;

	policy_defaults(table, &set);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct kelf_walkfile w;
		const struct jnode *root;

		err = (struct err)ERR_INIT;
		root = jdoc_parse(mem, "x", bad[i].text, strlen(bad[i].text), &err);
		assert_non_null(root);
		assert_int_equal(kelf_walkfile_from_node(&w, mem, root, &set, &err), -1);
		assert_error_has(err, bad[i].error);
	}
	mem_free(mem);
}

static const char *real_kernel(void)
{
	static char path[4096];

	have_real_kernel(path, sizeof(path));
	return path;
}

/*
 * Static counts of the functions of the P9 path in 6.1.176, as counted with objdump and awk
 * when the path was first studied.
 */
static void the_p9_path_has_the_known_static_counts(void **state)
{
	static const char *const names[] = {
		"kvmhv_vcpu_entry_p9", "load_vcpu_state", "load_spr_state", "store_vcpu_state",
		"save_p9_host_os_sprs", "restore_p9_host_os_sprs", "switch_pmu_to_guest",
		"switch_pmu_to_host", "freeze_pmu", "kvmppc_p9_enter_guest", "kvmppc_p9_exit_hcall",
		"kvmppc_p9_exit_interrupt", "kvmppc_hcall", "kvmppc_interrupt",
		"kvmppc_msr_hard_disable_set_facilities", "timer_rearm_host_dec",
	};
	static const struct { enum kelf_class class; unsigned n; } known[] = {
		{ KELF_MTSPR, 119 }, { KELF_MFSPR, 93 }, { KELF_MFTB, 3 }, { KELF_MTMSRD, 3 },
		{ KELF_MTMSRD_L1, 1 }, { KELF_ISYNC, 5 }, { KELF_HWSYNC, 3 }, { KELF_PTESYNC, 3 },
		{ KELF_TLBSYNC, 0 },
	};
	struct kelf_kernel k;
	struct kelf_count count = { 0 };
	const char *folder = real_kernel();
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct kelf_image *img;
	uint64_t off;

	if (kelf_kernel_open(&k, mem, folder, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct kelf_func *f = kelf_kernel_find(&k, names[i], &img, &off);

		assert_non_null(f);
		kelf_count_func(img, f, &count);
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_int_equal(count.n[known[i].class], known[i].n);
	kelf_kernel_done(&k);
	mem_free(mem);
}

/*
 * Base case of the state after the 2021 series, derived from its source op by op: 35 mfspr in C
 * and 4 in assembly (HSPRG0, PPR, SRR0, SRR1), 33 mtspr in C and 2 in assembly (CFAR, PPR), 4 mftb,
 * 2 mfmsr, 1 mtmsrd L=0 and L=1 twice (facilities are on; interrupts come back on), 3 hwsync
 * and 2 of srcu, 2 isync, 4 slbmte, 4 eieio of XIVE, and no ptesync, tlbsync, larx or stcx.
 */
static void the_p9_round_trip_has_the_derived_ops(void **state)
{
	static const struct { enum kelf_class class; unsigned n; } derived[] = {
		{ KELF_MFSPR, 39 }, { KELF_MTSPR, 35 }, { KELF_MFTB, 4 }, { KELF_MFMSR, 2 },
		{ KELF_MTMSRD, 1 }, { KELF_MTMSRD_L1, 2 }, { KELF_HWSYNC, 5 }, { KELF_ISYNC, 2 },
		{ KELF_SLBMTE, 4 }, { KELF_EIEIO, 4 }, { KELF_PTESYNC, 0 }, { KELF_TLBSYNC, 0 },
		{ KELF_LARX, 0 }, { KELF_STCX, 0 }, { KELF_HRFID, 1 },
	};
	struct walked x = walk(real_kernel(), "p9-hcall", "kvmhv_run_single_vcpu", NULL);

	if (x.rc)
		fail_msg("%s", x.err.text);
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		if (x.walk.seq.count.n[derived[i].class] != derived[i].n)
			fail_msg("%s: %u, derived %u", kelf_class_name(derived[i].class),
				 x.walk.seq.count.n[derived[i].class], derived[i].n);
	/* Nothing was left out on the way, and it came back. */
	assert_int_equal(x.walk.nnote, 0);
	assert_string_equal(x.walk.ended, "returned at kvmhv_run_single_vcpu+0x1ec");
	done(&x);
}

/* The ops of an executed path, as join_ops() has them. */
static void read_executed(struct text *out)
{
	char path[4096], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/traces/paths/linux-6.1-power9-hcall.txt",
		 getenv("HVSIM_DATA"));
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *at = strstr(line, "  @");

		if (!at || *line == '#' || !strncmp(line, "work", 4))
			continue;
		*at = '\0';
		/* SPRG3 is written for the vDSO under its other name. */
		text_add(out, "%s%s", out->len ? "; " : "", line);
	}
	fclose(f);
}

/*
 * traces/paths/linux-6.1-power9-hcall.txt ran under an emulator without XIVE, and its guest's
 * VRSAVE, AMR, IAMR, FSCR and DSCR differed from the host's: the same ops in the same order.
 */
static void the_walk_is_the_executed_path(void **state)
{
	static const char *const sets[] = {
		"guest.vrsave_differs", "guest.amr_differs", "guest.iamr_differs",
		"guest.fscr_differs", "guest.dscr_differs", NULL
	};
	struct walked x = walk(real_kernel(), "p9-hcall", "kvmhv_run_single_vcpu", sets);
	struct text executed = { 0 }, walked = { 0 };
	char *save, *op;

	if (x.rc)
		fail_msg("%s", x.err.text);
	read_executed(&executed);
	for (op = strtok_r(x.ops.s, ";", &save); op; op = strtok_r(NULL, ";", &save)) {
		op += *op == ' ';
		/* No XIVE, and an interrupt is not an instruction. */
		if (strcmp(op, "eieio") && strncmp(op, "interrupt", 9))
			text_add(&walked, "%s%s", walked.len ? "; " : "", op);
	}
	assert_string_equal(walked.s, executed.s);
	text_free(&executed);
	text_free(&walked);
	done(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default_it_falls_through),
		cmocka_unit_test(choices_are_followed),
		cmocka_unit_test(static_keys_have_states),
		cmocka_unit_test(acquire_barriers_become_lwsync),
		cmocka_unit_test(endless_code_is_an_error),
		cmocka_unit_test(bad_walk_files_are_refused),
	};
	const struct CMUnitTest all[] = {
		cmocka_unit_test(by_default_it_falls_through),
		cmocka_unit_test(choices_are_followed),
		cmocka_unit_test(static_keys_have_states),
		cmocka_unit_test(acquire_barriers_become_lwsync),
		cmocka_unit_test(endless_code_is_an_error),
		cmocka_unit_test(bad_walk_files_are_refused),
		cmocka_unit_test(the_p9_path_has_the_known_static_counts),
		cmocka_unit_test(the_p9_round_trip_has_the_derived_ops),
		cmocka_unit_test(the_walk_is_the_executed_path),
	};
	char path[4096];

	if (!have_real_kernel(path, sizeof(path))) /* test_elf_kernel says so */
		return cmocka_run_group_tests(tests, NULL, NULL);
	return cmocka_run_group_tests(all, NULL, NULL);
}
