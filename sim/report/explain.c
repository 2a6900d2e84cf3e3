// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/explain.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GUEST_SLICES 4 /* shown of what the guest did before it left */

/* In the terms of sim/cpu/pipe.h. */
const char *rep_explain_class(enum pipe_class c)
{
	static const char *const about[PIPE_CLASSES] = {
		[PIPE_ISSUE] = "dispatching instructions",
		[PIPE_SCOREBOARD] = "held: an older move to a register of its kind is not complete",
		[PIPE_SERIAL] = "one at a time: register moves in a row, timebase, SLB, a full window",
		[PIPE_DRAIN] = "held until all older work is complete, then started again",
		[PIPE_MEMORY] = "a barrier, an atomic, an uncached access or a cache miss",
		[PIPE_REFETCH] = "fetching again after a flush, an interrupt or a return",
	};

	return about[c];
}

static uint64_t time_of(const struct rep_mark *m)
{
	return m->kind == REP_EXIT || m->kind == REP_PENDING ? m->start : m->end;
}

/* A slice ends before what happens at that time. */
static int by_time(const void *a, const void *b)
{
	const struct rep_mark *x = *(const struct rep_mark *const *)a;
	const struct rep_mark *y = *(const struct rep_mark *const *)b;

	if (time_of(x) != time_of(y))
		return time_of(x) < time_of(y) ? -1 : 1;
	if ((x->kind == REP_SLICE) != (y->kind == REP_SLICE))
		return x->kind == REP_SLICE ? -1 : 1;
	return x < y ? -1 : x > y;
}

static const char *trap_name(const struct rep_timeline *t, const struct rep_mark *m)
{
	return m->what < t->watch.traps ? t->watch.trap[m->what] : "exit";
}

static bool matches(const struct rep_timeline *t, const struct rep_mark *m,
		    const struct rep_explain_which *w)
{
	return m->kind == REP_EXIT && (w->vcpu < 0 || m->vcpu == (uint32_t)w->vcpu) &&
	       (!w->trap || !strncasecmp(trap_name(t, m), w->trap, strlen(w->trap)));
}

static const struct rep_mark *find(const struct rep_timeline *t, const struct rep_explain_which *w)
{
	uint64_t left = w->nth;

	for (size_t i = 0; i < t->n; i++)
		if (matches(t, &t->mark[i], w) && !--left)
			return &t->mark[i];
	return NULL;
}

static int not_found(const struct rep_timeline *t, const struct rep_explain_which *w,
		     struct err *err)
{
	struct text seen = { 0 };

	if (w->vcpu >= (int64_t)t->watch.vcpus)
		return err_set(err, "--vcpu %lld: must be from 0 to %u, the vCPUs of this scenario",
			       (long long)w->vcpu, t->watch.vcpus - 1);
	for (unsigned k = 0; k < t->watch.traps; k++) {
		size_t n = 0;

		for (size_t i = 0; i < t->n; i++)
			n += t->mark[i].kind == REP_EXIT && t->mark[i].what == k &&
			     (w->vcpu < 0 || t->mark[i].vcpu == (uint32_t)w->vcpu);
		if (n)
			text_add(&seen, "%s%s %zu", seen.len ? ", " : "", t->watch.trap[k], n);
	}
	err_set(err, "no such exit in this part of the run: there are %.800s (--from, --to)",
		seen.s ? seen.s : "none");
	text_free(&seen);
	return -1;
}

static bool in_guest(const struct rep_timeline *t, const struct rep_mark *m)
{
	return m->kind == REP_SLICE && !t->watch.state[m->what].level;
}

struct pricing {
	struct mem *mem;
	struct rep_explain_step *step;
	size_t room;
};

static void keep_op(void *arg, const struct price_step *s)
{
	struct pricing *p = arg;
	struct rep_explain_step *step = p->step;
	struct rep_explain_op *op;
	struct text name = { 0 };

	step->op = mem_grow(step->op, &p->room, step->ops + 1, sizeof(*step->op));
	op = &step->op[step->ops++];
	if (s->item)
		op_text(&s->item->op, &name);
	*op = (struct rep_explain_op){ .op = mem_strdup(p->mem,
							name.s ? name.s : "(wait for the rest)"),
				       .in = s->item ? s->item->in : NULL,
				       .start = s->start,
				       .cycles = s->cycles };
	memcpy(op->by_class, s->by_class, sizeof(op->by_class));
	text_free(&name);
}

/* The path's ops, priced. They move to the pool. */
static int price_step(struct mem *mem, const struct scn_watch *w, struct pricer *pricer,
		      struct rep_explain_step *step, struct err *err)
{
	const struct path *path = path_load(w->paths, step->path, err);
	struct pricing p = { mem, step, 0 };
	struct rep_explain_op *moved;
	struct price price;

