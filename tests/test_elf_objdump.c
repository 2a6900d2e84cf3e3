// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decoder against GNU objdump, instruction by instruction: over the test objects, and over
 * all code of the real kernels that tools/fetch-kernels and tools/build-kernel have put there.
 */
#define _GNU_SOURCE
#include "check.h"

#include <unistd.h>

#include "elf/count.h"
#include "elf/kernel.h"
#include "elf_object.h"
#include "elf_real.h"

#define OBJDUMP "powerpc64le-linux-gnu-objdump"

/* objdump's names without extended mnemonics (-M raw), sorted. */
static const struct name {
	const char *name;
	uint8_t class;
	uint8_t bytes; /* larx, stcx */
} names[] = {
	{ "b", KELF_BRANCH, 0 },
	{ "ba", KELF_BRANCH, 0 },
	{ "bc", KELF_BRANCH, 0 },
	{ "bca", KELF_BRANCH, 0 },
	{ "bcctr", KELF_BRANCH, 0 },
	{ "bcctrl", KELF_CALL, 0 },
	{ "bcl", KELF_CALL, 0 },
	{ "bcla", KELF_CALL, 0 },
	{ "bclr", KELF_BRANCH, 0 },
	{ "bclrl", KELF_CALL, 0 },
	{ "bctar", KELF_BRANCH, 0 },
	{ "bctarl", KELF_CALL, 0 },
	{ "bl", KELF_CALL, 0 },
	{ "bla", KELF_CALL, 0 },
	{ "cpabort", KELF_CP_ABORT, 0 },
	{ "eieio", KELF_EIEIO, 0 },
	{ "hrfid", KELF_HRFID, 0 },
	{ "isync", KELF_ISYNC, 0 },
	{ "lbarx", KELF_LARX, 1 },
	{ "lbzcix", KELF_CI_LOAD, 0 },
	{ "ldarx", KELF_LARX, 8 },
	{ "ldcix", KELF_CI_LOAD, 0 },
	{ "lharx", KELF_LARX, 2 },
	{ "lhzcix", KELF_CI_LOAD, 0 },
	{ "lqarx", KELF_LARX, 16 },
	{ "lwarx", KELF_LARX, 4 },
	{ "lwzcix", KELF_CI_LOAD, 0 },
	{ "mfcr", KELF_MFCR, 0 },
	{ "mffs", KELF_MFFS, 0 },
	{ "mffs.", KELF_MFFS, 0 },
	{ "mfmsr", KELF_MFMSR, 0 },
	{ "mfocrf", KELF_MFCR, 0 },
	{ "mfspr", KELF_MFSPR, 0 },
	{ "mftb", KELF_MFTB, 0 },
	{ "mfvscr", KELF_MFVSCR, 0 },
	{ "msgclr", KELF_MSGCLR, 0 },
	{ "msgclrp", KELF_MSGCLRP, 0 },
	{ "msgsnd", KELF_MSGSND, 0 },
	{ "msgsndp", KELF_MSGSNDP, 0 },
	{ "msgsync", KELF_MSGSYNC, 0 },
	{ "mtcrf", KELF_MTCR, 0 },
	{ "mtfsf", KELF_MTFSF, 0 },
	{ "mtfsf.", KELF_MTFSF, 0 },
	{ "mtmsr", KELF_MTMSR, 0 },
	{ "mtmsrd", KELF_MTMSRD, 0 },
	{ "mtocrf", KELF_MTCR, 0 },
	{ "mtspr", KELF_MTSPR, 0 },
	{ "mtvscr", KELF_MTVSCR, 0 },
	{ "rfid", KELF_RFID, 0 },
	{ "rfscv", KELF_RFSCV, 0 },
	{ "sc", KELF_SC, 0 },
	{ "scv", KELF_SCV, 0 },
	{ "slbfee.", KELF_SLBFEE, 0 },
	{ "slbia", KELF_SLBIA, 0 },
	{ "slbiag", KELF_SLBIAG, 0 },
	{ "slbie", KELF_SLBIE, 0 },
	{ "slbieg", KELF_SLBIEG, 0 },
	{ "slbmfee", KELF_SLBMFEE, 0 },
	{ "slbmfev", KELF_SLBMFEV, 0 },
	{ "slbmte", KELF_SLBMTE, 0 },
	{ "slbsync", KELF_SLBSYNC, 0 },
	{ "stbcix", KELF_CI_STORE, 0 },
	{ "stbcx.", KELF_STCX, 1 },
	{ "stdcix", KELF_CI_STORE, 0 },
	{ "stdcx.", KELF_STCX, 8 },
	{ "sthcix", KELF_CI_STORE, 0 },
	{ "sthcx.", KELF_STCX, 2 },
	{ "stop", KELF_STOP, 0 },
	{ "stqcx.", KELF_STCX, 16 },
	{ "stwcix", KELF_CI_STORE, 0 },
	{ "stwcx.", KELF_STCX, 4 },
	{ "sync", KELF_SYNC, 0 },
	{ "tlbie", KELF_TLBIE, 0 },
	{ "tlbiel", KELF_TLBIEL, 0 },
	{ "tlbsync", KELF_TLBSYNC, 0 },
};

