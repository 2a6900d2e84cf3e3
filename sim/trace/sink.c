// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/sink.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/out.h"

#define GZIP_WINDOW (15 + 16)
#define GZIP_MEMORY 8
#define XZ_PRESET 6
#define ZSTD_LEVEL 3
#define BUF_SIZE ((size_t)64 << 10)

struct trace_sink {
	struct file_out *out;
	struct text *text;     /* instead of out */
	enum trace_pack pack;
	z_stream z;
	lzma_stream xz;
	ZSTD_CStream *zstd;
	char *buf;
};

struct trace_sink *trace_sink_text(struct text *text)
{
	struct trace_sink *s = mem_zalloc(1, sizeof(*s));

	*s = (struct trace_sink){ .text = text, .pack = TRACE_PLAIN, .xz = LZMA_STREAM_INIT };
	return s;
}

static void must(bool good)
{
	if (!good)
		abort(); /* out of memory: the only way these calls fail */
}

struct trace_sink *trace_sink_open(const char *name, enum trace_pack pack, struct err *err)
{
	struct file_out *out = file_out_open(name && strcmp(name, "-") ? name : NULL, err);
	struct trace_sink *s;

	if (!out)
		return NULL;
	s = mem_zalloc(1, sizeof(*s));
	*s = (struct trace_sink){ .out = out, .pack = pack, .xz = LZMA_STREAM_INIT };
	s->buf = mem_zalloc(BUF_SIZE, 1);
	if (pack == TRACE_GZIP)
		must(deflateInit2(&s->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
				  Z_DEFAULT_STRATEGY) == Z_OK);
	else if (pack == TRACE_XZ)
		must(lzma_easy_encoder(&s->xz, XZ_PRESET, LZMA_CHECK_CRC64) == LZMA_OK);
	else if (pack == TRACE_ZSTD) {
		s->zstd = ZSTD_createCStream();
		must(s->zstd && !ZSTD_isError(ZSTD_initCStream(s->zstd, ZSTD_LEVEL)));
	}
	return s;
}

/* Each packs what it can of in[0..*n) and gives the bytes made; *ended when all is out. */
static size_t pack_gzip(struct trace_sink *s, const char *in, size_t *n, bool last, bool *ended)
{
	uInt have = *n > BUF_SIZE ? (uInt)BUF_SIZE : (uInt)*n;

	s->z.next_in = (Bytef *)(uintptr_t)in;
	s->z.avail_in = have;
	s->z.next_out = (Bytef *)s->buf;
	s->z.avail_out = BUF_SIZE;
	*ended = deflate(&s->z, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_END;
	*n = have - s->z.avail_in;
	return BUF_SIZE - s->z.avail_out;
}

static size_t pack_xz(struct trace_sink *s, const char *in, size_t *n, bool last, bool *ended)
{
	s->xz.next_in = (const uint8_t *)in;
	s->xz.avail_in = *n;
	s->xz.next_out = (uint8_t *)s->buf;
	s->xz.avail_out = BUF_SIZE;
	*ended = lzma_code(&s->xz, last ? LZMA_FINISH : LZMA_RUN) == LZMA_STREAM_END;
	*n -= s->xz.avail_in;
	return BUF_SIZE - s->xz.avail_out;
}

static size_t pack_zstd(struct trace_sink *s, const char *in, size_t *n, bool last, bool *ended)
{
	ZSTD_inBuffer i = { in, *n, 0 };
	ZSTD_outBuffer o = { s->buf, BUF_SIZE, 0 };
	size_t left = ZSTD_compressStream2(s->zstd, &o, &i, last ? ZSTD_e_end : ZSTD_e_continue);

	must(!ZSTD_isError(left));
	*ended = last && !left;
	*n = i.pos;
	return o.pos;
}

static int pack_all(struct trace_sink *s, const char *bytes, size_t n, bool last, struct err *err)
{
	bool ended = false;

	while (last ? !ended : n > 0) {
		size_t used = n, made;

		if (s->pack == TRACE_GZIP)
			made = pack_gzip(s, bytes, &used, last, &ended);
		else if (s->pack == TRACE_XZ)
			made = pack_xz(s, bytes, &used, last, &ended);
		else
			made = pack_zstd(s, bytes, &used, last, &ended);
		bytes += used;
		n -= used;
		if (file_out_put(s->out, s->buf, made, err) < 0)
			return -1;
	}
	return 0;
}

int trace_sink_put(struct trace_sink *s, const char *bytes, size_t n, struct err *err)
{
	if (s->text) {
		text_add_bytes(s->text, bytes, n);
		return 0;
	}
	if (s->pack == TRACE_PLAIN)
		return file_out_put(s->out, bytes, n, err);
	return pack_all(s, bytes, n, false, err);
}

int trace_sink_commit(struct trace_sink *s, struct err *err)
{
	int status = s->pack == TRACE_PLAIN ? 0 : pack_all(s, "", 0, true, err);

	if (status == 0 && s->out) {
		status = file_out_commit(s->out, err);
		s->out = NULL;
	}
	trace_sink_abort(s);
	return status;
}

void trace_sink_abort(struct trace_sink *s)
{
	if (!s)
		return;
	file_out_abort(s->out);
	if (s->pack == TRACE_GZIP)
		deflateEnd(&s->z);
	lzma_end(&s->xz);
	ZSTD_freeCStream(s->zstd);
	free(s->buf);
	free(s);
}
