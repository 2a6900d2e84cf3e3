// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/executed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "path/price.h"
#include "scenario/published.h"

#define MICRO INT64_C(1000000)
#define PATHS_MAX 32
#define LACKS_MAX 16

static const char *const role_names[] = { "prediction", "calibration", "structure", NULL };

struct lack {
	const char *what, *path_name;
	const struct jnode *set, *base;
	const struct path *path;
	struct cond_bits bits, base_bits;
};

struct row {
	const char *name, *path_name;
	const struct jnode *set, *published, *lacks;
	unsigned role;
	int64_t cycles;
	int64_t tolerance; /* per cent of it, millionths; 0: not stated */
	const struct path *path;
	struct cond_bits bits;
	struct lack lack[LACKS_MAX];
	unsigned n_lacks;
};

struct executed {
	struct scn_common common;
	const struct jnode *paths, *ipc;
	const struct scenario *scn;
	struct scn_view view;
	struct path_lib *lib;
	struct row row[PATHS_MAX];
	unsigned n;
};

static const struct jfield doc_fields[] = {
	SCN_COMMON_FIELDS(struct executed),
	{ "paths", JK_ARRAY, offsetof(struct executed, paths), .required = true },
	{ "ipc", JK_ARRAY, offsetof(struct executed, ipc) },
};

static const struct jfield row_fields[] = {
	{ "name", JK_TEXT, offsetof(struct row, name), .required = true },
	{ "path", JK_TEXT, offsetof(struct row, path_name), .required = true },
	{ "set", JK_OBJECT, offsetof(struct row, set) },
	{ "published", JK_ANY, offsetof(struct row, published) },
	{ "role", JK_NAME, offsetof(struct row, role), .names = role_names },
	{ "tolerance", JK_MICRO, offsetof(struct row, tolerance), .lo = 1, .hi = 100 * (int64_t)MICRO },
	{ "lacks", JK_ARRAY, offsetof(struct row, lacks) },
	{ "source", JK_NOTE },
};

static const struct jfield lack_fields[] = {
	{ "what", JK_TEXT, offsetof(struct lack, what), .required = true },
	{ "path", JK_TEXT, offsetof(struct lack, path_name) },
	{ "set", JK_OBJECT, offsetof(struct lack, set) },
	{ "base", JK_OBJECT, offsetof(struct lack, base) },
};

/* A name in models/paths, or a file relative to here or to the data folder. */
static const struct path *load_path(struct executed *e, const char *name, struct err *err)
{
	const char *dir, *file = name;

	if (strchr(name, '/') && access(name, F_OK)) {
		dir = file_data_dir(e->scn->mem, err);
		if (!dir)
			return NULL;
		file = mem_printf(e->scn->mem, "%s/%s", dir, name);
	}
	return path_load(e->lib, file, err);
}

static int bits_of(struct executed *e, const struct jnode *set, struct cond_bits *bits,
		   struct err *err)
{
	struct policy_set policy = e->view.policy;

	if (policy_set_object(&policy, set, err) < 0)
		return -1;
	*bits = policy_bits(&policy);
	return 0;
}

static int load_lack(struct executed *e, const struct jnode *node, struct lack *k, struct err *err)
{
	if (JFIELDS(node, lack_fields, k, err) < 0)
		return -1;
	if (!k->path_name)
		return k->set || k->base ? jnode_err(node, err, "needs a 'path' to price") : 0;
	k->path = load_path(e, k->path_name, err);
	if (!k->path || bits_of(e, k->set, &k->bits, err) < 0)
		return -1;
	return bits_of(e, k->base, &k->base_bits, err);
}

static int load_row(struct executed *e, const struct jnode *node, struct err *err)
{
	struct row *r = &e->row[e->n++];

	if (JFIELDS(node, row_fields, r, err) < 0 ||
	    scn_cycles_read(r->published, 1, &r->cycles, err) < 0)
		return -1;
	r->path = load_path(e, r->path_name, err);
	if (!r->path || bits_of(e, r->set, &r->bits, err) < 0)
		return -1;
	for (const struct jnode *c = r->lacks ? r->lacks->child : NULL; c; c = c->next) {
		if (r->n_lacks == LACKS_MAX)
			return jnode_err(r->lacks, err, "must hold at most %d entries", LACKS_MAX);
		if (load_lack(e, c, &r->lack[r->n_lacks++], err) < 0)
			return -1;
	}
	return 0;
}

static int load(struct executed *e, struct scn_result *result, struct err *err)
{
	const struct spr_table *sprs;

	if (scn_view(e->scn, NULL, &e->view, err) < 0 ||
	    JFIELDS(e->view.root, doc_fields, e, err) < 0)
		return -1;
	if (!e->view.model)
		return jnode_err(e->view.root, err, "needs a 'cpu'");
	sprs = spr_load(e->scn->mem, err);
	if (!sprs)
		return -1;
	e->lib = path_lib_new(e->scn->mem, sprs, e->scn->policies);
	if (e->paths->n > PATHS_MAX)
		return jnode_err(e->paths, err, "must hold at most %d paths", PATHS_MAX);
	for (const struct jnode *c = e->paths->child; c; c = c->next)
		if (load_row(e, c, err) < 0)
			return -1;
	if (e->ipc && e->ipc->n > 16)
		return jnode_err(e->ipc, err, "must hold at most 16 numbers");
	for (const struct jnode *c = e->ipc ? e->ipc->child : NULL; c; c = c->next)
		if (c->type != J_NUMBER || c->micro < MICRO / 10 || c->micro > 10 * MICRO)
			return jnode_err(c, err, "must be a number from 0.1 to 10");
	return 0;
}

