/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ppc64 ELF file (vmlinux, .ko, .o) as sections of code, functions in them
 * and the relocations on them.
 *
 * Offsets are always within a section: what the file says about addresses
 * (sh_addr of a linked vmlinux) is added only to resolve branches. Everything
 * is checked against the size of the file when the image is opened, so the
 * functions here need not fail.
 */
#ifndef HVSIM_ELF_IMAGE_H
#define HVSIM_ELF_IMAGE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "elf/insn.h"

/* Relocation types used on code (64-bit ELF ABI for Power, "Relocation types"). */
enum {
	KELF_R_REL24 = 10,
	KELF_R_REL14 = 11,
	KELF_R_REL14_BRTAKEN = 12,
	KELF_R_REL14_BRNTAKEN = 13,
	KELF_R_ADDR64 = 38,
	KELF_R_REL32 = 26,
	KELF_R_REL64 = 44,
	KELF_R_REL24_NOTOC = 116,
	KELF_R_ENTRY = 118,
	KELF_R_REL24_P9NOTOC = 124,
};

struct kelf_reloc {
	uint64_t off;    /* in the section it applies to */
	uint32_t type;
	uint32_t sec;    /* section of its symbol; 0: undefined, look the name up elsewhere */
	uint64_t value;  /* offset of its symbol in that section */
	int64_t addend;
	const char *name; /* of the symbol; "" for a section symbol */
};

struct kelf_sec {
	const char *name;
	uint64_t addr, size;    /* size is 0 for what has no bytes in the file */
	uint64_t room;          /* what it takes in memory */
	const uint8_t *bytes;
	bool code;
	uint32_t rela;          /* index of the SHT_RELA section on it, or 0 */
	struct kelf_reloc *reloc; /* sorted by off; loaded for code and for fixup tables */
	size_t nreloc;
};

struct kelf_func {
	const char *name;
	uint32_t sec;
	bool sized;          /* the symbol had a size */
	bool data;           /* STT_OBJECT: a table between the code */
	uint8_t local_entry; /* bytes from the entry to the ELFv2 local entry */
	uint64_t off, size;  /* functions of a section do not overlap */
};

/* Another name of a place inside (or at the start of) a function. */
struct kelf_label {
	const char *name;
	uint32_t sec;
	uint64_t off;
};

/* The symbol table as libelf gives it. */
struct kelf_symtab {
	const Elf64_Sym *sym;
	const uint32_t *xindex; /* section indices that don't fit a symbol, or NULL */
	size_t n, nxindex;
	size_t strings; /* section of the names */
};

struct kelf_image {
	const char *name;
	Elf *elf;
	bool big;      /* big-endian */
	bool linked;   /* ET_EXEC or ET_DYN: addresses are final */
	unsigned abi;  /* 1 or 2 */
	struct kelf_sec *sec;
	size_t nsec;
	uint32_t *by_addr; /* code sections of a linked image by rising address */
	size_t ncode;
	struct kelf_symtab symtab;
	struct kelf_func *func; /* sorted by section, offset */
	size_t nfunc;
	struct kelf_label *label; /* sorted by section, offset; holds the functions' names too */
	size_t nlabel;
	size_t outside; /* symbols that lie in no section: left out */
	struct kelf_fixup *fixup; /* feature sections (fixup.h) */
	size_t nfixup;
	struct kelf_place *lwsync; /* barriers that become lwsync, sorted (fixup.h) */
	size_t nlwsync;
	struct kelf_jump *jump;   /* sites of static keys (live.h); NULL: not loaded */
	size_t njump;
	uint32_t mcount_sec; /* where _mcount is: calls of it are nops once booted */
	uint64_t mcount_off;
};

/*
 * Read an ELF file that is in memory. The bytes must stay until
 * kelf_image_done(); all else lives in the pool. -1 when it is not a 64-bit
 * PowerPC ELF file or its headers contradict its size.
 */
int kelf_image_init(struct kelf_image *img, struct mem *mem, const char *name, char *bytes,
		    size_t len, struct err *err);
void kelf_image_done(struct kelf_image *img);

/* A section by name, or NULL. */
const struct kelf_sec *kelf_section(const struct kelf_image *img, const char *name);

/* The function that holds an offset of a section, or NULL. */
const struct kelf_func *kelf_func_at(const struct kelf_image *img, uint32_t sec, uint64_t off);

/* The function or label of exactly this name; *off gets where in it. NULL when there is none. */
const struct kelf_func *kelf_func_named(const struct kelf_image *img, const char *name,
					uint64_t *off);

/* Find the section and offset of an address of a linked image. False when it's in none. */
bool kelf_locate(const struct kelf_image *img, uint64_t addr, uint32_t *sec, uint64_t *off);

/* The relocation on an offset of a section, or NULL. */
const struct kelf_reloc *kelf_reloc_at(const struct kelf_sec *sec, uint64_t off);

/* Load the relocations on a section (kelf_image_init does it for code). */
int kelf_load_relocs(struct kelf_image *img, struct mem *mem, uint32_t sec, struct err *err);

uint32_t kelf_u32(const struct kelf_image *img, const uint8_t *p);
uint64_t kelf_u64(const struct kelf_image *img, const uint8_t *p);

/* Decode the instruction at an offset, which must leave 4 bytes in the section. */
struct kelf_insn kelf_insn_at(const struct kelf_image *img, const struct kelf_sec *sec,
			      uint64_t off);

/* Where a direct branch goes. */
struct kelf_target {
	const struct kelf_func *func; /* NULL: in another file, or in no function */
	const char *name;  /* function, or undefined symbol; NULL: unknown */
	uint64_t off;      /* in the function, the ELFv2 local entry counted as 0 */
	uint32_t sec;      /* where it lands; 0: in another file */
	uint64_t sec_off;
};

/*
 * Resolve a direct branch or call at an offset of a section, by its relocation
 * or, without one, by its own offset. False when it lands outside all code.
 */
bool kelf_branch_target(const struct kelf_image *img, uint32_t sec, uint64_t off,
			const struct kelf_insn *insn, struct kelf_target *to);

/*
 * Length of a symbol's stem: the name without the suffixes compilers add
 * (.isra.0, .constprop.0, .part.0, .cold, .llvm.N, and combinations).
 */
size_t kelf_stem(const char *name);

#endif
