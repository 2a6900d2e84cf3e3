// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/calibrated.h"

#include <string.h>

#include "base/text.h"

#define MICRO INT64_C(1000000)

static const struct jfield key_fields[] = {
	{ "set", JK_TEXT, offsetof(struct scn_calibrated_key, set), .required = true },
	{ "metric", JK_TEXT, offsetof(struct scn_calibrated_key, metric), .required = true },
	{ "variant", JK_TEXT, offsetof(struct scn_calibrated_key, variant), .required = true },
	{ "also", JK_ARRAY, offsetof(struct scn_calibrated_key, also) },
	{ "lo", JK_MICRO, offsetof(struct scn_calibrated_key, lo), .required = true },
	{ "hi", JK_MICRO, offsetof(struct scn_calibrated_key, hi), .required = true },
	{ "grid", JK_TRUTH, offsetof(struct scn_calibrated_key, grid) },
	{ "note", JK_NOTE },
};

int scn_calibrated_read(const struct jnode *node, struct scn_calibrated_key *k, struct err *err)
{
	*k = (struct scn_calibrated_key){ 0 };
	if (JFIELDS(node, key_fields, k, err) < 0)
		return -1;
	if (k->lo >= k->hi)
		return jnode_err(node, err, "needs 'lo' below 'hi'");
	if (k->also && k->also->n > SCN_ALSO_MAX)
		return jnode_err(k->also, err, "has more than %u keys", SCN_ALSO_MAX);
	for (const struct jnode *c = k->also ? k->also->child : NULL; c; c = c->next)
		if (jnode_is(c, J_STRING, err) < 0)
			return -1;
	return 0;
}

/* The variant of an entry; NULL when --variant leaves it out, or with an error. */
static const struct scn_variant *find_variant(const struct scenario *scn, const struct jnode *node,
					      const char *name, struct err *err)
{
	const char *names[SCN_VARIANTS_MAX], *near;

	for (unsigned i = 0; i < scn->variants; i++) {
		if (!strcmp(scn->variant[i].name, name))
			return &scn->variant[i];
		names[i] = scn->variant[i].name;
	}
	if (scn->options->variants)
		return NULL;
	near = text_nearest(name, names, scn->variants);
	jnode_err(jnode_get(node, "variant"), err, "must name a variant (%s'%s'%s)",
		  near ? "did you mean " : "the first is ",
		  near ? near : scn->variants ? names[0] : "none", near ? "?" : "");
	return NULL;
}

/* The name of the key's node in the file, not that of an option nobody gave. */
static int blame(const struct jnode *node, const char *key, const char *why, struct err *err)
{
	size_t len = strlen(key);

	if (!strncmp(why, "--set ", 6) && !strncmp(why + 6, key, len) &&
	    !strncmp(why + 6 + len, ": ", 2))
		why += 6 + len + 2;
	return jnode_err(node, err, "must be a key to set: %.600s", why);
}

static int check_key(const struct scenario *scn, struct scn_view *view, const struct jnode *node,
		     const char *value, struct err *err)
{
	const struct jnode *field = jdoc_find(view->root, node->text);
	bool number = field && field->type == J_NUMBER;
	struct err why = ERR_INIT;

	for (unsigned v = 0; v < scn->variants; v++)
		if (scn->variant[v].set && jnode_get(scn->variant[v].set, node->text))
			return jnode_err(node, err, "must be no key that a variant sets: '%s' "
					 "sets %.200s", scn->variant[v].name, node->text);
	if (scn_view_set(scn, view, node->text, value, &why) < 0)
		return blame(node, node->text, why.text, err);
	/* jdoc_set() adds a member that isn't there: only the kind's reader knows if it may be */
	if (!number && strncmp(node->text, "model.", 6))
		return jnode_err(node, err, "must name a number in the file, or model.X of its cpu: "
				 "there is no '%.200s'", node->text);
	return 0;
}

static int check_entry(const struct scenario *scn, const struct jnode *node, struct err *err)
{
	const struct scn_variant *variant;
	struct scn_calibrated_key k;
	struct scn_view view;
	const char *value;

	if (scn_calibrated_read(node, &k, err) < 0)
		return -1;
	variant = find_variant(scn, node, k.variant, err);
	if (!variant)
		return err->set ? -1 : 0;
	if (scn_view(scn, variant, &view, err) < 0)
		return -1;
	/* as the search writes it, which no policy takes */
	value = mem_printf(scn->mem, "%lld.%06lld", (long long)(k.lo / MICRO),
			   (long long)(k.lo % MICRO));
	if (check_key(scn, &view, jnode_get(node, "set"), value, err) < 0)
		return -1;
	for (const struct jnode *c = k.also ? k.also->child : NULL; c; c = c->next)
		if (check_key(scn, &view, c, value, err) < 0)
			return -1;
	return 0;
}

int scn_calibrated_check(const struct scenario *scn, struct err *err)
{
	const struct jnode *list = jnode_get(scn->root, "calibrate");

	if (list && jnode_is(list, J_ARRAY, err) < 0)
		return -1;
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next)
		if (check_entry(scn, c, err) < 0)
			return -1;
	return 0;
}
