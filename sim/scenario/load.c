// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/load.h"

#include "path/price.h"

#define MILLION 1000000
#define EXITS_MAX 16
#define RATES_MAX 24
#define PATHS_MAX 16

struct doc {
	struct scn_common common;
	const struct jnode *request, *rates, *places;
	const char *event;
};

struct request {
	int64_t cycles;
};

struct place {
	const char *name, *published;
	const struct jnode *exits;
};

struct exit_kind {
	const char *what;
	int64_t per_event, per_request; /* millionths */
	const struct jnode *set, *paths;
	uint64_t cycles;
};

static const struct jfield doc_fields[] = {
	SCN_COMMON_FIELDS(struct doc),
	{ "request", JK_OBJECT, offsetof(struct doc, request), .required = true },
	{ "event", JK_TEXT, offsetof(struct doc, event), .required = true },
	{ "rates", JK_ARRAY, offsetof(struct doc, rates), .required = true },
	{ "places", JK_ARRAY, offsetof(struct doc, places), .required = true },
};

static const struct jfield request_fields[] = {
	{ "cycles", JK_INT, offsetof(struct request, cycles), true, 1, 1000000000 },
	{ "note", JK_NOTE },
};

static const struct jfield place_fields[] = {
	{ "name", JK_TEXT, offsetof(struct place, name), .required = true },
	{ "published", JK_TEXT, offsetof(struct place, published) },
	{ "exits", JK_ARRAY, offsetof(struct place, exits), .required = true },
};

static const struct jfield exit_fields[] = {
	{ "what", JK_TEXT, offsetof(struct exit_kind, what), .required = true },
	{ "per_event", JK_MICRO, offsetof(struct exit_kind, per_event), .hi = 1000 * (int64_t)MILLION },
	{ "per_request", JK_MICRO, offsetof(struct exit_kind, per_request),
	  .hi = 1000 * (int64_t)MILLION },
	{ "set", JK_OBJECT, offsetof(struct exit_kind, set) },
	{ "paths", JK_ARRAY, offsetof(struct exit_kind, paths), .required = true },
};

/* One variant's view of the file, priced. */
struct side {
	struct scn_view view;
	struct doc doc;
	struct path_lib *lib;
	struct pricer *pricer;
	int64_t request;
};

static int price_exit(const struct side *s, struct exit_kind *x, struct err *err)
{
	struct policy_set set = s->view.policy;
	struct cond_bits bits;

	if (policy_set_object(&set, x->set, err) < 0)
		return -1;
	bits = policy_bits(&set);
	if (x->paths->n > PATHS_MAX)
		return jnode_err(x->paths, err, "must hold at most %d paths", PATHS_MAX);
	for (const struct jnode *p = x->paths->child; p; p = p->next) {
		const struct path *path;

		if (jnode_is(p, J_STRING, err) < 0)
			return -1;
		path = path_load(s->lib, p->text, err);
		if (!path)
			return -1;
		x->cycles += price_path(s->pricer, path, &bits)->cycles;
	}
	return 0;
}

static int load_place(const struct side *s, const struct jnode *node, struct place *place,
		      struct exit_kind *x, unsigned *n, struct err *err)
{
	*place = (struct place){ 0 };
	*n = 0;
	if (JFIELDS(node, place_fields, place, err) < 0)
		return -1;
	for (const struct jnode *c = place->exits->child; c; c = c->next) {
		if (*n == EXITS_MAX)
			return jnode_err(place->exits, err, "must hold at most %d kinds", EXITS_MAX);
		x[*n] = (struct exit_kind){ 0 };
		if (JFIELDS(c, exit_fields, &x[*n], err) < 0 || price_exit(s, &x[*n], err) < 0)
			return -1;
		(*n)++;
	}
	return 0;
}

/* Cycles of exits in a request, with so many events in a thousand requests. */
static uint64_t exits_of(const struct exit_kind *x, unsigned n, int64_t rate)
{
	unsigned __int128 micro = 0;

	for (unsigned i = 0; i < n; i++)
		micro += (unsigned __int128)x[i].cycles *
			 (uint64_t)(x[i].per_request + x[i].per_event * rate / 1000);
	return (uint64_t)(micro / MILLION);
}

static int load_side(const struct scenario *scn, const struct scn_variant *v, struct side *s,
		     struct err *err)
{
	struct request request = { 0 };
	const struct spr_table *sprs;

