/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run the hvsim that was built ($HVSIM) with a shell's arguments; what it said and its status. */
#ifndef HVSIM_TESTS_RUN_CLI_H
#define HVSIM_TESTS_RUN_CLI_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

struct cli_result {
	int status;
	char text[65536]; /* standard output and error together */
};

static inline void run_cli(const char *args, struct cli_result *r)
{
	char cmd[2048];
	size_t n;
	FILE *f;

	snprintf(cmd, sizeof(cmd), "{ '%s' %s; } 2>&1", getenv("HVSIM"), args);
	f = popen(cmd, "r");
	assert_non_null(f);
	n = fread(r->text, 1, sizeof(r->text) - 1, f);
	r->text[n] = '\0';
	while (fgetc(f) != EOF)
		;
	r->status = WEXITSTATUS(pclose(f));
}

/* One line "hvsim: …" on bad input, exit status 2. */
static inline void assert_refused(const struct cli_result *r, const char *part)
{
	if (r->status != 2 || strncmp(r->text, "hvsim: ", 7) || !strstr(r->text, part) ||
	    !strchr(r->text, '\n') || strchr(r->text, '\n')[1])
		fail_msg("status %d, '%s', wanted one line with '%s'", r->status, r->text, part);
}

#endif
