// SPDX-License-Identifier: GPL-2.0-or-later
/* Native traces: lines written by hand after docs/native-trace.md. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "random.h"
#include "trace/native_part.h"
#include "trace/sink.h"

static const char good[] =
	"hvsim-trace 1\n"
	"source by hand\n"
	"clock ns\n"
	"floor 27000\n"
	"spin 150000\n"
	"l1-hz 250\n"
	"host recorded\n"
	"assume one\n"
	"assume two\n"
	"# a comment\n"
	"vcpu 0 at 0\n"
	"0 compute 8205000\n"
	"0 fault data\n"
	"0 fault inst\n"
	"vcpu 4095 at 17 tick 1500000\n"
	"4095 timer 2312000\n"
	"0 idle\n"
	"4095 hcall H_PUT_TERM_CHAR\n"
	"4095 ipi 0\n"
	"0 irq 4611686018427387904\n"
	"0 host H_VIRT 5\n"
	"0 other H_EMUL_ASSIST ?\n"
	"0 late 101000 3000\n"
	"0 late 201000 3000 2\n"
	"0 away 7 4294967295\n"
	"0 ran 8 9000000\n"
	"0 tick 8000\n"
	"end 190388000\n";

static struct trace_native *open_text(const char *s, struct err *err)
{
	return trace_native_on(trace_source_bytes("t", s, strlen(s)), err);
}

static void what_is_read_is_written_again(void **state)
{
	struct err err = ERR_INIT;
	struct trace_native *n = open_text(good, &err);
	struct trace_intent i;
	struct text out = { 0 };
	unsigned count = 0, doubts = 0;
	int got;

	assert_non_null(n);
	while ((got = trace_native_next(n, &i, &err)) > 0) {
		if (!count)
			assert_int_equal(n->head.floor_ns, 27000);
		trace_native_put(&out, &i, n->names.w[i.name].s);
		count++;
		doubts += i.doubt;
	}
	assert_int_equal(got, 0);
	assert_int_equal(count, 15);
	assert_true(n->head.host_recorded);
	assert_int_equal(doubts, 1);
	assert_string_equal(n->head.source.s, "by hand");
	assert_string_equal(n->head.assume.s, "one\ntwo");
	assert_int_equal(n->head.spin_ns, 150000);
	assert_int_equal(n->head.l1_hz, 250);
	assert_int_equal(n->tick[4095], 1500000);
	assert_int_equal(n->tick[0], 0);
	assert_int_equal(n->head.end_ns, 190388000);
	assert_int_equal(n->vcpus, 4096);
	assert_int_equal(n->at[4095], 17);
	for (char *line = strtok(out.s, "\n"); line; line = strtok(NULL, "\n"))
		assert_non_null(strstr(good, line));
	text_free(&out);
	trace_native_close(n);
}

static void wrong_lines_name_their_line(void **state)
{
	static const struct { const char *text, *error; } bad[] = {
		{ "", "t:1: is no native trace" },
		{ "# tracer: nop\n", "t:1: is no native trace" },
		{ "hvsim-trace 2\n", "version '2'" },
		{ "hvsim-trace 1\n0 idle\n", "t:2: vcpu 0 isn't declared" },
		{ "hvsim-trace 1\nvcpu 0\n0 idel\n", "t:3: 'idel' is no intent (did you mean 'idle'?)" },
		{ "hvsim-trace 1\nvcpu 0\n0 idle 5\n", "t:3: must be 'VCPU idle'" },
		{ "hvsim-trace 1\nvcpu 0\n0 compute\n", "must be 'VCPU compute NS'" },
		{ "hvsim-trace 1\nvcpu 0\n0 compute -5\n", "must be 'VCPU compute NS'" },
		{ "hvsim-trace 1\nvcpu 0\n0 compute 4611686018427387905\n", "compute NS" },
		{ "hvsim-trace 1\nvcpu 0\n0 fault both\n", "fault data|inst" },
		{ "hvsim-trace 1\nvcpu 0\nvcpu 0\n", "t:3: vcpu 0 is declared twice" },
		{ "hvsim-trace 1\nvcpu 4096\n", "N below 4096" },
		{ "hvsim-trace 1\nclock tb\n", "clock must be 'ns'" },
		{ "hvsim-trace 1\nflor 5\n", "did you mean 'floor'?" },
		{ "hvsim-trace 1\nhost guessed\n", "host must be 'recorded'" },
		{ "hvsim-trace 1\nvcpu 0\n0 late 5\n", "must be 'VCPU late NS SPAN [TURNS]'" },
		{ "hvsim-trace 1\nvcpu 0\n0 late 5 6 7 8\n", "must be 'VCPU late NS SPAN [TURNS]'" },
		{ "hvsim-trace 1\nvcpu 0\n0 late 5 6 x\n", "must be 'VCPU late NS SPAN [TURNS]'" },
		{ "hvsim-trace 1\nvcpu 0 at\n", "'vcpu N at NS tick NS'" },
		{ "hvsim-trace 1\nvcpu 0 tick 5\n", "'vcpu N at NS tick NS'" },
		{ "hvsim-trace 1\nvcpu 0 at 5 tick\n", "'vcpu N at NS tick NS'" },
		{ "hvsim-trace 1\nvcpu 0 at 5 tick 6 7\n", "'vcpu N at NS tick NS'" },
		{ "hvsim-trace 1\nl1-hz 0\n", "'l1-hz' must be followed by a whole number from 1 to 10000" },
		{ "hvsim-trace 1\nl1-hz 2000000000\n", "from 1 to 10000" },
		{ "hvsim-trace 1\nfloor 5\nfloor 6\n", "t:3: 'floor' is said twice" },
		{ "hvsim-trace 1\nvcpu 0\n0 idle\nspin 6\n", "t:4: 'spin' must come before the first intent" },
		{ "hvsim-trace 1\nvcpu 0\nend 5\nend 5\n", "t:4: 'end' after 'end'" },
		{ "hvsim-trace 1\nvcpu 0\nend 5\n0 idle\n", "t:4: an intent after 'end'" },
		{ "hvsim-trace 1\nend 5\nvcpu 0\n", "t:3: 'vcpu' after 'end'" },
		{ "hvsim-trace 1\nvcpu 0\n0 away 5 4294967296\n", "must be 'VCPU away NS SPAN'" },
		{ "hvsim-trace 1\nfloor x\n", "whole number" },
	};

	for (size_t b = 0; b < sizeof(bad) / sizeof(bad[0]); b++) {
		struct err err = ERR_INIT;
		struct trace_native *n = open_text(bad[b].text, &err);
		struct trace_intent i;

		while (n && trace_native_next(n, &i, &err) > 0)
			;
		assert_error_has(err, bad[b].error);
		trace_native_close(n);
	}
}

static void long_lines_and_nuls_are_errors(void **state)
{
	struct text t = { 0 };
	struct err err = ERR_INIT;
	struct trace_native *n;
	struct trace_intent i;

	text_add(&t, "hvsim-trace 1\n# %0600000d\n", 0);
	n = open_text(t.s, &err);
	assert_int_equal(trace_native_next(n, &i, &err), -1);
	assert_error_has(err, "t:2: line over 512 bytes");
	trace_native_close(n);
	text_free(&t);
	err = (struct err)ERR_INIT;
	n = trace_native_on(trace_source_bytes("t", "hvsim-trace 1\nvc\0pu 0\n", 22), &err);
	assert_int_equal(trace_native_next(n, &i, &err), -1);
	assert_error_has(err, "NUL");
	trace_native_close(n);
}

/* Packed by the sink: the same intents, and the digest is the text's, not the file's. */
static void packed_files_are_read(void **state)
{
	static const char *const suffixes[] = { "", ".gz", ".xz", ".zst" };
	uint64_t digest[4];

	for (size_t s = 0; s < sizeof(suffixes) / sizeof(suffixes[0]); s++) {
		struct err err = ERR_INIT;
		struct trace_native *n;
		struct trace_sink *sink;
		struct trace_intent i;
		unsigned of_0 = 0, of_4095 = 0;
		char name[64];

		snprintf(name, sizeof(name), "/tmp/hvsim-native-%d%s", (int)getpid(), suffixes[s]);
		sink = trace_sink_open(name, trace_pack_by_name(name), &err);
		assert_non_null(sink);
		for (const char *c = good; *c; c++) /* byte by byte: the hardest case for a packer */
			assert_int_equal(trace_sink_put(sink, c, 1, &err), 0);
		assert_int_equal(trace_sink_commit(sink, &err), 0);
		n = trace_native_open(name, &err);
		assert_non_null(n);
		while (trace_native_next(n, &i, &err) > 0) {
			of_0 += i.vcpu == 0;
			of_4095 += i.vcpu == 4095;
		}
		assert_false(err.set);
		assert_int_equal(of_0, 12);
		assert_int_equal(of_4095, 3);
		assert_int_equal(n->at[4095], 17);
		digest[s] = digest_end(&n->digest);
		assert_int_equal(digest[s], digest[0]);
		trace_native_close(n);
		unlink(name);
	}
}

