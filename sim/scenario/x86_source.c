// SPDX-License-Identifier: GPL-2.0-or-later
/* "sources" and "reactions" of x86 scenarios: what happens, and what guests do then. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "path/cond.h"
#include "scenario/x86.h"

#define MICRO INT64_C(1000000)
#define GAP_MIN 100 /* cycles: rarer than this is still far beyond what any CPU does */

struct reader {
	const struct scenario *scn;
	struct cond_bits bits; /* policies of this variant */
	struct x86_setup *s;
	struct err *err;
};

/* The next of "3", "0-2", "1-" (to the last) in a list; false when it isn't one. */
static bool next_range(const char **p, unsigned vcpus, unsigned *first, unsigned *last)
{
	int used = 0;

	if (sscanf(*p, "%5u%n", first, &used) != 1)
		return false;
	*p += used;
	*last = *first;
	if (**p != '-')
		return true;
	++*p;
	*last = vcpus - 1;
	if (sscanf(*p, "%5u%n", last, &used) == 1)
		*p += used;
	return true;
}

int scn_x86_vcpus(const struct jnode *node, const char *text, unsigned vcpus, uint64_t *mask,
		  struct err *err)
{
	const char *p = strcmp(text, "all") ? text : "0-";
	unsigned first, last;

	*mask = 0;
	do {
		if (!next_range(&p, vcpus, &first, &last))
			break;
		if (first > last || last >= vcpus)
			return jnode_err(node, err, "must name vCPUs from 0 to %u, not %.60s",
					 vcpus - 1, text);
		for (unsigned i = first; i <= last; i++)
			*mask |= UINT64_C(1) << i;
	} while (*p == ',' && p++);
	if (*p || p == text)
		return jnode_err(node, err, "must be \"all\" or a list like \"0\", \"1-7\", \"1-\" or "
				 "\"0,2-3\", not %.60s", text);
	return 0;
}

static int find_cause(struct reader *r, const struct jnode *node, const char *name, unsigned *cause)
{
	struct x86_setup *s = r->s;

	for (*cause = 0; *cause < s->causes; ++*cause)
		if (!strcmp(s->cause[*cause], name))
			return 0;
	if (s->causes == X86_CAUSES_MAX)
		return jnode_err(node, r->err, "is exit cause number %d: there is room for %d",
				 X86_CAUSES_MAX + 1, X86_CAUSES_MAX);
	s->cause[s->causes++] = name;
	return 0;
}

static int read_raises(struct reader *r, const struct jnode *list, uint64_t *bits)
{
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next) {
		int i = jnode_is(c, J_STRING, r->err) < 0 ? -1 :
			x86_request_find(r->s->model, c->text, c, r->err);

		if (i < 0)
			return -1;
		*bits |= UINT64_C(1) << i;
	}
	return 0;
}

struct handler_block {
	int64_t cycles, exits, handle;
	const char *cause, *request;
	const struct jnode *raises;
};

#define HANDLER_FIELDS                                                                           \
	{ "cycles", JK_INT, offsetof(struct handler_block, cycles), .required = true, .lo = 0,   \
	  .hi = INT64_C(1000000000) },                                                           \
	{ "exits", JK_INT, offsetof(struct handler_block, exits), .lo = 0, .hi = 1000 },         \
	{ "cause", JK_TEXT, offsetof(struct handler_block, cause) },                             \
	{ "handle", JK_INT, offsetof(struct handler_block, handle), .lo = 0, .hi = INT32_MAX },  \
	{ "raises", JK_ARRAY, offsetof(struct handler_block, raises) },                          \
	{ "note", JK_NOTE, 0 }

static const struct jfield handler_fields[] = { HANDLER_FIELDS };

static const struct jfield reaction_fields[] = {
	{ "request", JK_TEXT, offsetof(struct handler_block, request), .required = true },
	HANDLER_FIELDS,
};

static int add_reaction(struct reader *r, const struct jnode *node, const struct handler_block *b,
			unsigned *index)
{
	struct x86_setup *s = r->s;
	struct x86_reaction *re = &s->reaction[s->reactions];

	if (s->reactions == X86_SOURCES_MAX)
		return jnode_err(node, r->err, "is one handler more than the %d there is room for",
				 X86_SOURCES_MAX);
	*re = (struct x86_reaction){ .cycles = (uint64_t)b->cycles, .exits = (unsigned)b->exits,
				     .handle = b->handle < 0 ? x86_cost(s->cpu, X86_EXIT_HANDLE) :
							       (uint64_t)b->handle };
	if (b->exits && !b->cause)
		return jnode_err(node, r->err, "makes exits: it needs their 'cause'");
	if (b->cause && find_cause(r, node, b->cause, &re->cause) < 0)
		return -1;
	if (read_raises(r, b->raises, &re->raises) < 0)
		return -1;
	*index = s->reactions++;
	return 0;
}