static int by_name(const void *key, const void *elem)
{
	return strcmp(key, ((const struct name *)elem)->name);
}

/* What a line says: the class, and the SPR or level it names. */
static void read_line(char *mnemonic, const char *operands, struct kelf_insn *want)
{
	const struct name *n;
	unsigned level = 0, store = 0;
	size_t len = strlen(mnemonic);

	*want = (struct kelf_insn){ .class = KELF_WORK };
	if (len && (mnemonic[len - 1] == '+' || mnemonic[len - 1] == '-'))
		mnemonic[len - 1] = '\0'; /* branch hints */
	n = bsearch(mnemonic, names, sizeof(names) / sizeof(names[0]), sizeof(names[0]), by_name);
	if (!n)
		return;
	want->class = n->class;
	want->level = n->bytes;
	if (n->class == KELF_MFSPR)
		want->spr = (uint16_t)atoi(strchr(operands, ',') + 1);
	else if (n->class == KELF_MTSPR)
		want->spr = (uint16_t)atoi(operands);
	else if (n->class == KELF_SC || n->class == KELF_SCV)
		want->level = (uint8_t)atoi(operands);
	else if (n->class == KELF_MTMSRD && strstr(operands, ",1"))
		want->class = KELF_MTMSRD_L1;
	else if (n->class == KELF_SYNC) {
		sscanf(operands, "%u,%u", &level, &store);
		if (!store && level < 3)
			want->class = (uint8_t)(KELF_HWSYNC + level);
	}
	if (want->class == KELF_MFSPR && (want->spr == 268 || want->spr == 269))
		want->class = KELF_MFTB;
}

static bool agrees(const struct kelf_insn *have, const struct kelf_insn *want)
{
	enum kelf_class class = have->class;

	if (class == KELF_LOAD || class == KELF_STORE)
		class = KELF_WORK; /* ordinary, checked by the objects */
	if (class != want->class)
		return false;
	if (class == KELF_MFSPR || class == KELF_MTSPR)
		return have->spr == want->spr;
	if (class == KELF_SC || class == KELF_SCV || class == KELF_LARX || class == KELF_STCX)
		return have->level == want->level;
	return true;
}

/* "c000000000008004:\tmfspr   r3,268": false for any other line. */
static bool split(char *line, unsigned long long *addr, char **mnemonic, char **operands)
{
	char *end;

	*addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ':' || end[1] != '\t')
		return false;
	*mnemonic = end + 2;
	end = *mnemonic + strcspn(*mnemonic, " \t\n");
	*operands = end;
	if (*end) {
		*end = '\0';
		*operands = end + 1 + strspn(end + 1, " \t");
	}
	return true;
}

