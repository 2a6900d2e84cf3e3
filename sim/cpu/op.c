// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu/op.h"

#include <string.h>

#define WORDS_MAX 8
#define WORD_SIZE 48

enum shape { PLAIN, SPR, NUMBER, WORK };

struct kind {
	const char *name;
	enum shape shape;
};

static const struct kind kinds[] = {
	[OP_WORK] = { "work", WORK },
	[OP_MFSPR] = { "mfspr", SPR },
	[OP_MTSPR] = { "mtspr", SPR },
	[OP_MFTB] = { "mftb" },
	[OP_MFMSR] = { "mfmsr" },
	[OP_MTMSRD0] = { "mtmsrd L=0" },
	[OP_MTMSRD1] = { "mtmsrd L=1" },
	[OP_MFCR] = { "mfcr" },
	[OP_MTCRF] = { "mtcrf" },
	[OP_MFFS] = { "mffs" },
	[OP_MTFSF] = { "mtfsf" },
	[OP_MFVSCR] = { "mfvscr" },
	[OP_MTVSCR] = { "mtvscr" },
	[OP_ISYNC] = { "isync" },
	[OP_HWSYNC] = { "hwsync" },
	[OP_LWSYNC] = { "lwsync" },
	[OP_EIEIO] = { "eieio" },
	[OP_PTESYNC] = { "ptesync" },
	[OP_TLBSYNC] = { "tlbsync" },
	[OP_TLBIE] = { "tlbie" },
	[OP_TLBIEL] = { "tlbiel" },
	[OP_SLBMTE] = { "slbmte" },
	[OP_SLBMFEE] = { "slbmfee" },
	[OP_SLBMFEV] = { "slbmfev" },
	[OP_SLBIA] = { "slbia" },
	[OP_SC] = { "sc", NUMBER },
	[OP_RFID] = { "rfid" },
	[OP_HRFID] = { "hrfid" },
	[OP_INTERRUPT] = { "interrupt", NUMBER },
	[OP_REAL_ENTRY] = { "real-entry" },
	[OP_MSGSND] = { "msgsnd" },
	[OP_MSGSYNC] = { "msgsync" },
	[OP_LARX] = { "larx" },
	[OP_STCX] = { "stcx" },
	[OP_LOAD] = { "load" },
	[OP_STORE] = { "store" },
	[OP_MMIO_LOAD] = { "mmio-load" },
	[OP_MMIO_STORE] = { "mmio-store" },
	[OP_CP_ABORT] = { "cp_abort" },
	[OP_STOP] = { "stop" },
};
_Static_assert(sizeof(kinds) / sizeof(kinds[0]) == OP_KINDS, "a name for every kind");

/* Mnemonics that mean an op with another name. */
static const struct {
	const char *word, *means;
} aliases[] = {
	{ "sync", "hwsync" },     { "mftbu", "mftb" },      { "cpabort", "cp_abort" },
	{ "lbarx", "larx" },      { "lharx", "larx" },      { "lwarx", "larx" },
	{ "ldarx", "larx" },      { "lqarx", "larx" },      { "stbcx.", "stcx" },
	{ "sthcx.", "stcx" },     { "stwcx.", "stcx" },     { "stdcx.", "stcx" },
	{ "stqcx.", "stcx" },     { "mtcr", "mtcrf" },      { "mtocrf", "mtcrf" },
	{ "mfocrf", "mfcr" },     { "mtlr", "mtspr LR" },   { "mflr", "mfspr LR" },
	{ "mtctr", "mtspr CTR" }, { "mfctr", "mfspr CTR" }, { "mtxer", "mtspr XER" },
	{ "mfxer", "mfspr XER" }, { "slbie", "slbia" },     { "slbieg", "slbia" },
	{ "msgsndp", "msgsnd" },  { "msgclr", "msgsnd" },   { "msgclrp", "msgsnd" },
	{ "scv", "sc" },          { "rfscv", "rfid" },      { "lbzcix", "mmio-load" },
	{ "lwzcix", "mmio-load" }, { "ldcix", "mmio-load" }, { "stbcix", "mmio-store" },
	{ "stwcix", "mmio-store" }, { "stdcix", "mmio-store" },
};

struct words {
	char w[WORDS_MAX][WORD_SIZE];
	unsigned n;
};

const char *op_kind_name(enum op_kind kind)
{
	return kinds[kind].name;
}

/* Blank-separated words up to " @"; '=' separates too, but "L=0" stays whole. */
static int split(const char *text, struct words *words, struct err *err)
{
	const char *p = text;

	words->n = 0;
	for (;;) {
		size_t len;

		p += strspn(p, " \t");
		if (!*p || *p == '@' || *p == '#')
			return 0;
		len = strcspn(p, !strncmp(p, "L=", 2) ? " \t" : " \t=");
		if (words->n == WORDS_MAX || len >= WORD_SIZE)
			return err_set(err, "op '%.60s' is too long", text);
		memcpy(words->w[words->n], p, len);
		words->w[words->n++][len] = '\0';
		p += len + (p[len] == '=');
	}
}

