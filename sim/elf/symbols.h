/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols and descriptors of an image: what is between image.c, symbols.c and reloc.c. */
#ifndef HVSIM_ELF_SYMBOLS_H
#define HVSIM_ELF_SYMBOLS_H

#include "elf/image.h"

/* A symbol with its section index resolved (SHN_XINDEX too). */
struct kelf_sym {
	const char *name;
	uint64_t value, size;
	uint32_t sec; /* 0: undefined, absolute or common */
	bool outside; /* its section does not exist */
	uint8_t type, bind, other;
};

/* Find the SHT_SYMTAB. -1 when it is malformed; symtab.n stays 0 when there is none. */
int kelf_open_symtab(struct kelf_image *img, struct err *err);

/* Symbol i, which is less than symtab.n. */
void kelf_get_symbol(const struct kelf_image *img, size_t i, struct kelf_sym *out);

/* Fill func[] and label[] of the image. */
int kelf_load_symbols(struct kelf_image *img, struct mem *mem, struct err *err);

/*
 * ELFv1: follow a function descriptor at an offset of .opd to the code. False
 * when sec isn't .opd or the descriptor leads to no code.
 */
bool kelf_follow_opd(const struct kelf_image *img, uint32_t *sec, uint64_t *off);

#endif
