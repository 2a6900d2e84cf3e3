// SPDX-License-Identifier: GPL-2.0-or-later
/* Distributions of a trace as bars on a terminal, or as data. */
#include "report/trace_hist.h"

#include <stdio.h>
#include <string.h>

#define FINE 4
#define ROWS_MAX (64 * FINE + 1)
#define NS_PER_US 1000u

/* Row r holds values in edge(r)..edge(r + 1) - 1; row 0 those below 1. */
static uint64_t edge(unsigned r, unsigned fine)
{
	unsigned power, part;

	if (!r)
		return 0;
	power = (r - 1) / fine;
	part = (r - 1) % fine;
	if (power >= 64)
		return UINT64_MAX;
	if (power < 2) /* too narrow for parts */
		return UINT64_C(1) << power;
	return (UINT64_C(1) << power) + (UINT64_C(1) << power) / fine * part;
}

static unsigned row_of(uint64_t value, unsigned fine)
{
	unsigned power, part;

	if (!value)
		return 0;
	power = 63u - (unsigned)__builtin_clzll(value);
	if (fine == 1 || power < 2)
		return power * fine + 1;
	part = (unsigned)(value >> (power - 2)) & 3u;
	return power * fine + part + 1;
}

struct rows {
	uint64_t n[ROWS_MAX];
	unsigned first, last;
	uint64_t most;
};

static void fill(struct rows *rows, const struct hist *h, unsigned fine)
{
	uint64_t low, high, n;
	size_t i = 0;

	*rows = (struct rows){ .first = ROWS_MAX };
	while ((n = hist_next(h, &i, &low, &high))) {
		unsigned r = row_of(low, fine);

		rows->n[r] += n;
		if (r < rows->first)
			rows->first = r;
		rows->last = r;
		if (rows->n[r] > rows->most)
			rows->most = rows->n[r];
	}
}

static void value_text(char *buf, size_t n, uint64_t v, enum trace_dist d)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned u = 0;
	uint64_t rest = 0;

	if (d == TRACE_D_BURST) {
		snprintf(buf, n, "%llu", (unsigned long long)v);
		return;
	}
	for (; v >= NS_PER_US && u < 3; u++) {
		rest = v % NS_PER_US;
		v /= NS_PER_US;
	}
	if (u && v < 10)
		snprintf(buf, n, "%llu.%02llu %s", (unsigned long long)v,
			 (unsigned long long)(rest / 10), units[u]);
	else if (u && v < 100)
		snprintf(buf, n, "%llu.%llu %s", (unsigned long long)v,
			 (unsigned long long)(rest / 100), units[u]);
	else
		snprintf(buf, n, "%llu %s", (unsigned long long)v, units[u]);
}

static void bar(struct text *out, uint64_t n, uint64_t most, unsigned width, bool utf8)
{
	static const char *const eighths[] = { "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b",
					       "\u258a", "\u2589" };
	uint64_t parts = (uint64_t)((unsigned __int128)n * width * 8u / most);

	if (n && parts < (utf8 ? 1 : 8))
		parts = utf8 ? 1 : 8;
	for (uint64_t i = 0; i < parts / 8; i++)
		text_add(out, "%s", utf8 ? "\u2588" : "#");
	if (utf8)
		text_add(out, "%s", eighths[parts % 8]);
}

static void title(const struct hist *h, enum trace_dist d, struct text *out)
{
	char min[32], median[32], max[32];

	value_text(min, sizeof(min), h->min, d);
	value_text(median, sizeof(median), hist_quantile(h, 1, 2), d);
	value_text(max, sizeof(max), h->max, d);
	text_add(out, "%s: %llu, from %s, median %s, to %s\n", trace_dist_text(d),
		 (unsigned long long)h->count, min, median, max);
}

#define LABEL 25 /* columns before the bar */

void rep_trace_hist(const struct hist *h, enum trace_dist d, bool fine, unsigned width, bool utf8,
		    struct text *out)
{
	unsigned f = fine ? FINE : 1;
	struct rows rows;
	char from[32];

	if (!h->count)
		return;
	fill(&rows, h, f);
	title(h, d, out);
	for (unsigned r = rows.first; r <= rows.last; r++) {
		if (!rows.n[r] && edge(r, f) == edge(r + 1, f))
			continue;
		value_text(from, sizeof(from), edge(r, f), d);
		text_add(out, "%10s.. %10llu  ", from, (unsigned long long)rows.n[r]);
		bar(out, rows.n[r], rows.most, width > LABEL + 10 ? width - LABEL : 10, utf8);
		text_add(out, "\n");
	}
}

static void csv_rows(const struct rows *rows, enum trace_dist d, unsigned f, struct text *out)
{
	for (unsigned r = rows->first; r <= rows->last; r++)
		if (rows->n[r])
			text_add(out, "%s,%llu,%llu\n", trace_dist_name(d),
				 (unsigned long long)edge(r, f), (unsigned long long)rows->n[r]);
}

static void json_rows(const struct rows *rows, enum trace_dist d, unsigned f, struct text *out)
{
	const char *sep = "";

	text_add(out, ",\n  \"%s\": [", trace_dist_name(d));
	for (unsigned r = rows->first; r <= rows->last; r++) {
		if (!rows->n[r])
			continue;
		text_add(out, "%s[%llu, %llu]", sep, (unsigned long long)edge(r, f),
			 (unsigned long long)rows->n[r]);
		sep = ", ";
	}
	text_add(out, "]");
}

void rep_trace_hists(const struct hist *dist, bool fine, enum rep_format format, struct text *out)
{
	unsigned f = fine ? FINE : 1;
	struct rows rows;

	text_add(out, format == REP_CSV ? "distribution,from,count\n"
					 : "{\n  \"schema\": \"hvsim-trace-hist/1\"");
	for (unsigned d = 0; d < TRACE_DISTS; d++) {
		if (!dist[d].count)
			continue;
		fill(&rows, &dist[d], f);
		if (format == REP_CSV)
			csv_rows(&rows, d, f, out);
		else
			json_rows(&rows, d, f, out);
	}
	if (format == REP_JSON)
		text_add(out, "\n}\n");
}