struct source_block {
	const char *name, *vcpus, *cause, *event, *when;
	unsigned clock, spread, route;
	int64_t per_second, gap_us, gap_cycles, handle, task_work;
	bool together, asleep, remote, fast;
	const struct jnode *raises, *handler;
};

static const char *const clocks[] = { "wall", "task", "halt", NULL };
static const char *const spreads[] = { "even", "exponential", NULL };
static const char *const routes[] = { "exit", "request", "posted", "interrupt", NULL };

#define SRC(key, kind) #key, kind, offsetof(struct source_block, key)

static const struct jfield source_fields[] = {
	{ SRC(name, JK_TEXT), .required = true },
	{ SRC(clock, JK_NAME), .required = true, .names = clocks },
	{ SRC(spread, JK_NAME), .names = spreads },
	{ SRC(route, JK_NAME), .required = true, .names = routes },
	{ SRC(per_second, JK_MICRO), .lo = 0, .hi = 100000000 * MICRO },
	{ SRC(gap_us, JK_MICRO), .lo = 0, .hi = 1000000000 * MICRO },
	{ SRC(gap_cycles, JK_MICRO), .lo = 0, .hi = 1000000000 * MICRO },
	{ SRC(vcpus, JK_TEXT) }, { SRC(cause, JK_TEXT) }, { SRC(event, JK_TEXT) },
	{ SRC(when, JK_TEXT) }, { SRC(raises, JK_ARRAY) }, { SRC(handler, JK_OBJECT) },
	{ SRC(handle, JK_INT), .lo = 0, .hi = INT32_MAX },
	{ SRC(task_work, JK_MICRO), .lo = 0, .hi = MICRO },
	{ SRC(together, JK_TRUTH) }, { SRC(asleep, JK_TRUTH) }, { SRC(remote, JK_TRUTH) },
	{ SRC(fast, JK_TRUTH) },
	{ "note", JK_NOTE, 0 },
};
#undef SRC

/* Exactly one of the three ways to say how far apart arrivals are. */
static int read_gap(struct reader *r, const struct jnode *node, const struct source_block *b,
		    uint64_t *mean)
{
	uint64_t hz = x86_cost(r->s->cpu, X86_CORE_HZ);
	unsigned __int128 cycles = 0;

	if ((b->per_second > 0) + (b->gap_us > 0) + (b->gap_cycles > 0) > 1)
		return jnode_err(node, r->err, "has more than one of 'per_second', 'gap_us' and "
				 "'gap_cycles'");
	if (b->per_second)
		cycles = (unsigned __int128)hz * MICRO / (uint64_t)b->per_second;
	else if (b->gap_us)
		cycles = (unsigned __int128)hz * (uint64_t)b->gap_us / MICRO / MICRO;
	else if (b->gap_cycles)
		cycles = (uint64_t)b->gap_cycles / MICRO;
	*mean = (uint64_t)cycles;
	if (*mean && *mean < GAP_MIN)
		return jnode_err(node, r->err, "arrives every %llu cycles: %d is the least",
				 (unsigned long long)*mean, GAP_MIN);
	return 0;
}

static int check_source(struct reader *r, const struct jnode *node, const struct source_block *b)
{
	bool exits = b->route == X86_EXIT;

	if (exits != (b->clock == X86_TASK))
		return jnode_err(node, r->err, "must have clock \"task\" and route \"exit\" together: "
				 "a guest exits by itself while it runs its task");
	if (exits && !b->cause)
		return jnode_err(node, r->err, "has route \"exit\": it needs the exit's 'cause'");
	if ((b->remote || b->fast) && !exits)
		return jnode_err(node, r->err, "can be 'remote' or 'fast' with route \"exit\" only");
	if (b->together && b->clock != X86_WALL)
		return jnode_err(node, r->err, "can be 'together' with clock \"wall\" only");
	if (b->route == X86_POSTED && (b->raises || b->event))
		return jnode_err(node, r->err, "is a posted interrupt, which raises no requests");
	if (b->route == X86_REQUEST && !b->raises && !b->event)
		return jnode_err(node, r->err, "has route \"request\": it needs 'event' or 'raises'");
	return 0;
}

static int read_event(struct reader *r, const struct jnode *node, const char *name, uint64_t *bits)
{
	const struct x86_model *m = r->s->model;
	const char *names[X86_EVENTS_MAX], *near;

	for (unsigned i = 0; i < m->events; i++) {
		names[i] = m->event[i].name;
		if (strcmp(names[i], name))
			continue;
		*bits |= m->event[i].raises;
		return 0;
	}
	near = text_nearest(name, names, m->events);
	return jnode_err(jnode_get(node, "event"), r->err, "is no event of the request model "
			 "(%s'%s')", near ? "did you mean " : "its first is ",
			 near ? near : m->event[0].name);
}

