// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as a kernel file: expanded if compressed, read, every function decoded. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf/count.h"
#include "elf/input.h"
#include "elf/walk.h"

#define EXPAND_MAX ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void visit(const struct kelf_image *img, const struct kelf_func *f)
{
	struct kelf_iter it = { 0 };
	struct kelf_insn insn;
	struct kelf_target to;
	struct text line = { 0 };

	while (kelf_next(img, f, &it, &insn)) {
		kelf_branch_target(img, f->sec, f->off + it.off, &insn, &to);
		line.len = 0;
		kelf_insn_text(&insn, NULL, &line);
	}
	text_free(&line);
}

/* Choices of each kind about every function. */
static void choose(struct kelf_choice *c, size_t n)
{
	static const struct kelf_choice kinds[] = {
		{ .test = true, .outcome = { KELF_EQUAL, 0xc00 }, .want = true },
		{ .test = true, .outcome = { KELF_NO_BIT, 0x4000 } },
		{ .test = true, .outcome = { KELF_GREATER, 0 }, .nth = 1 },
		{ .callee = "*", .want = true },
		{ .op = "isync" },
	};

	for (size_t i = 0; i < n; i++) {
		c[i] = kinds[i % (sizeof(kinds) / sizeof(kinds[0]))];
		c[i].function = "*";
		c[i].offset = -1;
	}
}

/* Walk from the first functions: with nothing decided, and with choices. */
static void walk(struct mem *mem, struct kelf_image *img)
{
	static const struct spr_table no_sprs;
	struct kelf_file file = { .img = *img };
	struct kelf_file *files[] = { &file };
	struct kelf_kernel k = { "fuzz", files, 1, 1 };

	for (size_t i = 0; i < 8 && i / 2 < img->nfunc; i++) {
		struct kelf_choice c[5];
		struct kelf_walkfile choices = { .name = "", .depth = 8, .choice = c };
		struct err err = ERR_INIT;
		struct kelf_walk w;

		choose(c, 5);
		choices.nchoice = i % 2 ? 5 : 0;
		kelf_walk(&w, mem, &k, &choices, img->func[i / 2].name, &no_sprs, &err);
		kelf_walk_done(&w);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mem *mem = mem_new();
	struct err err = ERR_INIT;
	struct kelf_image img;
	char *bytes = NULL;
	size_t len = 0;

	if (kelf_expand("fuzz", (const char *)data, size, EXPAND_MAX, &bytes, &len, &err) == 0) {
		if (!bytes) {
			bytes = mem_zalloc(size + 1, 1);
			memcpy(bytes, data, size);
			len = size;
		}
		if (kelf_image_init(&img, mem, "fuzz", bytes, len, &err) == 0) {
			for (size_t i = 0; i < img.nfunc; i++)
				visit(&img, &img.func[i]);
			walk(mem, &img);
		}
		kelf_image_done(&img);
	}
	free(bytes);
	mem_free(mem);
	return 0;
}
