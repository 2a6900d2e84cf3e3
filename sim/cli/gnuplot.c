// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "cli/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A file without a name that holds these bytes, at its start. */
static FILE *scratch(const struct text *t, struct err *err)
{
	FILE *f = tmpfile();

	if (f && t && (fwrite(t->s, 1, t->len, f) != t->len || fflush(f))) {
		fclose(f);
		f = NULL;
	}
	if (!f) {
		err_set(err, "cannot write a temporary file: %s", strerror(errno));
		return NULL;
	}
	rewind(f);
	return f;
}

static void read_all(FILE *f, struct text *out)
{
	char buf[4096];
	size_t n;

	rewind(f);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add_bytes(out, buf, n);
}

static int run(FILE *in, FILE *out, FILE *messages, struct err *err)
{
	char *const argv[] = { "gnuplot", "-d", "-", NULL };
	posix_spawn_file_actions_t actions;
	int rc, status = 0;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(messages), STDERR_FILENO);
	rc = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (rc == ENOENT)
		return err_set(err, "gnuplot is not installed: plots need it (Debian: "
				    "gnuplot-nox)");
	if (rc)
		return err_set(err, "gnuplot cannot be started: %s", strerror(rc));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* The line of gnuplot's complaint that says something. */
static void complain(FILE *messages, struct err *err)
{
	struct text t = { 0 };
	char *line, *best = NULL;

	text_add(&t, "%s", "");
	read_all(messages, &t);
	for (line = strtok(t.s, "\n"); line; line = strtok(NULL, "\n"))
		if (line[strspn(line, " \t^")])
			best = line;
	err_set(err, "gnuplot failed: %s", best ? best : "it said nothing");
	text_free(&t);
}

int cmd_gnuplot(const struct text *script, struct text *out, struct err *err)
{
	FILE *in = scratch(script, err), *pic = NULL, *messages = NULL;
	int rc = -1;

	if (in && (pic = scratch(NULL, err)) && (messages = scratch(NULL, err))) {
		rc = run(in, pic, messages, err);
		if (rc > 0 && !err->set)
			complain(messages, err);
		else if (!rc)
			read_all(pic, out);
	}
	if (!rc && !out->len) {
		complain(messages, err);
		rc = -1;
	}
	if (in)
		fclose(in);
	if (pic)
		fclose(pic);
	if (messages)
		fclose(messages);
	return rc ? -1 : 0;
}
