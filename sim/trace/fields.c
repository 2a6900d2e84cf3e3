// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
/* Event texts. Fields are found by name: their order differs between kernels and tools. */
#include "trace/fields.h"

#include <stdio.h>
#include <string.h>

#define DIGITS_HEX 16
#define IS(s, n, word) ((n) == sizeof(word) - 1 && !memcmp(s, word, sizeof(word) - 1))

static const struct { const char *name; uint32_t kind; } kinds[] = {
	{ "kvm_guest_enter", TRACE_ENTER },
	{ "kvm_guest_exit", TRACE_EXIT },
	{ "kvm_entry", TRACE_ENTER | TRACE_KIND_X86 },
	{ "kvm_exit", TRACE_EXIT | TRACE_KIND_X86 },
	{ "kvm_hcall_enter", TRACE_HCALL_ENTER },
	{ "kvm_hcall_exit", TRACE_HCALL_EXIT },
	{ "kvm_page_fault_enter", TRACE_FAULT_ENTER },
	{ "kvm_page_fault_exit", TRACE_FAULT_EXIT },
	{ "kvmppc_run_vcpu_enter", TRACE_RUN_ENTER },
	{ "kvmppc_run_vcpu_exit", TRACE_RUN_EXIT },
	{ "kvmppc_vcore_blocked", TRACE_BLOCKED },
	{ "kvmppc_vcore_wakeup", TRACE_BLOCKED },
	{ "kvm_vcpu_wakeup", TRACE_BLOCKED },
	{ "hcall_entry", TRACE_L1_HCALL },
};

/* arch/powerpc/kvm/trace_book3s.h; H_VIRT was added in 2025, H_FAC_UNAVAIL is the ISA's. */
static const struct { uint32_t trap; const char *name; } traps[] = {
	{ 0x100, "SYSTEM_RESET" }, { 0x200, "MACHINE_CHECK" }, { 0x300, "DATA_STORAGE" },
	{ 0x380, "DATA_SEGMENT" }, { 0x400, "INST_STORAGE" }, { 0x480, "INST_SEGMENT" },
	{ 0x500, "EXTERNAL" }, { 0x501, "EXTERNAL_LEVEL" }, { 0x502, "EXTERNAL_HV" },
	{ 0x600, "ALIGNMENT" }, { 0x700, "PROGRAM" }, { 0x800, "FP_UNAVAIL" },
	{ 0x900, "DECREMENTER" }, { TRACE_TRAP_HDEC, "HV_DECREMENTER" },
	{ TRACE_TRAP_SYSCALL, "SYSCALL" }, { 0xd00, "TRACE" }, { TRACE_TRAP_HDSI, "H_DATA_STORAGE" },
	{ TRACE_TRAP_HISI, "H_INST_STORAGE" }, { 0xe40, "H_EMUL_ASSIST" }, { 0xea0, "H_VIRT" },
	{ 0xf00, "PERFMON" }, { 0xf20, "ALTIVEC" }, { 0xf40, "VSX" },
};

const char *trace_trap_name(uint32_t trap)
{
	for (size_t i = 0; i < sizeof(traps) / sizeof(traps[0]); i++)
		if (traps[i].trap == trap)
			return traps[i].name;
	return NULL;
}

static uint32_t trap_number(const char *name)
{
	for (size_t i = 0; i < sizeof(traps) / sizeof(traps[0]); i++)
		if (!strcmp(traps[i].name, name))
			return traps[i].trap;
	return TRACE_TRAP_UNKNOWN;
}

uint32_t trace_kind_of(const char *name, size_t n)
{
	const char *colon = memchr(name, ':', n);
	const char *bare = colon ? colon + 1 : name;
	size_t len = n - (size_t)(bare - name);
	const char *modifier = memchr(bare, ':', len);

	if (modifier)
		len = (size_t)(modifier - bare);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].name) == len && !memcmp(kinds[i].name, bare, len))
			return kinds[i].kind;
	if (colon && IS(name, (size_t)(colon - name), "probe"))
		return TRACE_PROBE;
	return memmem(bare, len, "kvmppc_gsb", 10) ? TRACE_PROBE : TRACE_OTHER;
}

