/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timebase, decrementer and hypervisor decrementer as functions of timebase
 * ticks. A decrementer counts down once a tick, so its whole state is the
 * deadline it was written for: nothing here has to be advanced.
 *
 * Power ISA 3.0B Book III: DEC is 32 bits, or 56 bits sign-extended when
 * LPCR[LD] is 1 (large). Its exception is level-triggered: it exists while the
 * most significant implemented bit is 1. HDEC is 56 bits on POWER9; its
 * exception comes when it goes from 0 to -1 and stays until delivered; while
 * LPCR[HDICE] is 0 none is raised.
 */
#ifndef HVSIM_CPU_DEC_H
#define HVSIM_CPU_DEC_H

#include <stdbool.h>
#include <stdint.h>

#define DEC_BITS_SMALL 32
#define DEC_BITS_LARGE 56
#define DEC_NEVER UINT64_MAX

/* Sign-extend the low `bits` of a value, as mfspr DEC shows a large decrementer. */
int64_t dec_extend(uint64_t value, unsigned bits);

struct dec {
	uint64_t expiry; /* timebase at which it reads 0 (wraps with the timebase) */
	unsigned bits;   /* DEC_BITS_SMALL or DEC_BITS_LARGE */
};

/* mtspr DEC at timebase tb. Only the implemented bits of value count. */
void dec_write(struct dec *dec, uint64_t tb, uint64_t value);

/* mfspr DEC at tb: small: 0..2^32-1; large: sign-extended to 64 bits. */
uint64_t dec_read(const struct dec *dec, uint64_t tb);

/* Level: the MSB is 1 at tb. */
bool dec_pending(const struct dec *dec, uint64_t tb);

/* The first tick at or after tb at which it is pending. */
uint64_t dec_due(const struct dec *dec, uint64_t tb);

/* LPCR[LD] changed: the register keeps its bits, its width changes. */
void dec_set_large(struct dec *dec, uint64_t tb, bool large);

struct hdec {
	struct dec count;   /* 56 bits */
	uint64_t since;     /* tick of the last look: edges up to it are accounted */
	bool exception;     /* raised and not yet delivered */
	bool hdice;         /* LPCR[HDICE] */
};

void hdec_init(struct hdec *hdec, uint64_t tb);

/* Account for an underflow between the last look and tb; true while an exception is up. */
bool hdec_pending(struct hdec *hdec, uint64_t tb);

/* mtspr HDEC. A negative value is no underflow: no exception comes of writing it. */
void hdec_write(struct hdec *hdec, uint64_t tb, uint64_t value);
uint64_t hdec_read(const struct hdec *hdec, uint64_t tb);

/* LPCR[HDICE] := on. Clearing it also drops an exception that is up (POWER9). */
void hdec_set_hdice(struct hdec *hdec, uint64_t tb, bool on);

/* The interrupt is taken: the exception is gone. */
void hdec_deliver(struct hdec *hdec);

/* The tick of the next underflow after tb, or DEC_NEVER when HDICE is 0. */
uint64_t hdec_due(const struct hdec *hdec, uint64_t tb);

/*
 * mtspr TBU40: the upper 40 bits of the timebase replaced. Linux adds an offset
 * with it and has to write again when the low 24 bits carried meanwhile
 * (tb_carried): before and after are two reads around the write.
 */
uint64_t tb_write_u40(uint64_t tb, uint64_t value);
bool tb_carried(uint64_t before, uint64_t after);

#endif
