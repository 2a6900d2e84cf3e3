// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/amount.h"

#include <string.h>

#include "base/num.h"
#include "cpu/model.h"

#define MICRO INT64_C(1000000)

bool scn_amount_is(const struct scn_amount *a)
{
	return a->absolute >= 0 || a->percent >= 0 || a->sqrt >= 0;
}

static int64_t larger(int64_t a, __int128 b)
{
	__int128 max = b > a ? b : a;

	return max > INT64_MAX ? INT64_MAX : (int64_t)max;
}

int64_t scn_amount_of(const struct scn_amount *a, int64_t figure)
{
	__int128 size = figure < 0 ? -(__int128)figure : figure;
	int64_t most = a->absolute > 0 ? a->absolute : 0;

	if (a->percent > 0)
		most = larger(most, size * a->percent / (100 * MICRO));
	if (a->sqrt > 0) /* in millionths the root of n is that of n 10^12 */
		most = larger(most, (__int128)num_root((unsigned __int128)size * MICRO) * a->sqrt /
				    MICRO);
	return most;
}

struct amount_file {
	struct scn_amount amount;
};

static const struct jfield amount_fields[] = {
	SCN_AMOUNT_FIELDS(struct amount_file, amount),
	{ "note", JK_NOTE },
};

static int need_one(const struct jnode *node, const struct scn_amount *a, struct err *err)
{
	return scn_amount_is(a) ? 0 :
	       jnode_err(node, err, "needs 'absolute', 'percent' or 'sqrt': the largest counts");
}

int scn_amount_read(const struct jnode *node, struct scn_amount *a, struct err *err)
{
	struct amount_file f = { SCN_AMOUNT_NONE };

	if (JFIELDS(node, amount_fields, &f, err) < 0)
		return -1;
	*a = f.amount;
	return need_one(node, a, err);
}

static const struct jfield noise_fields[] = {
	SCN_AMOUNT_FIELDS(struct scn_noise, amount),
	{ "kind", JK_NAME, offsetof(struct scn_noise, kind), true, .names = cpu_param_kinds },
	{ "source", JK_TEXT, offsetof(struct scn_noise, source), true },
};

int scn_noise_read(const struct jnode *node, struct scn_noise *n, struct err *err)
{
	*n = (struct scn_noise){ .amount = SCN_AMOUNT_NONE };
	if (JFIELDS(node, noise_fields, n, err) < 0)
		return -1;
	return need_one(node, &n->amount, err);
}

int64_t scn_half_digit(const struct jnode *number)
{
	const char *point = number->text ? strchr(number->text, '.') : NULL;
	int64_t unit = MICRO;

	for (const char *d = point ? point + 1 : ""; *d && unit > 1; d++)
		unit /= 10;
	return unit / 2;
}