/* The reader of lines as they are written takes these, and leaves those to the one of words. */
static void lines_as_written_are_read_at_once(void **state)
{
	static const struct { const char *line; bool taken; } lines[] = {
		{ "7 compute 8205000\n", true },
		{ "07 timer 12345678\n", true },
		{ "7 irq 123456789012345678\n", true },
		{ "7 irq 1234567890123456789\n", false },
		{ "4095 idle\n", true },
		{ "4096 idle\n", false },
		{ "8 idle\n", false }, /* not declared */
		{ "7 idle \n", false },
		{ "7 idle ?\n", false },
		{ "7 idle\r\n", false },
		{ " 7 idle\n", false },
		{ "7  idle\n", false },
		{ "7 idles\n", false },
		{ "7 fault inst\n", true },
		{ "7 fault instr\n", false },
		{ "7 ipi 4095\n", true },
		{ "7 ipi 4096\n", false },
		{ "7 away 5 4294967295\n", true },
		{ "7 away 5 4294967296\n", false },
		{ "7 late 5 6\n", false }, /* rare */
		{ "7 hcall LAST\n", true },
		{ "7 hcall LASTS\n", false },
		{ "7 hcall OTHER\n", false },
		{ "7 host LAST 5\n", true },
		{ "7 compute\n", false },
		{ "7 compute \n", false },
		{ "# comment\n", false },
	};

	for (size_t l = 0; l < sizeof(lines) / sizeof(lines[0]); l++) {
		struct err err = ERR_INIT;
		struct trace_native *n;
		struct trace_intent i;
		struct text t = { 0 };

		text_add(&t, "hvsim-trace 1\nvcpu 7\nvcpu 4095\n7 hcall LAST\n%s# %0600d\n",
			 lines[l].line, 0);
		n = open_text(t.s, &err);
		assert_int_equal(trace_native_next(n, &i, &err), 1);
		if (trace_native_quick(n, &i) != lines[l].taken)
			fail_msg("%s", lines[l].line);
		if (lines[l].taken) {
			struct text again = { 0 };

			trace_native_put(&again, &i, "LAST");
			assert_string_equal(again.s, lines[l].line + (*lines[l].line == '0'));
			text_free(&again);
		}
		trace_native_close(n);
		text_free(&t);
	}
}

