// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/clk.h"

#include <assert.h>

__extension__ typedef unsigned __int128 u128;

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

static struct clk_ratio reduced(uint64_t unit_hz, uint64_t core_hz)
{
	uint64_t g = gcd(unit_hz, core_hz);

	return (struct clk_ratio){ unit_hz / g, core_hz / g };
}

void clk_init(struct clk *c, uint64_t core_hz, uint64_t tb_hz)
{
	assert(core_hz && tb_hz);
	*c = (struct clk){ core_hz, tb_hz, reduced(tb_hz, core_hz), reduced(CLK_NS_HZ, core_hz) };
}

/* a * b / c, rounded up when asked, UINT64_MAX when it doesn't fit. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c, int up)
{
	u128 p = (u128)a * b, q;

	/* The quotient is the same, but a division of 64 bits is several times faster. */
	if (p <= UINT64_MAX - c)
		return ((uint64_t)p + (up ? c - 1 : 0)) / c;
	q = p / c;
	q += up && q * c != p;
	return q > UINT64_MAX ? UINT64_MAX : (uint64_t)q;
}

uint64_t clk_ticks(const struct clk *c, uint64_t cycles)
{
	return scale(cycles, c->tick.unit, c->tick.core, 0);
}

uint64_t clk_ns(const struct clk *c, uint64_t cycles)
{
	return scale(cycles, c->ns.unit, c->ns.core, 0);
}

uint64_t clk_cycles(const struct clk *c, uint64_t ticks)
{
	return scale(ticks, c->tick.core, c->tick.unit, 1);
}

uint64_t clk_ns_cycles(const struct clk *c, uint64_t ns)
{
	return scale(ns, c->ns.core, c->ns.unit, 1);
}
