// SPDX-License-Identifier: GPL-2.0-or-later
#include "path/cond.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

/* Codes below COND_BITS_MAX are atoms. */
enum { CODE_NOT = COND_BITS_MAX, CODE_AND, CODE_OR };

#define CODES_MAX 1024
#define NAME_MAX_LEN 96

struct parser {
	const struct cond_set *set;
	const char *text, *p;
	uint16_t code[CODES_MAX];
	unsigned n, depth;
	struct err *err;
};

struct cond_set *cond_set_new(struct mem *mem)
{
	struct cond_set *set = mem_alloc(mem, 1, sizeof(*set));

	set->mem = mem;
	return set;
}

int cond_find(const struct cond_set *set, const char *name)
{
	for (unsigned i = 0; i < set->n; i++)
		if (!strcmp(set->names[i], name))
			return set->alias[i];
	return -1;
}

int cond_alias(struct cond_set *set, const char *name, unsigned bit, struct err *err)
{
	if (set->n == COND_NAMES_MAX)
		return err_set(err, "more than %d condition names", COND_NAMES_MAX);
	set->names[set->n] = mem_strdup(set->mem, name);
	set->alias[set->n++] = (uint16_t)bit;
	return (int)bit;
}

int cond_intern(struct cond_set *set, const char *name, struct err *err)
{
	int bit = cond_find(set, name);

	if (bit >= 0)
		return bit;
	if (set->n_bits == COND_BITS_MAX)
		return err_set(err, "more than %d conditions", COND_BITS_MAX);
	return cond_alias(set, name, set->n_bits++, err);
}

static char peek(struct parser *ps)
{
	while (*ps->p == ' ' || *ps->p == '\t')
		ps->p++;
	return *ps->p;
}

static int emit(struct parser *ps, int code)
{
	if (ps->n == CODES_MAX)
		return err_set(ps->err, "condition is too long");
	ps->code[ps->n++] = (uint16_t)code;
	return 0;
}

static int unknown_atom(struct parser *ps, const char *name)
{
	const char *near = text_nearest(name, ps->set->names, ps->set->n);

	if (near)
		return err_set(ps->err, "unknown condition '%s' (did you mean '%s'?)", name, near);
	return err_set(ps->err, "unknown condition '%s': models/policies.json lists them", name);
}

static bool name_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("._-=", c));
}

static int atom(struct parser *ps)
{
	char name[NAME_MAX_LEN];
	size_t len = 0;
	int bit;

	while (name_char(ps->p[len]))
		len++;
	if (!len)
		return err_set(ps->err, "condition '%.80s' needs a name at column %zu", ps->text,
			       (size_t)(ps->p - ps->text) + 1);
	if (len >= sizeof(name))
		return err_set(ps->err, "condition name '%.80s...' is too long", ps->p);
	memcpy(name, ps->p, len);
	name[len] = '\0';
	ps->p += len;
	bit = cond_find(ps->set, name);
	return bit < 0 ? unknown_atom(ps, name) : emit(ps, bit);
}

static int either(struct parser *ps);

static int unary(struct parser *ps)
{
	char c = peek(ps);
	int rc;

	if (c != '!' && c != '(')
		return atom(ps);
	if (++ps->depth > COND_DEPTH_MAX)
		return err_set(ps->err, "condition is nested deeper than %d", COND_DEPTH_MAX);
	ps->p++;
	if (c == '!') {
		rc = unary(ps) < 0 ? -1 : emit(ps, CODE_NOT);
	} else {
		rc = either(ps);
		if (!rc && peek(ps) != ')')
			rc = err_set(ps->err, "condition '%.80s' lacks a ')'", ps->text);
		ps->p += !rc;
	}
	ps->depth--;
	return rc;
}

static int both(struct parser *ps)
{
	if (unary(ps) < 0)
		return -1;
	while (peek(ps) == '&') {
		ps->p++;
		if (unary(ps) < 0 || emit(ps, CODE_AND) < 0)
			return -1;
	}
	return 0;
}

static int either(struct parser *ps)
{
	if (both(ps) < 0)
		return -1;
	while (peek(ps) == '|') {
		ps->p++;
		if (both(ps) < 0 || emit(ps, CODE_OR) < 0)
			return -1;
	}
	return 0;
}

/* Values an evaluation holds at once: a right operand waits for each open level. */
static bool fits_stack(const struct parser *ps)
{
	unsigned depth = 0;

	for (unsigned i = 0; i < ps->n; i++) {
		depth += ps->code[i] < COND_BITS_MAX;
		depth -= ps->code[i] == CODE_AND || ps->code[i] == CODE_OR;
		if (depth > 64)
			return false;
	}
	return true;
}

const struct cond *cond_parse(struct mem *mem, const struct cond_set *set, const char *text,
			      struct err *err)
{
	struct parser ps = { .set = set, .text = text, .p = text, .err = err };
	struct cond *cond;

	if (either(&ps) < 0)
		return NULL;
	if (peek(&ps)) {
		err_set(err, "condition '%.80s' has '%.20s' where &, | or its end should be", text,
			ps.p);
		return NULL;
	}
	if (!fits_stack(&ps)) {
		err_set(err, "condition '%.80s' is nested too deep", text);
		return NULL;
	}
	cond = mem_alloc(mem, 1, sizeof(*cond));
	cond->n = ps.n;
	cond->code = mem_alloc(mem, ps.n, sizeof(*cond->code));
	memcpy(cond->code, ps.code, ps.n * sizeof(*cond->code));
	return cond;
}

/* The stack is the bits of one word, the top lowest. */
bool cond_eval(const struct cond *cond, const struct cond_bits *bits)
{
	uint64_t stack = 0;

	for (unsigned i = 0; i < cond->n; i++) {
		uint64_t top = stack & 1;

		switch (cond->code[i]) {
		case CODE_NOT:
			stack ^= 1;
			break;
		case CODE_AND:
			stack >>= 1;
			stack &= ~UINT64_C(1) | top;
			break;
		case CODE_OR:
			stack >>= 1;
			stack |= top;
			break;
		default:
			stack = stack << 1 | cond_has(bits, cond->code[i]);
		}
	}
	return stack & 1;
}

void cond_uses(const struct cond *cond, struct cond_bits *used)
{
	for (unsigned i = 0; i < cond->n; i++)
		if (cond->code[i] < COND_BITS_MAX)
			cond_put(used, cond->code[i], true);
}
