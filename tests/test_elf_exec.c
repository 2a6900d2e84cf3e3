// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim elf --executed: tests/elf/exec.log says at its top what ran. */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/text.h"
#include "elf/execlog.h"

#define LOG "walk.o --executed exec.log --entry walk_entry --walk-file ./walk-exec.json "
#define AT "--at walk.o=0xc008000000000000 "

static void expect(const char *args, int status, const char *part)
{
	struct text command = { 0 }, out = { 0 };
	char buf[4096];
	size_t n;
	FILE *f;
	int rc;

	text_add(&command, "cd '%s/tests/elf' && '%s' elf %s 2>&1", getenv("HVSIM_DATA"),
		 getenv("HVSIM"), args);
	f = popen(command.s, "r");
	assert_non_null(f);
	text_add(&out, "%s", "");
	while ((n = fread(buf, 1, sizeof(buf), f)))
		text_add_bytes(&out, buf, n);
	rc = WEXITSTATUS(pclose(f));
	if (rc != status || !strstr(out.s, part))
		fail_msg("hvsim elf %s: status %d, not '%s':\n%s", args, rc, part, out.s);
	text_free(&command);
	text_free(&out);
}

/* Four complete windows; the fifth start closes the last. */
static void windows_are_grouped_by_kind(void **state)
{
	expect(LOG AT "--format csv", 0, "\nkinds,interrupt 0xc00,windows,3\n");
	expect(LOG AT "--format csv", 0, "\nkinds,interrupt 0xc00,sequences,2\n");
	expect(LOG AT "--format csv", 0, "\nkinds,interrupt 0xc00,of the commonest,2\n");
	expect(LOG AT "--format csv", 0, "\nkinds,interrupt 0x980,windows,1\n");
}

/* The guest's sc 1 is not in the path; what runs after the vector is. */
static void the_commonest_window_is_shown(void **state)
{
	expect(LOG AT "--format csv", 0, "\npath,walk_entry+0x4c,op,hrfid\n"
	       "path,interrupt 0xc00+0x0,op,interrupt 0xc00\npath,?+0x0,op,mfspr HSPRG0\n");
	expect(LOG AT "--format csv", 0, "path,walk_entry+0x18,op,mtspr LPCR\n");
	expect(LOG AT "--kind 'interrupt 0x980' --format csv", 0, "op,interrupt 0x980\n");
	expect(LOG AT "--path", 0, "\"schema\": \"hvsim-path/1\"");
}

static void bad_use_is_refused(void **state)
{
	expect(LOG, 2, "has no load address");
	expect(LOG "--at walk.o=0xc008000000100000", 2, "does not run twice");
	expect(LOG "--at walk.o=here", 2, "must be FILE=ADDRESS");
	expect(LOG AT "--kind nothing", 2, "no window ends in 'nothing'");
	expect("walk.o --executed exec.log", 2, "needs --entry");
	expect("walk.o --executed no.log --entry walk_entry --walk-file ./walk-exec.json " AT, 2,
	       "no.log: No such file");
}

/* QEMU reuses the place of a block: the translation that ran is the latest. */
static void translations_replace_each_other(void **state)
{
	static const char text[] =
		"IN: \n0x00000100:  60000000  nop\n\nTrace 0: 0x7f10 [0/0000000000000100/1/2] \n"
		"IN: \n0x00000100:  4c00012c  isync\n0x00000104:  60000000  nop\n\n"
		"Trace 0: 0x7f10 [0/0000000000000100/1/2] \nTrace 0: 0x7f20 "
		"[0/0000000000000200/1/2] \n"
		"Trace 0: 0x7f10 [0/0000000000000100/1/2] garbage\nTrace 0: not one\n";
	FILE *f = fmemopen((void *)text, sizeof(text) - 1, "r");
	struct kelf_log *log = kelf_log_from(f, "x");
	struct err err = ERR_INIT;
	struct kelf_block b;

	assert_int_equal(kelf_log_next(log, &b, &err), 1);
	assert_int_equal(b.n, 1);
	assert_int_equal(b.word[0], 0x60000000);
	assert_int_equal(kelf_log_next(log, &b, &err), 1);
	assert_int_equal(b.n, 2);
	assert_int_equal(b.word[0], 0x4c00012c);
	assert_int_equal(kelf_log_next(log, &b, &err), 1);
	assert_null(b.word);
	assert_int_equal(b.pc, 0x200);
	assert_int_equal(kelf_log_next(log, &b, &err), 1);
	assert_int_equal(b.n, 2);
	assert_int_equal(kelf_log_next(log, &b, &err), 0);
	kelf_log_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_are_grouped_by_kind),
		cmocka_unit_test(the_commonest_window_is_shown),
		cmocka_unit_test(bad_use_is_refused),
		cmocka_unit_test(translations_replace_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
