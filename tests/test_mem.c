// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "base/digest.h"
#include "base/mem.h"

static void what_is_allocated_is_zero_and_aligned(void **state)
{
	struct mem *mem = mem_new();

	for (size_t size = 0; size < 40000; size = size * 3 + 1) {
		unsigned char *p = mem_alloc(mem, size, 1);

		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	mem_free(mem);
}

static void arrays_grow_and_keep(void **state)
{
	size_t cap = 0;
	uint32_t *a = NULL;

	for (uint32_t i = 0; i < 1000; i++) {
		a = mem_grow(a, &cap, i + 1, sizeof(*a));
		a[i] = i;
	}
	assert_true(cap >= 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(a[i], i);
	free(a);
}

/* The digests are FNV-1a's published test vectors for "", "a" and "b". */
static void inputs_are_noted_once(void **state)
{
	struct mem *mem = mem_new();
	const struct mem_input *i;

	assert_null(mem_inputs(mem));
	mem_note_input(mem, "empty", "", 0);
	mem_note_input(mem, "a.json", "a", 1);
	mem_note_input(mem, "b.json", "b", 1);
	mem_note_input(mem, "a.json", "changed", 7);
	i = mem_inputs(mem);
	assert_string_equal(i->name, "empty");
	assert_true(i->fnv1a == UINT64_C(0xcbf29ce484222325));
	i = i->next;
	assert_string_equal(i->name, "a.json");
	assert_true(i->fnv1a == UINT64_C(0xaf63dc4c8601ec8c));
	i = i->next;
	assert_true(i->fnv1a == UINT64_C(0xaf63df4c8601f1a5));
	assert_null(i->next);
	mem_free(mem);
}

/* The expected values were made by a program in another language after base/digest.h. */
static void digests_are_as_defined(void **state)
{
	static const char text[] = "hvsim-trace 1\nvcpu 0\n0 compute 500\n0 idle\nend 1000\n";
	const size_t n = sizeof(text) - 1;
	char changed[sizeof(text)];
	struct digest d;

	digest_start(&d);
	assert_true(digest_end(&d) == UINT64_C(0x45d3d9023cd747c9));
	digest_start(&d);
	digest_add(&d, text, n);
	assert_true(digest_end(&d) == UINT64_C(0x4a2706a6c1347a85));
	for (size_t at = 0; at < n; at++) {
		digest_start(&d);
		digest_add(&d, text, at);
		digest_add(&d, text + at, 1);
		digest_add(&d, text + at + 1, n - at - 1);
		assert_true(digest_end(&d) == UINT64_C(0x4a2706a6c1347a85));
		memcpy(changed, text, n);
		changed[at] ^= 1;
		digest_start(&d);
		digest_add(&d, changed, n);
		assert_true(digest_end(&d) != UINT64_C(0x4a2706a6c1347a85));
	}
}

/* What a pool takes is freed with it: the sanitizer's build would tell. */
static void a_pool_frees_what_it_takes(void **state)
{
	struct mem *mem = mem_new();
	size_t cap = 0;
	uint32_t *a = mem_grow(NULL, &cap, 1000, sizeof(*a));

	assert_ptr_equal(mem_take(mem, a), a);
	assert_null(mem_take(mem, NULL));
	mem_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_allocated_is_zero_and_aligned),
		cmocka_unit_test(arrays_grow_and_keep),
		cmocka_unit_test(inputs_are_noted_once),
		cmocka_unit_test(digests_are_as_defined),
		cmocka_unit_test(a_pool_frees_what_it_takes),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
