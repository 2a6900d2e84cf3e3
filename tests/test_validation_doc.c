// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * docs/validation.md is what `hvsim validate` prints now: every row, published
 * and predicted figure, error, tolerance and role. The intervals take minutes
 * and are left out here: tools/validation makes them anew.
 */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/text.h"

#define FIELDS 11

struct rows {
	char *line[4096];
	unsigned n;
};

/* Of a line of the ledger what must be current, fields apart by bars. */
static char *wanted(struct mem *mem, char *line)
{
	static const unsigned keep[] = { 0, 1, 2, 6, 7, 8 };
	char *field[FIELDS + 1], *p = line + 1;
	unsigned n = 0;

	while (n < FIELDS && (field[n] = p) && (p = strchr(p, '|'))) {
		*p++ = '\0';
		n++;
	}
	if (n < FIELDS)
		return NULL;
	for (unsigned i = 0; i < 6; i++)
		line = i ? mem_printf(mem, "%s|%s", line, field[keep[i]]) : field[0];
	return line;
}

static void read_rows(struct mem *mem, char *text, struct rows *out)
{
	out->n = 0;
	for (char *line = text, *end; *line; line = end) {
		char *row;

		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		row = *line == '|' && line[1] == ' ' ? wanted(mem, line) : NULL;
		if (row && out->n < 4096)
			out->line[out->n++] = row;
	}
}

static char *run_ledger(struct mem *mem)
{
	struct text t = { 0 };
	char buf[4096], *copy;
	size_t n;
	FILE *f = popen(mem_printf(mem, "\"%s\" validate --format markdown", getenv("HVSIM")), "r");

	assert_non_null(f);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add_bytes(&t, buf, n);
	assert_int_equal(pclose(f), 0); /* and no prediction has left its tolerance */
	copy = mem_strdup(mem, t.s ? t.s : "");
	text_free(&t);
	return copy;
}

static void doc_is_current(void **state)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct rows *doc = mem_alloc(mem, 1, sizeof(*doc)), *now = mem_alloc(mem, 1, sizeof(*now));
	size_t len;
	char *text = file_read(mem, mem_printf(mem, "%s/docs/validation.md", getenv("HVSIM_DATA")),
			       &len, &err);

	if (!text)
		fail_msg("%s", err.text);
	read_rows(mem, text, doc);
	read_rows(mem, run_ledger(mem), now);
	assert_true(now->n > 10);
	for (unsigned i = 0; i < doc->n && i < now->n; i++)
		if (strcmp(doc->line[i], now->line[i]))
			fail_msg("docs/validation.md has '%s', hvsim validate '%s': run "
				 "tools/validation",
				 doc->line[i], now->line[i]);
	assert_int_equal(doc->n, now->n);
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(doc_is_current) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