/* Whether the source is there under this variant's policies. */
static int is_there(struct reader *r, const struct jnode *node, const char *when, bool *there)
{
	struct err inner = ERR_INIT;
	const struct cond *cond;

	*there = true;
	if (!when)
		return 0;
	cond = cond_parse(r->scn->mem, r->scn->policies->atoms, when, &inner);
	if (!cond)
		return jnode_err(jnode_get(node, "when"), r->err, "%.800s", inner.text);
	*there = cond_eval(cond, &r->bits);
	return 0;
}

static int fill_source(struct reader *r, const struct jnode *node, const struct source_block *b,
		       struct x86_source *src)
{
	const struct jnode *vcpus = jnode_get(node, "vcpus");
	struct handler_block h = { .handle = -1 };

	*src = (struct x86_source){ .name = b->name, .clock = b->clock, .spread = b->spread,
				    .route = b->route, .together = b->together,
				    .asleep = b->asleep, .remote = b->remote, .fast = b->fast,
				    .task_work = (uint32_t)b->task_work, .reaction = X86_NONE };
	src->handle = b->handle < 0 ? x86_cost(r->s->cpu, X86_EXIT_HANDLE) : (uint64_t)b->handle;
	if (read_gap(r, node, b, &src->mean) < 0 ||
	    scn_x86_vcpus(vcpus ? vcpus : node, b->vcpus, r->s->vcpus, &src->vcpus, r->err) < 0 ||
	    read_raises(r, b->raises, &src->raises) < 0 ||
	    (b->event && read_event(r, node, b->event, &src->raises) < 0) ||
	    (b->cause && find_cause(r, node, b->cause, &src->cause) < 0))
		return -1;
	if (b->handler && (JFIELDS(b->handler, handler_fields, &h, r->err) < 0 ||
			   add_reaction(r, b->handler, &h, &src->reaction) < 0))
		return -1;
	return 0;
}

static int read_source(struct reader *r, const struct jnode *node)
{
	struct source_block b = { .vcpus = "all", .handle = -1 };
	struct x86_setup *s = r->s;
	bool there;

	if (JFIELDS(node, source_fields, &b, r->err) < 0 || check_source(r, node, &b) < 0 ||
	    is_there(r, node, b.when, &there) < 0)
		return -1;
	for (unsigned i = 0; there && i < s->sources; i++)
		if (!strcmp(s->source[i].name, b.name))
			return jnode_err(node, r->err, "is a second source '%.60s' in one variant",
					 b.name);
	if (s->sources == X86_SOURCES_MAX)
		return jnode_err(node, r->err, "is one source more than the %d there is room for",
				 X86_SOURCES_MAX);
	if (fill_source(r, node, &b, &s->source[s->sources]) < 0)
		return -1;
	/* A source that never arrives, or is not there, leaves no trace. */
	if (there && s->source[s->sources].mean)
		s->sources++;
	return 0;
}

static int read_reaction(struct reader *r, const struct jnode *node)
{
	struct handler_block b = { .handle = -1 };
	int i;

	if (JFIELDS(node, reaction_fields, &b, r->err) < 0)
		return -1;
	i = x86_request_find(r->s->model, b.request, jnode_get(node, "request"), r->err);
	if (i < 0)
		return -1;
	if (r->s->on_request[i] != X86_NONE)
		return jnode_err(node, r->err, "is a second reaction to %s", b.request);
	return add_reaction(r, node, &b, &r->s->on_request[i]);
}

int scn_x86_sources(const struct scenario *scn, const struct scn_view *view, struct scn_x86 *x,
		    struct err *err)
{
	struct reader r = { scn, policy_bits(&view->policy), &x->setup, err };

	for (unsigned i = 0; i < X86_REQUESTS_MAX; i++)
		x->setup.on_request[i] = X86_NONE;
	x->setup.cause[0] = "EXTERNAL_INTERRUPT";
	x->setup.cause[1] = "HLT";
	x->setup.causes = 2;
	x->setup.cause_interrupt = 0;
	x->setup.cause_halt = 1;
	for (const struct jnode *c = x->sources->child; c; c = c->next)
		if (read_source(&r, c) < 0)
			return -1;
	for (const struct jnode *c = x->reactions ? x->reactions->child : NULL; c; c = c->next)
		if (read_reaction(&r, c) < 0)
			return -1;
	return 0;
}
