/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files in, whole files out, and where hvsim's own data files are. */
#ifndef HVSIM_BASE_FILE_H
#define HVSIM_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"

#define FILE_SIZE_MAX ((size_t)64 << 20)

/*
 * Read a regular file whole into the pool; a NUL follows the last byte. Files
 * over FILE_SIZE_MAX, folders and devices are errors. *len gets the size.
 */
char *file_read(struct mem *mem, const char *name, size_t *len, struct err *err);

/*
 * Replace a file atomically: written beside it, flushed, renamed. On any
 * failure the old file is left as it was and nothing else remains.
 */
int file_write(const char *name, const char *bytes, size_t len, struct err *err);

/*
 * Write all to a stream and flush it, so that a full disk is an error and not
 * silence. `what` names the stream in the error. A reader that has closed the
 * pipe on stdout has seen what it wanted (head): that is success.
 */
int file_put(FILE *f, const char *what, const char *bytes, size_t len, struct err *err);

/*
 * The folder that holds models/ and scenarios/: $HVSIM_DATA when set, else the
 * source tree the running program was built in, else where it was installed.
 * Owned by the pool. Error when none of them holds a models folder.
 */
const char *file_data_dir(struct mem *mem, struct err *err);

/*
 * A data file by name: a name that contains a slash or ends in ".json" is a
 * path as given; otherwise DATA/folder/NAME.json, which must exist: the error
 * lists near names.
 */
const char *file_find(struct mem *mem, const char *folder, const char *name, struct err *err);

/* How a result names a file: inside the data folder by its place there, else as it is. */
const char *file_shown(struct mem *mem, const char *name);

/*
 * Names (without ".json") of the data files in DATA/folder, sorted, owned by
 * the pool. *n gets how many. A folder that isn't there gives none.
 */
const char *const *file_list(struct mem *mem, const char *folder, size_t *n, struct err *err);

#endif
