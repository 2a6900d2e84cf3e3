/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a figure may be off, as data: {"absolute": A, "percent": P, "sqrt": K},
 * the largest of those that are there. With "sqrt" the figure is a count n, and
 * it is K times the square root of n, the standard deviation of a Poisson count.
 */
#ifndef HVSIM_SCENARIO_AMOUNT_H
#define HVSIM_SCENARIO_AMOUNT_H

#include "base/err.h"
#include "base/jdoc.h"

struct scn_amount {
	int64_t absolute; /* in the figure's unit, millionths; -1: not there */
	int64_t percent;  /* of the figure, millionths of a per cent; -1: not there */
	int64_t sqrt;     /* times the root of the figure, millionths; -1: not there */
};

#define SCN_AMOUNT_NONE { -1, -1, -1 }

/* Whether any of the three is there. */
bool scn_amount_is(const struct scn_amount *a);

/* Of a figure in millionths, in the same; a negative figure counts as a positive one. */
int64_t scn_amount_of(const struct scn_amount *a, int64_t figure);

/* The fields of an amount for the field table of a struct T with a member of that name. */
#define SCN_AMOUNT_FIELDS(T, member)                                                          \
	{ "absolute", JK_MICRO, offsetof(T, member.absolute), .lo = 0, .hi = INT64_C(1) << 60 }, \
	{ "percent", JK_MICRO, offsetof(T, member.percent), .lo = 0,                          \
	  .hi = 1000 * INT64_C(1000000) },                                                    \
	{ "sqrt", JK_MICRO, offsetof(T, member.sqrt), .lo = 0, .hi = 1000 * INT64_C(1000000) }

/* An object that is an amount and no more (a "note" apart). */
int scn_amount_read(const struct jnode *node, struct scn_amount *a, struct err *err);

/*
 * What a published figure itself may be off: one standard deviation ("noise" of
 * a row). With none stated it is the square root of a figure that is a count,
 * else nothing; half a unit of its last printed digit comes on top, evenly
 * spread.
 */
struct scn_noise {
	struct scn_amount amount;
	unsigned kind;            /* enum cpu_param_kind: how that is known */
	const char *source;
};

int scn_noise_read(const struct jnode *node, struct scn_noise *n, struct err *err);

/* Half a unit of the last digit of a number as it was written, millionths. */
int64_t scn_half_digit(const struct jnode *number);

#endif