bool trace_number(const char *s, const char *e, uint64_t *v)
{
	uint64_t x = 0;

	if (e - s > 2 && s[0] == '0' && (s[1] | 0x20) == 'x') {
		s += 2;
		if (e - s > DIGITS_HEX)
			return false;
		for (; s < e; s++) {
			unsigned char c = (unsigned char)*s;
			unsigned d = c - '0';

			if (d > 9) {
				d = (c | 0x20) - 'a' + 10u;
				if (d < 10 || d > 15)
					return false;
			}
			x = x << 4 | d;
		}
		*v = x;
		return true;
	}
	if (s == e || e - s > 20)
		return false;
	for (; s < e; s++) {
		unsigned d = (unsigned)(unsigned char)*s - '0';

		if (d > 9 || __builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, d, &x))
			return false;
	}
	*v = x;
	return true;
}

struct field {
	const char *key, *value; /* value NULL: a word without '=' */
	size_t key_n, value_n;
};

/* The next "key=value" or word; NULL at the end. A comma after either isn't part of it. */
static const char *next_field(const char *p, const char *e, struct field *f)
{
	while (p < e && (*p == ' ' || *p == ',' || *p == '\t'))
		p++;
	if (p == e)
		return NULL;
	f->key = p;
	f->value = NULL;
	while (p < e && *p != ' ' && *p != '\t') {
		if (*p == '=' && !f->value) {
			f->key_n = (size_t)(p - f->key);
			f->value = p + 1;
		}
		p++;
	}
	if (!f->value)
		f->key_n = (size_t)(p - f->key) - (p[-1] == ',');
	else
		f->value_n = (size_t)(p - f->value) - (p > f->value && p[-1] == ',');
	return p;
}

static bool number(const struct field *f, uint64_t *v)
{
	return trace_number(f->value, f->value + f->value_n, v);
}

static bool vcpu_number(const char *s, const char *e, struct trace_event *ev,
			enum trace_problem *problem)
{
	uint64_t v;

	if (!trace_number(s, e, &v)) {
		*problem = s < e && *s == '-' ? TRACE_P_VCPU : TRACE_P_CUT;
		return false;
	}
	if (v > TRACE_VCPU_MAX) {
		*problem = TRACE_P_VCPU;
		return false;
	}
	ev->vcpu = (uint32_t)v;
	return true;
}

/* A trap by name or number; a number Linux has a name for gets that, so both count as one. */
static unsigned trap_word(struct trace_parser *p, const char *s, size_t n)
{
	char hex[24];
	uint64_t v;
	int fresh;
	unsigned w;

	if (n && (unsigned char)(*s - '0') <= 9 && trace_number(s, s + n, &v)) {
		const char *name = v < TRACE_TRAP_UNKNOWN ? trace_trap_name((uint32_t)v) : NULL;

		if (!name)
			snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)v);
		w = trace_word(&p->causes, name ? name : hex, strlen(name ? name : hex), &fresh);
		if (fresh)
			p->causes.w[w].value = v < TRACE_TRAP_UNKNOWN ? (uint32_t)v
								       : TRACE_TRAP_UNKNOWN;
		return w;
	}
	w = trace_word(&p->causes, s, n, &fresh);
	if (fresh)
		p->causes.w[w].value = trap_number(p->causes.w[w].s);
	return w;
}

static bool hv_vcpu(const char **p, const char *e, struct trace_event *ev,
		    enum trace_problem *problem)
{
	const char *s = *p;
	const char *end;

	*problem = TRACE_P_CUT;
	if (e - s < 6 || memcmp(s, "VCPU ", 5))
		return false;
	for (s += 5; s < e && *s == ' '; s++)
		;
	end = memchr(s, ':', (size_t)(e - s));
	if (!end)
		return false;
	*p = end + 1;
	return vcpu_number(s, end, ev, problem);
}

enum { HAS_PC = 1, HAS_CEDED = 2, HAS_TRAP = 4, HAS_PEXCP = 8, HAS_VCPU = 16 };

/* One field of an entry or exit. Returns the HAS_ bit it gave, 0 when it is another's, -1 bad. */
static int turn_field(struct trace_parser *p, const struct field *f, struct trace_event *ev,
		      enum trace_problem *problem)
{
	uint64_t v;

	if (!f->value)
		return 0;
	if (IS(f->key, f->key_n, "pc"))
		return number(f, &ev->pc) ? HAS_PC : -1;
	if (IS(f->key, f->key_n, "ceded")) {
		if (!number(f, &v) || v > 1)
			return -1;
		ev->ceded = v;
		return HAS_CEDED;
	}
	if (IS(f->key, f->key_n, "trap")) {
		if (!f->value_n || IS(f->value, f->value_n, "0x"))
			return -1;
		ev->cause = trap_word(p, f->value, f->value_n);
		return HAS_TRAP;
	}
	if (IS(f->key, f->key_n, "pexcp") || IS(f->key, f->key_n, "pending_exceptions"))
		return number(f, &ev->pexcp) ? HAS_PEXCP : -1;
	if (IS(f->key, f->key_n, "vcpu_id"))
		return vcpu_number(f->value, f->value + f->value_n, ev, problem) ? HAS_VCPU : -1;
	return 0;
}

