// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whole processes, hvsim's and others' alike: whole [-n RUNS] [-o FILE] COMMAND [ARG...]
 * runs the command and prints "SECONDS KIB": the least processor time of the
 * runs, and their peak memory. Its standard output goes to FILE, or is passed on
 * when there is none (and SECONDS KIB goes to standard error then).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void become(char **command, const char *out)
{
	int fd = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644) : STDOUT_FILENO;

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		perror(out);
		_exit(127);
	}
	execvp(command[0], command);
	perror(command[0]);
	_exit(127);
}

int main(int argc, char **argv)
{
	const char *out = NULL;
	int runs = 3, c, status;
	double least = 0;
	long peak = 0;

	while ((c = getopt(argc, argv, "+n:o:")) != -1)
		if (c == 'n')
			runs = atoi(optarg);
		else if (c == 'o')
			out = optarg;
		else
			return 2;
	if (optind == argc || runs < 1)
		return 2;
	for (int i = 0; i < runs; i++) {
		struct rusage usage;
		double took;
		pid_t pid = fork();

		if (!pid)
			become(argv + optind, out);
		if (pid < 0 || wait4(pid, &status, 0, &usage) < 0) {
			perror("whole");
			return 1;
		}
		if (!WIFEXITED(status) || WEXITSTATUS(status)) {
			fprintf(stderr, "whole: %s failed\n", argv[optind]);
			return 1;
		}
		took = seconds(usage.ru_utime) + seconds(usage.ru_stime);
		least = !i || took < least ? took : least;
		peak = usage.ru_maxrss > peak ? usage.ru_maxrss : peak;
	}
	fprintf(out ? stdout : stderr, "%.4f %ld\n", least, peak);
	return 0;
}
