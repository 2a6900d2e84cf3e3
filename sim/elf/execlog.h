/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of QEMU's TCG, `-d exec,in_asm,nochain`: the blocks it translated, with
 * their instruction words, and which of them it ran, in order:
 *
 *   IN:
 *   0xc000000000111f10:  3c4c0115  addis    r2, r12, 0x115
 *
 *   Trace 0: 0x7f3c24000100 [0000000000000000/c000000000111f10/fc000006/ff000200]
 *
 * Other lines are passed over. A block is known from its translation on.
 */
#ifndef HVSIM_ELF_EXECLOG_H
#define HVSIM_ELF_EXECLOG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

#define KELF_LOG_WORDS_MAX ((size_t)64 << 20) /* in all translations together */

/* A block that ran. */
struct kelf_block {
	uint64_t pc;
	const uint32_t
		*word; /* valid until the next call; NULL: its translation isn't in the log */
	size_t n;
};

struct kelf_log;

/* Open a log; NULL with an error when it can't be read. */
struct kelf_log *kelf_log_open(const char *name, struct err *err);

/* The same from a stream, which the log then owns; name is for messages. */
struct kelf_log *kelf_log_from(FILE *f, const char *name);
void kelf_log_close(struct kelf_log *log);

/*
 * The next block that ran: 1, or 0 at the end, or -1 with an error (a log with more
 * than KELF_LOG_WORDS_MAX words).
 */
int kelf_log_next(struct kelf_log *log, struct kelf_block *block, struct err *err);

#endif