/* Take a word at *p, or leave it. */
#define SKIP(p, e, word) \
	((size_t)((e) - *(p)) >= sizeof(word) - 1 && !memcmp(*(p), word, sizeof(word) - 1) && \
	 (*(p) += sizeof(word) - 1))

/* A 0x number at *p; *p moves behind it. */
static bool hex_at(const char **p, const char *e, uint64_t *v)
{
	const char *s = *p, *start;
	uint64_t x = 0;

	if (!SKIP(&s, e, "0x"))
		return false;
	for (start = s; s < e; s++) {
		unsigned char c = (unsigned char)*s;
		unsigned d = c <= '9' ? c - (unsigned)'0' : c - (unsigned)'a' + 10u;

		if (d > 15)
			break;
		x = x << 4 | d;
	}
	*v = x;
	*p = s;
	return s > start && s - start <= DIGITS_HEX;
}

/*
 * What every kernel since 2014 prints, in its order and to the letter: most
 * lines by far. False leaves the line to hv_turn(), which finds fields by name.
 */
static bool hv_turn_usual(struct trace_parser *p, const char *s, const char *e,
			  struct trace_event *ev)
{
	const char *trap = NULL, *trap_end = NULL;
	uint64_t vcpu = 0, msr;
	const char *d;

	if (!SKIP(&s, e, "VCPU "))
		return false;
	for (d = s; s < e && (unsigned char)(*s - '0') <= 9 && s - d < 9; s++)
		vcpu = vcpu * 10 + (uint64_t)(*s - '0');
	if (s == d || !SKIP(&s, e, ": "))
		return false;
	if (ev->kind == TRACE_EXIT) {
		if (!SKIP(&s, e, "trap="))
			return false;
		trap = s;
		trap_end = s = memchr(s, ' ', (size_t)(e - s));
		if (!s || s == trap || IS(trap, (size_t)(s - trap), "0x"))
			return false;
		s++;
	}
	if (!SKIP(&s, e, "pc=") || !hex_at(&s, e, &ev->pc))
		return false;
	if (ev->kind == TRACE_EXIT
		    ? !SKIP(&s, e, " msr=") || !hex_at(&s, e, &msr) || !SKIP(&s, e, ", ceded=")
		    : !SKIP(&s, e, " pexcp=") || !hex_at(&s, e, &ev->pexcp) || !SKIP(&s, e, " ceded="))
		return false;
	if (e - s != 1 || (*s != '0' && *s != '1'))
		return false;
	ev->ceded = *s == '1';
	ev->vcpu = (uint32_t)vcpu;
	if (trap)
		ev->cause = trap_word(p, trap, (size_t)(trap_end - trap));
	return true;
}

static bool hv_turn(struct trace_parser *p, const char *s, const char *e, struct trace_event *ev,
		    enum trace_problem *problem)
{
	unsigned need = HAS_VCPU | HAS_PC | HAS_CEDED, has = HAS_VCPU;
	struct field f;

	if (*problem == TRACE_P_CUT && hv_turn_usual(p, s, e, ev))
		return true;
	if (*problem == TRACE_P_UNPARSED)
		has = 0;
	else if (!hv_vcpu(&s, e, ev, problem))
		return false;
	need |= ev->kind == TRACE_ENTER ? HAS_PEXCP : HAS_TRAP;
	if (has)
		*problem = TRACE_P_CUT;
	while ((s = next_field(s, e, &f))) {
		int got = turn_field(p, &f, ev, problem);

		if (got < 0)
			goto bad;
		has |= (unsigned)got;
	}
	if ((has & need) == need)
		return true;
bad:
	if (*problem != TRACE_P_VCPU)
		*problem = TRACE_P_CUT;
	return false;
}

/* GPR4 of " GPR4-7=0x…,0x…,0x…,0x…"; left 0 when the line has none. */
static void first_argument(const char *s, const char *e, struct trace_event *ev)
{
	struct field f;

	while ((s = next_field(s, e, &f))) {
		const char *comma;

		if (!f.value || !IS(f.key, f.key_n, "GPR4-7"))
			continue;
		comma = memchr(f.value, ',', f.value_n);
		if (comma)
			trace_number(f.value, comma, &ev->arg);
		return;
	}
}

