// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenario/set_note.h"

#include <string.h>

#include "base/text.h"

#define KEYS_SHOWN 2 /* all of them stand in the result's provenance */

/* Figures stand in rows of "metrics", "rungs", "totals", "paths", "places": all named alike. */
bool scn_publishes(const struct jnode *node)
{
	for (const struct jnode *c = node->child; c; c = c->next)
		if ((c->key && !strcmp(c->key, "published")) || scn_publishes(c))
			return true;
	return false;
}

static bool searches(const struct jnode *calibration, const char *key)
{
	const struct jnode *set = jnode_get(calibration, "set"), *also;

	if (set && set->text && !strcmp(set->text, key))
		return true;
	also = jnode_get(calibration, "also");
	for (const struct jnode *k = also ? also->child : NULL; k; k = k->next)
		if (k->text && !strcmp(k->text, key))
			return true;
	return false;
}

/* A value that a new calibration found stands for what is published, as the file's own does. */
static bool was_found(const struct scenario *scn, const char *key)
{
	const struct jnode *list = jnode_get(scn->root, "calibrate");

	if (!scn->options->calibrated)
		return false;
	for (const struct jnode *c = list ? list->child : NULL; c; c = c->next)
		if (searches(c, key))
			return true;
	return false;
}

/* A ledger asks for each of its scenarios. */
static void add_once(struct scn_result *result, const char *note)
{
	for (unsigned i = 0; i < result->notes; i++)
		if (!strcmp(result->note[i], note))
			return;
	scn_result_note(result, note);
}

void scn_set_note(const struct scenario *scn, struct scn_result *result)
{
	const struct scn_options *o = scn->options;
	const struct jnode *calibrate = jnode_get(scn->root, "calibrate");
	bool lost = calibrate && calibrate->n && !o->calibrated;
	struct text keys = { 0 };
	unsigned n = 0;

	if (!scn_publishes(scn->root))
		return;
	for (size_t i = 0; i < o->sets; i++) {
		if (was_found(scn, o->set[i].key))
			continue;
		if (n++ < KEYS_SHOWN)
			text_add(&keys, "%s%s", n > 1 ? ", " : "", o->set[i].key);
	}
	if (n)
		add_once(result, mem_printf(scn->mem, "--set %s%s: published figures are of the "
			"scenario as it stands, so they are for orientation%s", keys.s,
			n > KEYS_SHOWN ? ", …" : "",
			lost ? ", and what was calibrated no longer is" : ""));
	text_free(&keys);
}
