// SPDX-License-Identifier: GPL-2.0-or-later
/* What the beginning of a trace shows about the machine and the policy it was recorded on. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/lift.h"

#define NS_PER_S UINT64_C(1000000000)
#define BINS 64u
#define WINDOW (BINS / 4)
#define GRID_SIGMA_HALVES 9   /* 4.5 standard deviations show a grid */
#define SPIN_LIMIT 8          /* times the median */

/* CONFIG_HZ, longest period first: of two that fit equally well, the first is taken. */
static const uint64_t rates[] = { 100, 250, 300, 1000 };

#define RATES (sizeof(rates) / sizeof(rates[0]))

struct seen {
	uint64_t stretch;     /* in the guest since it came back from a cede */
	bool spinning;        /* it came straight back from one, with an exception pending */
	uint64_t pending;     /* exceptions, at the entry of the turn that ended last */
	bool failed;          /* that turn didn't enter */
	uint32_t bins[RATES][BINS]; /* HV_DECREMENTER exits by their place in each rate's period */
};

struct sampler {
	struct trace_facts *f;
	struct trace_turns turns;
	struct seen *v;       /* by index */
	size_t n, cap;
	struct hist spin;     /* in the guest, from such a wake-up to the next cede */
	struct hist back;     /* and from the cede back into the guest */
	struct hist hdec;     /* entered turns that HV_DECREMENTER ended */
	uint32_t bins[RATES][BINS]; /* of all vCPUs */
};

static struct seen *seen_of(struct sampler *s, const struct trace_vcpu *v)
{
	while (s->n <= v->index) {
		s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof(*s->v));
		s->v[s->n++] = (struct seen){ 0 };
	}
	return &s->v[v->index];
}

static unsigned bin_of(uint64_t ns, uint64_t hz)
{
	return (unsigned)((ns % NS_PER_S) * hz % NS_PER_S * BINS / NS_PER_S);
}

static bool is_hdec(const struct sampler *s, const struct trace_event *ev)
{
	return s->turns.reader->parser.causes.w[ev->cause].value == TRACE_TRAP_HDEC;
}

static void see_turn(struct sampler *s, const struct trace_event *ev, const struct trace_step *step)
{
	struct seen *v = seen_of(s, step->v);
	uint64_t ns = step->exit_ns - step->enter_ns;

	if (step->how == TRACE_UNPAIRED) {
		v->stretch = v->pending = 0;
		v->spinning = v->failed = false;
		return;
	}
	if (is_hdec(s, ev) && !(step->how == TRACE_NOT_ENTERED && v->failed)) {
		s->f->grid_n++;
		for (unsigned r = 0; r < RATES; r++) {
			s->bins[r][bin_of(ev->ns, rates[r])]++;
			v->bins[r][bin_of(ev->ns, rates[r])]++;
		}
	}
	v->failed = step->how == TRACE_NOT_ENTERED;
	if (v->failed)
		return;
	if (ns < s->f->floor_ns)
		s->f->floor_ns = ns;
	if (is_hdec(s, ev))
		hist_add(&s->hdec, ns, 1);
	v->pending = step->pexcp;
	v->stretch += ns;
	if (ev->ceded && v->spinning)
		hist_add(&s->spin, v->stretch, 1);
	if (ev->ceded)
		v->spinning = false;
}

static void see_gap(struct sampler *s, const struct trace_step *step)
{
	struct seen *v = seen_of(s, step->v);

	if (!step->gap_ceded)
		return;
	v->stretch = 0;
	v->spinning = v->pending && !step->blocked;
	if (v->spinning)
		hist_add(&s->back, step->gap_ns, 1);
	s->f->pending += v->pending != 0;
	s->f->straight += v->spinning;
	s->f->straight_dec += v->spinning && (v->pending & TRACE_PEXCP_DEC);
	s->f->straight_ext += v->spinning && (v->pending & TRACE_PEXCP_EXT);
}

static uint64_t in_quarter(const uint32_t *bins, unsigned start)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < WINDOW; i++)
		sum += bins[(start + i) % BINS];
	return sum;
}

/* The most exits in any quarter of the period, and where that quarter begins. */
static uint64_t best_quarter(const uint32_t *bins, unsigned *start)
{
	uint64_t best = 0, sum;

	*start = 0;
	for (unsigned b = 0; b < BINS; b++) {
		sum = in_quarter(bins, b);
		if (sum > best) {
			best = sum;
			*start = b;
		}
	}
	return best;
}

/*
 * Whether so many of n exits in one quarter are more than chance: over n / 4 by 4.5 standard
 * deviations of a binomial draw, sqrt(3 n) / 4 each. A tick may be taken late, so not all are there.
 */
static bool is_grid(uint64_t on, uint64_t n)
{
	uint64_t over = on * 4 > n ? on * 4 - n : 0;

	return over && over * over * 4 >= 3 * n * GRID_SIGMA_HALVES * GRID_SIGMA_HALVES;
}

/* No turn outlasts L1's period but by the interrupt's lateness: most turns keep within it. */
static bool turns_fit(const struct hist *hdec, uint64_t hz)
{
	return !hdec->count || hist_quantile(hdec, 1, 2) <= NS_PER_S / hz * 5 / 4;
}

/* A tick is never early: it is due where the quarter's first exits are. */
static unsigned first_of(const uint32_t *bins, unsigned start)
{
	while (!bins[start % BINS])
		start++;
	return start % BINS;
}

static unsigned index_of_rate(uint64_t hz)
{
	unsigned r = 0;

	while (r < RATES && rates[r] != hz)
		r++;
	return r;
}

