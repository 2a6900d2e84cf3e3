// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first program of the L1 that tools/capture-nested boots: loads the KVM modules, starts QEMU
 * with the arguments in /l2.args (one a line), waits until the guest says that it runs, records
 * the kvm_hv events for a moment and writes ftrace's text to the second console, /dev/hvc1. From
 * the kernel's command line: hvsim.settle=SECONDS after the guest runs, hvsim.ms=MILLISECONDS of
 * events.
 * Linked statically for ppc64le.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"
#define ARGS_MAX 64
#define LINE_BYTES 4096

static void stop(void)
{
	fflush(stdout);
	sleep(1);
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void fail(const char *what)
{
	printf("L1 FAILED %s: %s\n", what, strerror(errno));
	stop();
}

static void load_module(const char *file)
{
	int fd = open(file, O_RDONLY);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		fail(file);
	close(fd);
}

static void start_system(void)
{
	int console;

	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mkdir("/proc", 0755);
	mkdir("/tmp", 0777);
	mount("devtmpfs", "/dev", "devtmpfs", 0, "");
	mount("sysfs", "/sys", "sysfs", 0, "");
	mount("proc", "/proc", "proc", 0, "");
	console = open("/dev/console", O_RDWR);
	for (int i = 0; console >= 0 && i < 3; i++)
		dup2(console, i);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (mount("tracefs", TRACING, "tracefs", 0, ""))
		fail("tracefs");
	load_module("/kvm.ko");
	load_module("/kvm-hv.ko");
	mknod("/dev/kvm", S_IFCHR | 0600, makedev(10, 232));
	printf("L1 RUNS\n");
}

static unsigned long option(const char *name, unsigned long otherwise)
{
	char line[LINE_BYTES] = "", *at;
	int fd = open("/proc/cmdline", O_RDONLY);

	if (fd < 0 || read(fd, line, sizeof(line) - 1) <= 0)
		fail("/proc/cmdline");
	close(fd);
	at = strstr(line, name);
	return at ? strtoul(at + strlen(name), NULL, 10) : otherwise;
}

static void set(const char *file, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), TRACING "%s", file);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail(path);
	close(fd);
}

/* Starts L2; what it prints is read from the stream. */
static FILE *start_guest(void)
{
	static char text[LINE_BYTES];
	char *args[ARGS_MAX + 1] = { NULL }, *keep = NULL;
	int fd = open("/l2.args", O_RDONLY), out[2], n = 0;

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0 || pipe(out))
		fail("/l2.args");
	for (char *a = strtok_r(text, "\n", &keep); a && n < ARGS_MAX; a = strtok_r(NULL, "\n", &keep))
		args[n++] = a;
	if (fork() == 0) {
		dup2(open("/dev/null", O_RDONLY), 0);
		dup2(out[1], 1);
		dup2(out[1], 2);
		setenv("LD_LIBRARY_PATH", "/lib", 1);
		execv(args[0], args);
		fail(args[0]);
	}
	close(out[1]);
	return fdopen(out[0], "r");
}

static void wait_for_guest(FILE *from)
{
	char line[LINE_BYTES];

	while (fgets(line, sizeof(line), from)) {
		printf("| %s", line);
		if (strstr(line, "L2 RUNS"))
			return;
		if (strstr(line, "L2 FAILED"))
			fail("the guest");
	}
	fail("QEMU ended");
}

static void record(unsigned long ms)
{
	struct timespec t = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };

	set("tracing_on", "0");
	set("buffer_size_kb", "16384");
	set("trace", "");
	set("events/kvm_hv/kvm_guest_enter/enable", "1");
	set("events/kvm_hv/kvm_guest_exit/enable", "1");
	set("events/kvm_hv/kvm_hcall_enter/enable", "1");
	set("events/kvm_hv/kvm_hcall_exit/enable", "1");
	set("tracing_on", "1");
	nanosleep(&t, NULL);
	set("tracing_on", "0");
}

static void write_all(int to, const char *data, ssize_t size)
{
	while (size > 0) {
		ssize_t put = write(to, data, (size_t)size);

		if (put < 0 && errno != EAGAIN)
			fail("/dev/hvc1");
		data += put > 0 ? put : 0;
		size -= put > 0 ? put : 0;
	}
}

static void bring_out(void)
{
	char buf[4096];
	int from = open(TRACING "trace", O_RDONLY), to = open("/dev/hvc1", O_RDWR | O_NOCTTY);
	struct termios raw;
	ssize_t got;

	if (from < 0 || to < 0 || tcgetattr(to, &raw))
		fail("/dev/hvc1");
	cfmakeraw(&raw);
	tcsetattr(to, TCSANOW, &raw);
	while ((got = read(from, buf, sizeof(buf))) > 0)
		write_all(to, buf, got);
	tcdrain(to);
	close(to);
}

int main(void)
{
	FILE *guest;

	start_system();
	guest = start_guest();
	wait_for_guest(guest);
	sleep((unsigned)option("hvsim.settle=", 5));
	record(option("hvsim.ms=", 200));
	printf("RECORDED\n");
	bring_out();
	printf("DONE\n");
	stop();
}