static int unknown_kind(const char *text, const char *word, struct err *err)
{
	const char *names[OP_KINDS], *near;

	for (size_t i = 0; i < OP_KINDS; i++)
		names[i] = kinds[i].name;
	if (!strcmp(word, "mtmsrd"))
		return err_set(err, "op '%.60s' must be mtmsrd L=0 or mtmsrd L=1", text);
	near = text_nearest(word, names, OP_KINDS);
	if (near)
		return err_set(err, "unknown op '%.60s' (did you mean '%s'?)", text, near);
	return err_set(err, "unknown op '%.60s'", text);
}

static int find_kind(const char *text, const struct words *words, unsigned *used, struct err *err)
{
	char two[2 * WORD_SIZE];

	two[0] = '\0';
	if (words->n > 1) {
		strcpy(two, words->w[0]);
		strcat(two, " ");
		strcat(two, words->w[1]);
	}
	for (unsigned i = 0; i < OP_KINDS; i++) {
		if (!strcmp(kinds[i].name, words->w[0]) || !strcmp(kinds[i].name, two)) {
			*used = strcmp(kinds[i].name, two) ? 1 : 2;
			return (int)i;
		}
	}
	return unknown_kind(text, words->w[0], err);
}

static int read_spr(const struct spr_table *sprs, const char *name, struct op *op, struct err *err)
{
	const char *near;

	op->spr = spr_by_name(sprs, name);
	if (op->spr)
		return 0;
	near = spr_suggest(sprs, name);
	if (near)
		return err_set(err, "unknown SPR '%s' (did you mean '%s'?)", name, near);
	return err_set(err, "unknown SPR '%s': models/spr.json lists them", name);
}

static int read_count(const char *word, uint32_t *out, uint64_t max, struct err *err)
{
	uint64_t v;

	if (!text_to_u64(word, &v) || v > max)
		return err_set(err, "'%s' must be a whole number from 0 to %llu", word,
			       (unsigned long long)max);
	*out = (uint32_t)v;
	return 0;
}

static int read_work(const struct words *words, struct op *op, struct err *err)
{
	if (words->n < 2 || words->n % 2)
		return err_set(err, "must be 'work N', or 'work N loads N stores N branches N'");
	if (read_count(words->w[1], &op->n, OP_WORK_MAX, err) < 0)
		return -1;
	for (unsigned i = 2; i < words->n; i += 2) {
		const char *what = words->w[i];
		uint32_t *out;

		if (!strcmp(what, "loads") || !strcmp(what, "load"))
			out = &op->loads;
		else if (!strcmp(what, "stores") || !strcmp(what, "store"))
			out = &op->stores;
		else if (!strcmp(what, "branches") || !strcmp(what, "branch"))
			out = &op->branches;
		else
			return err_set(err, "work counts loads, stores and branches, not '%s'", what);
		if (read_count(words->w[i + 1], out, op->n, err) < 0)
			return -1;
	}
	if ((uint64_t)op->loads + op->stores + op->branches > op->n)
		return err_set(err, "work %u has more loads, stores and branches than instructions",
			       op->n);
	return 0;
}

static const char *unalias(const char *text, char *buf, size_t size)
{
	size_t len = strcspn(text, " \t@");

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strlen(aliases[i].word) != len || strncmp(text, aliases[i].word, len))
			continue;
		if (strlen(aliases[i].means) + strlen(text + len) >= size)
			return text;
		strcpy(buf, aliases[i].means);
		strcat(buf, text + len);
		return buf;
	}
	return text;
}

int op_parse(const struct spr_table *sprs, const char *text, struct op *op, struct err *err)
{
	struct words words;
	unsigned used = 0;
	uint32_t arg = 0;
	char buf[160];
	int kind;

	*op = (struct op){ .n = 1 };
	text = unalias(text + strspn(text, " \t"), buf, sizeof(buf));
	if (split(text, &words, err) < 0)
		return -1;
	if (!words.n)
		return err_set(err, "an op is missing");
	kind = find_kind(text, &words, &used, err);
	if (kind < 0)
		return -1;
	op->kind = (uint16_t)kind;
	if (kinds[kind].shape == WORK)
		return read_work(&words, op, err);
	if (kinds[kind].shape == SPR) {
		if (words.n != 2)
			return err_set(err, "'%.60s' must name one SPR", text);
		return read_spr(sprs, words.w[1], op, err);
	}
	if (kinds[kind].shape == NUMBER && words.n == 2) {
		if (read_count(words.w[1], &arg, UINT16_MAX, err) < 0)
			return -1;
		op->arg = (uint16_t)arg;
		return 0;
	}
	if (words.n != used || kind == OP_INTERRUPT)
		return err_set(err, "'%.60s': %s takes %s", text, kinds[kind].name,
			       kind == OP_INTERRUPT ? "a vector" : "no operand here");
	return 0;
}

void op_text(const struct op *op, struct text *out)
{
	text_add(out, "%s", kinds[op->kind].name);
	switch (kinds[op->kind].shape) {
	case SPR:
		text_add(out, " %s", op->spr->name);
		break;
	case WORK:
		text_add(out, " %u", op->n);
		if (op->loads)
			text_add(out, " loads %u", op->loads);
		if (op->stores)
			text_add(out, " stores %u", op->stores);
		if (op->branches)
			text_add(out, " branches %u", op->branches);
		break;
	case NUMBER:
		if (op->kind == OP_INTERRUPT)
			text_add(out, " 0x%x", op->arg);
		else if (op->arg)
			text_add(out, " %u", op->arg);
		break;
	default:
		break;
	}
}
