// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gzip, xz and Zstandard into memory. The output grows by doubling up to a
 * bound, so that a small file that expands without end costs the bound at
 * most. Bytes after the end of the compressed stream are allowed.
 */
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "elf/input.h"

#define FIRST_ROOM ((size_t)1 << 16)
#define XZ_MEMORY_MAX ((uint64_t)128 << 20)
#define ZSTD_WINDOW_LOG_MAX 27

struct grow {
	const char *name, *kind;
	char *buf;
	size_t len, cap, max;
	struct err *err;
};

static int corrupt(struct grow *g)
{
	return err_at(g->err, g->name, 0, "the %s data is corrupt or cut short", g->kind);
}

/* Make room for more output: -1 when the bound is reached. */
static int more_room(struct grow *g)
{
	size_t want = g->cap ? g->cap * 2 : FIRST_ROOM;

	if (g->len < g->cap)
		return 0;
	if (g->cap >= g->max)
		return err_at(g->err, g->name, 0,
			      "the %s data expands to more than %zu MiB: not a kernel", g->kind,
			      g->max >> 20);
	if (want > g->max)
		want = g->max;
	g->buf = realloc(g->buf, want);
	if (!g->buf)
		abort();
	g->cap = want;
	return 0;
}

static int expand_gzip(struct grow *g, const char *bytes, size_t len)
{
	z_stream z = { 0 };
	int rc = Z_OK;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return corrupt(g);
	z.next_in = (Bytef *)bytes;
	z.avail_in = (uInt)len;
	while (rc == Z_OK) {
		if (more_room(g) < 0)
			break;
		z.next_out = (Bytef *)g->buf + g->len;
		z.avail_out = (uInt)(g->cap - g->len);
		rc = inflate(&z, Z_NO_FLUSH);
		g->len = g->cap - z.avail_out;
		if (rc == Z_OK && !z.avail_in && z.avail_out)
			break; /* input ended inside the stream */
	}
	inflateEnd(&z);
	if (rc == Z_STREAM_END)
		return 0;
	return corrupt(g); /* keeps the error of more_room() when that came first */
}

static int expand_xz(struct grow *g, const char *bytes, size_t len)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret rc = lzma_stream_decoder(&z, XZ_MEMORY_MAX, 0);

	z.next_in = (const uint8_t *)bytes;
	z.avail_in = len;
	while (rc == LZMA_OK) {
		if (more_room(g) < 0)
			break;
		z.next_out = (uint8_t *)g->buf + g->len;
		z.avail_out = g->cap - g->len;
		rc = lzma_code(&z, LZMA_FINISH);
		g->len = g->cap - z.avail_out;
	}
	lzma_end(&z);
	return rc == LZMA_STREAM_END ? 0 : corrupt(g);
}

static int expand_zstd(struct grow *g, const char *bytes, size_t len)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in = { bytes, len, 0 };
	size_t rc = 1;

	if (!z)
		abort();
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
	while (rc) {
		ZSTD_outBuffer out;
		size_t before = in.pos;

		if (more_room(g) < 0)
			break;
		out = (ZSTD_outBuffer){ g->buf, g->cap, g->len };
		rc = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(rc) || (rc && in.pos == before && out.pos == g->len))
			break;
		g->len = out.pos;
	}
	ZSTD_freeDStream(z);
	return rc ? corrupt(g) : 0;
}

int kelf_expand(const char *name, const char *bytes, size_t len, size_t max, char **out,
		size_t *out_len, struct err *err)
{
	static const struct {
		const char *magic, *kind;
		size_t n;
		int (*run)(struct grow *g, const char *bytes, size_t len);
	} kinds[] = {
		{ "\x1f\x8b", "gzip", 2, expand_gzip },
		{ "\xfd" "7zXZ\0", "xz", 6, expand_xz },
		{ "\x28\xb5\x2f\xfd", "Zstandard", 4, expand_zstd },
	};

	*out = NULL;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct grow g = { .name = name, .kind = kinds[i].kind, .max = max, .err = err };

		if (len < kinds[i].n || memcmp(bytes, kinds[i].magic, kinds[i].n))
			continue;
		if (kinds[i].run(&g, bytes, len) < 0) {
			free(g.buf);
			return -1;
		}
		*out = g.buf;
		*out_len = g.len;
		return 0;
	}
	return 0;
}
