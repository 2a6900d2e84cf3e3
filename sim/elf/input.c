// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int map_file(struct kelf_input *in, int fd, const char *name, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_at(err, name, 0, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > KELF_FILE_MAX)
		return err_at(err, name, 0, "must be a regular file of at most %zu MiB",
			      KELF_FILE_MAX >> 20);
	if (!st.st_size)
		return err_at(err, name, 0, "is empty: expected a ppc64 ELF file");
	in->bytes = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (in->bytes == MAP_FAILED) {
		in->bytes = NULL;
		return err_at(err, name, 0, "%s", strerror(errno));
	}
	in->len = in->mapped = (size_t)st.st_size;
	return 0;
}

int kelf_input_open(struct kelf_input *in, const char *name, struct err *err)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *out = NULL;
	size_t out_len = 0;
	int rc;

	*in = (struct kelf_input){ 0 };
	if (fd < 0)
		return err_at(err, name, 0, "%s", strerror(errno));
	rc = map_file(in, fd, name, err);
	close(fd);
	if (rc < 0)
		return -1;
	if (kelf_expand(name, in->bytes, in->len, KELF_EXPAND_MAX, &out, &out_len, err) < 0)
		return -1;
	if (!out)
		return 0;
	kelf_input_done(in);
	in->bytes = out;
	in->len = out_len;
	return 0;
}

void kelf_input_done(struct kelf_input *in)
{
	if (in->mapped)
		munmap(in->bytes, in->mapped);
	else
		free(in->bytes);
	*in = (struct kelf_input){ 0 };
}
