// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/idle.h"

#define RESOLUTION 1024
#define DECAY 8
#define MAX_INTERESTING_US 50000

void idle_init(struct idle_governor *g)
{
	*g = (struct idle_governor){ .next_timer_ns = IDLE_NEVER_NS };
	for (unsigned i = 0; i < IDLE_BUCKETS; i++)
		g->correction[i] = RESOLUTION * DECAY;
}

void idle_settle(struct idle_governor *g, uint32_t us)
{
	for (unsigned i = 0; i < IDLE_INTERVALS; i++)
		g->interval_us[i] = us;
}

struct spread {
	uint64_t average, variance;
	uint32_t max;
	unsigned used;
};

/*
 * Mean and variance of the intervals that are at most `limit`. The sum of
 * (v - mean)^2 is that of v^2, less 2 mean sum, plus used mean^2: one pass.
 */
static struct spread spread_below(const struct idle_governor *g, uint32_t limit)
{
	struct spread s = { 0 };
	uint64_t sum = 0, squares = 0;

	for (unsigned i = 0; i < IDLE_INTERVALS; i++) {
		uint64_t v = g->interval_us[i];

		if (v > limit)
			continue;
		sum += v;
		squares += v * v;
		s.used++;
		if (v > s.max)
			s.max = (uint32_t)v;
	}
	if (!s.used)
		return s;
	s.average = sum / s.used;
	s.variance = (squares - 2 * s.average * sum + s.used * s.average * s.average) / s.used;
	return s;
}

/*
 * Drop the largest intervals until the rest agree: a spread under 20 us, or an
 * average over six times it with at least three quarters of the samples left.
 */
uint32_t idle_typical_interval(const struct idle_governor *g)
{
	uint32_t limit = UINT32_MAX;

	for (;;) {
		struct spread s = spread_below(g, limit);
		bool enough = s.used * 4 >= IDLE_INTERVALS * 3;

		if (!s.used)
			return UINT32_MAX;
		if ((s.average * s.average > 36 * s.variance && enough) || s.variance <= 400)
			return (uint32_t)s.average;
		if (s.used * 4 <= IDLE_INTERVALS * 3 || !s.max)
			return UINT32_MAX;
		limit = s.max - 1;
	}
}

static unsigned which_bucket(int64_t ns)
{
	unsigned b = 0;

	for (int64_t us = ns / 1000, edge = 10; b < IDLE_BUCKETS - 1 && us >= edge; edge *= 10)
		b++;
	return b;
}

static int64_t corrected(int64_t next_timer_ns, uint32_t correction)
{
	if (next_timer_ns > INT64_MAX / (RESOLUTION * DECAY * 2))
		return next_timer_ns;
	return next_timer_ns * correction / (RESOLUTION * DECAY);
}

/* The deepest state whose residency and latency the prediction allows. */
static unsigned deepest(const struct idle_model *m, int64_t predicted)
{
	unsigned best = 0;

	for (unsigned i = 1; i < m->n; i++) {
		const struct idle_state *s = &m->state[i];

		if (s->target_residency_ns > predicted || s->exit_latency_ns > predicted)
			break;
		best = i;
	}
	return best;
}

/* With the tick kept running, a state deeper than the time to it is of no use. */
static unsigned no_deeper_than_tick(const struct idle_model *m, unsigned state, int64_t next_tick)
{
	while (state && m->state[state].target_residency_ns > next_tick)
		state--;
	return state;
}

struct idle_choice idle_select(struct idle_governor *g, const struct idle_model *m,
			       int64_t next_timer_ns, int64_t next_tick_ns, bool tick_stopped)
{
	uint32_t typical = idle_typical_interval(g);
	int64_t predicted = typical == UINT32_MAX ? INT64_MAX : (int64_t)typical * 1000;
	struct idle_choice c = { 0, true };
	int64_t by_timer;

	g->next_timer_ns = next_timer_ns;
	g->bucket = which_bucket(next_timer_ns);
	by_timer = corrected(next_timer_ns, g->correction[g->bucket]);
	if (by_timer < predicted)
		predicted = by_timer;
	if (m->n < 2 || next_timer_ns < m->state[1].target_residency_ns) {
		c.stop_tick = !m->state[0].polling;
	} else {
		if (tick_stopped && m->rules.tick_stopped_rule && predicted < m->tick_ns)
			predicted = next_timer_ns;
		c.state = deepest(m, predicted);
		if ((m->state[c.state].polling || predicted < m->tick_ns) && !tick_stopped) {
			c.stop_tick = false;
			c.state = no_deeper_than_tick(m, c.state, next_tick_ns);
		}
	}
	g->last = c.state;
	return c;
}

static int64_t less_exit_latency(int64_t measured, int64_t latency)
{
	return measured > 2 * latency ? measured - latency : measured / 2;
}

void idle_reflect(struct idle_governor *g, const struct idle_model *m, int64_t measured_ns)
{
	int64_t ns = less_exit_latency(measured_ns, m->state[g->last].exit_latency_ns);
	uint32_t factor = g->correction[g->bucket];

	if (ns > g->next_timer_ns)
		ns = g->next_timer_ns;
	factor -= factor / DECAY;
	if (g->next_timer_ns > 0 && ns / 1000 < MAX_INTERESTING_US)
		factor += (uint32_t)(RESOLUTION * ns / g->next_timer_ns);
	else
		factor += RESOLUTION;
	g->correction[g->bucket] = factor ? factor : 1;
	g->interval_us[g->at] = ns / 1000 < UINT32_MAX ? (uint32_t)(ns / 1000) : UINT32_MAX;
	g->at = (g->at + 1) % IDLE_INTERVALS;
}
