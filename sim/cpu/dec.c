// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu/dec.h"

static uint64_t mask(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

int64_t dec_extend(uint64_t value, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	value &= mask(bits);
	return (int64_t)((value ^ sign) - sign);
}

void dec_write(struct dec *dec, uint64_t tb, uint64_t value)
{
	dec->expiry = tb + (uint64_t)dec_extend(value, dec->bits);
}

uint64_t dec_read(const struct dec *dec, uint64_t tb)
{
	uint64_t value = dec->expiry - tb;

	if (dec->bits == DEC_BITS_SMALL)
		return value & mask(DEC_BITS_SMALL);
	return (uint64_t)dec_extend(value, dec->bits);
}

bool dec_pending(const struct dec *dec, uint64_t tb)
{
	return dec_extend(dec->expiry - tb, dec->bits) < 0;
}

uint64_t dec_due(const struct dec *dec, uint64_t tb)
{
	if (dec_pending(dec, tb))
		return tb;
	return tb + ((dec->expiry - tb) & mask(dec->bits)) + 1;
}

void dec_set_large(struct dec *dec, uint64_t tb, bool large)
{
	uint64_t value = dec_read(dec, tb);

	dec->bits = large ? DEC_BITS_LARGE : DEC_BITS_SMALL;
	dec_write(dec, tb, value);
}

void hdec_init(struct hdec *hdec, uint64_t tb)
{
	*hdec = (struct hdec){ .count = { .bits = DEC_BITS_LARGE }, .since = tb };
	dec_write(&hdec->count, tb, mask(DEC_BITS_LARGE - 1));
}

/* The count at `since` was not negative and is negative now, or it went right round. */
static bool underflowed(const struct hdec *hdec, uint64_t tb)
{
	uint64_t left = (hdec->count.expiry - hdec->since) & mask(DEC_BITS_LARGE);

	return tb - hdec->since > left;
}

bool hdec_pending(struct hdec *hdec, uint64_t tb)
{
	if (underflowed(hdec, tb) && hdec->hdice)
		hdec->exception = true;
	hdec->since = tb;
	return hdec->exception;
}

void hdec_write(struct hdec *hdec, uint64_t tb, uint64_t value)
{
	hdec_pending(hdec, tb);
	dec_write(&hdec->count, tb, value);
}

uint64_t hdec_read(const struct hdec *hdec, uint64_t tb)
{
	return dec_read(&hdec->count, tb);
}

void hdec_set_hdice(struct hdec *hdec, uint64_t tb, bool on)
{
	hdec_pending(hdec, tb);
	hdec->hdice = on;
	if (!on)
		hdec->exception = false;
}

void hdec_deliver(struct hdec *hdec)
{
	hdec->exception = false;
}

uint64_t hdec_due(const struct hdec *hdec, uint64_t tb)
{
	if (!hdec->hdice)
		return DEC_NEVER;
	return tb + ((hdec->count.expiry - tb) & mask(DEC_BITS_LARGE)) + 1;
}

uint64_t tb_write_u40(uint64_t tb, uint64_t value)
{
	return (value & ~mask(24)) | (tb & mask(24));
}

bool tb_carried(uint64_t before, uint64_t after)
{
	return (after & mask(24)) < (before & mask(24));
}
