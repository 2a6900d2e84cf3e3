// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/match.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

bool kelf_stem_matches(const char *pattern, const char *name)
{
	size_t stem = kelf_stem(name);
	char buf[256];

	if (!fnmatch(pattern, name, 0))
		return true;
	if (!name[stem] || stem >= sizeof(buf))
		return false;
	memcpy(buf, name, stem);
	buf[stem] = '\0';
	return !fnmatch(pattern, buf, 0);
}

static void add(struct kelf_pick **pick, size_t *n, size_t *cap, struct kelf_pick p)
{
	*pick = mem_grow(*pick, cap, *n + 1, sizeof(**pick));
	(*pick)[(*n)++] = p;
}

static int nothing(const struct kelf_kernel *k, const char *pattern, struct err *err)
{
	const char *near = NULL;

	for (size_t i = 0; i < k->n && !near; i++) {
		const struct kelf_image *img = &k->file[i]->img;
		const char **names = mem_zalloc(img->nfunc + 1, sizeof(*names));

		for (size_t f = 0; f < img->nfunc; f++)
			names[f] = img->func[f].name;
		near = text_nearest(pattern, names, img->nfunc);
		free(names);
	}
	if (near)
		return err_at(err, k->name, 0, "no function '%.100s' (did you mean '%.100s'?)",
			      pattern, near);
	return err_at(err, k->name, 0, "no function '%.100s': without -f all are listed", pattern);
}

int kelf_pick(const struct kelf_kernel *k, const char *pattern, struct kelf_pick **pick,
	      size_t *n, size_t *cap, struct err *err)
{
	const struct kelf_image *img;
	const struct kelf_func *func;
	size_t before = *n;
	uint64_t off;

	for (size_t i = 0; i < k->n; i++) {
		img = &k->file[i]->img;
		for (size_t f = 0; f < img->nfunc; f++)
			if (!img->func[f].data && kelf_stem_matches(pattern, img->func[f].name))
				add(pick, n, cap, (struct kelf_pick){
					img, &img->func[f], img->func[f].name, 0 });
	}
	if (*n > before)
		return 0;
	func = kelf_kernel_find(k, pattern, &img, &off);
	if (!func)
		return nothing(k, pattern, err);
	add(pick, n, cap, (struct kelf_pick){ img, func, pattern, off });
	return 0;
}