static int64_t price_lack(struct pricer *pricer, const struct lack *k)
{
	int64_t cycles;

	if (!k->path)
		return 0;
	cycles = (int64_t)price_path(pricer, k->path, &k->bits)->cycles;
	if (k->base)
		cycles -= (int64_t)price_path(pricer, k->path, &k->base_bits)->cycles;
	return cycles;
}

/* The path itself, and with what it lacks where that can be priced. */
static uint64_t price_row(struct pricer *pricer, const struct row *r, int64_t *lacking)
{
	*lacking = 0;
	for (unsigned i = 0; i < r->n_lacks; i++)
		*lacking += price_lack(pricer, &r->lack[i]);
	return price_path(pricer, r->path, &r->bits)->cycles;
}

static void add_totals(const struct executed *e, struct pricer *pricer, struct scn_result *result)
{
	static const char *const columns[] = { "as listed", "lacking", "together", "given", "off by",
					       "allowed, %", "role" };
	struct scn_table *t = scn_table_new(result, "paths", "Cycles", "path", columns, 7);

	t->predicted = "together";
	for (unsigned i = 0; i < e->n; i++) {
		const struct row *r = &e->row[i];
		struct scn_cell *c = scn_table_row(t, r->name);
		int64_t lacking;
		uint64_t cycles = price_row(pricer, r, &lacking);

		c[0] = scn_count(cycles);
		c[1] = scn_decimal(lacking * MICRO, 0);
		c[2] = scn_count(cycles + (uint64_t)lacking);
		if (r->published) {
			c[3] = scn_count((uint64_t)r->cycles);
			c[4] = scn_difference((uint64_t)r->cycles, cycles + (uint64_t)lacking);
			c[5] = r->tolerance ? scn_decimal(r->tolerance, 0) : (struct scn_cell){ 0 };
			c[6] = scn_text(role_names[r->role]);
		}
	}
}

static void add_causes(const struct executed *e, struct pricer *pricer, struct scn_result *result)
{
	const char *columns[PATHS_MAX];
	struct scn_table *t;

	for (unsigned i = 0; i < e->n; i++)
		columns[i] = e->row[i].name;
	t = scn_table_new(result, "causes", "Cycles by cause, as listed", "cause", columns, e->n);
	t->detail = true;
	for (unsigned k = 0; k < PIPE_CLASSES; k++) {
		struct scn_cell *c = scn_table_row(t, pipe_class_name(k));

		for (unsigned i = 0; i < e->n; i++)
			c[i] = scn_count(price_path(pricer, e->row[i].path,
						    &e->row[i].bits)->by_class[k]);
	}
}

static void add_ipc(const struct executed *e, struct scn_result *result)
{
	struct cpu_model *model = mem_alloc(e->scn->mem, 1, sizeof(*model));
	const char *columns[PATHS_MAX];
	struct scn_table *t;

	for (unsigned i = 0; i < e->n; i++)
		columns[i] = e->row[i].name;
	t = scn_table_new(result, "ipc", "Together, by the IPC of ordinary instructions", "ipc",
			  columns, e->n);
	for (const struct jnode *n = e->ipc->child; n; n = n->next) {
		struct scn_cell *c = scn_table_row(t, n->text);
		struct pricer *pricer;

		*model = *e->view.model;
		model->params[CPU_IPC].micro = n->micro;
		pricer = price_new(model);
		for (unsigned i = 0; i < e->n; i++) {
			int64_t lacking;
			uint64_t cycles = price_row(pricer, &e->row[i], &lacking);

			c[i] = scn_count(cycles + (uint64_t)lacking);
		}
		price_free(pricer);
	}
}

static void add_notes(const struct executed *e, struct pricer *pricer, struct scn_result *result)
{
	for (unsigned i = 0; i < e->n; i++) {
		const struct row *r = &e->row[i];

		for (unsigned k = 0; k < r->n_lacks; k++) {
			const struct lack *lack = &r->lack[k];
			const char *price = lack->path ?
				mem_printf(e->scn->mem, " (%lld cycles)",
					   (long long)price_lack(pricer, lack)) : " (not priced)";

			scn_result_note(result, mem_printf(e->scn->mem, "%s lacks %s%s", r->name,
							   lack->what, price));
		}
	}
}

int executed_run(const struct scenario *scn, struct scn_result *result, struct err *err)
{
	struct executed *e = mem_alloc(scn->mem, 1, sizeof(*e));
	struct pricer *pricer;

	e->scn = scn;
	if (load(e, result, err) < 0)
		return -1;
	pricer = price_new(e->view.model);
	add_totals(e, pricer, result);
	add_causes(e, pricer, result);
	if (e->ipc)
		add_ipc(e, result);
	add_notes(e, pricer, result);
	price_free(pricer);
	return 0;
}
