/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requests of x86's vCPU loop as data: a dependency graph and orders.
 *
 * A request is a bit. vcpu_enter_guest() (arch/x86/kvm/x86.c) checks the bits
 * in a fixed order; a handler may raise other requests. Which, and under what
 * configuration, is in a file (models/x86/requests.json): nothing here knows
 * a request by name.
 */
#ifndef HVSIM_HV_X86_MODEL_H
#define HVSIM_HV_X86_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/jdoc.h"
#include "base/mem.h"

#define X86_REQUESTS_MAX 64 /* one bit each, as vcpu->requests */
#define X86_AXES_MAX 8
#define X86_VALUES_MAX 8
#define X86_ORDERS_MAX 16
#define X86_EVENTS_MAX 64
#define X86_MICRO 1000000

/* A configuration axis, such as the delivery mode of an APIC entry. */
struct x86_axis {
	const char *name, *note;
	const char *value[X86_VALUES_MAX];
	unsigned n, fallback; /* fallback: index of the default value */
};

/*
 * Per axis a bit for each allowed value. One type serves as a condition, as a
 * single configuration (one bit an axis) and as a set of configurations.
 */
struct x86_set {
	uint8_t allow[X86_AXES_MAX];
};

/* What something takes, in core cycles unless a unit says otherwise, and how that is known. */
struct x86_cycles {
	int64_t value, lo, hi;
	const char *unit;
	const char *kind; /* doc, meas, derived, fitted or assumed */
	const char *source;
};

/* Handling `from` raises `to` where `when` holds, with this chance (millionths). */
struct x86_edge {
	unsigned from, to;
	struct x86_set when;
	int64_t chance;
	const char *note;
	const struct jnode *node; /* for errors */
};

struct x86_request {
	const char *name, *note;
	struct x86_cycles cycles;
	bool last;             /* checked after all others whatever the order */
	const char *gate;      /* NULL, or what can block its edges until the guest opens it */
	struct x86_set closes; /* where handling it closes the gate */
	uint64_t after;        /* must be checked later than these for a reason other than edges */
	unsigned edge, edges;  /* its edges: model->edge[edge] and on */
	const struct jnode *node;
};

struct x86_order {
	const char *name, *note;
	unsigned at[X86_REQUESTS_MAX];  /* requests as they are checked, all of them */
	unsigned pos[X86_REQUESTS_MAX]; /* where each is in at[] */
	bool rescan;                    /* scan again until no bit is set, before the entry */
	bool current;                   /* what upstream does today */
};

/* Something from outside that raises requests. */
struct x86_event {
	const char *name, *note;
	uint64_t raises;
	struct x86_set when; /* configurations in which it can happen */
};

struct x86_model {
	const char *file, *name, *note;
	struct x86_axis axis[X86_AXES_MAX];
	struct x86_request request[X86_REQUESTS_MAX];
	struct x86_edge *edge; /* grouped by from */
	struct x86_order order[X86_ORDERS_MAX];
	struct x86_event event[X86_EVENTS_MAX];
	unsigned axes, requests, edges, orders, events;
};

/*
 * Load a model from a file, or from a root node already read. All is owned by
 * the pool. Errors (NULL) carry their line: unknown names, orders that miss a
 * request, cycles that no configuration breaks (they name the cycle).
 */
struct x86_model *x86_model_load(struct mem *mem, const char *file, struct err *err);
struct x86_model *x86_model_from(struct mem *mem, const struct jnode *root, struct err *err);

/* A request by name, or -1 with an error at the node (NULL: no position) and a suggestion. */
int x86_request_find(const struct x86_model *m, const char *name, const struct jnode *node,
		     struct err *err);

/* An order by name, or NULL. */
const struct x86_order *x86_order_find(const struct x86_model *m, const char *name);

/*
 * The order a policy names: one of the model's by name, or a list
 * "PMU,PMI,SMI": the requests in it share out the places they have in the
 * model's first order, so that all others stay where they are. The order is
 * owned by the pool; NULL on error.
 */
const struct x86_order *x86_order_parse(struct mem *mem, const struct x86_model *m,
					const char *text, struct err *err);

/* All configurations; the default one. */
struct x86_set x86_set_all(const struct x86_model *m);
struct x86_set x86_set_default(const struct x86_model *m);

/* Narrow a set by "axis=value|value,axis=value". -1 on error. */
int x86_set_parse(const struct x86_model *m, const char *text, struct x86_set *set,
		  struct err *err);

/* Narrow a set by an object {"axis": "value" or ["value", ...]}. -1 on error. */
int x86_set_from(const struct x86_model *m, const struct jnode *obj, struct x86_set *set,
		 struct err *err);

/* Whether some configuration is in both; the common part, if one is wanted. */
bool x86_set_meet(const struct x86_model *m, const struct x86_set *a, const struct x86_set *b,
		  struct x86_set *both);

/* Whether the edge is there in all configurations and always taken. */
bool x86_edge_always(const struct x86_model *m, const struct x86_edge *e);

/* Read {"value", "unit", "range": [lo, hi], "kind", "source"}, hi at most max. -1 on error. */
int x86_cycles_from(const struct jnode *obj, int64_t max, struct x86_cycles *out,
		    struct err *err);

#endif