static size_t compare_section(const struct kelf_image *img, const char *file, const char *section,
			      size_t *ops)
{
	const struct kelf_sec *sec = kelf_section(img, section);
	char *command, *line = NULL, *mnemonic, *operands;
	unsigned long long addr;
	size_t cap = 0, n = 0;
	FILE *f;

	if (!sec)
		return 0;
	assert_true(asprintf(&command, OBJDUMP " -d -M raw --no-show-raw-insn -j %s '%s'", section,
			     file) > 0);
	f = popen(command, "r");
	assert_non_null(f);
	while (getline(&line, &cap, f) > 0) {
		struct kelf_insn have, want;

		if (!split(line, &addr, &mnemonic, &operands) || !strcmp(mnemonic, "..."))
			continue;
		addr -= img->linked ? sec->addr : 0;
		assert_true(addr + 4 <= sec->size);
		have = kelf_insn_at(img, sec, addr);
		read_line(mnemonic, operands, &want);
		/* It reads its own address; objdump shows a call. */
		if (!agrees(&have, &want) && kelf_u32(img, sec->bytes + addr) != 0x429f0005)
			fail_msg("%s %s+0x%llx: objdump says %s %s, we say %s", img->name, section,
				 addr, mnemonic, operands, kelf_class_name(have.class));
		*ops += kelf_class_is_op(have.class);
		n++;
	}
	assert_int_equal(pclose(f), 0);
	free(line);
	free(command);
	return n;
}

static void test_objects_agree(void **state)
{
	static const char *const files[] = { "ops.o", "ops-be.o", "calls.o", "opd.o", "fixup.o" };
	size_t ops = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct object o = object_read(files[i]);
		char *path = mem_printf(o.mem, "%s/tests/elf/%s", getenv("HVSIM_DATA"), files[i]);

		assert_int_equal(object_open(&o), 0);
		assert_true(compare_section(&o.img, path, ".text", &ops) > 0);
		object_done(&o);
	}
	assert_true(ops > 120); /* ops.s alone has 60, twice */
}

/* A file that objdump can read: compressed modules are written out. False: not one of those. */
static bool expanded(const struct kelf_file *file, char *temp)
{
	FILE *f;
	int fd;

	if (file->in.mapped)
		return false;
	fd = mkstemp(temp);
	f = fdopen(fd, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(file->in.bytes, 1, file->in.len, f), file->in.len);
	assert_int_equal(fclose(f), 0);
	return true;
}

static void expect_agreement(const char *version)
{
	static const char *const sections[] = { ".head.text", ".text", ".init.text", ".exit.text" };
	struct err err = ERR_INIT;
	struct kelf_kernel k;
	char folder[4096];
	size_t n = 0, ops = 0;
	struct mem *mem;

	assert_true(have_kernel(version, folder, sizeof(folder)));
	mem = mem_new();
	if (kelf_kernel_open(&k, mem, folder, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(k.n, 3);
	for (size_t i = 0; i < k.n; i++) {
		char temp[] = "/tmp/hvsim-objdump-XXXXXX";
		bool remove = expanded(k.file[i], temp);
		const char *file = remove ? temp : k.file[i]->img.name;

		for (size_t s = 0; s < sizeof(sections) / sizeof(sections[0]); s++)
			n += compare_section(&k.file[i]->img, file, sections[s], &ops);
		if (remove)
			unlink(temp);
	}
	assert_true(n > 1500000); /* vmlinux of 6.1 alone has 14 MB of code, 5.10's 7 MB */
	assert_true(ops > 15000);
	kelf_kernel_done(&k);
	mem_free(mem);
}

static void linux_6_1_agrees(void **state)
{
	expect_agreement("6.1");
}

static void linux_6_12_agrees(void **state)
{
	expect_agreement("6.12");
}

static void linux_7_2_agrees(void **state)
{
	expect_agreement("7.2");
}

static void linux_5_10_agrees(void **state)
{
	expect_agreement("5.10");
}

int main(void)
{
	static const struct kernel_test tests[] = {
		{ NULL, cmocka_unit_test(test_objects_agree) },
		{ "6.1", cmocka_unit_test(linux_6_1_agrees) },
		{ "6.12", cmocka_unit_test(linux_6_12_agrees) },
		{ "7.2", cmocka_unit_test(linux_7_2_agrees) },
		{ "5.10", cmocka_unit_test(linux_5_10_agrees) },
	};

	if (system(OBJDUMP " --version >/dev/null 2>&1")) {
		printf("1..0 # SKIP needs " OBJDUMP " (binutils-powerpc64le-linux-gnu)\n");
		return 0;
	}
	return run_kernel_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
