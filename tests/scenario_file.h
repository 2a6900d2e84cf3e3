/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scenario written in a test, as the file a reader opens. */
#ifndef HVSIM_TESTS_SCENARIO_FILE_H
#define HVSIM_TESTS_SCENARIO_FILE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* A new .json file in TMPDIR that holds text. The name is mem's; the file is the caller's to
 * unlink. */
static inline const char *scenario_file(struct mem *mem, const char *text)
{
	const char *dir = getenv("TMPDIR");
	char *name = mem_printf(mem, "%s/hvsim-XXXXXX.json", dir ? dir : "/tmp");
	struct err err = ERR_INIT;
	int fd = mkstemps(name, 5);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_write(name, text, strlen(text), &err), 0);
	return name;
}

#endif
