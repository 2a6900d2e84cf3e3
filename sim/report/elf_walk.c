// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/elf_walk.h"

#include <string.h>

#include "base/file.h"
#include "report/elf_list.h"

#define PATH_COLUMNS 96
#define UNUSED "about nothing on the path"
#define LINES_SHOWN 6

void rep_elf_seq(struct scn_result *r, const struct kelf_seq *seq, const char *title)
{
	static const char *const column[] = { "op" };
	struct scn_table *t = scn_table_new(r, "path", title, "place", column, 1);
	struct text text = { 0 };

	for (size_t i = 0; i < seq->n; i++) {
		const struct path_item *item = &seq->item[i];
		const char *place = mem_printf(r->mem, "%s+0x%llx", item->in,
					       (unsigned long long)seq->at[i]);

		text.len = 0;
		op_text(&item->op, &text);
		*scn_table_row(t, rep_elf_name(r->mem, place)) =
			scn_text(rep_elf_name(r->mem, text.s));
	}
	text_free(&text);
}

static void count_table(struct scn_result *r, const struct kelf_walk *w,
			const struct kelf_side *side)
{
	static const char *const column[] = { "count" };
	struct scn_table *t = scn_table_new(r, "ops", "Ops", "op", column, 1);

	for (unsigned c = 0; c < KELF_NCLASSES; c++)
		if (kelf_class_is_op(c) && w->seq.count.n[c])
			*scn_table_row(t, kelf_class_name(c)) = scn_count(w->seq.count.n[c]);
	*scn_table_row(t, "instructions") = scn_count(w->seq.count.insns);
	*scn_table_row(t, "loads") = scn_count(w->seq.count.loads);
	*scn_table_row(t, "stores") = scn_count(w->seq.count.stores);
	*scn_table_row(t, "branches") = scn_count(w->seq.count.branches);
	*scn_table_row(t, "calls entered") = scn_count(w->calls);
	*scn_table_row(t, "predicted cycles") = scn_count(side->cycles);
}

static void decision_table(struct scn_result *r, const struct kelf_walk *w)
{
	static const char *const column[] = { "branch", "by" };
	struct scn_table *t = scn_table_new(r, "choices", "Branches that the walk file decided",
					    "place", column, 2);
	unsigned by_default = 0;
	struct scn_cell *cell;

	for (size_t i = 0; i < w->ndecision; i++) {
		const struct kelf_decision *d = &w->decision[i];

		if (!d->choice) {
			by_default++;
			continue;
		}
		cell = scn_table_row(t, rep_elf_name(r->mem, mem_printf(r->mem, "%s+0x%llx",
				     d->function, (unsigned long long)d->offset)));
		cell[0] = scn_text(d->taken ? "taken" : "not taken");
		cell[1] = scn_text(mem_printf(r->mem, "line %u", d->choice->node->line));
	}
	cell = scn_table_row(t, mem_printf(r->mem, "%u others", by_default));
	cell[0] = scn_text("not taken");
	cell[1] = scn_text("default");
}

static void note_row(struct scn_table *t, const char *name, const char *what, const char *who)
{
	struct scn_cell *cell = scn_table_row(t, name);

	cell[0] = scn_text(what);
	cell[1] = scn_text(who);
}

/* Choices about nothing on the path: a line each for programs, one line for people. */
struct unused {
	struct scn_table *table;
	bool each;
	const char *file;
	unsigned n;
	struct text lines;
};

static void add_unused(struct unused *u, const char *kind, const struct jnode *node, unsigned used)
{
	struct mem *mem = u->table->mem;

	if (used)
		return;
	u->file = rep_elf_name(mem, file_shown(mem, node->file));
	if (u->each)
		note_row(u->table, mem_printf(mem, "%s:%u", u->file, node->line), UNUSED, kind);
	else if (u->n < LINES_SHOWN)
		text_add(&u->lines, "%s%u", u->n ? ", " : "", node->line);
	u->n++;
}

static void end_unused(struct unused *u)
{
	struct mem *mem = u->table->mem;

	if (u->n && !u->each)
		note_row(u->table, u->file,
			 mem_printf(mem, "%u choice%s " UNUSED, u->n, u->n > 1 ? "s" : ""),
			 mem_printf(mem, "line%s %s%s", u->n > 1 ? "s" : "", u->lines.s,
				    u->n > LINES_SHOWN ? ", …" : ""));
	text_free(&u->lines);
}

