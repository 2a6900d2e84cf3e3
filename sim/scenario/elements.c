// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/elements.h"

#include <string.h>

#include "base/file.h"
#include "base/jdoc.h"

#define ELEMENTS_MAX 64

struct names {
	const char *name[ELEMENTS_MAX];
	unsigned n;
};

struct elements_file {
	const struct jnode *returned, *reads, *writes_wide;
	const char *dec_expiry;
};

static const struct jfield file_fields[] = {
	{ "schema", JK_NOTE, 0, .required = true },
	{ "summary", JK_NOTE },
	{ "source", JK_NOTE },
	{ "dec_expiry", JK_TEXT, offsetof(struct elements_file, dec_expiry), .required = true },
	{ "returned", JK_OBJECT, offsetof(struct elements_file, returned), .required = true },
	{ "reads", JK_OBJECT, offsetof(struct elements_file, reads), .required = true },
	{ "writes_wide", JK_OBJECT, offsetof(struct elements_file, writes_wide) },
};

struct lists {
	const struct jnode *list[(int)V2_TRAPS > (int)V2_STEPS ? (int)V2_TRAPS : (int)V2_STEPS];
};

#define LIST(key, i) { key, JK_ARRAY, offsetof(struct lists, list) + (i) * sizeof(void *) }

/* Traps by the number H_GUEST_RUN_VCPU returns (Documentation/arch/powerpc/kvm-nested.rst). */
static const struct jfield trap_fields[] = {
	LIST("0xC00 H_CEDE", V2_TRAP_CEDE), LIST("0x980", V2_TRAP_HDEC),
	LIST("0xC00", V2_TRAP_HCALL),       LIST("0xE00", V2_TRAP_FAULT),
	LIST("0xE20", V2_TRAP_IFAULT),      LIST("0x000", V2_TRAP_EXTERNAL),
	{ "note", JK_NOTE },
};

static const struct jfield step_fields[] = {
	LIST("cancel", V2_STEP_CANCEL), LIST("block", V2_STEP_BLOCK),
	LIST("hcall", V2_STEP_HCALL),   LIST("fault", V2_STEP_FAULT),
	{ "note", JK_NOTE },
};

static int bit_of(struct names *names, const struct jnode *node, uint64_t *mask, struct err *err)
{
	unsigned i = 0;

	if (jnode_is(node, J_STRING, err) < 0)
		return -1;
	while (i < names->n && strcmp(names->name[i], node->text))
		i++;
	if (i == ELEMENTS_MAX)
		return jnode_err(node, err, "is one element more than the %u there is room for",
				 ELEMENTS_MAX);
	if (i == names->n)
		names->name[names->n++] = node->text;
	*mask |= UINT64_C(1) << i;
	return 0;
}

static int read_masks(struct names *names, const struct lists *lists, uint64_t *mask, unsigned n,
		      struct err *err)
{
	for (unsigned i = 0; i < n; i++) {
		const struct jnode *c = lists->list[i] ? lists->list[i]->child : NULL;

		for (; c; c = c->next)
			if (bit_of(names, c, &mask[i], err) < 0)
				return -1;
	}
	return 0;
}

int scn_elements_load(struct mem *mem, const char *name, struct v2_elements *e, struct err *err)
{
	struct lists returned = { 0 }, reads = { 0 }, wide = { 0 };
	const char *path = file_find(mem, "models", name, err);
	struct jnode *root = path ? jdoc_load(mem, path, err) : NULL;
	struct elements_file f = { 0 };
	struct names names = { 0 };

	*e = (struct v2_elements){ 0 };
	if (!root || jdoc_schema(root, "elements", 1, err) < 0 ||
	    JFIELDS(root, file_fields, &f, err) < 0 ||
	    JFIELDS(f.returned, trap_fields, &returned, err) < 0 ||
	    JFIELDS(f.reads, step_fields, &reads, err) < 0 ||
	    (f.writes_wide && JFIELDS(f.writes_wide, step_fields, &wide, err) < 0))
		return -1;
	if (bit_of(&names, jnode_get(root, "dec_expiry"), &e->dec_expiry, err) < 0 ||
	    read_masks(&names, &returned, e->returned, V2_TRAPS, err) < 0 ||
	    read_masks(&names, &reads, e->read, V2_STEPS, err) < 0 ||
	    read_masks(&names, &wide, e->write_wide, V2_STEPS, err) < 0)
		return -1;
	return 0;
}
