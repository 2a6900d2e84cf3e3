// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim path and hvsim fit as people run them: $HVSIM names the program. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

/* Run with standard error in the output too; the exit status, or -1. */
static int run(struct mem *mem, const char *arguments, struct text *out)
{
	FILE *f = popen(mem_printf(mem, "%s %s 2>&1", getenv("HVSIM"), arguments), "r");
	char buf[4096];
	size_t n;
	int rc;

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		text_add_bytes(out, buf, n);
	rc = pclose(f);
	return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

static void bad_input_is_one_line(void **state)
{
	static const struct { const char *arguments, *what; } cases[] = {
		{ "path", "needs a name" },
		{ "path p9-roundtrp", "did you mean 'p9-roundtrip'" },
		{ "path p9-roundtrip p9-exit", "one path at a time" },
		{ "path p9-roundtrip --cpu power8", "did you mean 'power" },
		{ "path p9-roundtrip --set p9.no_wrt=on", "did you mean 'p9.no_wort'" },
		{ "path p9-roundtrip --set p9.no_wort=maybe", "off, on" },
		{ "path p9-roundtrip --set model.tau_x=1", "did you mean 'model.tau_w'" },
		{ "path p9-roundtrip --set model.ipc=0", "0.01 to 100" },
		{ "path p9-roundtrip --diff p9.no_wort", "KEY=VALUE" },
		{ "path p9-roundtrip --diff guest.pmux=on", "did you mean 'guest.pmu'" },
		{ "path p9-roundtrip --format yaml", "table, markdown, csv or json" },
		{ "path /dev/null", "regular file" },
		{ "fit", "needs a ladder" },
		{ "fit p9-tlbsync", "only a ladder" },
		{ "fit p10-series", "needs a 'fit'" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mem *mem = mem_new();
		struct text out = { 0 };

		if (run(mem, cases[i].arguments, &out) != 2 || !strstr(out.s, cases[i].what) ||
		    strncmp(out.s, "hvsim: ", 7) || strchr(out.s, '\n') != out.s + out.len - 1)
			fail_msg("%s: %s", cases[i].arguments, out.s ? out.s : "(nothing)");
		text_free(&out);
		mem_free(mem);
	}
}

static void output_is_left_alone_on_error(void **state)
{
	struct mem *mem = mem_new();
	struct text out = { 0 };
	struct err err = ERR_INIT;
	char name[] = "/tmp/hvsim-path-XXXXXX";
	size_t len;
	int fd = mkstemp(name);

	close(fd);
	assert_int_equal(file_write(name, "kept", 4, &err), 0);
	assert_int_equal(run(mem, mem_printf(mem, "path nothing-like-it -o %s", name), &out), 2);
	assert_string_equal(file_read(mem, name, &len, &err), "kept");
	assert_int_equal(run(mem, mem_printf(mem, "path p9-entry -o %s", name), &out), 0);
	assert_non_null(strstr(file_read(mem, name, &len, &err), "hrfid"));
	remove(name);
	text_free(&out);
	mem_free(mem);
}

/* Every line below the heading fits 100 columns, listing, comparison and summary. */
static void fits_a_hundred_columns(void **state)
{
	static const char *const arguments[] = {
		"path p9-roundtrip", "path p9-roundtrip --set 'p9.*=off'",
		"path p9-roundtrip --diff p9.spr_stalls=off", "path p9-roundtrip --summary",
		"path nestedv2-l0-enter --cpu power10",
	};

	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		struct mem *mem = mem_new();
		struct text out = { 0 };
		char *line, *rest;

		assert_int_equal(run(mem, arguments[i], &out), 0);
		rest = strchr(strchr(out.s, '\n') + 1, '\n') + 1;
		while ((line = strsep(&rest, "\n")))
			if (text_columns(line) > 100)
				fail_msg("%s: %s", arguments[i], line);
		text_free(&out);
		mem_free(mem);
	}
}

/* A switch that only removes ops shows them on one side, and the causes sum. */
static void a_comparison_shows_what_goes(void **state)
{
	struct mem *mem = mem_new();
	struct text out = { 0 };

	assert_int_equal(run(mem, "path p9-roundtrip --diff p9.amor_const=off", &out), 0);
	assert_non_null(strstr(out.s, "mtspr AMOR"));
	assert_null(strstr(out.s, "mtspr LPCR"));
	text_free(&out);
	assert_int_equal(run(mem, "path p9-roundtrip --format csv", &out), 0);
	assert_non_null(strstr(out.s, "listing,1,start,0\n"));
	text_free(&out);
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_input_is_one_line),
		cmocka_unit_test(output_is_left_alone_on_error),
		cmocka_unit_test(fits_a_hundred_columns),
		cmocka_unit_test(a_comparison_shows_what_goes),
	};

	return cmocka_run_group_tests_name("path_cli", tests, NULL, NULL);
}
