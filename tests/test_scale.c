// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Large guests: how events and memory grow with the vCPUs and with the length of
 * a run, and what an event costs. Nothing here holds a clock against a number:
 * CPU times are compared with each other. The guests are those of
 * docs/performance.md: half as many CPUs of L1, 500 timers a second and vCPU.
 */
#include "check.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario/scenario.h"

#define VCPU_BYTES_MAX 2048 /* docs/performance.md states 1.4 KiB a vCPU and its half of a CPU */
#define TRIES 3
#define DEARER_MAX 4

struct run {
	uint64_t events;
	uint64_t cpu_us;
	long peak_kib;
};

static uint64_t run_here(unsigned vcpus, const char *ms)
{
	char n[16], cpus[16];
	const struct scn_set set[] = {
		{ "topology.l2_vcpus", n }, { "topology.l1_cpus", cpus }, { "duration_ms", ms },
		{ "workload.1.vcpus", "0-" }, { "workload.1.timer_hz", "500" },
	};
	const char *variant = "cancel";
	const struct scn_options o = { .name = "nestedv2-dec-cancel", .set = set, .sets = 5,
				       .variant = &variant, .variants = 1 };
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct scn_result r;

	snprintf(n, sizeof(n), "%u", vcpus);
	snprintf(cpus, sizeof(cpus), "%u", vcpus / 2);
	if (scn_run(mem, &o, &r, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		_exit(1);
	}
	mem_free(mem);
	return r.events;
}

/* In a process of its own, so that the peak of memory is its own. */
static struct run run_apart(unsigned vcpus, const char *ms)
{
	struct run run = { 0 };
	int ends[2], status;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct rusage usage;

		run.events = run_here(vcpus, ms);
		getrusage(RUSAGE_SELF, &usage);
		run.cpu_us = (uint64_t)usage.ru_utime.tv_sec * 1000000 +
			     (uint64_t)usage.ru_utime.tv_usec;
		run.peak_kib = usage.ru_maxrss;
		_exit(write(ends[1], &run, sizeof(run)) != sizeof(run));
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &run, sizeof(run)), sizeof(run));
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return run;
}

/* Every vCPU wants the same: per vCPU the events are the same, within the noise of the draws. */
static void events_grow_with_the_vcpus(void **state)
{
	struct run small = run_apart(64, "200"), large = run_apart(1024, "200");

	assert_true(small.events > 64 * 500 / 5);
	assert_in_range(large.events * 1000 / (16 * small.events), 950, 1050);
}

static void events_grow_with_the_length(void **state)
{
	struct run brief = run_apart(256, "100"), longer = run_apart(256, "400");

	assert_in_range(longer.events * 1000 / (4 * brief.events), 950, 1050);
}

/* A sanitizer's own memory would be measured: its build leaves these out. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

#ifndef SANITIZED
static void memory_is_linear(void **state)
{
	struct run n256 = run_apart(256, "50"), n1024 = run_apart(1024, "50");
	struct run n4096 = run_apart(4096, "50");
	long first, second;

	first = (n1024.peak_kib - n256.peak_kib) * 1024 / (1024 - 256);
	second = (n4096.peak_kib - n1024.peak_kib) * 1024 / (4096 - 1024);
	assert_in_range(first, 500, VCPU_BYTES_MAX);
	assert_in_range(second, 500, VCPU_BYTES_MAX);
}

/* 256 KiB is what 180 vCPUs take: eight times the events leave no more than pages' noise. */
static void memory_does_not_grow_with_the_length(void **state)
{
	assert_true(run_apart(1024, "400").peak_kib < run_apart(1024, "50").peak_kib + 256);
}

/* CPU time of an event, picoseconds: what a long run takes over a short one, without loading. */
static uint64_t event_ps(unsigned vcpus, const char *brief, const char *longer)
{
	struct run a = run_apart(vcpus, brief), b = run_apart(vcpus, longer);

	return b.cpu_us > a.cpu_us ?
		(b.cpu_us - a.cpu_us) * 1000000 / (b.events - a.events) : 1;
}

/*
 * 64 times the vCPUs may make an event dearer by deeper heaps and colder caches, not by a look
 * at every vCPU. Both sizes have as many events. What else the machine does only adds to a
 * time, and to both: the best of a few is held.
 */
static void an_event_costs_no_more_with_more_vcpus(void **state)
{
	uint64_t small = UINT64_MAX, large = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t s = event_ps(64, "100", "6400"), l = event_ps(4096, "10", "110");

		small = s < small ? s : small;
		large = l < large ? l : large;
	}
	fprintf(stderr, "# %llu ps an event with 64 vCPUs, %llu with 4096\n",
		(unsigned long long)small, (unsigned long long)large);
	assert_true(large < DEARER_MAX * small);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_grow_with_the_vcpus),
		cmocka_unit_test(events_grow_with_the_length),
#ifndef SANITIZED
		cmocka_unit_test(memory_is_linear),
		cmocka_unit_test(memory_does_not_grow_with_the_length),
		cmocka_unit_test(an_event_costs_no_more_with_more_vcpus),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
