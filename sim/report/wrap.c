// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/mem.h"
#include "report/report.h"

/* Columns of the first `len` bytes of s. */
static unsigned columns_of(struct text *scratch, const char *s, size_t len)
{
	scratch->len = 0;
	text_add_bytes(scratch, s, len);
	return text_columns(scratch->s);
}

void rep_wrap(struct text *out, const char *first, unsigned indent, unsigned width, const char *s)
{
	unsigned column = text_columns(first);
	struct text scratch = { 0 };
	bool fresh = true;

	text_add(out, "%s", first);
	for (s += strspn(s, " "); *s; s += strspn(s, " ")) {
		size_t len = strcspn(s, " ");
		unsigned wide = columns_of(&scratch, s, len);

		if (!fresh && column + 1 + wide > width) {
			text_add(out, "\n%*s", (int)indent, "");
			column = indent;
			fresh = true;
		}
		text_add(out, "%s%.*s", fresh ? "" : " ", (int)len, s);
		column += wide + !fresh;
		fresh = false;
		s += len;
	}
	text_add(out, "\n");
	text_free(&scratch);
}