static unsigned below(uint64_t *seed, unsigned n)
{
	return (unsigned)(next(seed) % n);
}

static struct trace_intent random_intent(uint64_t *seed)
{
	static const uint8_t named[] = { TRACE_I_HCALL, TRACE_I_HOST, TRACE_I_OTHER };
	static const uint8_t spans[] = { TRACE_I_LATE, TRACE_I_AWAY, TRACE_I_RAN };
	struct trace_intent i = { .kind = (uint8_t)below(seed, TRACE_I_KINDS),
				  .vcpu = below(seed, 2) * 4095,
				  .ns = next(seed) >> (2 + below(seed, 62)),
				  .doubt = below(seed, 20) == 0 };

	if (memchr(spans, i.kind, sizeof(spans)))
		i.target = (uint32_t)next(seed);
	else if (i.kind == TRACE_I_FAULT)
		i.target = below(seed, 2);
	else if (i.kind == TRACE_I_IPI)
		i.target = below(seed, 4096);
	if (memchr(named, i.kind, sizeof(named)))
		i.name = (uint16_t)below(seed, 3);
	return i;
}

/* With CRLF no line is as trace_native_put() writes it: both readers, the same intents. */
static void both_ways_to_read_agree(void **state)
{
	static const char *const names[] = { "H_VIRT", "H_PUT_TERM_CHAR", "X" };
	static const char head[] = "hvsim-trace 1%s\nvcpu 0%s\nvcpu 4095%s\n";
	struct text plain = { 0 }, crlf = { 0 };
	struct err err = ERR_INIT;
	struct trace_native *a, *b;
	struct trace_intent x, y;
	unsigned count = 0;
	uint64_t seed = 0;

	text_add(&plain, head, "", "", "");
	text_add(&crlf, head, "\r", "\r", "\r");
	for (unsigned l = 0; l < 50000; l++) {
		struct trace_intent i = random_intent(&seed);

		trace_native_put(&plain, &i, names[i.name]);
		trace_native_put(&crlf, &i, names[i.name]);
		crlf.s[crlf.len - 1] = '\r';
		text_add(&crlf, "\n");
	}
	a = open_text(plain.s, &err);
	b = open_text(crlf.s, &err);
	while (trace_native_next(a, &x, &err) > 0) {
		assert_int_equal(trace_native_next(b, &y, &err), 1);
		assert_true(x.ns == y.ns && x.vcpu == y.vcpu && x.target == y.target &&
			    x.kind == y.kind && x.doubt == y.doubt);
		assert_string_equal(a->names.w[x.name].s, b->names.w[y.name].s);
		assert_int_equal(a->line, b->line);
		count++;
	}
	assert_false(err.set);
	assert_int_equal(count, 50000);
	trace_native_close(a);
	trace_native_close(b);
	text_free(&plain);
	text_free(&crlf);
}

static void an_aborted_sink_leaves_nothing(void **state)
{
	struct err err = ERR_INIT;
	struct trace_sink *sink;
	char name[64];

	snprintf(name, sizeof(name), "/tmp/hvsim-native-%d-no", (int)getpid());
	sink = trace_sink_open(name, TRACE_ZSTD, &err);
	assert_non_null(sink);
	assert_int_equal(trace_sink_put(sink, good, sizeof(good) - 1, &err), 0);
	trace_sink_abort(sink);
	assert_int_not_equal(access(name, F_OK), 0);
	assert_null(trace_sink_open("/nonexistent/x", TRACE_PLAIN, &err));
	assert_error_has(err, "cannot write");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_written_again),
		cmocka_unit_test(wrong_lines_name_their_line),
		cmocka_unit_test(long_lines_and_nuls_are_errors),
		cmocka_unit_test(packed_files_are_read),
		cmocka_unit_test(lines_as_written_are_read_at_once),
		cmocka_unit_test(both_ways_to_read_agree),
		cmocka_unit_test(an_aborted_sink_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
