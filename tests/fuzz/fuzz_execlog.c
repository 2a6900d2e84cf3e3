// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as an emulator's log: every block it gives has its words. */
#include <stdint.h>
#include <stdio.h>

#include "elf/execlog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = size ? fmemopen((void *)data, size, "r") : NULL;
	struct err err = ERR_INIT;
	struct kelf_block block;
	struct kelf_log *log;
	volatile uint32_t sum = 0;

	if (!f)
		return 0;
	log = kelf_log_from(f, "fuzz");
	while (kelf_log_next(log, &block, &err) > 0)
		for (size_t i = 0; i < block.n; i++)
			sum += block.word[i];
	(void)sum;
	kelf_log_close(log);
	return 0;
}
