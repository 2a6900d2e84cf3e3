// SPDX-License-Identifier: GPL-2.0-or-later
#include "study/pool.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

/* What workers and the parent share: an anonymous mapping, followed by the records. */
struct shared {
	_Atomic size_t next;      /* task to take */
	_Atomic bool stop;        /* a task failed: take no more */
	struct {
		size_t task;
		struct err err;
	} failed[STUDY_JOBS_MAX]; /* by worker */
	int64_t record[];
};

struct crew {
	const struct study_pool *pool;
	size_t n;
	const unsigned char *skip;
	struct shared *shared;
	size_t size;
	unsigned jobs;
	pid_t *pid;
	int pipe[2];             /* workers tell which tasks are complete */
	int signals;
	sigset_t old;
	size_t complete, todo;
};

/* CPUs online, at least 1. */
static unsigned cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > STUDY_JOBS_MAX ? STUDY_JOBS_MAX : (unsigned)n;
}

static int64_t *record_of(const struct crew *c, size_t i)
{
	return c->shared->record + i * c->pool->words;
}

/*
 * A worker's life. Tasks are taken in order, so when one fails all before it
 * are with some worker and will tell whether they fail too.
 */
static void work(struct crew *c, unsigned me)
{
	struct shared *s = c->shared;

	sigprocmask(SIG_SETMASK, &c->old, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(c->pipe[0]);
	while (!atomic_load(&s->stop)) {
		size_t i = atomic_fetch_add(&s->next, 1);
		struct err err = ERR_INIT;

		if (i >= c->n)
			break;
		if (c->skip && c->skip[i])
			continue;
		if (c->pool->task(c->pool->ctx, i, record_of(c, i), &err) < 0) {
			s->failed[me].err = err;
			s->failed[me].task = i;
			atomic_store(&s->stop, true);
			break;
		}
		if (write(c->pipe[1], &i, sizeof(i)) != sizeof(i))
			break;
	}
	_exit(0);
}

static int start(struct crew *c, struct err *err)
{
	for (unsigned j = 0; j < c->jobs; j++) {
		c->pid[j] = fork();
		if (c->pid[j] < 0)
			return err_set(err, "can't start a worker: %s; try fewer --jobs",
				       strerror(errno));
		if (!c->pid[j])
			work(c, j);
	}
	return 0;
}

static void tell(struct crew *c)
{
	const struct study_pool *p = c->pool;

	if (p->progress)
		p->progress(p->progress_ctx, p->what, (unsigned)c->complete, (unsigned)c->todo);
}

/* Until all workers have closed their end. */
static int listen_to(struct crew *c, struct err *err)
{
	struct pollfd fd[2] = { { c->pipe[0], POLLIN, 0 }, { c->signals, POLLIN, 0 } };
	size_t i;

	for (;;) {
		if (poll(fd, 2, -1) < 0 && errno != EINTR)
			return err_set(err, "waiting for workers: %s", strerror(errno));
		if (fd[1].revents)
			return err_set(err, "interrupted after %zu of %zu %s", c->complete, c->todo,
				       c->pool->what);
		if (!fd[0].revents)
			continue;
		if (read(c->pipe[0], &i, sizeof(i)) != sizeof(i))
			return 0;
		c->complete++;
		if (c->pool->done)
			c->pool->done(c->pool->ctx, i, record_of(c, i));
		tell(c);
	}
}

/* Every worker is waited for, whatever happened. */
static void end_workers(struct crew *c, bool now, struct err *err)
{
	size_t first = SIZE_MAX;
	int status;

	for (unsigned j = 0; j < c->jobs && c->pid[j] > 0; j++)
		if (now)
			kill(c->pid[j], SIGKILL);
	for (unsigned j = 0; j < c->jobs && c->pid[j] > 0; j++) {
		if (waitpid(c->pid[j], &status, 0) < 0 || now)
			continue;
		if (WIFSIGNALED(status))
			err_set(err, "a worker was ended by signal %d (%s)", WTERMSIG(status),
				strsignal(WTERMSIG(status)));
		else if (WEXITSTATUS(status))
			err_set(err, "a worker ended with status %d", WEXITSTATUS(status));
	}
	for (unsigned j = 0; j < c->jobs; j++)
		if (c->shared->failed[j].err.set && c->shared->failed[j].task < first) {
			first = c->shared->failed[j].task;
			*err = c->shared->failed[j].err;
		}
}

static int open_crew(struct crew *c, struct err *err)
{
	sigset_t watch;

	c->size = sizeof(*c->shared) + c->n * c->pool->words * sizeof(int64_t);
	c->shared = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED)
		return err_set(err, "no memory for the records of %zu %s", c->n, c->pool->what);
	if (pipe(c->pipe) < 0) {
		munmap(c->shared, c->size);
		return err_set(err, "can't make a pipe: %s", strerror(errno));
	}
	sigemptyset(&watch);
	sigaddset(&watch, SIGINT);
	sigaddset(&watch, SIGTERM);
	sigprocmask(SIG_BLOCK, &watch, &c->old);
	c->signals = signalfd(-1, &watch, SFD_CLOEXEC);
	c->pid = mem_zalloc(c->jobs, sizeof(*c->pid));
	return 0;
}

/* A signal that came in as the last task ended is as good as none. */
static void close_crew(struct crew *c)
{
	struct signalfd_siginfo info;
	struct pollfd fd = { c->signals, POLLIN, 0 };

	while (poll(&fd, 1, 0) > 0 && read(c->signals, &info, sizeof(info)) == sizeof(info))
		;
	close(c->signals);
	sigprocmask(SIG_SETMASK, &c->old, NULL);
	free(c->pid);
	munmap(c->shared, c->size);
}

int study_pool_run(const struct study_pool *pool, size_t n, const unsigned char *skip,
		   int64_t *records, struct err *err)
{
	struct crew c = { .pool = pool, .n = n, .skip = skip,
			  .jobs = pool->jobs ? pool->jobs : cpus() };
	size_t size = pool->words * sizeof(int64_t);
	int rc;

	assert(c.jobs <= STUDY_JOBS_MAX);
	if (open_crew(&c, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		c.todo += !skip || !skip[i];
	tell(&c);
	rc = start(&c, err);
	close(c.pipe[1]);
	if (!rc)
		rc = listen_to(&c, err);
	end_workers(&c, rc < 0, err);
	close(c.pipe[0]);
	for (size_t i = 0; !err->set && i < n; i++)
		if (!skip || !skip[i])
			memcpy(records + i * pool->words, record_of(&c, i), size);
	close_crew(&c);
	return err->set ? -1 : 0;
}