	if (!path)
		return -1;
	step->summary = path->summary;
	price_trace(pricer, path, &w->bits, keep_op, &p, &price);
	step->price = price.cycles;
	moved = mem_alloc(mem, step->ops, sizeof(*moved));
	if (step->ops)
		memcpy(moved, step->op, step->ops * sizeof(*moved));
	free(step->op);
	step->op = moved;
	return 0;
}

static const char *note_of(struct mem *mem, const struct rep_timeline *t, const struct rep_mark *m)
{
	unsigned long long late = m->kind == REP_TIMER ? m->end - m->start : 0;

	switch (m->kind) {
	case REP_EXIT:
		return mem_printf(mem, "the exit is counted: %s%s%s", trap_name(t, m),
				  m->yes ? "" : ", though the guest was not entered",
				  m->yes2 ? "; the vCPU has ceded" : "");
	case REP_PENDING:
		return m->what ? "a timer exception is now pending in the hypervisor" :
				 "no timer exception is pending in the hypervisor any more";
	default:
		return m->yes ? mem_printf(mem,
					   "the guest takes its timer interrupt, due %llu cycles "
					   "ago",
					   late)
			      : mem_printf(mem,
					   "the hypervisor's timer for this vCPU, due %llu cycles "
					   "ago, "
					   "ends its sleep",
					   late);
	}
}

static void add_note(struct mem *mem, struct rep_explain_step *step, const char *note)
{
	const char **more = mem_alloc(mem, step->notes + 1, sizeof(*more));

	if (step->notes)
		memcpy(more, step->note, step->notes * sizeof(*more));
	more[step->notes++] = note;
	step->note = more;
}

/* From the guest before the exit at marks[at] to the guest after it. */
static void bounds(const struct rep_timeline *t, const struct rep_mark *const *m, size_t n,
		   size_t at, size_t *first, size_t *last)
{
	unsigned guests = 0;
	size_t i = at;

	*first = at;
	for (; i-- > 0 && guests < GUEST_SLICES;) {
		if (m[i]->kind != REP_SLICE)
			continue;
		if (!in_guest(t, m[i]) && guests)
			break;
		guests += in_guest(t, m[i]);
		*first = i;
	}
	*last = at;
	for (i = at + 1; i < n; i++) {
		*last = i;
		if (in_guest(t, m[i]))
			break;
	}
}

static int walk(struct mem *mem, struct rep_explain *e, const struct rep_mark *const *m,
		size_t first, size_t last, struct err *err)
{
	const struct rep_timeline *t = e->t;
	struct pricer *pricer = t->watch.model ? price_new(t->watch.model) : NULL;
	uint64_t origin = m[first]->start;
	int rc = 0;

	e->step = mem_alloc(mem, last - first + 1, sizeof(*e->step));
	for (size_t i = first; i <= last && !rc; i++) {
		const struct scn_state *s;
		struct rep_explain_step *step;

		if (m[i]->kind != REP_SLICE) {
			if (e->steps)
				add_note(mem, &e->step[e->steps - 1], note_of(mem, t, m[i]));
			continue;
		}
		s = &t->watch.state[m[i]->what];
		step = &e->step[e->steps++];
		*step = (struct rep_explain_step){ .level = t->watch.level[s->level],
						   .state = s->name,
						   .path = m[i]->path,
						   .start = m[i]->start - origin,
						   .cycles = m[i]->end - m[i]->start };
		if (step->path && pricer)
			rc = price_step(mem, &t->watch, pricer, step, err);
	}
	price_free(pricer);
	return rc;
}

int rep_explain(struct mem *mem, const struct rep_timeline *t,
		const struct rep_explain_which *which, struct rep_explain *e, struct err *err)
{
	const struct rep_mark *exit = find(t, which);
	const struct rep_mark **m = mem_alloc(mem, t->n, sizeof(*m));
	size_t n = 0, at = 0, first, last;

	if (!exit)
		return not_found(t, which, err);
	*e = (struct rep_explain){ .t = t, .vcpu = exit->vcpu, .trap = trap_name(t, exit),
				   .at = exit->start };
	for (size_t i = 0; i < t->n; i++)
		if (t->mark[i].vcpu == exit->vcpu)
			m[n++] = &t->mark[i];
	qsort(m, n, sizeof(*m), by_time);
	while (m[at] != exit)
		at++;
	bounds(t, m, n, at, &first, &last);
	return walk(mem, e, m, first, last, err);
}
