/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One kernel build: a single ELF file, or a folder that holds vmlinux and the
 * KVM modules. Since Linux 6.1 the entry path is spread over all three.
 */
#ifndef HVSIM_ELF_KERNEL_H
#define HVSIM_ELF_KERNEL_H

#include "elf/image.h"
#include "elf/input.h"

struct kelf_file {
	struct kelf_input in;
	struct kelf_image img;
};

struct kelf_kernel {
	const char *name; /* as given */
	struct kelf_file **file;
	size_t n, cap;
};

/*
 * Open a file, or in a folder the files vmlinux, kvm.ko and kvm-hv.ko (with
 * any version and compression suffix; at least one must be there). End it with
 * kelf_kernel_done(), also after an error.
 */
int kelf_kernel_open(struct kelf_kernel *k, struct mem *mem, const char *name, struct err *err);
void kelf_kernel_done(struct kelf_kernel *k);

/* The base name of an image's file, for tables. */
const char *kelf_short_name(const struct kelf_image *img);

/* Symbols of all files that lie in no section: the result is then partial. */
size_t kelf_kernel_outside(const struct kelf_kernel *k);

/*
 * The function of exactly this name in any of the files, in their order;
 * *img and *off (within the function) are filled. NULL when there is none.
 */
const struct kelf_func *kelf_kernel_find(const struct kelf_kernel *k, const char *name,
					 const struct kelf_image **img, uint64_t *off);

#endif
