// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/gate.h"

#include <string.h>

static int gate_name(struct kelf_gate *gate, const char *name, struct err *err)
{
	const char *names[KELF_NCLASSES + 2];
	const char *near;

	for (unsigned c = 0; c < KELF_NCLASSES; c++) {
		names[c] = kelf_class_name(c);
		if (!strcmp(names[c], name)) {
			gate->what = KELF_GATE_CLASS;
			gate->class = c;
			return 0;
		}
	}
	names[KELF_NCLASSES] = "cycles";
	names[KELF_NCLASSES + 1] = "instructions";
	if (!strcmp(name, "cycles")) {
		gate->what = KELF_GATE_CYCLES;
		return 0;
	}
	if (!strcmp(name, "instructions")) {
		gate->what = KELF_GATE_INSNS;
		return 0;
	}
	near = text_nearest(name, names, KELF_NCLASSES + 2);
	return err_set(err, "--fail-if '%s': no op class '%.40s'%s%s%s", gate->text, name,
		       near ? " (did you mean '" : ": as in mftb>0, 'mtmsrd L=1>0', cycles>100",
		       near ? near : "", near ? "'?)" : "");
}

/* The last comparison in the text: a class name may hold a '='. */
static const char *find_op(const char *text, struct kelf_gate *gate, size_t *len)
{
	static const struct { const char *s; int op; } ops[] = {
		{ ">=", KELF_GE }, { "<=", KELF_LE }, { "==", KELF_EQ },
		{ ">", KELF_GT }, { "<", KELF_LT }, { "=", KELF_EQ },
	};

	for (size_t at = strlen(text); at-- > 0;) {
		if (!strchr("<>=", text[at]))
			continue;
		if (at && text[at] == '=' && strchr("<>=", text[at - 1]))
			at--;
		for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
			if (!strncmp(text + at, ops[i].s, strlen(ops[i].s))) {
				gate->op = ops[i].op;
				*len = strlen(ops[i].s);
				return text + at;
			}
	}
	return NULL;
}

int kelf_gate_parse(struct kelf_gate *gate, const char *text, struct err *err)
{
	char name[64], number[32];
	size_t op_len, n;
	const char *op;
	int64_t micro;

	*gate = (struct kelf_gate){ .text = text };
	op = find_op(text, gate, &op_len);
	if (!op || (size_t)(op - text) >= sizeof(name))
		return err_set(err, "--fail-if '%s': must be a comparison, as in 'mftb>0'", text);
	n = (size_t)(op - text);
	memcpy(name, text, n);
	while (n && name[n - 1] == ' ')
		n--;
	name[n] = '\0';
	op += op_len;
	op += strspn(op, " ");
	if (strlen(op) >= sizeof(number) || !text_to_micro(op, &micro) || micro % 1000000)
		return err_set(err, "--fail-if '%s': '%s' is no whole number", text, op);
	gate->limit = micro / 1000000;
	return gate_name(gate, name + strspn(name, " "), err);
}

bool kelf_gate_fails(const struct kelf_gate *gate, const struct kelf_side side[2],
		     int64_t *value)
{
	int64_t v = kelf_diff_class(side, gate->class);

	if (gate->what == KELF_GATE_CYCLES)
		v = (int64_t)side[1].cycles - (int64_t)side[0].cycles;
	if (gate->what == KELF_GATE_INSNS)
		v = (int64_t)side[1].count.insns - (int64_t)side[0].count.insns;
	*value = v;
	switch (gate->op) {
	case KELF_GT:
		return v > gate->limit;
	case KELF_GE:
		return v >= gate->limit;
	case KELF_LT:
		return v < gate->limit;
	case KELF_LE:
		return v <= gate->limit;
	default:
		return v == gate->limit;
	}
}
