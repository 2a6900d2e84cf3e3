// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf/outcome.h"

#include <string.h>

#include "base/text.h"

/* Primary opcodes. */
enum {
	CMPLI = 10,
	CMPI = 11,
	ADDIC_RC = 13,
	BC = 16,
	B = 18,
	BRANCH_REG = 19,
	ANDI = 28,
	ANDIS = 29,
	EXTENDED = 31,
};
/* Extended opcodes of 19. */
enum { MCRF = 0, BCLR = 16, BCCTR = 528, BCTAR = 560 };

/* Fields of BO: the CR bit is not looked at, its wanted value, CTR is left alone. */
#define BO_NO_CR 0x10
#define BO_TRUE 0x08
#define BO_NO_CTR 0x04

static uint32_t opcode(uint32_t word)
{
	return word >> 26;
}

static int field_of(uint32_t word)
{
	return word >> 23 & 7;
}

static const char *const relations[] = {
	[KELF_EQUAL] = "=",	[KELF_UNEQUAL] = "!=",	   [KELF_LESS] = "<",
	[KELF_NOT_LESS] = ">=", [KELF_GREATER] = ">",	   [KELF_NOT_GREATER] = "<=",
	[KELF_ANY_BIT] = "&",	[KELF_NO_BIT] = "!&",
};

bool kelf_outcome_parse(const char *text, struct kelf_outcome *out)
{
	size_t n = strcspn(text, " ");
	const char *number = text + n + strspn(text + n, " ");
	bool negative = *number == '-', known = false;
	uint64_t value;

	for (unsigned i = 0; i < sizeof(relations) / sizeof(relations[0]); i++)
		if (strlen(relations[i]) == n && !strncmp(text, relations[i], n)) {
			out->relation = i;
			known = true;
		}
	if (!known || !text_to_u64(number + negative, &value) || value > UINT32_MAX)
		return false;
	out->value = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

/* They stand in pairs. */
struct kelf_outcome kelf_outcome_opposite(struct kelf_outcome o)
{
	o.relation ^= 1;
	return o;
}

int kelf_outcome_field(struct kelf_outcome o, uint32_t word)
{
	bool bits = o.relation == KELF_ANY_BIT || o.relation == KELF_NO_BIT;
	int64_t low = word & 0xffff;

	switch (opcode(word)) {
	case CMPI:
		return !bits && (int16_t)low == o.value ? field_of(word) : -1;
	case CMPLI:
		return !bits && low == o.value ? field_of(word) : -1;
	case ANDI:
		return bits && low == o.value ? 0 : -1;
	case ANDIS:
		return bits && low << 16 == o.value ? 0 : -1;
	default:
		return -1;
	}
}

/* crnor, crandc, crxor, crnand, crand, creqv, crorc, cror: whichever bit they set. */
static bool is_cr_logic(uint32_t extended)
{
	return extended == 33 || extended == 129 || extended == 193 || extended == 225 ||
	       extended == 257 || extended == 289 || extended == 417 || extended == 449;
}

bool kelf_sets_field(uint32_t word, int field)
{
	uint32_t extended = word >> 1 & 0x3ff;

	switch (opcode(word)) {
	case CMPI:
	case CMPLI:
		return field_of(word) == field;
	case ADDIC_RC:
	case ANDI:
	case ANDIS:
		return field == 0;
	case BC:
	case B:
		return word & 1; /* a call */
	case BRANCH_REG:
		if (extended == BCLR || extended == BCCTR || extended == BCTAR)
			return word & 1;
		return extended == MCRF ? field_of(word) == field : is_cr_logic(extended);
	case EXTENDED:
		/* cmp, cmpl, cmprb, cmpeqb; mtcrf and mtocrf. */
		if (extended == 0 || extended == 32 || extended == 192 || extended == 224)
			return field_of(word) == field;
		if (extended == 144)
			return true;
		return field == 0 && word & 1;
	case 20: /* rlwimi, rlwinm, rlwnm, and the doubleword rotates: with a dot */
	case 21:
	case 23:
	case 30:
		return field == 0 && word & 1;
	default:
		return opcode(word) == 4 || opcode(word) >= 59; /* vectors, floating point */
	}
}

/* What is known of a bit of the field (0 less, 1 greater, 2 equal): 1 set, 0 clear, -1 nothing. */
static int bit_of(enum kelf_relation relation, unsigned bit)
{
	static const int8_t known[][3] = {
		[KELF_EQUAL] = { 0, 0, 1 },	   [KELF_UNEQUAL] = { -1, -1, 0 },
		[KELF_LESS] = { 1, 0, 0 },	   [KELF_NOT_LESS] = { 0, -1, -1 },
		[KELF_GREATER] = { 0, 1, 0 },	   [KELF_NOT_GREATER] = { -1, 0, -1 },
		[KELF_ANY_BIT] = { -1, -1, 0 },	   [KELF_NO_BIT] = { 0, 0, 1 },
	};

	return bit < 3 ? known[relation][bit] : -1;
}

int kelf_outcome_taken(struct kelf_outcome o, int field, uint32_t word)
{
	uint32_t bo = word >> 21 & 0x1f, bi = word >> 16 & 0x1f, extended = word >> 1 & 0x3ff;
	bool branch = opcode(word) == BC ||
		      (opcode(word) == BRANCH_REG &&
		       (extended == BCLR || extended == BCCTR || extended == BCTAR));
	int bit;

	if (!branch || bo & BO_NO_CR || !(bo & BO_NO_CTR) || (int)(bi / 4) != field)
		return -1;
	bit = bit_of(o.relation, bi % 4);
	return bit < 0 ? -1 : bit == !!(bo & BO_TRUE);
}
