// SPDX-License-Identifier: GPL-2.0-or-later
/* Walks over tests/elf/walk.o and jump24.o, whose sources say what runs. */
#define _GNU_SOURCE
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "elf_walk.h"

static char *object(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/tests/elf/%s", getenv("HVSIM_DATA"), name);
	return path;
}

static struct walked walk_in(const char *file, const char *walkfile, const char *entry,
			     const char *const *sets)
{
	char kernel[4096];

	snprintf(kernel, sizeof(kernel), "%s", object(file));
	return walk(kernel, walkfile ? object(walkfile) : NULL, entry, sets);
}

static struct walked walk_object(const char *walkfile, const char *entry, const char *const *sets)
{
	return walk_in("walk.o", walkfile, entry, sets);
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

/*
 * jump24.s: before 5.19 an entry was three absolute addresses. With the key on its site jumps over
 * mfmsr and cp_abort; the other stands for a feature bit, which is clear: it jumps over cp_abort.
 */
static void old_static_keys_have_states(void **state)
{
	struct walked x = walk_in("jump24.o", NULL, "old_entry", NULL);

	assert_string_equal(x.ops.s, "mfmsr; isync");
	done(&x);
	x = walk_in("jump24.o", "walk-key.json", "old_entry", NULL);
	assert_string_equal(x.ops.s, "isync");
	done(&x);
}

/* walk-test.json: whether the trap is 0xc00, and whether its bit is set; else the opposite. */
static void tests_have_outcomes(void **state)
{
	static const struct { const char *const set[3], *ops;
	} known[] = {
		{ { NULL }, "isync" },
		{ { "guest.pmu", NULL }, "mfspr PID" },
		{ { "guest.pmu", "guest.ebb", NULL }, "mfmsr" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct walked x = walk_object("walk-test.json", "switcher", known[i].set);

		assert_int_equal(x.rc, 0);
		assert_string_equal(x.ops.s, known[i].ops);
		done(&x);
	}
}

static void an_rfid_may_be_a_return(void **state)
{
	struct walked x = walk_object(NULL, "caller", NULL);

	assert_int_equal(x.rc, 0);
	assert_string_equal(x.walk.ended, "left by rfid at leaver+0x8");
	done(&x);
	x = walk_object("walk-return.json", "caller", NULL);
	assert_string_equal(x.ops.s, "mfmsr; mtspr SRR1; rfid; isync");
	assert_string_equal(x.walk.ended, "returned at caller+0x8");
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
	assert_error_has(x.err, "in a loop that the walk file must leave, at spin+0x0");
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
		{ "{\"schema\": \"hvsim-walk/1\", \"branches\": [{\"function\": \"f\", "
		  "\"test\": \"3072\"}]}",
		  "= != < >= > <= & !&" },
		{ "{\"schema\": \"hvsim-walk/1\", \"branches\": [{\"function\": \"f\", "
		  "\"test\": \"= 1\", \"reach\": false}]}",
		  "\"reach\" with" },
		{ "{\"schema\": \"hvsim-walk/1\", \"continue\": [{\"function\": \"f\", "
		  "\"op\": \"rfid\"}]}",
		  "must have \"to\"" },
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_default_it_falls_through),
		cmocka_unit_test(choices_are_followed),
		cmocka_unit_test(static_keys_have_states),
		cmocka_unit_test(old_static_keys_have_states),
		cmocka_unit_test(tests_have_outcomes),
		cmocka_unit_test(an_rfid_may_be_a_return),
		cmocka_unit_test(acquire_barriers_become_lwsync),
		cmocka_unit_test(endless_code_is_an_error),
		cmocka_unit_test(bad_walk_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