	*s = (struct side){ 0 };
	if (scn_view(scn, v, &s->view, err) < 0 || JFIELDS(s->view.root, doc_fields, &s->doc, err) < 0 ||
	    JFIELDS(s->doc.request, request_fields, &request, err) < 0)
		return -1;
	if (!s->view.model)
		return jnode_err(s->view.root, err, "needs a 'cpu'");
	if (s->doc.rates->n > RATES_MAX)
		return jnode_err(s->doc.rates, err, "must hold at most %d numbers", RATES_MAX);
	s->request = request.cycles;
	sprs = spr_load(scn->mem, err);
	if (!sprs)
		return -1;
	s->lib = path_lib_new(scn->mem, sprs, scn->policies);
	s->pricer = price_new(s->view.model);
	return 0;
}

/* What a place is in all variants: one table. */
struct sheet {
	struct scn_table *t;
	uint64_t first[RATES_MAX]; /* requests a second in the first variant, by rate */
	unsigned variants;
};

static struct scn_table *new_sheet(const struct scenario *scn, const struct side *s,
				   const struct place *place, struct scn_result *result)
{
	const char *columns[2 * SCN_VARIANTS_MAX];
	unsigned v = scn->variants;

	for (unsigned k = 0; k < v; k++) {
		columns[k] = scn->variant[k].name;
		columns[v + k] = k ? mem_printf(result->mem, "%s, %%", scn->variant[k].name) :
				 "in exits, %";
	}
	return scn_table_new(result, place->name,
			     mem_printf(result->mem, "%s: requests a second and vCPU%s%s", place->name,
					place->published ? "; published: " : "",
					place->published ? place->published : ""),
			     mem_printf(result->mem, "%s, in 1000 requests", s->doc.event),
			     columns, 2 * v);
}

/* Requests a second of one vCPU, and the difference to the first variant. */
static void fill_sheet(struct sheet *sheet, const struct side *s, unsigned variant,
		       const struct exit_kind *x, unsigned n)
{
	unsigned row = 0;

	for (const struct jnode *r = s->doc.rates->child; r; r = r->next, row++) {
		uint64_t exits = exits_of(x, n, r->micro / MILLION);
		uint64_t all = (uint64_t)s->request + exits;
		uint64_t rate = (uint64_t)cpu_model_whole(s->view.model, CPU_CORE_HZ) / all;
		struct scn_cell *c = variant ? sheet->t->row[row].cell :
				     scn_table_row(sheet->t, r->text);

		c[variant] = scn_count(rate);
		if (variant) {
			c[sheet->variants + variant] = scn_difference(sheet->first[row], rate);
		} else {
			sheet->first[row] = rate;
			c[sheet->variants] = scn_share(exits, all, 1);
		}
	}
}

static int add_place(const struct scenario *scn, struct side *sides, size_t index,
		     struct scn_result *result, struct err *err)
{
	struct sheet sheet = { .variants = scn->variants };
	struct exit_kind x[EXITS_MAX];

	for (unsigned i = 0; i < scn->variants; i++) {
		const struct jnode *node = sides[i].doc.places->child;
		struct place place;
		unsigned n;

		for (size_t k = 0; k < index; k++)
			node = node->next;
		if (load_place(&sides[i], node, &place, x, &n, err) < 0)
			return -1;
		if (!i)
			sheet.t = new_sheet(scn, &sides[0], &place, result);
		fill_sheet(&sheet, &sides[i], i, x, n);
	}
	return 0;
}

static int run_places(const struct scenario *scn, struct side *sides, struct scn_result *result,
		      struct err *err)
{
	int64_t rate;

	for (const struct jnode *r = sides[0].doc.rates->child; r; r = r->next)
		if (!jnode_whole(r, &rate) || rate < 0 || rate > MILLION)
			return jnode_err(r, err, "must be a whole number from 0 to %d", MILLION);
	for (size_t i = 0; i < sides[0].doc.places->n; i++)
		if (add_place(scn, sides, i, result, err) < 0)
			return -1;
	return 0;
}

int load_run(const struct scenario *scn, struct scn_result *result, struct err *err)
{
	struct side *sides = mem_alloc(scn->mem, scn->variants, sizeof(*sides));
	int rc = scn->variants ? 0 : jnode_err(scn->root, err, "needs 'variants' to compare");

	for (unsigned i = 0; i < scn->variants && !rc; i++)
		rc = load_side(scn, &scn->variant[i], &sides[i], err);
	if (!rc)
		rc = run_places(scn, sides, result, err);
	for (unsigned i = 0; i < scn->variants; i++)
		price_free(sides[i].pricer);
	return rc;
}
