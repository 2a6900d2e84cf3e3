// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a ladder, paths, break-even or load scenario: an error with a text, or tables. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "scenario/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char name[] = "/tmp/hvsim-fuzz-ladder-XXXXXX.json";

static void forget(void)
{
	remove(name);
}

static void make_file(void)
{
	int fd = mkstemps(name, 5);

	if (fd < 0)
		abort();
	close(fd);
	atexit(forget);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const kinds[] = { "\"ladder\"", "\"paths\"", "\"break-even\"",
					     "\"load\"" };
	struct scn_options options = { .name = name };
	struct err err = ERR_INIT;
	struct scn_result result;
	bool ours = false;
	struct mem *mem;

	for (unsigned i = 0; i < 4; i++)
		ours |= memmem(data, size, kinds[i], strlen(kinds[i])) != NULL;
	if (!ours)
		return 0;
	if (name[sizeof(name) - 7] == 'X')
		make_file();
	mem = mem_new();
	if (file_write(name, (const char *)data, size, &err) < 0)
		abort();
	if (scn_run(mem, &options, &result, &err) < 0 && !err.text[0])
		abort();
	mem_free(mem);
	return 0;
}