static bool hv_hcall(struct trace_parser *p, const char *s, const char *e, struct trace_event *ev,
		     enum trace_problem *problem)
{
	struct field f;
	int fresh;

	if (!hv_vcpu(&s, e, ev, problem))
		return false;
	while ((s = next_field(s, e, &f))) {
		if (!f.value || !f.value_n || !IS(f.key, f.key_n, "hcall"))
			continue;
		ev->cause = trace_word(&p->hcalls, f.value, f.value_n, &fresh);
		p->hcalls.w[ev->cause].count++;
		first_argument(s, e, ev);
		return true;
	}
	*problem = TRACE_P_CUT;
	return ev->kind == TRACE_HCALL_EXIT;
}

/* The words of a reason, up to " rip ": "EXCEPTION_NMI", or two when flags follow the name. */
static void x86_reason(struct trace_parser *p, const char *s, const char *e, struct trace_event *ev)
{
	const char *rip = memmem(s, (size_t)(e - s), " rip ", 5);
	size_t n = (size_t)((rip ? rip : e) - s);
	int fresh;

	while (n && s[n - 1] == ' ')
		n--;
	ev->cause = trace_word(&p->causes, s, n, &fresh);
	if (fresh)
		p->causes.w[ev->cause].value = TRACE_TRAP_UNKNOWN;
	ev->ceded = IS(s, n, "HLT") || IS(s, n, "hlt");
}

/* "[vcpu N[,]] [reason R] [rip 0x…] …": an entry needs its vcpu, an exit its reason and rip. */
static bool x86_turn(struct trace_parser *p, const char *s, const char *e, struct trace_event *ev,
		     enum trace_problem *problem)
{
	bool reason = false, rip = false;
	struct field f, v;

	*problem = TRACE_P_CUT;
	while ((s = next_field(s, e, &f))) {
		const char *after = next_field(s, e, &v);

		if (!after)
			break;
		if (IS(f.key, f.key_n, "vcpu")) {
			if (!vcpu_number(v.key, v.key + v.key_n, ev, problem))
				return false;
		} else if (IS(f.key, f.key_n, "reason")) {
			x86_reason(p, v.key, e, ev);
			reason = true;
		} else if (IS(f.key, f.key_n, "rip")) {
			if (!trace_number(v.key, v.key + v.key_n, &ev->pc))
				return false;
			rip = true;
			break;
		} else {
			continue;
		}
		s = after;
	}
	return ev->kind == TRACE_ENTER ? ev->vcpu != TRACE_NO_VCPU : reason && rip;
}

static bool l1_hcall(struct trace_parser *p, const char *s, const char *e)
{
	struct field f;
	char name[32];
	uint64_t v;
	int fresh;

	if (!next_field(s, e, &f) || !f.value || !IS(f.key, f.key_n, "opcode") || !number(&f, &v))
		return false;
	snprintf(name, sizeof(name), "L1:%llu", (unsigned long long)v);
	p->hcalls.w[trace_word(&p->hcalls, name, strlen(name), &fresh)].count++;
	return true;
}

bool trace_fields(struct trace_parser *p, const char *s, const char *e, struct trace_event *ev,
		  enum trace_problem *problem)
{
	static const char unparsed[] = "[FAILED TO PARSE]";

	*problem = TRACE_P_CUT;
	if ((size_t)(e - s) >= sizeof(unparsed) - 1 && !memcmp(s, unparsed, sizeof(unparsed) - 1)) {
		s += sizeof(unparsed) - 1;
		*problem = TRACE_P_UNPARSED;
		if (ev->x86 || (ev->kind != TRACE_ENTER && ev->kind != TRACE_EXIT)) {
			ev->kind = TRACE_OTHER;
			return true;
		}
	}
	switch (ev->kind) {
	case TRACE_ENTER:
	case TRACE_EXIT:
		return ev->x86 ? x86_turn(p, s, e, ev, problem) : hv_turn(p, s, e, ev, problem);
	case TRACE_HCALL_ENTER:
	case TRACE_HCALL_EXIT:
		return hv_hcall(p, s, e, ev, problem);
	case TRACE_FAULT_ENTER:
	case TRACE_FAULT_EXIT:
	case TRACE_RUN_ENTER:
	case TRACE_RUN_EXIT:
		return hv_vcpu(&s, e, ev, problem);
	case TRACE_L1_HCALL:
		return l1_hcall(p, s, e);
	default:
		return true;
	}
}
