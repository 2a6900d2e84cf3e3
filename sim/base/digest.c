// SPDX-License-Identifier: GPL-2.0-or-later
#define _DEFAULT_SOURCE
#include "base/digest.h"

#include <endian.h>
#include <string.h>

#include "base/mem.h"

#define FNV_PRIME UINT64_C(0x100000001b3)

void digest_start(struct digest *d)
{
	*d = (struct digest){ 0 };
	for (unsigned i = 0; i < DIGEST_LANES; i++)
		d->lane[i] = MEM_FNV1A + i;
}

/* FNV-1a's step, and the upper bits down: a product carries upwards only. */
static uint64_t step(uint64_t lane, const char *word)
{
	uint64_t w;

	memcpy(&w, word, sizeof(w));
	lane = (lane ^ le64toh(w)) * FNV_PRIME;
	return lane ^ lane >> 29;
}

static void stride(struct digest *d, const char *bytes)
{
	for (unsigned i = 0; i < DIGEST_LANES; i++)
		d->lane[i] = step(d->lane[i], bytes + i * sizeof(uint64_t));
}

void digest_add(struct digest *d, const char *bytes, size_t n)
{
	size_t have = d->len % DIGEST_STRIDE, take;

	d->len += n;
	if (have) {
		take = n < DIGEST_STRIDE - have ? n : DIGEST_STRIDE - have;
		memcpy(d->rest + have, bytes, take);
		bytes += take;
		n -= take;
		if (have + take < DIGEST_STRIDE)
			return;
		stride(d, d->rest);
	}
	for (; n >= DIGEST_STRIDE; bytes += DIGEST_STRIDE, n -= DIGEST_STRIDE)
		stride(d, bytes);
	memcpy(d->rest, bytes, n);
}

uint64_t digest_end(struct digest *d)
{
	size_t have = d->len % DIGEST_STRIDE;
	uint64_t words[DIGEST_LANES + 1];

	memset(d->rest + have, 0, DIGEST_STRIDE - have);
	stride(d, d->rest);
	for (unsigned i = 0; i < DIGEST_LANES; i++)
		words[i] = htole64(d->lane[i]);
	words[DIGEST_LANES] = htole64(d->len);
	return mem_fnv1a(MEM_FNV1A, (const char *)words, sizeof(words));
}