static void note_table(struct scn_result *r, const struct kelf_walk *w,
		       const struct kelf_walkfile *file, const char *name, const char *title,
		       enum rep_format format)
{
	static const char *const column[] = { "what", "of" };
	struct scn_table *t = scn_table_new(r, name, title, "place", column, 2);
	struct unused u = { .table = t, .each = format == REP_CSV || format == REP_JSON };

	for (size_t i = 0; i < w->nnote; i++)
		note_row(t, rep_elf_name(r->mem, w->note[i].place), kelf_note_name(w->note[i].kind),
			 rep_elf_name(r->mem, w->note[i].what));
	for (size_t i = 0; i < w->seq.nunknown && i < 1; i++)
		note_row(t, mem_printf(r->mem, "%zu registers", w->seq.nunknown), "unknown number",
			 "models/spr.json lacks them");
	for (size_t i = 0; i < file->nchoice; i++)
		add_unused(&u, "branches", file->choice[i].node, file->choice[i].found);
	for (size_t i = 0; i < file->nindirect; i++)
		add_unused(&u, "calls", file->indirect[i].node, file->indirect[i].used);
	for (size_t i = 0; i < file->ncont; i++)
		add_unused(&u, "continue", file->cont[i].node, file->cont[i].used);
	end_unused(&u);
}

void rep_elf_walk(struct scn_result *r, const struct kelf_walk *w,
		  const struct kelf_walkfile *file, const struct kelf_side *side,
		  enum rep_format format)
{
	rep_elf_seq(r, &w->seq, w->ended);
	count_table(r, w, side);
	decision_table(r, w);
	note_table(r, w, file, "notes", "Not followed, or not used", format);
}

void rep_elf_walk_notes(struct scn_result *r, const struct kelf_walk *w,
			const struct kelf_walkfile *file, const char *side, enum rep_format format)
{
	note_table(
		r, w, file, mem_printf(r->mem, "notes %s", side),
		mem_printf(r->mem, "The %s walk: %s; not followed, or not used", side, w->ended),
		format);
}

/* A string of JSON; names are clean already. */
static void add_string(struct text *out, const char *s)
{
	text_add(out, "\"");
	for (; *s; s++)
		text_add(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	text_add(out, "\"");
}

static void add_member(struct text *out, const char *key, const char *value, struct mem *mem)
{
	text_add(out, "  \"%s\": ", key);
	add_string(out, rep_elf_name(mem, value));
	text_add(out, ",\n");
}

/* One op of a group; a line is broken before it would grow too long. */
static void add_op(struct text *out, const struct op *op, size_t *line, bool first)
{
	struct text text = { 0 };

	op_text(op, &text);
	if (!first && out->len - *line + text.len + 4 > PATH_COLUMNS) {
		text_add(out, ",\n      ");
		*line = out->len - 6;
	} else if (!first) {
		text_add(out, ", ");
	}
	add_string(out, text.s);
	text_free(&text);
}

void rep_elf_path(struct text *out, const struct kelf_seq *seq, const char *name,
		  const char *summary, const char *source)
{
	const struct path_item *item = seq->item;
	size_t line = 0;

	text_add(out, "{\n");
	add_member(out, "schema", "hvsim-path/1", seq->mem);
	add_member(out, "name", name, seq->mem);
	add_member(out, "summary", summary, seq->mem);
	add_member(out, "source", source, seq->mem);
	text_add(out, "  \"ops\": [");
	for (size_t i = 0; i < seq->n; i++) {
		bool first = !i || item[i].in != item[i - 1].in;

		if (first) {
			text_add(out, "%s\n    {\"in\": ", i ? "]}," : "");
			add_string(out, rep_elf_name(seq->mem, item[i].in));
			text_add(out, ", \"ops\": [\n      ");
			line = out->len - 6;
		}
		add_op(out, &item[i].op, &line, first);
	}
	text_add(out, "%s\n  ]\n}\n", seq->n ? "]}" : "");
}
