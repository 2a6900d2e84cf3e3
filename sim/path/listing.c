// SPDX-License-Identifier: GPL-2.0-or-later
/* Executed listings: one op a line, as loggers of real executions write them. */
#include <stdlib.h>
#include <string.h>

#include "path/path_lib.h"

#define LINE_MAX_LEN 400

struct reader {
	struct path_lib *lib;
	const char *file;
	unsigned line;
	struct path_item *items;
	size_t n, cap;
	const char *summary;
	const char *in; /* symbol of the line before: interned by comparing with it */
	struct err *err;
};

/* "op  @symbol+0x12": the symbol without its offset. */
static const char *symbol(struct reader *r, const char *line)
{
	const char *at = strstr(line, " @");
	size_t len;

	if (!at)
		return r->in;
	at += 2;
	len = strcspn(at, "+ \t");
	if (r->in && strlen(r->in) == len && !strncmp(r->in, at, len))
		return r->in;
	r->in = mem_printf(r->lib->mem, "%.*s", (int)len, at);
	return r->in;
}

static int read_line(struct reader *r, char *line)
{
	char *p = line + strspn(line, " \t");
	struct path_item *item;
	struct err why = ERR_INIT;

	p[strcspn(p, "\r")] = '\0';
	if (*p == '#' && !r->summary) {
		p++;
		r->summary = mem_strdup(r->lib->mem, p + strspn(p, " \t"));
	}
	if (!*p || *p == '#' || line[strspn(line, " \t")] == '#')
		return 0;
	if (r->n == PATH_ITEMS_MAX)
		return err_at(r->err, r->file, r->line, "more than %d ops", PATH_ITEMS_MAX);
	r->items = mem_grow(r->items, &r->cap, r->n + 1, sizeof(*r->items));
	item = &r->items[r->n++];
	*item = (struct path_item){ .is_op = true, .line = r->line, .file = r->file };
	if (op_parse(r->lib->sprs, p, &item->op, &why) < 0)
		return err_at(r->err, r->file, r->line, "%s", why.text);
	item->in = symbol(r, p);
	return 0;
}

static int read_all(struct reader *r, const char *bytes, size_t len)
{
	const char *p = bytes, *end = bytes + len;
	char line[LINE_MAX_LEN];

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);

		r->line++;
		if (*p == '#' && n >= sizeof(line))
			n = sizeof(line) - 1; /* a long remark is cut */
		if (n >= sizeof(line))
			return err_at(r->err, r->file, r->line, "line is longer than %d bytes",
				      LINE_MAX_LEN - 1);
		if (memchr(p, 0, n))
			return err_at(r->err, r->file, r->line, "is not text");
		memcpy(line, p, n);
		line[n] = '\0';
		if (read_line(r, line) < 0)
			return -1;
		p = nl ? nl + 1 : end;
	}
	return 0;
}

const struct path *path_from_listing(struct path_lib *lib, const char *file, const char *bytes,
				     size_t len, struct err *err)
{
	struct reader r = { .lib = lib, .file = mem_strdup(lib->mem, file), .err = err };
	const char *base = strrchr(file, '/');
	struct path *path = NULL;

	if (read_all(&r, bytes, len) == 0 && !r.n)
		err_at(err, file, 0, "holds no op: must be a path (JSON) or an executed listing");
	if (!err->set) {
		path = mem_alloc(lib->mem, 1, sizeof(*path));
		path->name = mem_strdup(lib->mem, base ? base + 1 : file);
		path->summary = r.summary ? r.summary : "";
		path->source = "executed listing";
		path->file = r.file;
		path->n = (uint32_t)r.n;
		path->items = memcpy(mem_alloc(lib->mem, r.n, sizeof(*r.items)), r.items,
				     r.n * sizeof(*r.items));
	}
	free(r.items);
	return path;
}
