// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Real kernels: op counts known from other sources, and walks held against the paths that they
 * were seen to execute. 6.1 is what CI has; others run where they are in the cache
 * (tools/fetch-kernels, tools/build-kernel).
 */
#define _GNU_SOURCE
#include "elf_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "elf_real.h"

/* cpu_features of 6.1 under QEMU 7.2's POWER9: docs/capturing.md. */
#define POWER9_DD20 UINT64_C(0x280730f5fa00f)

static const char *kernel(const char *version)
{
	static char path[4096];

	assert_true(have_kernel(version, path, sizeof(path)));
	return path;
}

struct known_count { enum kelf_class class; unsigned n; };

/* Counts over functions of a kernel, each by its first match. */
static void expect_static(const char *folder, const char *const *names, size_t nname,
			  const struct known_count *known, size_t nknown)
{
	struct kelf_kernel k;
	struct kelf_count count = { 0 };
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	const struct kelf_image *img;
	uint64_t off;

	if (kelf_kernel_open(&k, mem, folder, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < nname; i++) {
		const struct kelf_func *f = kelf_kernel_find(&k, names[i], &img, &off);

		if (!f)
			fail_msg("%s has no %s", folder, names[i]);
		kelf_count_func(img, f, &count);
	}
	for (size_t i = 0; i < nknown; i++)
		if (count.n[known[i].class] != known[i].n)
			fail_msg("%s: %s %u, known %u", folder, kelf_class_name(known[i].class),
				 count.n[known[i].class], known[i].n);
	kelf_kernel_done(&k);
	mem_free(mem);
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
	static const struct known_count known[] = {
		{ KELF_MTSPR, 119 }, { KELF_MFSPR, 93 }, { KELF_MFTB, 3 }, { KELF_MTMSRD, 3 },
		{ KELF_MTMSRD_L1, 1 }, { KELF_ISYNC, 5 }, { KELF_HWSYNC, 3 }, { KELF_PTESYNC, 3 },
		{ KELF_TLBSYNC, 0 },
	};

	expect_static(kernel("6.1"), names, sizeof(names) / sizeof(names[0]), known,
		      sizeof(known) / sizeof(known[0]));
}

/*
 * Base case of the state after the 2021 series, derived from its source op by op: 35 mfspr in C
 * and 4 in assembly (HSPRG0, PPR, SRR0, SRR1), 33 mtspr in C and 2 in assembly (CFAR, PPR), 4 mftb,
 * 2 mfmsr, 1 mtmsrd L=0 and L=1 twice (facilities are on; interrupts come back on), 3 hwsync
 * and 2 of srcu, 2 isync, 4 slbmte, 4 eieio of XIVE, and no ptesync, tlbsync, larx or stcx.
 */
static void expect_derived(const char *version)
{
	static const struct known_count derived[] = {
		{ KELF_MFSPR, 39 }, { KELF_MTSPR, 35 }, { KELF_MFTB, 4 }, { KELF_MFMSR, 2 },
		{ KELF_MTMSRD, 1 }, { KELF_MTMSRD_L1, 2 }, { KELF_HWSYNC, 5 }, { KELF_ISYNC, 2 },
		{ KELF_SLBMTE, 4 }, { KELF_EIEIO, 4 }, { KELF_PTESYNC, 0 }, { KELF_TLBSYNC, 0 },
		{ KELF_LARX, 0 }, { KELF_STCX, 0 }, { KELF_HRFID, 1 },
	};
	struct walked x = walk(kernel(version), "p9-hcall", "kvmhv_run_single_vcpu", NULL);

	if (x.rc)
		fail_msg("%s", x.err.text);
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		if (x.walk.seq.count.n[derived[i].class] != derived[i].n)
			fail_msg("%s: %s: %u, derived %u", version,
				 kelf_class_name(derived[i].class),
				 x.walk.seq.count.n[derived[i].class], derived[i].n);
	/* Nothing was left out on the way, and it came back. */
	for (size_t i = 0; i < x.walk.nnote; i++)
		fail_msg("%s: %s %s", version, x.walk.note[i].place, x.walk.note[i].what);
	assert_true(!strncmp(x.walk.ended, "returned at kvmhv_run_single_vcpu+", 34));
	done(&x);
}

static void the_p9_round_trip_has_the_derived_ops(void **state)
{
	expect_derived("6.1");
}

/* The series is in later kernels too, and choices by op, callee and test survive the rebuild. */
static void the_6_12_round_trip_has_the_derived_ops(void **state)
{
	expect_derived("6.12");
}

static void the_7_2_round_trip_has_the_derived_ops(void **state)
{
	expect_derived("7.2");
}

/* Path files don't tell reservations apart by size. */
static const char *op_of(const char *line)
{
	static const char *const larx[] = { "lwarx", "ldarx", NULL };
	static const char *const stcx[] = { "stwcx.", "stdcx.", NULL };

	for (size_t i = 0; larx[i]; i++)
		if (!strcmp(line, larx[i]))
			return "larx";
	for (size_t i = 0; stcx[i]; i++)
		if (!strcmp(line, stcx[i]))
			return "stcx";
	return line;
}

/* The ops of an executed path, as join_ops() has them. */
static void read_executed(const char *name, struct text *out)
{
	char path[4096], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", getenv("HVSIM_DATA"), name);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		char *at = strstr(line, "  @");

		if (!at || *line == '#' || !strncmp(line, "work", 4))
			continue;
		*at = '\0';
		text_add(out, "%s%s", out->len ? "; " : "", op_of(line));
	}
	fclose(f);
}

