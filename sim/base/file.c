// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#ifndef HVSIM_DATADIR
#define HVSIM_DATADIR "/usr/share/hvsim"
#endif

/* How a message names a file: an empty name is seen. */
static const char *shown(const char *name)
{
	return *name ? name : "''";
}

static char *read_open_file(struct mem *mem, int fd, const char *name, size_t *len, struct err *err)
{
	struct stat st;
	size_t done = 0;
	char *buf;

	if (fstat(fd, &st) < 0) {
		err_at(err, name, 0, "%s", strerror(errno));
		return NULL;
	}
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > FILE_SIZE_MAX) {
		err_at(err, name, 0, "must be a regular file of at most %zu MiB",
		       FILE_SIZE_MAX >> 20);
		return NULL;
	}
	buf = mem_alloc(mem, (size_t)st.st_size + 1, 1);
	while (done < (size_t)st.st_size) {
		ssize_t n = read(fd, buf + done, (size_t)st.st_size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			err_at(err, name, 0, "%s", strerror(errno));
			return NULL;
		}
		if (!n)
			break;
		done += (size_t)n;
	}
	*len = done;
	return buf;
}

char *file_read(struct mem *mem, const char *name, size_t *len, struct err *err)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *buf;

	if (fd < 0) {
		err_at(err, shown(name), 0, "%s", strerror(errno));
		return NULL;
	}
	buf = read_open_file(mem, fd, name, len, err);
	close(fd);
	if (buf)
		mem_note_input(mem, name, buf, *len);
	return buf;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A pipe or a device (/dev/stdout, /dev/full) can't be replaced by renaming: write into it. */
static int write_in_place(const char *name, const char *bytes, size_t len, struct err *err)
{
	int fd = open(name, O_WRONLY | O_CLOEXEC);
	bool failed;

	if (fd < 0)
		return err_at(err, name, 0, "%s", strerror(errno));
	failed = write_all(fd, bytes, len) < 0;
	failed |= close(fd) < 0;
	return failed ? err_at(err, name, 0, "%s", strerror(errno)) : 0;
}

static mode_t new_file_mode(const char *name)
{
	struct stat st;
	mode_t mask;

	if (stat(name, &st) == 0)
		return st.st_mode & 07777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

int file_write(const char *name, const char *bytes, size_t len, struct err *err)
{
	struct text tmp = { 0 };
	struct stat st;
	int fd, saved;

	if (!*name)
		return err_at(err, shown(name), 0, "must be the name of a file to write to");
	if (stat(name, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return write_in_place(name, bytes, len, err);
	text_add(&tmp, "%s.XXXXXX", name);
	fd = mkstemp(tmp.s);
	if (fd < 0) {
		err_at(err, name, 0, "cannot write beside it: %s", strerror(errno));
		text_free(&tmp);
		return -1;
	}
	if (write_all(fd, bytes, len) < 0 || fchmod(fd, new_file_mode(name)) < 0 ||
	    fsync(fd) < 0 || rename(tmp.s, name) < 0) {
		saved = errno;
		close(fd);
		unlink(tmp.s);
		text_free(&tmp);
		return err_at(err, name, 0, "%s", strerror(saved));
	}
	close(fd);
	text_free(&tmp);
	return 0;
}

int file_put(FILE *f, const char *what, const char *bytes, size_t len, struct err *err)
{
	errno = 0;
	if (fwrite(bytes, 1, len, f) != len || fflush(f) != 0) {
		if (f == stdout && errno == EPIPE)
			return 0;
		return err_at(err, what, 0, "%s", errno ? strerror(errno) : "write error");
	}
	return 0;
}

static bool has_models(const char *dir)
{
	struct text t = { 0 };
	bool found;

	text_add(&t, "%s/models/spr.json", dir);
	found = access(t.s, R_OK) == 0;
	text_free(&t);
	return found;
}

const char *file_data_dir(struct mem *mem, struct err *err)
{
	const char *env = getenv("HVSIM_DATA");
	char *exe;
	char *slash;

	if (env && *env) {
		if (has_models(env))
			return mem_strdup(mem, env);
		err_set(err, "HVSIM_DATA=%s holds no models/spr.json", env);
		return NULL;
	}
	exe = realpath("/proc/self/exe", NULL);
	while (exe && (slash = strrchr(exe, '/')) && slash != exe) {
		*slash = '\0';
		if (has_models(exe)) {
			const char *dir = mem_strdup(mem, exe);

			free(exe);
			return dir;
		}
	}
	free(exe);
	if (has_models(HVSIM_DATADIR))
		return HVSIM_DATADIR;
	err_set(err, "no models found: set HVSIM_DATA to the folder that holds models/ and scenarios/");
	return NULL;
}

const char *file_find(struct mem *mem, const char *folder, const char *name, struct err *err)
{
	size_t len = strlen(name), n;
	const char *const *names;
	const char *dir, *path, *near;

	if (strchr(name, '/') || (len > 5 && !strcmp(name + len - 5, ".json")))
		return mem_strdup(mem, name);
	dir = file_data_dir(mem, err);
	if (!dir)
		return NULL;
	path = mem_printf(mem, "%s/%s/%s.json", dir, folder, name);
	if (access(path, F_OK) == 0)
		return path;
	names = file_list(mem, folder, &n, err);
	if (!names)
		return NULL;
	near = text_nearest(name, names, n);
	if (near)
		err_set(err, "no '%s' in %s/ (did you mean '%s'?)", name, folder, near);
	else
		err_set(err, "no '%s' in %s/ (hvsim list shows what there is)", name, folder);
	return NULL;
}

const char *file_shown(struct mem *mem, const char *name)
{
	struct err unused = ERR_INIT;
	const char *dir = file_data_dir(mem, &unused);
	size_t len = dir ? strlen(dir) : 0;

	if (len && !strncmp(name, dir, len) && name[len] == '/')
		return name + len + 1;
	return name;
}

static int is_json_file(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return len > 5 && d->d_name[0] != '.' && !strcmp(d->d_name + len - 5, ".json");
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

const char *const *file_list(struct mem *mem, const char *folder, size_t *n, struct err *err)
{
	const char *dir = file_data_dir(mem, err);
	struct dirent **found = NULL;
	char **names;
	int count;

	if (!dir)
		return NULL;
	count = scandir(mem_printf(mem, "%s/%s", dir, folder), &found, is_json_file, by_bytes);
	if (count < 0)
		count = 0;
	names = mem_alloc(mem, (size_t)count + 1, sizeof(*names));
	for (int i = 0; i < count; i++) {
		names[i] = mem_strdup(mem, found[i]->d_name);
		names[i][strlen(names[i]) - 5] = '\0';
		free(found[i]);
	}
	free(found);
	*n = (size_t)count;
	return (const char *const *)names;
}
