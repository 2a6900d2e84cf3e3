// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first and only program of the L2 that tools/capture-nested starts. Each vCPU gets one
 * thread doing what the kernel's command line says, as hvsim.work=DO,DO,...: idle, sleep:US, busy,
 * or mix:SEED (a little work, then a sleep of 0.2 to 20 ms, both drawn). Linked statically for
 * ppc64le.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 2048
#define WORDS_MAX 16
#define MIX_WORK_MAX 200000 /* iterations */
#define MIX_SLEEP_MIN_US 200
#define MIX_SLEEP_SPAN_US 19800

struct work {
	char what[64];
	unsigned cpu;
};

static void fail(const char *what)
{
	printf("L2 FAILED %s: %s\n", what, strerror(errno));
	for (;;)
		pause();
}

static void start_system(char *line)
{
	int console, fd;
	ssize_t got;

	mkdir("/dev", 0755);
	mkdir("/proc", 0755);
	mount("devtmpfs", "/dev", "devtmpfs", 0, "");
	mount("proc", "/proc", "proc", 0, "");
	console = open("/dev/console", O_RDWR);
	for (int i = 0; console >= 0 && i < 3; i++)
		dup2(console, i);
	setvbuf(stdout, NULL, _IONBF, 0);
	fd = open("/proc/cmdline", O_RDONLY);
	got = fd < 0 ? -1 : read(fd, line, LINE_BYTES - 1);
	if (got < 0)
		fail("/proc/cmdline");
	line[got] = '\0';
}

static void count(uint64_t iterations)
{
	for (uint64_t i = 0; i < iterations; i++)
		__asm__ volatile("" : : "r"(i) : "memory");
}

static void sleep_us(uint64_t us)
{
	struct timespec t = { .tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000) * 1000 };

	nanosleep(&t, NULL);
}

static uint64_t draw(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

static void *run(void *arg)
{
	struct work *work = arg;
	char *number = strchr(work->what, ':');
	uint64_t n = number ? strtoull(number + 1, NULL, 10) : 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(work->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail("sched_setaffinity");
	printf("L2 vCPU %u: %s\n", work->cpu, work->what);
	for (;;) {
		if (!strncmp(work->what, "busy", 4)) {
			count(UINT64_MAX);
		} else if (!strncmp(work->what, "sleep:", 6)) {
			sleep_us(n);
		} else if (!strncmp(work->what, "mix:", 4)) {
			count(draw(&n) % MIX_WORK_MAX);
			sleep_us(MIX_SLEEP_MIN_US + draw(&n) % MIX_SLEEP_SPAN_US);
		} else {
			pause();
		}
	}
	return NULL;
}

int main(void)
{
	static struct work works[WORDS_MAX];
	char line[LINE_BYTES], *word, *list, *keep = NULL;
	unsigned count_of = 0;
	pthread_t thread;

	start_system(line);
	list = strstr(line, "hvsim.work=");
	if (!list)
		fail("no hvsim.work=");
	list += strlen("hvsim.work=");
	list[strcspn(list, " \n")] = '\0';
	for (word = strtok_r(list, ",", &keep); word && count_of < WORDS_MAX;
	     word = strtok_r(NULL, ",", &keep)) {
		struct work *work = &works[count_of];

		snprintf(work->what, sizeof(work->what), "%s", word);
		work->cpu = count_of++;
		if (pthread_create(&thread, NULL, run, work))
			fail("pthread_create");
	}
	sleep(1);
	printf("L2 RUNS\n");
	for (;;)
		pause();
}