/* Fails with where they part. */
static void expect_executed(struct walked *x, const char *executed)
{
	struct text want = { 0 }, have = { 0 };
	char *save, *op;

	if (x->rc)
		fail_msg("%s", x->err.text);
	read_executed(executed, &want);
	assert_true(want.len > 0);
	for (op = strtok_r(x->ops.s, ";", &save); op; op = strtok_r(NULL, ";", &save)) {
		op += *op == ' ';
		/* An interrupt is not an instruction. */
		if (strncmp(op, "interrupt", 9))
			text_add(&have, "%s%s", have.len ? "; " : "", op);
	}
	assert_string_equal(have.s, want.s);
	text_free(&want);
	text_free(&have);
}

/*
 * traces/paths/linux-6.1-power9-hcall.txt ran under an emulator without XIVE, and its guest's
 * VRSAVE, AMR, IAMR, FSCR and DSCR differed from the host's: the same ops in the same order.
 */
static void the_walk_is_the_executed_path(void **state)
{
	static const char *const sets[] = {
		"guest.vrsave_differs", "guest.amr_differs", "guest.iamr_differs",
		"guest.fscr_differs", "guest.dscr_differs", "!host.xive", NULL
	};
	struct walked x = walk(kernel("6.1"), "p9-hcall", "kvmhv_run_single_vcpu", sets);

	expect_executed(&x, "traces/paths/linux-6.1-power9-hcall.txt");
	done(&x);
}

/*
 * The same kernel on POWER9 DD2.0, of which the second recording is: HDSISR is written, relocation
 * is left before the MMU switches, and PSSCR is written by its problem-state name.
 */
static void the_walk_is_the_executed_path_on_dd20(void **state)
{
	static const char *const sets[] = {
		"guest.vrsave_differs", "guest.amr_differs",   "guest.iamr_differs",
		"guest.fscr_differs",	"guest.dscr_differs",  "guest.psscr_differs",
		"cpu.hdsisr_erratum",	"!host.xive",	       NULL
	};
	struct walked x = walk_on(POWER9_DD20, kernel("6.1"), "p9-hcall", "kvmhv_run_single_vcpu",
				  sets);

	expect_executed(&x, "traces/paths/linux-6.1-power9-dd20-hcall.txt");
	done(&x);
}

/* tools/build-kernel's 5.10 is not the recorded build, but of the same source. */
static void the_5_10_walk_is_the_executed_path(void **state)
{
	static const char *const sets[] = { "!host.xive", NULL };
	struct walked x = walk(kernel("5.10"), "p9-hcall-5.10", "kvmhv_run_single_vcpu", sets);

	expect_executed(&x, "traces/paths/linux-5.10-power9-hcall.txt");
	assert_int_equal(x.walk.nnote, 0);
	done(&x);
}

