// SPDX-License-Identifier: GPL-2.0-or-later
/* A timeline as lines of letters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/timeline.h"

#define STATES_MAX 32

struct drawing {
	const struct rep_timeline *t;
	unsigned width;
	uint64_t from, to;  /* cycles */
	uint64_t (*share)[STATES_MAX]; /* cycles of a state in a column, of one vCPU */
	unsigned *exits;    /* of a column */
	char *pending;      /* of a column */
	bool used[STATES_MAX], any_pending;
};

/* The first cycle of a column. */
static uint64_t edge(const struct drawing *d, unsigned column)
{
	return d->from + (uint64_t)((unsigned __int128)(d->to - d->from) * column / d->width);
}

static unsigned column_of(const struct drawing *d, uint64_t cycle)
{
	unsigned __int128 at;

	if (cycle <= d->from)
		return 0;
	at = (unsigned __int128)(cycle - d->from) * d->width / (d->to - d->from);
	return at < d->width ? (unsigned)at : d->width - 1;
}

static void spread(struct drawing *d, const struct rep_mark *m)
{
	uint64_t start = m->start < d->from ? d->from : m->start,
		 end = m->end < d->to ? m->end : d->to;

	if (m->what >= STATES_MAX)
		return;
	for (unsigned c = column_of(d, start); c < d->width && edge(d, c) < end; c++) {
		uint64_t lo = edge(d, c) > start ? edge(d, c) : start;
		uint64_t hi = edge(d, c + 1) < end ? edge(d, c + 1) : end;

		if (hi > lo)
			d->share[c][m->what] += hi - lo;
	}
}

/* Fill the columns with one vCPU's. */
static void collect(struct drawing *d, uint32_t vcpu)
{
	uint64_t since = d->from;
	bool pending = rep_timeline_before(d->t, vcpu);

	memset(d->share, 0, d->width * sizeof(*d->share));
	memset(d->exits, 0, d->width * sizeof(*d->exits));
	memset(d->pending, ' ', d->width);
	d->any_pending = pending;
	for (size_t i = 0; i < d->t->n; i++) {
		const struct rep_mark *m = &d->t->mark[i];

		if (m->vcpu != vcpu)
			continue;
		if (m->kind == REP_SLICE)
			spread(d, m);
		else if (m->kind == REP_EXIT)
			d->exits[column_of(d, m->start)]++;
		if (m->kind != REP_PENDING)
			continue;
		if (!m->what) /* was pending, since the window's start if nothing said when */
			memset(d->pending + column_of(d, since), '!',
			       column_of(d, m->start) - column_of(d, since) + 1);
		since = m->start;
		pending = m->what;
		d->any_pending = true;
	}
	if (pending)
		memset(d->pending + column_of(d, since), '!', d->width - column_of(d, since));
}

static char mark_of(struct drawing *d, unsigned column)
{
	unsigned best = STATES_MAX;

	for (unsigned s = 0; s < d->t->watch.states && s < STATES_MAX; s++)
		if (d->share[column][s] &&
		    (best == STATES_MAX || d->share[column][s] > d->share[column][best]))
			best = s;
	if (best == STATES_MAX)
		return ' ';
	d->used[best] = true;
	return d->t->watch.state[best].mark;
}

/* A digit; '+' for ten and more. */
static char digit(unsigned n)
{
	return n ? n < 10 ? (char)('0' + n) : '+' : ' ';
}

static void add_line(struct text *out, const char *label, const char *line, unsigned width)
{
	while (width && line[width - 1] == ' ')
		width--;
	text_add(out, "%-10s%.*s\n", label, (int)width, line);
}

static void draw_vcpu(struct text *out, struct drawing *d, uint32_t vcpu, char *line)
{
	char label[24];
	bool any = false;

	collect(d, vcpu);
	for (unsigned c = 0; c < d->width; c++)
		line[c] = mark_of(d, c);
	snprintf(label, sizeof(label), "vCPU %u", vcpu);
	add_line(out, label, line, d->width);
	for (unsigned c = 0; c < d->width; c++) {
		line[c] = digit(d->exits[c]);
		any |= line[c] != ' ';
	}
	if (any)
		add_line(out, "  exits", line, d->width);
	if (d->any_pending)
		add_line(out, "  pending", d->pending, d->width);
}

static void add_ms(struct text *out, const struct rep_timeline *t, uint64_t cycles)
{
	uint64_t ns = clk_ns(&t->watch.clock, cycles);

	text_add(out, "%llu.%06u ms", (unsigned long long)(ns / 1000000), (unsigned)(ns % 1000000));
}

static void add_legend(struct text *out, const struct drawing *d)
{
	struct text t = { 0 };

	for (unsigned s = 0; s < d->t->watch.states && s < STATES_MAX; s++)
		if (d->used[s])
			text_add(&t, "%s%c %s", t.len ? ", " : "", d->t->watch.state[s].mark,
				 d->t->watch.state[s].name);
	text_add(&t, "%sexits in a column (+: ten or more)%s", t.len ? "; digits: " : "",
		 "; !: a timer exception is pending in the hypervisor.");
	rep_wrap(out, "", 0, 78, t.s);
	text_free(&t);
}

void rep_timeline_text(struct text *out, const struct rep_timeline *t, unsigned width)
{
	struct drawing d = { .t = t, .width = width, .to = t->watch.end,
			     .from = clk_ns_cycles(&t->watch.clock, t->from_ns) };
	char *line = mem_zalloc(width + 1, 1);

	d.share = mem_zalloc(width, sizeof(*d.share));
	d.exits = mem_zalloc(width, sizeof(*d.exits));
	d.pending = mem_zalloc(width + 1, 1);
	text_add(out, "%s, variant %s; predicted\n", t->watch.title, t->watch.variant);
	add_ms(out, t, d.from);
	text_add(out, " to ");
	add_ms(out, t, d.to);
	text_add(out, "; a column is ");
	add_ms(out, t, (d.to - d.from) / width);
	text_add(out, "\n\n");
	for (uint32_t v = 0; d.to > d.from && v < t->watch.vcpus; v++)
		draw_vcpu(out, &d, v, line);
	text_add(out, "\n");
	add_legend(out, &d);
	if (t->dropped)
		text_add(out, "%zu more events were left out: --limit\n", t->dropped);
	free(d.share);
	free(d.exits);
	free(d.pending);
	free(line);
}
