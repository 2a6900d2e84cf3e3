// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu/covariance.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"

#define MICRO INT64_C(1000000)
#define NAMES_MAX 128 /* parameters a message chooses a suggestion from */

struct covariance_file {
	const struct jnode *errors, *correlations;
	const char *source;
};

static const struct jfield covariance_fields[] = {
	{ "errors", JK_OBJECT, offsetof(struct covariance_file, errors), true },
	{ "correlations", JK_ARRAY, offsetof(struct covariance_file, correlations), true },
	{ "source", JK_TEXT, offsetof(struct covariance_file, source), true },
};

struct pair_file {
	const struct jnode *of;
	int64_t value;
};

static const struct jfield pair_fields[] = {
	{ "of", JK_ARRAY, offsetof(struct pair_file, of), true },
	{ "value", JK_MICRO, offsetof(struct pair_file, value), true, -MICRO, MICRO },
};

static int unknown(const struct jnode *node, const char *name, const struct jnode *known,
		   const char *what, struct err *err)
{
	const char *names[NAMES_MAX], *near;
	size_t n = 0;

	for (const struct jnode *c = known->child; c && n < NAMES_MAX; c = c->next)
		names[n++] = c->key;
	near = text_nearest(name, names, n);
	if (near)
		return jnode_err(node, err, "names '%.80s', which is not %s (did you mean '%s'?)",
				 name, what, near);
	return jnode_err(node, err, "names '%.80s', which is not %s", name, what);
}

static int read_error(const struct jnode *node, const struct jnode *params,
		      struct cpu_covariance *c, struct err *err)
{
	const struct jnode *param = jnode_get(params, node->key);
	const struct jnode *value = param ? jnode_get(param, "value") : NULL;
	const struct jnode *range = param ? jnode_get(param, "range") : NULL;
	const struct jnode *lo = range ? range->child : NULL, *hi = lo ? lo->next : NULL;

	if (!param)
		return unknown(node, node->key, params, "a parameter of this file", err);
	if (!value)
		return jnode_err(node, err, "must name a parameter with a value of its own");
	if (!hi || lo->type != J_NUMBER || hi->type != J_NUMBER)
		return jnode_err(node, err, "must name a parameter with a range");
	if (node->type != J_NUMBER || node->micro <= 0 || node->micro > MICRO * MICRO)
		return jnode_err(node, err, "must be a standard error: a number above 0, at most "
				 "1000000");
	if (c->n == CPU_JOINT_MAX)
		return jnode_err(node->parent, err, "has more than %u parameters", CPU_JOINT_MAX);
	c->param[c->n++] = (struct cpu_joint_param){ node->key, value->micro, lo->micro, hi->micro,
						     node->micro };
	return 0;
}

int cpu_covariance_find(const struct cpu_covariance *c, const char *name)
{
	for (unsigned i = 0; i < c->n; i++)
		if (!strcmp(c->param[i].name, name))
			return (int)i;
	return -1;
}

struct matrix {
	int64_t r[CPU_JOINT_MAX][CPU_JOINT_MAX]; /* lower triangle, millionths */
	bool given[CPU_JOINT_MAX][CPU_JOINT_MAX];
};

static int read_pair(const struct jnode *node, const struct covariance_file *f,
		     const struct cpu_covariance *c, struct matrix *m, struct err *err)
{
	struct pair_file p = { 0 };
	unsigned at[2], low, high, n = 0;

	if (JFIELDS(node, pair_fields, &p, err) < 0)
		return -1;
	if (p.of->n != 2)
		return jnode_err(p.of, err, "must be two names, not %zu", p.of->n);
	for (const struct jnode *k = p.of->child; k; k = k->next) {
		int i;

		if (jnode_is(k, J_STRING, err) < 0)
			return -1;
		i = cpu_covariance_find(c, k->text);
		if (i < 0)
			return unknown(k, k->text, f->errors, "in 'errors'", err);
		at[n++] = (unsigned)i;
	}
	if (at[0] == at[1])
		return jnode_err(p.of, err, "must be two different parameters");
	low = at[0] < at[1] ? at[0] : at[1];
	high = at[0] < at[1] ? at[1] : at[0];
	if (m->given[high][low])
		return jnode_err(p.of, err, "repeats a pair");
	m->given[high][low] = true;
	m->r[high][low] = p.value;
	return 0;
}

/* What of correlation i, j the columns before j leave, in millionths of a millionth. */
static __int128 left(const struct cpu_covariance *c, const struct matrix *m, unsigned i, unsigned j)
{
	__int128 sum = (__int128)(i == j ? MICRO : m->r[i][j]) * MICRO;

	for (unsigned k = 0; k < j; k++)
		sum -= (__int128)c->factor[i][k] * c->factor[j][k];
	return sum;
}

static int64_t nearest(__int128 a, int64_t b)
{
	return (int64_t)((a + (a < 0 ? -b : b) / 2) / b);
}

/* A diagonal below a thousandth can't be told from none: the parameter would follow from others. */
static int factorise(const struct jnode *node, const struct matrix *m, struct cpu_covariance *c,
		     struct err *err)
{
	for (unsigned i = 0; i < c->n; i++) {
		__int128 rest;

		for (unsigned j = 0; j < i; j++)
			c->factor[i][j] = nearest(left(c, m, i, j), c->factor[j][j]);
		rest = left(c, m, i, i);
		if (rest < MICRO)
			return jnode_err(node, err, "can't all hold at once: those of '%s' with "
					 "the parameters before it leave it no spread of its own "
					 "(the matrix is not positive definite)", c->param[i].name);
		c->factor[i][i] = (int64_t)num_root((unsigned __int128)rest);
	}
	return 0;
}

int cpu_covariance_read(const struct jnode *root, struct cpu_covariance *c, struct err *err)
{
	const struct jnode *node = jnode_get(root, "covariance");
	const struct jnode *params = jnode_get(root, "params");
	struct covariance_file f = { 0 };
	struct matrix m = { 0 };

	*c = (struct cpu_covariance){ .n = 0 };
	if (!node)
		return 0;
	if (JFIELDS(node, covariance_fields, &f, err) < 0)
		return -1;
	c->source = f.source;
	for (const struct jnode *e = f.errors->child; e; e = e->next)
		if (read_error(e, params, c, err) < 0)
			return -1;
	for (const struct jnode *p = f.correlations->child; p; p = p->next)
		if (read_pair(p, &f, c, &m, err) < 0)
			return -1;
	return factorise(f.correlations, &m, c, err);
}
