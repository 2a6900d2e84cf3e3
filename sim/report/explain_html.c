// SPDX-License-Identifier: GPL-2.0-or-later
/* The walk as data inside a page that shows it. */
#include <string.h>

#include "base/file.h"
#include "report/explain.h"
#include "report/report.h"

#define PLACE "@DATA@"

/* A JSON string that can stand in a page: nothing in it ends a script or starts a comment. */
static void add_string(struct text *out, const char *s)
{
	struct text json = { 0 };

	if (!s) {
		text_add(out, "null");
		return;
	}
	rep_json_string(&json, s);
	for (size_t i = 0; i < json.len; i++)
		text_add(out,
			 json.s[i] == '<' || json.s[i] == '>' || json.s[i] == '&' ? "\\u%04x"
										  : "%c",
			 json.s[i]);
	text_free(&json);
}

static void add_member(struct text *out, const char *key, const char *value)
{
	text_add(out, "\"%s\":", key);
	add_string(out, value);
	text_add(out, ",");
}

static void add_op(struct text *out, const struct rep_explain_op *op)
{
	text_add(out, "{");
	add_member(out, "op", op->op);
	add_member(out, "in", op->in);
	text_add(out, "\"start\":%llu,\"cycles\":%llu,\"by\":[", (unsigned long long)op->start,
		 (unsigned long long)op->cycles);
	for (unsigned c = 0; c < PIPE_CLASSES; c++)
		text_add(out, "%s%llu", c ? "," : "", (unsigned long long)op->by_class[c]);
	text_add(out, "]}");
}

static void add_step(struct text *out, const struct rep_explain_step *s)
{
	text_add(out, "{");
	add_member(out, "level", s->level);
	add_member(out, "state", s->state);
	add_member(out, "path", s->path);
	add_member(out, "summary", s->summary);
	text_add(out, "\"start\":%llu,\"cycles\":%llu,\"price\":%llu,\"notes\":[",
		 (unsigned long long)s->start, (unsigned long long)s->cycles,
		 (unsigned long long)s->price);
	for (unsigned i = 0; i < s->notes; i++) {
		text_add(out, "%s", i ? "," : "");
		add_string(out, s->note[i]);
	}
	text_add(out, "],\"ops\":[");
	for (size_t i = 0; i < s->ops; i++) {
		text_add(out, "%s", i ? ",\n" : "\n");
		add_op(out, &s->op[i]);
	}
	text_add(out, "]}");
}

static void add_data(struct text *out, const struct rep_explain *e)
{
	const struct scn_watch *w = &e->t->watch;
	uint64_t ns = clk_ns(&w->clock, e->at);
	struct mem *mem = mem_new();

	text_add(out, "{");
	add_member(out, "title", w->title);
	add_member(out, "about",
		   mem_printf(mem, "variant %s, model %s, seed %llu, hvsim %s; predicted",
			      w->variant, w->cpu ? w->cpu : "none", (unsigned long long)w->seed,
			      HVSIM_VERSION));
	add_member(out, "exit",
		   mem_printf(mem, "vCPU %u, %s at %llu.%06u ms", e->vcpu, e->trap,
			      (unsigned long long)(ns / 1000000), (unsigned)(ns % 1000000)));
	text_add(out, "\"classes\":[");
	for (unsigned c = 0; c < PIPE_CLASSES; c++) {
		text_add(out, "%s[", c ? "," : "");
		add_string(out, pipe_class_name(c));
		text_add(out, ",");
		add_string(out, rep_explain_class(c));
		text_add(out, "]");
	}
	text_add(out, "],\n\"steps\":[");
	for (size_t i = 0; i < e->steps; i++) {
		text_add(out, "%s\n", i ? "," : "");
		add_step(out, &e->step[i]);
	}
	text_add(out, "]}");
	mem_free(mem);
}

int rep_explain_html(struct mem *mem, struct text *out, const struct rep_explain *e,
		     struct err *err)
{
	const char *dir = file_data_dir(mem, err);
	const char *name = dir ? mem_printf(mem, "%s/docs/explain.html", dir) : NULL;
	size_t len;
	char *page = name ? file_read(mem, name, &len, err) : NULL;
	char *place = page ? strstr(page, PLACE) : NULL;

	if (!page)
		return -1;
	if (!place)
		return err_at(err, name, 0, "has no " PLACE " for the data");
	text_add_bytes(out, page, (size_t)(place - page));
	add_data(out, e);
	text_add(out, "%s", place + strlen(PLACE));
	return 0;
}
