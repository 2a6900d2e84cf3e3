// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chrome trace event format: "Trace Event Format" document of the Chromium
 * project, as Perfetto's documentation says it reads it. ts is in microseconds.
 * Slices are B and E pairs; those of a track are written in the order of time,
 * outer ones around inner ones, which is all that tells slices of equal times
 * apart.
 */
#include <string.h>

#include "report/report.h"
#include "report/timeline.h"

struct writer {
	const struct rep_timeline *t;
	struct text *out;
	struct open {
		unsigned state;
		uint64_t end;   /* cycles */
		bool is_open;
	} *open;                /* the outer slice of each vCPU */
	uint64_t *exits;        /* counted so far, of each vCPU */
	uint64_t arrows;
};

static unsigned tid(const struct writer *w, uint32_t vcpu, unsigned level)
{
	return vcpu * (w->t->watch.levels + 1) + level + 1;
}

/* Nanoseconds from cycles, not before the window. */
static uint64_t ns_of(const struct writer *w, uint64_t cycles)
{
	uint64_t ns = clk_ns(&w->t->watch.clock, cycles);

	return ns < w->t->from_ns ? w->t->from_ns : ns;
}

/* One event: its type, track and time; the caller adds the rest and "}". */
static void begin(struct writer *w, char ph, unsigned track, uint64_t cycles)
{
	uint64_t ns = ns_of(w, cycles);

	text_add(w->out, ",\n{\"ph\":\"%c\",\"pid\":1,\"tid\":%u,\"ts\":%llu.%03u", ph, track,
		 (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static void name(struct writer *w, const char *s)
{
	text_add(w->out, ",\"name\":");
	rep_json_string(w->out, s);
}

static void close_outer(struct writer *w, uint32_t vcpu)
{
	struct open *o = &w->open[vcpu];

	if (!o->is_open)
		return;
	begin(w, 'E', tid(w, vcpu, w->t->watch.state[o->state].level), o->end);
	text_add(w->out, "}");
	o->is_open = false;
}

/* A slice of a state; slices of the same state that touch are one, around their paths. */
static void add_slice(struct writer *w, const struct rep_mark *m)
{
	const struct scn_state *s = &w->t->watch.state[m->what];
	struct open *o = &w->open[m->vcpu];
	unsigned track = tid(w, m->vcpu, s->level);

	if (!o->is_open || o->state != m->what || o->end != m->start) {
		close_outer(w, m->vcpu);
		begin(w, 'B', track, m->start);
		name(w, s->name);
		text_add(w->out, "}");
	}
	*o = (struct open){ m->what, m->end, true };
	if (!m->path)
		return;
	begin(w, 'B', track, m->start);
	name(w, m->path);
	text_add(w->out, ",\"args\":{\"cycles\":%llu}}", (unsigned long long)(m->end - m->start));
	begin(w, 'E', track, m->end);
	text_add(w->out, "}");
}

/* The level whose track exits are shown on: the last but one to run them, or the only one. */
static unsigned exit_level(const struct writer *w)
{
	return w->t->watch.levels > 1 ? 1 : 0;
}

static void add_exit(struct writer *w, const struct rep_mark *m)
{
	begin(w, 'i', tid(w, m->vcpu, exit_level(w)), m->start);
	name(w, m->what < w->t->watch.traps ? w->t->watch.trap[m->what] : "exit");
	text_add(w->out, ",\"s\":\"t\",\"args\":{\"entered\":%s,\"ceded\":%s}}",
		 m->yes ? "true" : "false", m->yes2 ? "true" : "false");
	begin(w, 'C', 0, m->start);
	text_add(w->out, ",\"name\":\"exits vCPU %u\",\"args\":{\"exits\":%llu}}", m->vcpu,
		 (unsigned long long)++w->exits[m->vcpu]);
}

static void add_pending(struct writer *w, const struct rep_mark *m)
{
	begin(w, 'C', 0, m->start);
	text_add(w->out, ",\"name\":\"pending timer vCPU %u\",\"args\":{\"pending\":%u}}", m->vcpu,
		 m->what);
}

/* On a track of its own: due until taken; and an arrow from there to what it led to. */
static void add_timer(struct writer *w, const struct rep_mark *m)
{
	unsigned track = tid(w, m->vcpu, w->t->watch.levels);
	uint64_t id = ++w->arrows;

	if (m->yes) {
		begin(w, 'B', track, m->start);
		text_add(w->out, ",\"name\":\"timer due\",\"args\":{\"cycles\":%llu}}",
			 (unsigned long long)(m->end - m->start));
	}
	begin(w, 's', m->yes ? track : tid(w, m->vcpu, exit_level(w)), m->start);
	text_add(w->out, ",\"name\":\"%s\",\"cat\":\"timer\",\"id\":%llu}",
		 m->yes ? "timer" : "wake", (unsigned long long)id);
	if (m->yes) {
		begin(w, 'E', track, m->end);
		text_add(w->out, "}");
	}
	begin(w, 'f', tid(w, m->vcpu, m->yes ? 0 : exit_level(w)), m->end);
	text_add(w->out, ",\"name\":\"%s\",\"cat\":\"timer\",\"bp\":\"e\",\"id\":%llu}",
		 m->yes ? "timer" : "wake", (unsigned long long)id);
}

static void name_track(struct writer *w, uint32_t vcpu, unsigned level)
{
	const struct scn_watch *s = &w->t->watch;
	unsigned track = tid(w, vcpu, level);

	text_add(w->out,
		 ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":"
		 "{\"name\":\"vCPU %u %s\"}}",
		 track, vcpu, level < s->levels ? s->level[level] : "timers");
	text_add(w->out,
		 ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":"
		 "{\"sort_index\":%u}}",
		 track, track);
}

static void add_head(struct writer *w)
{
	const struct scn_watch *s = &w->t->watch;
	struct mem *mem = mem_new();

	text_add(w->out,
		 "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"hvsim\":\"%s\",\"scenario\":",
		 HVSIM_VERSION);
	rep_json_string(w->out, s->scenario);
	text_add(w->out, ",\"variant\":");
	rep_json_string(w->out, s->variant);
	text_add(w->out, ",\"model\":");
	rep_json_string(w->out, s->cpu ? s->cpu : "");
	text_add(w->out, ",\"seed\":%llu,\"predicted\":true,\"dropped\":%zu},\n\"traceEvents\":[\n",
		 (unsigned long long)s->seed, w->t->dropped);
	text_add(w->out, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":");
	rep_json_string(w->out, mem_printf(mem, "%s, variant %s", s->title, s->variant));
	text_add(w->out, "}}");
	mem_free(mem);
}

void rep_timeline_json(struct text *out, const struct rep_timeline *t)
{
	struct mem *mem = mem_new();
	struct writer w = { t, out, mem_alloc(mem, t->watch.vcpus, sizeof(struct open)),
			    mem_alloc(mem, t->watch.vcpus, sizeof(uint64_t)), 0 };

	add_head(&w);
	for (uint32_t v = 0; v < t->watch.vcpus; v++)
		for (unsigned l = 0; l <= t->watch.levels; l++)
			name_track(&w, v, l);
	for (uint32_t v = 0; v < t->watch.vcpus; v++)
		if (rep_timeline_before(t, v))
			add_pending(&w, &(struct rep_mark){ .vcpu = v, .what = 1 });
	for (size_t i = 0; i < t->n; i++) {
		static void (*const adds[])(struct writer *, const struct rep_mark *) = {
			[REP_SLICE] = add_slice, [REP_EXIT] = add_exit, [REP_PENDING] = add_pending,
			[REP_TIMER] = add_timer,
		};

		adds[t->mark[i].kind](&w, &t->mark[i]);
	}
	for (uint32_t v = 0; v < t->watch.vcpus; v++)
		close_outer(&w, v);
	text_add(out, "\n]}\n");
	mem_free(mem);
}
