/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Core cycles, timebase ticks and nanoseconds: exact conversions.
 *
 * All three count from cycle 0 of the run. A tick or nanosecond number t is
 * reached at the first cycle at or after t of its periods: going to ticks (or
 * ns) rounds down, coming back rounds up, and so for any t
 *     clk_ticks(clk_cycles(t)) >= t,  clk_ticks(clk_cycles(t) - 1) < t,
 * with equality in the first when the core is not slower than the timebase.
 * What doesn't fit in 64 bits is UINT64_MAX: later than any run.
 */
#ifndef HVSIM_ENGINE_CLK_H
#define HVSIM_ENGINE_CLK_H

#include <stdint.h>

/*
 * The timebase of POWER servers, 512 MHz: the ISA leaves the frequency to the
 * platform; OPAL and PAPR give it as "timebase-frequency" in the device tree.
 */
#define CLK_TB_HZ UINT64_C(512000000)
#define CLK_NS_HZ UINT64_C(1000000000)

struct clk_ratio {
	uint64_t unit, core; /* reduced: `unit` periods of the unit last `core` cycles */
};

struct clk {
	uint64_t core_hz, tb_hz;
	struct clk_ratio tick, ns;
};

/* Both frequencies in Hz, not 0 (the loader of a model checks that). */
void clk_init(struct clk *c, uint64_t core_hz, uint64_t tb_hz);

/* Whole ticks (nanoseconds) that have passed by this cycle. */
uint64_t clk_ticks(const struct clk *c, uint64_t cycles);
uint64_t clk_ns(const struct clk *c, uint64_t cycles);

/* The first cycle by which so many ticks (nanoseconds) have passed. */
uint64_t clk_cycles(const struct clk *c, uint64_t ticks);
uint64_t clk_ns_cycles(const struct clk *c, uint64_t ns);

#endif
