// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/unpack.h"

#include <assert.h>
#include <limits.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

#define MEMORY_MAX (UINT64_C(128) << 20)
#define WINDOW_LOG_MAX 27 /* 128 MiB */
#define GZIP_WINDOW (15 + 16)

struct trace_unpack {
	enum trace_pack pack;
	z_stream z;
	lzma_stream xz;
	ZSTD_DStream *zstd;
	bool between;  /* gzip, zstd: a member ended and no byte of another was seen */
};

static const struct { enum trace_pack pack; size_t n; const char *magic, *suffix; } packs[] = {
	{ TRACE_GZIP, 3, "\x1f\x8b\x08", ".gz" },
	{ TRACE_XZ, 6, "\xfd" "7zXZ\0", ".xz" },
	{ TRACE_ZSTD, 4, "\x28\xb5\x2f\xfd", ".zst" },
};

#define PACKS (sizeof(packs) / sizeof(packs[0]))

enum trace_pack trace_pack_of(const char *bytes, size_t n)
{
	for (size_t i = 0; i < PACKS; i++)
		if (n >= packs[i].n && !memcmp(bytes, packs[i].magic, packs[i].n))
			return packs[i].pack;
	return TRACE_PLAIN;
}

enum trace_pack trace_pack_by_name(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < PACKS; i++) {
		size_t len = strlen(packs[i].suffix);

		if (n > len && !strcmp(name + n - len, packs[i].suffix))
			return packs[i].pack;
	}
	return TRACE_PLAIN;
}

static void must(bool good)
{
	if (!good)
		abort(); /* out of memory: the only way these calls fail */
}

struct trace_unpack *trace_unpack_new(enum trace_pack pack)
{
	struct trace_unpack *u = mem_zalloc(1, sizeof(*u));

	u->pack = pack;
	switch (pack) {
	case TRACE_GZIP:
		must(inflateInit2(&u->z, GZIP_WINDOW) == Z_OK);
		break;
	case TRACE_XZ:
		u->xz = (lzma_stream)LZMA_STREAM_INIT;
		must(lzma_stream_decoder(&u->xz, MEMORY_MAX, LZMA_CONCATENATED) == LZMA_OK);
		break;
	case TRACE_ZSTD:
		u->zstd = ZSTD_createDStream();
		must(u->zstd);
		ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
		break;
	case TRACE_PLAIN:
		assert(pack != TRACE_PLAIN);
	}
	return u;
}

void trace_unpack_free(struct trace_unpack *u)
{
	if (!u)
		return;
	if (u->pack == TRACE_GZIP)
		inflateEnd(&u->z);
	else if (u->pack == TRACE_XZ)
		lzma_end(&u->xz);
	else
		ZSTD_freeDStream(u->zstd);
	free(u);
}

static uInt bounded(size_t n)
{
	return n > UINT_MAX ? UINT_MAX : (uInt)n;
}

static int step_gzip(struct trace_unpack *u, const char *in, size_t *in_n, char *out, size_t *out_n,
		     bool last, bool *whole)
{
	uInt have = bounded(*in_n), room = bounded(*out_n);
	int ret;

	*whole = u->between;
	if (!have && last && u->between) {
		*in_n = *out_n = 0;
		return 0;
	}
	if (u->between && have)
		inflateReset(&u->z);
	u->between = u->between && !have;
	u->z.next_in = (Bytef *)(uintptr_t)in;
	u->z.avail_in = have;
	u->z.next_out = (Bytef *)out;
	u->z.avail_out = room;
	ret = inflate(&u->z, Z_NO_FLUSH);
	*in_n = have - u->z.avail_in;
	*out_n = room - u->z.avail_out;
	if (ret == Z_STREAM_END) {
		u->between = true;
	} else if (ret != Z_OK && ret != Z_BUF_ERROR) {
		*whole = false;
		return 0;
	}
	return *in_n || *out_n || !last;
}

static int step_xz(struct trace_unpack *u, const char *in, size_t *in_n, char *out, size_t *out_n,
		   bool last, bool *whole)
{
	size_t have = *in_n, room = *out_n;
	lzma_ret ret;

	u->xz.next_in = (const uint8_t *)in;
	u->xz.avail_in = have;
	u->xz.next_out = (uint8_t *)out;
	u->xz.avail_out = room;
	ret = lzma_code(&u->xz, last ? LZMA_FINISH : LZMA_RUN);
	*in_n = have - u->xz.avail_in;
	*out_n = room - u->xz.avail_out;
	*whole = ret == LZMA_STREAM_END;
	if (ret == LZMA_BUF_ERROR)
		return !last && !have;
	return ret == LZMA_OK;
}

static int step_zstd(struct trace_unpack *u, const char *in, size_t *in_n, char *out, size_t *out_n,
		     bool last, bool *whole)
{
	ZSTD_inBuffer i = { in, *in_n, 0 };
	ZSTD_outBuffer o = { out, *out_n, 0 };
	size_t ret = 0;

	*whole = u->between;
	if (*in_n || !u->between)
		ret = ZSTD_decompressStream(u->zstd, &o, &i);
	*in_n = i.pos;
	*out_n = o.pos;
	if (ZSTD_isError(ret)) {
		*whole = false;
		return 0;
	}
	u->between = ret == 0;
	*whole = u->between;
	return i.pos || o.pos || !last;
}

int trace_unpack_step(struct trace_unpack *u, const char *in, size_t *in_n, char *out,
		      size_t *out_n, bool last, bool *whole)
{
	*whole = false;
	if (u->pack == TRACE_GZIP)
		return step_gzip(u, in, in_n, out, out_n, last, whole);
	if (u->pack == TRACE_XZ)
		return step_xz(u, in, in_n, out, out_n, last, whole);
	return step_zstd(u, in, in_n, out, out_n, last, whole);
}
