// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged and hostile input: an error that names what is wrong, never a crash or a hang. */
#include "check.h"

#include <elf.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "elf/count.h"
#include "elf/input.h"
#include "elf_object.h"

static Elf64_Shdr *section_header(struct object *o, unsigned i)
{
	Elf64_Ehdr *eh = (Elf64_Ehdr *)o->bytes;

	return (Elf64_Shdr *)(o->bytes + eh->e_shoff) + i;
}

static unsigned section_of_type(struct object *o, uint32_t type)
{
	Elf64_Ehdr *eh = (Elf64_Ehdr *)o->bytes;

	for (unsigned i = 1; i < eh->e_shnum; i++)
		if (section_header(o, i)->sh_type == type)
			return i;
	fail_msg("no section of type %u", type);
	return 0;
}

static void expect_error(struct object *o, const char *part)
{
	if (object_open(o) == 0)
		fail_msg("opened, but should say '%s'", part);
	assert_error_has(o->err, part);
	object_done(o);
}

static void every_length_is_survived(void **state)
{
	struct object whole = object_read("calls.o");

	for (size_t len = 0; len < whole.len; len++) {
		struct object o = { .mem = mem_new(), .err = ERR_INIT, .len = len };

		o.bytes = mem_alloc(o.mem, len, 1);
		memcpy(o.bytes, whole.bytes, len);
		assert_int_equal(object_open(&o), -1);
		assert_true(o.err.set);
		object_done(&o);
	}
	object_done(&whole);
}

static void wrong_class_and_machine(void **state)
{
	struct object o = object_read("calls.o");

	o.bytes[EI_CLASS] = ELFCLASS32;
	expect_error(&o, "64-bit PowerPC");
	o = object_read("calls.o");
	((Elf64_Ehdr *)o.bytes)->e_machine = EM_X86_64;
	expect_error(&o, "machine 62");
	o = object_read("calls.o");
	((Elf64_Ehdr *)o.bytes)->e_type = ET_CORE;
	expect_error(&o, "type 4");
	o = object_read("calls.s");
	expect_error(&o, "not an ELF file");
}

static void sections_past_the_end_or_overlapping(void **state)
{
	struct object o = object_read("calls.o");

	section_header(&o, 1)->sh_size = UINT64_MAX - 16;
	expect_error(&o, "past the end");
	o = object_read("calls.o");
	section_header(&o, 1)->sh_offset = UINT64_MAX - 3;
	expect_error(&o, "past the end");
	o = object_read("calls.o");
	section_header(&o, section_of_type(&o, SHT_RELA))->sh_offset =
		section_header(&o, 1)->sh_offset;
	expect_error(&o, "overlap");
}

static void relocations_that_apply_to_nothing(void **state)
{
	struct object o = object_read("calls.o");
	unsigned rela = section_of_type(&o, SHT_RELA);

	section_header(&o, rela)->sh_info = rela;
	expect_error(&o, "applies to no section");
	o = object_read("calls.o");
	section_header(&o, rela)->sh_info = 999;
	expect_error(&o, "applies to no section");
}

/* Two tables that apply to each other. */
static void relocations_in_a_circle(void **state)
{
	struct object o = object_read("walk.o");
	unsigned first = section_of_type(&o, SHT_RELA), second = first + 1;

	while (section_header(&o, second)->sh_type != SHT_RELA)
		second++;
	section_header(&o, first)->sh_info = second;
	section_header(&o, second)->sh_info = first;
	expect_error(&o, "applies to no section");
}

static void names_without_an_end(void **state)
{
	struct object o = object_read("calls.o");
	Elf64_Shdr *names =
		section_header(&o, section_header(&o, section_of_type(&o, SHT_SYMTAB))->sh_link);

	o.bytes[names->sh_offset + names->sh_size - 1] = 'x';
	expect_error(&o, "have no end");
}

/* A symbol in a section that isn't there is left out and counted: the result is partial. */
static void symbols_outside_sections(void **state)
{
	struct object o = object_read("calls.o");
	Elf64_Shdr *table = section_header(&o, section_of_type(&o, SHT_SYMTAB));
	Elf64_Sym *sym = (Elf64_Sym *)(o.bytes + table->sh_offset);

	for (size_t i = 0; i < table->sh_size / sizeof(*sym); i++)
		if (ELF64_ST_TYPE(sym[i].st_info) == STT_FUNC)
			sym[i].st_shndx = 0x1234;
	assert_int_equal(object_open(&o), 0);
	assert_int_equal(o.img.outside, 4); /* caller, twin, helper, caller_notoc */
	assert_int_equal(o.img.nfunc, 2);   /* unsized and inner_label have no type */
	object_done(&o);
}

