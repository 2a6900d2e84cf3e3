// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_MIN 16384

struct block {
	struct block *next;
	size_t size, used;
	max_align_t data[];
};

struct taken {
	struct taken *next;
	void *p;
};

struct mem {
	struct block *blocks;
	struct taken *taken;
	struct mem_input *inputs;
};

static _Noreturn void out_of_memory(size_t n, size_t size)
{
	fprintf(stderr, "hvsim: out of memory (%zu x %zu bytes)\n", n, size);
	abort();
}

static size_t checked_mul(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX / 2)
		out_of_memory(n, size);
	return bytes;
}

struct mem *mem_new(void)
{
	return mem_zalloc(1, sizeof(struct mem));
}

void mem_free(struct mem *mem)
{
	struct block *b, *next;

	if (!mem)
		return;
	for (struct taken *t = mem->taken; t; t = t->next)
		free(t->p);
	for (b = mem->blocks; b; b = next) {
		next = b->next;
		free(b);
	}
	free(mem);
}

static struct block *add_block(struct mem *mem, size_t bytes)
{
	size_t size = bytes > BLOCK_MIN ? bytes : BLOCK_MIN;
	struct block *b = calloc(1, sizeof(*b) + size);

	if (!b)
		out_of_memory(1, size);
	b->size = size;
	/* A block made for one large object is full at once: keep filling the one before it. */
	if (bytes > BLOCK_MIN && mem->blocks) {
		b->next = mem->blocks->next;
		mem->blocks->next = b;
	} else {
		b->next = mem->blocks;
		mem->blocks = b;
	}
	return b;
}

void *mem_alloc(struct mem *mem, size_t n, size_t size)
{
	size_t bytes = checked_mul(n, size);
	struct block *b = mem->blocks;
	void *p;

	bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (!b || b->size - b->used < bytes)
		b = add_block(mem, bytes);
	p = (char *)b->data + b->used;
	b->used += bytes;
	return p;
}

void *mem_take(struct mem *mem, void *p)
{
	struct taken *t = mem_alloc(mem, 1, sizeof(*t));

	*t = (struct taken){ mem->taken, p };
	mem->taken = t;
	return p;
}

char *mem_strdup(struct mem *mem, const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(mem_alloc(mem, n, 1), s, n);
}

char *mem_printf(struct mem *mem, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	s = mem_alloc(mem, (size_t)n + 1, 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return s;
}

uint64_t mem_fnv1a(uint64_t digest, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		digest = (digest ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return digest;
}

void mem_note_digest(struct mem *mem, const char *name, uint64_t digest)
{
	struct mem_input **link = &mem->inputs;

	for (; *link; link = &(*link)->next)
		if (!strcmp((*link)->name, name))
			return;
	*link = mem_alloc(mem, 1, sizeof(**link));
	**link = (struct mem_input){ .name = mem_strdup(mem, name), .fnv1a = digest };
}

void mem_note_input(struct mem *mem, const char *name, const char *bytes, size_t len)
{
	mem_note_digest(mem, name, mem_fnv1a(MEM_FNV1A, bytes, len));
}

const struct mem_input *mem_inputs(const struct mem *mem)
{
	return mem->inputs;
}

void *mem_zalloc(size_t n, size_t size)
{
	size_t bytes = checked_mul(n, size);
	void *p = calloc(1, bytes ? bytes : 1);

	if (!p)
		out_of_memory(n, size);
	return p;
}

void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap;

	if (need <= n)
		return ptr;
	n = n ? n : 16;
	while (n < need)
		n *= 2;
	ptr = realloc(ptr, checked_mul(n, size));
	if (!ptr)
		out_of_memory(n, size);
	*cap = n;
	return ptr;
}
