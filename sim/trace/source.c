// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/unpack.h"

struct trace_source {
	char *name;
	int fd;               /* -1: bytes */
	const char *bytes;
	size_t left;          /* of bytes */
	uint64_t done, size;
	bool regular;
	bool sniffed;         /* the first bytes were looked at */
	bool whole;           /* packed data ended as it should */
	struct trace_unpack *unpack; /* NULL: plain */
	char *in;             /* bytes read and not yet used are in[start..end) */
	size_t start, end;
};

#define IN_SIZE ((size_t)256 << 10)

static struct trace_source *source_new(const char *name)
{
	struct trace_source *src = mem_zalloc(1, sizeof(*src));

	src->name = mem_zalloc(strlen(name) + 1, 1);
	strcpy(src->name, name);
	src->fd = -1;
	src->whole = true;
	return src;
}

bool trace_source_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool trace_source_rereads(const char *name)
{
	struct stat st;

	/* What isn't there is told when it is opened. */
	return strcmp(name, "-") && (stat(name, &st) < 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

struct trace_source *trace_source_open(const char *name, struct err *err)
{
	bool std = !strcmp(name, "-");
	struct trace_source *src = source_new(std ? "(standard input)" : name);
	struct stat st;

	src->fd = std ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (src->fd < 0 || fstat(src->fd, &st) < 0) {
		err_at(err, src->name, 0, "%s", strerror(errno));
		trace_source_close(src);
		return NULL;
	}
	if (S_ISDIR(st.st_mode)) {
		err_at(err, src->name, 0, "is a folder; give one trace file");
		trace_source_close(src);
		return NULL;
	}
	src->regular = S_ISREG(st.st_mode);
	if (src->regular) {
		src->size = (uint64_t)st.st_size;
		posix_fadvise(src->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	return src;
}

struct trace_source *trace_source_bytes(const char *name, const char *bytes, size_t n)
{
	struct trace_source *src = source_new(name);

	src->bytes = bytes;
	src->left = src->size = n;
	return src;
}

void trace_source_close(struct trace_source *src)
{
	if (!src)
		return;
	if (src->fd > STDIN_FILENO)
		close(src->fd);
	trace_unpack_free(src->unpack);
	free(src->in);
	free(src->name);
	free(src);
}

/* Bytes of the file as they are. */
static long read_raw(struct trace_source *src, char *buf, size_t n, struct err *err)
{
	ssize_t got;

	if (src->fd < 0) {
		if (n > src->left)
			n = src->left;
		if (n)
			memcpy(buf, src->bytes, n);
		src->bytes += n;
		src->left -= n;
		src->done += n;
		return (long)n;
	}
	/* A file that grows while it is read ends where it ended when it was opened. */
	if (src->regular && src->size && n > src->size - src->done)
		n = src->size - src->done;
	if (!n)
		return 0;
	do
		got = read(src->fd, buf, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_at(err, src->name, 0, "%s", strerror(errno));
	src->done += (uint64_t)got;
	return got;
}

/* Read what tells how the file is packed; it stays in src->in. */
static int sniff(struct trace_source *src, struct err *err)
{
	enum trace_pack pack;
	long got = 1;

	src->sniffed = true;
	src->in = mem_zalloc(IN_SIZE, 1);
	while (got > 0 && src->end < TRACE_PACK_MAGIC) {
		got = read_raw(src, src->in + src->end, TRACE_PACK_MAGIC - src->end, err);
		if (got < 0)
			return -1;
		src->end += (size_t)got;
	}
	pack = trace_pack_of(src->in, src->end);
	if (pack != TRACE_PLAIN) {
		src->unpack = trace_unpack_new(pack);
		src->whole = false;
	}
	return 0;
}

static long read_packed(struct trace_source *src, char *buf, size_t n, struct err *err)
{
	bool last = false;

	for (;;) {
		size_t used, made = n;
		int more;

		if (src->start == src->end && !last) {
			long got = read_raw(src, src->in, IN_SIZE, err);

			if (got < 0)
				return -1;
			src->start = 0;
			src->end = (size_t)got;
			last = !got;
		}
		used = src->end - src->start;
		more = trace_unpack_step(src->unpack, src->in + src->start, &used, buf, &made, last,
					 &src->whole);
		src->start += used;
		if (made)
			return (long)made;
		if (!more)
			return 0;
	}
}

long trace_source_read(struct trace_source *src, char *buf, size_t n, struct err *err)
{
	if (!src->sniffed && sniff(src, err) < 0)
		return -1;
	if (src->unpack)
		return read_packed(src, buf, n, err);
	if (src->start < src->end) {
		if (n > src->end - src->start)
			n = src->end - src->start;
		memcpy(buf, src->in + src->start, n);
		src->start += n;
		return (long)n;
	}
	return read_raw(src, buf, n, err);
}

bool trace_source_whole(const struct trace_source *src)
{
	return src->whole;
}

uint64_t trace_source_done(const struct trace_source *src)
{
	return src->done;
}

uint64_t trace_source_size(const struct trace_source *src)
{
	return src->size;
}

bool trace_source_grew(const struct trace_source *src)
{
	struct stat st;

	return src->regular && src->size && fstat(src->fd, &st) == 0 &&
	       (uint64_t)st.st_size > src->size;
}

const char *trace_source_name(const struct trace_source *src)
{
	return src->name;
}