/* Each entry of the table of static keys is read: its size over the size of an entry. */
static void expect_jumps(const char *version, size_t entry)
{
	struct kelf_kernel k;
	struct mem *mem;
	struct err err = ERR_INIT;
	const char *folder = kernel(version);

	mem = mem_new();
	if (kelf_kernel_open(&k, mem, folder, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < k.n; i++) {
		struct kelf_image *img = &k.file[i]->img;
		const struct kelf_sec *sec = kelf_section(img, "__jump_table");
		size_t named = 0;

		assert_int_equal(kelf_load_jumps(img, mem, &err), 0);
		for (size_t j = 0; j < img->njump; j++)
			named += *img->jump[j].key != '\0';
		assert_true(named > 50 && named == img->njump);
		if (sec) /* vmlinux has its table between two symbols of .rodata */
			assert_int_equal(img->njump, sec->size / entry);
		else
			assert_true(img->linked && img->njump > 1000);
	}
	kelf_kernel_done(&k);
	mem_free(mem);
}

static void all_static_keys_of_6_1_are_read(void **state)
{
	expect_jumps("6.1", 16);
}

static void all_static_keys_of_5_10_are_read(void **state)
{
	expect_jumps("5.10", 24);
}

/* Counted with objdump and awk over the build of tools/build-kernel. */
static void the_5_10_path_has_the_known_static_counts(void **state)
{
	static const char *const names[] = {
		"kvmhv_run_single_vcpu", "__kvmhv_vcpu_entry_p9", "fast_guest_return",
		"ret_to_ultra", "kvmppc_interrupt_hv", "guest_exit_short_path",
		"kvmhv_load_guest_pmu", "kvmhv_load_host_pmu", "kvmhv_save_guest_pmu",
		"kvmhv_save_host_pmu",
	};
	static const struct known_count known[] = {
		{ KELF_MTSPR, 121 }, { KELF_MFSPR, 87 }, { KELF_MFTB, 11 }, { KELF_MTMSRD, 0 },
		{ KELF_MTMSRD_L1, 2 }, { KELF_ISYNC, 13 }, { KELF_HWSYNC, 1 }, { KELF_PTESYNC, 1 },
		{ KELF_TLBSYNC, 1 },
	};

	expect_static(kernel("5.10"), names, sizeof(names) / sizeof(names[0]), known,
		      sizeof(known) / sizeof(known[0]));
}

/* AddressSanitizer slows it down and keeps what was freed: wider bounds then. */
#if defined(__SANITIZE_ADDRESS__)
#define LIST_FACTOR 10
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIST_FACTOR 10
#endif
#endif
#ifndef LIST_FACTOR
#define LIST_FACTOR 1
#endif
#define LIST_SECONDS (1 * LIST_FACTOR)
#define LIST_BEYOND (((size_t)100 << 20) * LIST_FACTOR)

/* The whole of vmlinux: processor time, and what is resident beyond the mapped file. */
static void vmlinux_is_listed_in_time(void **state)
{
	const char *folder = kernel("6.1");
	struct rusage use;
	struct stat st;
	char path[4200];
	int status;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/vmlinux", folder);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > 40 << 20);
	pid = fork();
	if (!pid) {
		execl(getenv("HVSIM"), "hvsim", "elf", path, "-o", "/dev/null", (char *)NULL);
		_exit(127);
	}
	assert_int_equal(wait4(pid, &status, 0, &use), pid);
	assert_int_equal(status, 0);
	assert_true(use.ru_utime.tv_sec + use.ru_stime.tv_sec +
			    (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000000 <
		    LIST_SECONDS);
	assert_true((size_t)use.ru_maxrss << 10 < (size_t)st.st_size + LIST_BEYOND);
}

int main(void)
{
	static const struct kernel_test tests[] = {
		{ "6.1", cmocka_unit_test(the_p9_path_has_the_known_static_counts) },
		{ "6.1", cmocka_unit_test(the_p9_round_trip_has_the_derived_ops) },
		{ "6.1", cmocka_unit_test(the_walk_is_the_executed_path) },
		{ "6.1", cmocka_unit_test(the_walk_is_the_executed_path_on_dd20) },
		{ "6.1", cmocka_unit_test(all_static_keys_of_6_1_are_read) },
		{ "6.1", cmocka_unit_test(vmlinux_is_listed_in_time) },
		{ "5.10", cmocka_unit_test(the_5_10_walk_is_the_executed_path) },
		{ "5.10", cmocka_unit_test(the_5_10_path_has_the_known_static_counts) },
		{ "5.10", cmocka_unit_test(all_static_keys_of_5_10_are_read) },
		{ "6.12", cmocka_unit_test(the_6_12_round_trip_has_the_derived_ops) },
		{ "7.2", cmocka_unit_test(the_7_2_round_trip_has_the_derived_ops) },
	};

	return run_kernel_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
