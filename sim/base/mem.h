/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one way hvsim owns memory that lives as long as something loaded does.
 *
 * A pool is a chain of blocks freed together. Whatever is loaded from a file
 * (a model, a path, a scenario) lives in the pool its loader was given and is
 * never freed alone. Objects whose size changes while a run goes on (queues,
 * histograms) use mem_grow() and free().
 *
 * Running out of memory is not an error that callers handle: one line on
 * standard error and abort().
 */
#ifndef HVSIM_BASE_MEM_H
#define HVSIM_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct mem;

/* A file that was read into a pool: every result can say what it was made from. */
struct mem_input {
	const char *name;
	uint64_t fnv1a;          /* 64-bit FNV-1a of its bytes; see mem_note_digest() */
	struct mem_input *next;  /* in the order of reading */
};

/* A new empty pool; the caller owns it and ends it with mem_free(). */
struct mem *mem_new(void);

/* Free the pool and all that was allocated from it. NULL is allowed. */
void mem_free(struct mem *mem);

/* n objects of size bytes, zeroed, aligned for any type. n = 0 gives a valid pointer. */
void *mem_alloc(struct mem *mem, size_t n, size_t size);

/* The pool owns what mem_grow() or malloc() gave from here on. NULL is allowed. Returns p. */
void *mem_take(struct mem *mem, void *p);

/* Copies owned by the pool. */
char *mem_strdup(struct mem *mem, const char *s);
char *mem_printf(struct mem *mem, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Note a file; a name already noted stays as it was. name is copied. */
void mem_note_input(struct mem *mem, const char *name, const char *bytes, size_t len);

/*
 * The same for a file whose digest the caller made: with mem_fnv1a(), from
 * MEM_FNV1A on, or of a long file with base/digest.h.
 */
#define MEM_FNV1A UINT64_C(0xcbf29ce484222325)
uint64_t mem_fnv1a(uint64_t digest, const char *bytes, size_t len);
void mem_note_digest(struct mem *mem, const char *name, uint64_t digest);

/* The files noted so far, oldest first, or NULL. */
const struct mem_input *mem_inputs(const struct mem *mem);

/* malloc'ed, zeroed, never NULL; freed with free(). */
void *mem_zalloc(size_t n, size_t size);

/*
 * Make room for at least `need` objects of `size` bytes in a malloc'ed array:
 * returns the array, moved if it had to grow (at least doubling), with *cap
 * updated. ptr may be NULL with *cap 0. New objects are not initialised.
 */
void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size);

#endif