/*
 * CPUs of L1 may tick at different times of the usual period, which looks like one grid of a
 * fraction of it. But 1,000 Hz fills all four parts of 4 ms alike: two such grids fill two of them,
 * and with some exits late one part still has most.
 */
static bool fills_usual(const struct sampler *s, unsigned r, unsigned start)
{
	unsigned parts = (unsigned)(rates[r] / TRACE_L1_HZ), filled = 0;
	uint32_t most = 0, all = 0;
	const uint32_t *bins = s->bins[index_of_rate(TRACE_L1_HZ)];

	if (parts < 2 || rates[r] % TRACE_L1_HZ)
		return true;
	for (unsigned p = 0; p < parts; p++) {
		uint32_t sum = 0;

		for (unsigned i = 0; i < WINDOW / parts; i++)
			sum += bins[(start / parts + p * (BINS / parts) + i) % BINS];
		filled += sum != 0;
		all += sum;
		most = sum > most ? sum : most;
	}
	return filled * 2 > parts && most * 2 <= all;
}

/* How well a rate fits; 0: it doesn't. *start: where its best quarter begins. */
static uint64_t fits(const struct sampler *s, unsigned r, unsigned *start)
{
	uint64_t on = best_quarter(s->bins[r], start);

	return is_grid(on, s->f->grid_n) && turns_fit(&s->hdec, rates[r]) &&
	       fills_usual(s, r, *start) ? on : 0;
}

/* Its own quarter where that holds more of its exits than everybody's does. */
static uint64_t phase_of(const struct sampler *s, const struct seen *v, unsigned r, unsigned start)
{
	unsigned own;

	if (best_quarter(v->bins[r], &own) > in_quarter(v->bins[r], start))
		start = first_of(v->bins[r], own);
	else
		start = first_of(s->bins[r], start);
	return NS_PER_S / rates[r] * start / BINS;
}

static void take_rate(struct sampler *s, unsigned r)
{
	struct trace_facts *f = s->f;
	unsigned start;

	f->l1_hz = rates[r];
	f->grid_on = best_quarter(s->bins[r], &start);
	if (!f->grid_on)
		return;
	f->grid_start_ns = NS_PER_S / rates[r] * first_of(s->bins[r], start) / BINS;
	f->vcpu_start_ns = mem_zalloc(s->n, sizeof(*f->vcpu_start_ns));
	f->vcpus = s->n;
	for (size_t i = 0; i < s->n; i++)
		f->vcpu_start_ns[i] = phase_of(s, &s->v[i], r, start);
}

/* The rate that fits best, or the one said, or else the usual one, in its best quarter as well. */
static void find_grid(struct sampler *s, uint64_t l1_hz)
{
	uint64_t best = 0, on;
	unsigned start, found = RATES;

	for (unsigned r = 0; r < RATES && !l1_hz; r++) {
		on = fits(s, r, &start);
		if (on <= best)
			continue;
		best = on;
		found = r;
	}
	s->f->hz_assumed = !l1_hz && found == RATES;
	if (found == RATES)
		found = index_of_rate(l1_hz ? l1_hz : TRACE_L1_HZ);
	take_rate(s, found);
}

/*
 * A replay that spins has to spin at the recorded rate: that takes the mean, as
 * the tail is heavy. Stretches that count as work are not in it.
 */
static uint64_t spin_period(const struct sampler *s)
{
	uint64_t low, high, n, count = 0;
	unsigned __int128 sum = 0;
	size_t i = 0;

	while ((n = hist_next(&s->spin, &i, &low, &high)) && low <= s->f->spin_limit_ns) {
		sum += (unsigned __int128)n * (low + (high - low) / 2);
		count += n;
	}
	return count ? (uint64_t)(sum / count) + hist_mean(&s->back) : 0;
}

int trace_facts_read(struct trace_facts *f, struct trace_reader *reader,
		     const struct trace_limits *limits, uint64_t l1_hz, struct err *err)
{
	struct sampler s = { .f = f };
	struct trace_event ev;
	struct trace_step step;
	int got = 1;

	*f = (struct trace_facts){ .floor_ns = UINT64_MAX };
	trace_turns_init(&s.turns, reader, limits);
	hist_init(&s.spin);
	hist_init(&s.back);
	hist_init(&s.hdec);
	while (f->events < TRACE_SAMPLE_EVENTS && (got = trace_reader_next(reader, &ev, err)) > 0) {
		f->events++;
		got = trace_turns_feed(&s.turns, &ev, &step, err) < 0 ? -1 : 1;
		if (got < 0)
			break;
		if (step.turn)
			see_turn(&s, &ev, &step);
		if (step.gap)
			see_gap(&s, &step);
	}
	f->whole = got == 0;
	if (f->floor_ns == UINT64_MAX)
		f->floor_ns = 0;
	f->floor_capped = f->floor_ns > TRACE_FLOOR_MAX_NS;
	if (f->floor_capped)
		f->floor_ns = TRACE_FLOOR_MAX_NS;
	f->spins = f->straight * 2 > f->pending;
	f->spin_ns = f->spins ? hist_quantile(&s.spin, 1, 2) : 0;
	f->spin_limit_ns = f->spin_ns * SPIN_LIMIT;
	f->spin_period_ns = f->spins ? spin_period(&s) : 0;
	find_grid(&s, l1_hz);
	hist_done(&s.spin);
	hist_done(&s.back);
	hist_done(&s.hdec);
	free(s.v);
	trace_turns_done(&s.turns);
	return got < 0 ? -1 : trace_reader_check(reader, err);
}

void trace_facts_done(struct trace_facts *f)
{
	free(f->vcpu_start_ns);
	*f = (struct trace_facts){ 0 };
}
