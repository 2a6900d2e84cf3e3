// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int add_file(struct kelf_kernel *k, struct mem *mem, const char *name, struct err *err)
{
	struct kelf_file *f = mem_zalloc(1, sizeof(*f));

	k->file = mem_grow(k->file, &k->cap, k->n + 1, sizeof(*k->file));
	k->file[k->n++] = f;
	if (kelf_input_open(&f->in, name, err) < 0)
		return -1;
	return kelf_image_init(&f->img, mem, name, f->in.bytes, f->in.len, err);
}

/* "kvm.ko.xz" is kvm.ko, "vmlinux-6.1" is vmlinux, "vmlinux.map" and "kvm.ko.cmd" are neither. */
static bool is_named(const char *file, const char *stem)
{
	static const char *const ends[] = { "", ".gz", ".xz", ".zst" };
	size_t n = strlen(stem);

	if (strncmp(file, stem, n))
		return false;
	if (!strcmp(stem, "vmlinux") && file[n] == '-')
		return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(file + n, ends[i]))
			return true;
	return false;
}

static int add_named(struct kelf_kernel *k, struct mem *mem, const char *folder, const char *stem,
		     struct err *err)
{
	const char *found = NULL;
	struct dirent *d;
	DIR *dir = opendir(folder);

	if (!dir)
		return err_at(err, folder, 0, "%s", strerror(errno));
	while ((d = readdir(dir))) {
		if (!is_named(d->d_name, stem))
			continue;
		if (found) {
			closedir(dir);
			return err_at(err, folder, 0, "holds more than one %s: name a file", stem);
		}
		found = mem_printf(mem, "%s/%s", folder, d->d_name);
	}
	closedir(dir);
	return found ? add_file(k, mem, found, err) : 0;
}

int kelf_kernel_open(struct kelf_kernel *k, struct mem *mem, const char *name, struct err *err)
{
	static const char *const stems[] = { "vmlinux", "kvm.ko", "kvm-hv.ko" };
	struct stat st;

	*k = (struct kelf_kernel){ .name = name };
	if (stat(name, &st) < 0 || !S_ISDIR(st.st_mode))
		return add_file(k, mem, name, err);
	for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++)
		if (add_named(k, mem, name, stems[i], err) < 0)
			return -1;
	if (!k->n)
		return err_at(err, name, 0, "holds neither vmlinux nor kvm.ko nor kvm-hv.ko");
	return 0;
}

void kelf_kernel_done(struct kelf_kernel *k)
{
	for (size_t i = 0; i < k->n; i++) {
		kelf_image_done(&k->file[i]->img);
		kelf_input_done(&k->file[i]->in);
		free(k->file[i]);
	}
	free(k->file);
	*k = (struct kelf_kernel){ 0 };
}

const char *kelf_short_name(const struct kelf_image *img)
{
	const char *slash = strrchr(img->name, '/');

	return slash ? slash + 1 : img->name;
}

size_t kelf_kernel_outside(const struct kelf_kernel *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		n += k->file[i]->img.outside;
	return n;
}

const struct kelf_func *kelf_kernel_find(const struct kelf_kernel *k, const char *name,
					 const struct kelf_image **img, uint64_t *off)
{
	for (size_t i = 0; i < k->n; i++) {
		const struct kelf_func *f = kelf_func_named(&k->file[i]->img, name, off);

		if (f) {
			*img = &k->file[i]->img;
			return f;
		}
	}
	return NULL;
}
