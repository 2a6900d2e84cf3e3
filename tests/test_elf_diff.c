// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim elf OLD NEW: differences known from tests/elf/diff-old.s and diff-new.s. */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/text.h"
#include "elf/gate.h"

/* Run hvsim elf; its standard output and error together. Returns the exit status. */
static int hvsim_elf(struct text *out, const char *args)
{
	struct text command = { 0 };
	char buf[4096];
	size_t n;
	FILE *f;

	out->len = 0;
	text_add(&command, "cd '%s/tests/elf' && '%s' elf %s 2>&1", getenv("HVSIM_DATA"),
		 getenv("HVSIM"), args);
	f = popen(command.s, "r");
	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		text_add_bytes(out, buf, n);
	text_free(&command);
	return WEXITSTATUS(pclose(f));
}

static void expect(const char *args, int status, const char *part)
{
	struct text out = { 0 };
	int rc = hvsim_elf(&out, args);

	if (rc != status || !strstr(out.s ? out.s : "", part))
		fail_msg("hvsim elf %s: status %d, not '%s':\n%s", args, rc, part, out.s);
	text_free(&out);
}

#define UNUSED "--walk walk_entry --walk-file ./walk-unused.json "

/* All of walk-unused.json but its line 11 is about functions that walk.o lacks: seven choices. */
static void unused_choices_are_one_line(void **state)
{
	struct text out = { 0 };

	expect("walk.o " UNUSED, 0, "\n./walk-unused.json  7 choices about nothing on the path  "
	       "lines 4, 5, 6, 7, 8, 12, …\n");
	expect("walk.o walk.o " UNUSED, 0, "\n./walk-unused.json  7 choices about nothing on the path  "
	       "lines 4, 5, 6, 7, 8, 12, …\n");
	expect("walk.o " UNUSED "--format csv", 0,
	       "\nnotes,./walk-unused.json:12,of,calls\n");
	expect("walk.o " UNUSED "--format csv", 0,
	       "\nnotes,./walk-unused.json:14,what,about nothing on the path\n");
	hvsim_elf(&out, "walk.o " UNUSED);
	assert_null(strstr(out.s, "walk-unused.json:"));
	text_free(&out);
}

static void classes_are_compared(void **state)
{
	expect("diff-old.o diff-new.o --format csv", 0, "\nops,mftb,difference,1\n");
	expect("diff-old.o diff-new.o --format csv", 0, "\nops,mtspr,difference,-1\n");
	expect("diff-old.o diff-new.o --format csv", 0, "\nops,tlbsync,difference,-1\n");
	expect("diff-old.o diff-new.o --format csv", 0, "\nops,mfspr,difference,0\n");
	expect("diff-old.o diff-new.o --format json", 0, "\"schema\": \"hvsim-tables/1\"");
}

/* The parts of guest_entry are one function: nothing changed in its isync. */
static void parts_are_added_up(void **state)
{
	expect("diff-old.o diff-new.o --format csv", 0,
	       "\nfunctions,guest_entry,ops,\"mtspr -1, mftb +1\"\n");
	expect("diff-old.o diff-new.o --format csv", 0,
	       "\nfunctions,only_old,ops,only in old: tlbsync -1\n");
}

static void a_kernel_and_itself_do_not_differ(void **state)
{
	struct text out = { 0 };

	assert_int_equal(hvsim_elf(&out, "diff-old.o diff-old.o --fail-if 'cycles!=0'"), 2);
	assert_int_equal(hvsim_elf(&out,
				   "diff-old.o diff-old.o --fail-if 'cycles>0' "
				   "--fail-if 'cycles<0' --fail-if 'instructions>0' --format csv"),
			 0);
	assert_null(strstr(out.s, "\nfunctions,"));
	text_free(&out);
}

static void gates_set_the_status(void **state)
{
	expect("diff-old.o diff-new.o --fail-if 'mftb>0'", 1, "the condition 'mftb>0' holds: +1");
	expect("diff-old.o diff-new.o --fail-if 'mftb>1'", 0, "mftb");
	expect("diff-old.o diff-new.o --fail-if 'mtspr >= 0'", 0, "mtspr");
	expect("diff-old.o diff-new.o -f guest_exit --fail-if 'mftb>0'", 0, "predicted cycles");
	expect("diff-old.o diff-new.o --fail-if 'mftbb>0'", 2, "did you mean 'mftb'?");
	expect("diff-old.o diff-new.o --fail-if mftb", 2, "must be a comparison");
	expect("diff-old.o diff-new.o --fail-if 'mftb>x'", 2, "no whole number");
	expect("diff-old.o --fail-if 'mftb>0'", 2, "two kernels");
}

static void gate_names_may_hold_a_comparison(void **state)
{
	struct err err = ERR_INIT;
	struct kelf_gate gate;

	assert_int_equal(kelf_gate_parse(&gate, "mtmsrd L=1>0", &err), 0);
	assert_int_equal(gate.class, KELF_MTMSRD_L1);
	assert_int_equal(gate.op, KELF_GT);
	assert_int_equal(kelf_gate_parse(&gate, "mtmsrd L=0 <= -2", &err), 0);
	assert_int_equal(gate.class, KELF_MTMSRD);
	assert_int_equal(gate.op, KELF_LE);
	assert_int_equal(gate.limit, -2);
}

static void ops_are_listed_with_names(void **state)
{
	expect("ops.o -f ops --format csv", 0, "\nops,ops+0x4,op,mtspr LPCR\n");
	expect("calls.o -f helper --format csv", 0, "helper.constprop.0.isra.0+0x4,op,mfspr LPID");
	expect("calls.o -f 'call*' --format csv", 0, "\nops,caller+0x18,op,call twin\n");
	expect("calls.o -f caller --format csv", 0, "\nops,caller+0x30,op,call (CTR)\n");
	expect("calls.o -f inner_label --format csv", 0, "\nops,inner_label+0x4,op,hrfid\n");
}

static void bad_input_is_refused(void **state)
{
	expect("", 2, "no kernel given");
	expect("no-such-file.o", 2, "hvsim: no-such-file.o: No such file");
	expect("calls.s", 2, "not an ELF file");
	expect(".", 2, "holds neither vmlinux");
	expect("calls.o -f calller", 2, "did you mean 'caller'?");
	expect("calls.o --format xml", 2, "table, markdown, csv or json");
	expect("calls.o --no-such-option", 2, "--no-such-option is no option of hvsim elf");
	expect("diff-old.o diff-new.o --cpu power99", 2, "power99");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unused_choices_are_one_line),
		cmocka_unit_test(classes_are_compared),
		cmocka_unit_test(parts_are_added_up),
		cmocka_unit_test(a_kernel_and_itself_do_not_differ),
		cmocka_unit_test(gates_set_the_status),
		cmocka_unit_test(gate_names_may_hold_a_comparison),
		cmocka_unit_test(ops_are_listed_with_names),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