static void sizes_of_symbols_do_not_lead_outside(void **state)
{
	struct object o = object_read("calls.o");
	Elf64_Shdr *table = section_header(&o, section_of_type(&o, SHT_SYMTAB));
	Elf64_Sym *sym = (Elf64_Sym *)(o.bytes + table->sh_offset);
	uint64_t code = section_header(&o, 1)->sh_size, bytes = 0;

	for (size_t i = 0; i < table->sh_size / sizeof(*sym); i++)
		sym[i].st_size = UINT64_MAX - i;
	assert_int_equal(object_open(&o), 0);
	for (size_t i = 0; i < o.img.nfunc; i++)
		bytes += o.img.func[i].size;
	assert_true(bytes <= code);
	object_done(&o);
}

/* A module's signature follows the ELF file: it changes nothing. */
static void a_trailing_signature_is_allowed(void **state)
{
	struct object o = object_read("calls.o");
	static const char magic[] = "signature~Module signature appended~\n";
	char *longer = mem_alloc(o.mem, o.len + sizeof(magic), 1);

	memcpy(longer, o.bytes, o.len);
	memcpy(longer + o.len, magic, sizeof(magic));
	o.bytes = longer;
	o.len += sizeof(magic);
	assert_int_equal(object_open(&o), 0);
	assert_int_equal(o.img.nfunc, 6);
	object_done(&o);
}

static size_t pack(unsigned how, const char *in, size_t len, char *out, size_t room)
{
	z_stream z = { .next_in = (Bytef *)in, .avail_in = (uInt)len, .next_out = (Bytef *)out,
		       .avail_out = (uInt)room };
	size_t n = 0;

	if (how == 0) {
		assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
				 Z_OK);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		n = room - z.avail_out;
		deflateEnd(&z);
	} else if (how == 1) {
		assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL,
							 (const uint8_t *)in, len, (uint8_t *)out,
							 &n, room),
				 LZMA_OK);
	} else {
		n = ZSTD_compress(out, room, in, len, 3);
		assert_false(ZSTD_isError(n));
	}
	return n;
}

static void compressed_bytes_come_back(void **state)
{
	struct object o = object_read("calls.o");
	char packed[1 << 14], *out;
	size_t n, out_len;

	for (unsigned how = 0; how < 3; how++) {
		n = pack(how, o.bytes, o.len, packed, sizeof(packed));
		assert_int_equal(kelf_expand("x", packed, n, 1 << 20, &out, &out_len, &o.err), 0);
		assert_int_equal(out_len, o.len);
		assert_memory_equal(out, o.bytes, o.len);
		free(out);
		for (size_t cut = 6; cut < n; cut += 7) {
			struct err err = ERR_INIT;

			assert_int_equal(
				kelf_expand("x", packed, cut, 1 << 20, &out, &out_len, &err), -1);
			assert_error_has(err, "corrupt or cut short");
		}
	}
	assert_int_equal(kelf_expand("x", o.bytes, o.len, 1 << 20, &out, &out_len, &o.err), 0);
	assert_null(out);
	object_done(&o);
}

/* 64 MiB of zeroes pack to a few KiB: the bound holds before the memory is used. */
static void expansion_is_bounded(void **state)
{
	size_t len = (size_t)64 << 20, room = (size_t)1 << 20, n, out_len;
	char *zeroes = mem_zalloc(len, 1), *packed = mem_zalloc(room, 1), *out;

	for (unsigned how = 0; how < 3; how++) {
		struct err err = ERR_INIT;

		n = pack(how, zeroes, len, packed, room);
		assert_int_equal(kelf_expand("x", packed, n, 2 << 20, &out, &out_len, &err), -1);
		assert_error_has(err, "expands to more than 2 MiB");
	}
	free(zeroes);
	free(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_is_survived),
		cmocka_unit_test(wrong_class_and_machine),
		cmocka_unit_test(sections_past_the_end_or_overlapping),
		cmocka_unit_test(relocations_that_apply_to_nothing),
		cmocka_unit_test(relocations_in_a_circle),
		cmocka_unit_test(names_without_an_end),
		cmocka_unit_test(symbols_outside_sections),
		cmocka_unit_test(sizes_of_symbols_do_not_lead_outside),
		cmocka_unit_test(a_trailing_signature_is_allowed),
		cmocka_unit_test(compressed_bytes_come_back),
		cmocka_unit_test(expansion_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
