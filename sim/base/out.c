// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "base/out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

#define BUF_SIZE ((size_t)256 << 10)

struct file_out {
	struct text name, tmp;  /* tmp empty: written in place */
	int fd;
	bool unread;            /* standard output is a pipe that its reader has closed */
	char *buf;
	size_t used;
};

struct file_out *file_out_open(const char *name, struct err *err)
{
	struct file_out *o = mem_zalloc(1, sizeof(*o));
	struct stat st;

	text_add(&o->name, "%s", name ? name : "standard output");
	o->buf = mem_zalloc(BUF_SIZE, 1);
	if (!name) {
		o->fd = STDOUT_FILENO;
	} else if (stat(name, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		o->fd = open(name, O_WRONLY | O_CLOEXEC); /* a pipe or device can't be replaced */
	} else {
		text_add(&o->tmp, "%s.XXXXXX", name);
		o->fd = mkostemp(o->tmp.s, O_CLOEXEC);
		if (o->fd < 0)
			o->tmp.len = 0;
	}
	if (o->fd >= 0)
		return o;
	err_at(err, name, 0, "cannot write: %s", strerror(errno));
	file_out_abort(o);
	return NULL;
}

static int flush(struct file_out *o, struct err *err)
{
	size_t done = 0;

	while (done < o->used && !o->unread) {
		ssize_t n = write(o->fd, o->buf + done, o->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE && o->fd == STDOUT_FILENO) {
			o->unread = true; /* no error: as file_put() */
			break;
		}
		if (n < 0)
			return err_at(err, o->name.s, 0, "%s", strerror(errno));
		done += (size_t)n;
	}
	o->used = 0;
	return 0;
}

int file_out_put(struct file_out *o, const char *bytes, size_t n, struct err *err)
{
	while (n) {
		size_t part = BUF_SIZE - o->used < n ? BUF_SIZE - o->used : n;

		memcpy(o->buf + o->used, bytes, part);
		o->used += part;
		bytes += part;
		n -= part;
		if (o->used == BUF_SIZE && flush(o, err) < 0)
			return -1;
	}
	return 0;
}

static mode_t mode_of(const char *name)
{
	struct stat st;
	mode_t mask;

	if (stat(name, &st) == 0)
		return st.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

int file_out_commit(struct file_out *o, struct err *err)
{
	int status = flush(o, err);

	if (status == 0 && o->tmp.len &&
	    (fchmod(o->fd, mode_of(o->name.s)) < 0 || fsync(o->fd) < 0 ||
	     rename(o->tmp.s, o->name.s) < 0))
		status = err_at(err, o->name.s, 0, "%s", strerror(errno));
	if (status == 0)
		o->tmp.len = 0;
	file_out_abort(o);
	return status;
}

void file_out_abort(struct file_out *o)
{
	if (!o)
		return;
	if (o->tmp.len)
		unlink(o->tmp.s);
	if (o->fd > STDERR_FILENO)
		close(o->fd);
	text_free(&o->name);
	text_free(&o->tmp);
	free(o->buf);
	free(o);
}
