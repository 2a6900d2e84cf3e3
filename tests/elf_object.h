/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test objects of tests/elf/, read into memory so that tests can damage them. */
#ifndef HVSIM_TESTS_ELF_OBJECT_H
#define HVSIM_TESTS_ELF_OBJECT_H

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "elf/image.h"

struct object {
	struct mem *mem;
	char *bytes;
	size_t len;
	struct kelf_image img;
	struct err err;
};

/* Read tests/elf/NAME; the bytes may be changed before object_open(). */
static inline struct object object_read(const char *name)
{
	struct object o = { .mem = mem_new(), .err = ERR_INIT };

	o.bytes = file_read(o.mem, mem_printf(o.mem, "%s/tests/elf/%s", getenv("HVSIM_DATA"), name),
			    &o.len, &o.err);
	if (!o.bytes)
		fail_msg("%s", o.err.text);
	return o;
}

static inline int object_open(struct object *o)
{
	return kelf_image_init(&o->img, o->mem, "object", o->bytes, o->len, &o->err);
}

static inline void object_done(struct object *o)
{
	kelf_image_done(&o->img);
	mem_free(o->mem);
}

#endif
