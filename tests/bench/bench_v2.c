// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A whole model: events a second of processor time, best of several runs, and
 * memory, for guests of 1 to 1,024 vCPUs on half as many CPUs of L1, and the
 * scenario of the published table. Loading the files is part of it. An event is
 * what `hvsim run --stats` says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scenario/scenario.h"

#define REPEATS 3

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void run_once(const struct scn_options *o, double *best, struct scn_result *r)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	double start = seconds(), took;

	if (scn_run(mem, o, r, &err) < 0) {
		fprintf(stderr, "bench_v2: %s\n", err.text);
		exit(2);
	}
	took = seconds() - start;
	if (!*best || took < *best)
		*best = took;
	mem_free(mem);
}

/* In a process of its own, so that its peak of memory is its own. */
static void measure(const char *what, const struct scn_options *o)
{
	struct rusage usage;
	struct scn_result r;
	double best = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	for (unsigned i = 0; i < REPEATS; i++)
		run_once(o, &best, &r);
	getrusage(RUSAGE_SELF, &usage);
	printf("%-28s %12llu %9.3f %8.1f %10ld\n", what, (unsigned long long)r.events, best,
	       (double)r.events / best / 1e6, usage.ru_maxrss);
	fflush(stdout);
	_exit(0);
}

static void measure_size(unsigned vcpus, const char *ms)
{
	char n[16], cpus[16], what[64];
	const struct scn_set set[] = {
		{ "topology.l2_vcpus", n }, { "topology.l1_cpus", cpus }, { "duration_ms", ms },
		{ "workload.1.vcpus", "0-" }, { "workload.1.timer_hz", "500" },
	};
	const char *variant = "cancel";
	const struct scn_options o = { .name = "nestedv2-dec-cancel", .set = set, .sets = 5,
				       .variant = &variant, .variants = 1 };

	snprintf(n, sizeof(n), "%u", vcpus);
	snprintf(cpus, sizeof(cpus), "%u", (vcpus + 1) / 2);
	snprintf(what, sizeof(what), "%u vCPUs on %s, %s ms", vcpus, cpus, ms);
	measure(what, &o);
}

int main(void)
{
	const struct scn_options table = { .name = "nestedv2-dec-cancel" };

	printf("%-28s %12s %9s %8s %10s\n", "", "events", "seconds", "M ev/s", "peak KiB");
	measure("the published table", &table);
	for (unsigned n = 1; n <= 1024; n *= 4)
		measure_size(n, n < 64 ? "4000" : "500");
	return 0;
}
