// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <stdlib.h>

#include "base/file.h"
#include "path/price.h"

struct fixture {
	struct mem *mem;
	const struct spr_table *sprs;
	const struct policy_table *policies;
	struct path_lib *lib;
	struct pricer *pricer;
	struct policy_set set;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));
	struct err err = ERR_INIT;

	f->mem = mem_new();
	f->sprs = spr_load(f->mem, &err);
	f->policies = policy_load(f->mem, &err);
	f->lib = path_lib_new(f->mem, f->sprs, f->policies);
	f->pricer = price_new(cpu_model_load(f->mem, "power9", &err));
	policy_defaults(f->policies, &f->set);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	price_free(f->pricer);
	mem_free(f->mem);
	free(f);
	return 0;
}

static const struct path *parse(struct fixture *f, const char *ops, struct err *err)
{
	char *text = mem_printf(f->mem, "{\"schema\": \"hvsim-path/1\", \"name\": \"t\", "
				"\"summary\": \"s\", \"source\": \"s\",\n\"ops\": [%s]}", ops);
	struct jnode *root = jdoc_parse(f->mem, "t.json", text, strlen(text), err);

	return root ? path_from_node(f->lib, root, err) : NULL;
}

static uint64_t count(struct fixture *f, const struct path *path, enum op_kind kind)
{
	struct cond_bits bits = policy_bits(&f->set);
	struct path_counts counts;

	path_count(path, &bits, &counts);
	return counts.kind[kind];
}

static void conditions_choose_ops(void **state)
{
	struct fixture *f = *state;
	struct err err = ERR_INIT;
	const struct path *path = parse(f,
		"\"isync\", {\"when\": \"guest.pmu\", \"ops\": [\"hwsync\", "
		"{\"when\": \"guest.ebb\", \"ops\": [\"eieio\"]}], \"else\": [\"mftb\", \"mftb\"]}, "
		"\"isync\"", &err);

	assert_non_null(path);
	assert_int_equal(count(f, path, OP_ISYNC), 2);
	assert_int_equal(count(f, path, OP_MFTB), 2);
	assert_int_equal(count(f, path, OP_HWSYNC), 0);
	policy_set(&f->set, "guest.pmu", "on", &err);
	assert_int_equal(count(f, path, OP_MFTB), 0);
	assert_int_equal(count(f, path, OP_HWSYNC), 1);
	assert_int_equal(count(f, path, OP_EIEIO), 0);
	policy_set(&f->set, "guest.ebb", "on", &err);
	assert_int_equal(count(f, path, OP_EIEIO), 1);
}

static void errors_have_lines(void **state)
{
	static const struct { const char *ops, *line, *what; } cases[] = {
		{ "\"isync\",\n\"isynk\"", "t.json:3:", "did you mean 'isync'" },
		{ "\"isync\",\n{\"when\": \"guest.pmx\", \"ops\": []}", "t.json:3:",
		  "did you mean 'guest.pmu'" },
		{ "{\"when\": \"guest.pmu\"}", "t.json:2:", "\"ops\" or \"path\"" },
		{ "{\"ops\": [], \"else\": []}", "t.json:2:", "no \"when\"" },
		{ "{\"whem\": \"x\", \"ops\": []}", "t.json:2:", "did you mean 'when'" },
		{ "3", "t.json:2:", "must be an op" },
		{ "{\"path\": \"no-such-path\"}", "no-such-path", "" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;

		assert_null(parse(f, cases[i].ops, &err));
		assert_error_has(err, cases[i].line);
		assert_error_has(err, cases[i].what);
	}
}

/* A path that includes itself, by way of another file. */
static void cycles_are_errors(void **state)
{
	struct fixture *f = *state;
	char dir[] = "/tmp/hvsim-path-XXXXXX";
	struct err err = ERR_INIT;
	const char *a, *b, *text;

	assert_non_null(mkdtemp(dir));
	a = mem_printf(f->mem, "%s/a.json", dir);
	b = mem_printf(f->mem, "%s/b.json", dir);
	text = mem_printf(f->mem, "{\"schema\": \"hvsim-path/1\", \"name\": \"a\", \"summary\": \"\","
			  " \"source\": \"\",\n\"ops\": [{\"path\": \"%s\"}]}", b);
	assert_int_equal(file_write(a, text, strlen(text), &err), 0);
	text = mem_printf(f->mem, "{\"schema\": \"hvsim-path/1\", \"name\": \"b\", \"summary\": \"\","
			  " \"source\": \"\",\n\n\"ops\": [{\"path\": \"%s\"}]}", a);
	assert_int_equal(file_write(b, text, strlen(text), &err), 0);
	assert_null(path_load(f->lib, a, &err));
	assert_error_has(err, "includes itself");
	assert_error_has(err, "b.json:3:");
	remove(a);
	remove(b);
	remove(dir);
}

static void sums_are_exact(struct fixture *f, const struct path *path)
{
	struct cond_bits bits = policy_bits(&f->set);
	const struct price *price = price_path(f->pricer, path, &bits);
	uint64_t sum = 0;

	for (unsigned c = 0; c < PIPE_CLASSES; c++)
		sum += price->by_class[c];
	assert_int_equal(sum, price->cycles);
}

/* Each shipped path loads, and its breakdown sums to its cycles. */
static void shipped_paths(void **state)
{
	struct fixture *f = *state;
	struct err err = ERR_INIT;
	size_t n;
	const char *const *names = file_list(f->mem, "models/paths", &n, &err);

	assert_true(n >= 15);
	for (size_t i = 0; i < n; i++) {
		const struct path *path = path_load(f->lib, names[i], &err);

		if (!path)
			fail_msg("%s", err.text);
		assert_string_equal(path->name, names[i]);
		policy_defaults(f->policies, &f->set);
		sums_are_exact(f, path);
		assert_int_equal(policy_set(&f->set, "p9.*", "off", &err), 0);
		sums_are_exact(f, path);
	}
}

/* Cut after draining ops: the parts' prices sum to the whole's. */
static void parts_sum_to_whole(void **state)
{
	static const char *const parts[] = {
		"\"work 37 stores 9\", \"mtspr DEC\", \"mfspr DAR\", \"mtspr HDEC\", \"isync\"",
		"\"work 11\", \"mftb\", \"mtspr LPID\", \"work 5 stores 5\", \"hrfid\"",
		"\"mfspr SRR0\", \"work 101 loads 20 stores 30\", \"mtspr PID\", \"mtmsrd L=0\"",
		"\"work 7\", \"slbmte\", \"slbmte\", \"hwsync\", \"sc 1\"",
	};
	struct fixture *f = *state;
	struct cond_bits bits = policy_bits(&f->set);
	struct err err = ERR_INIT;
	struct text all = { 0 };
	uint64_t sum = 0;

	for (size_t i = 0; i < 4; i++) {
		const struct path *path = parse(f, parts[i], &err);

		sum += price_path(f->pricer, path, &bits)->cycles;
		text_add(&all, "%s%s", i ? ", " : "", parts[i]);
	}
	assert_int_equal(price_path(f->pricer, parse(f, all.s, &err), &bits)->cycles, sum);
	text_free(&all);
}

struct total {
	uint64_t cycles, steps;
};

static void add_step(void *arg, const struct price_step *step)
{
	struct total *total = arg;
	uint64_t sum = 0;

	for (unsigned c = 0; c < PIPE_CLASSES; c++)
		sum += step->by_class[c];
	assert_int_equal(sum, step->cycles);
	assert_int_equal(step->start, total->cycles);
	total->cycles += step->cycles;
	total->steps += step->item != NULL;
}

/* Priced op by op, from the memo and anew: the same, and the steps sum to it. */
static const struct price *three_ways(struct fixture *f, const struct path *path)
{
	struct cond_bits bits = policy_bits(&f->set);
	const struct price *memo = price_path(f->pricer, path, &bits);
	struct price plain, traced;
	struct total total = { 0 };

	price_uncached(f->pricer, path, &bits, &plain);
	price_trace(f->pricer, path, &bits, add_step, &total, &traced);
	assert_memory_equal(memo, &plain, sizeof(plain));
	assert_memory_equal(memo, &traced, sizeof(traced));
	assert_int_equal(total.cycles, memo->cycles);
	assert_int_equal(total.steps, memo->ops);
	return memo;
}

static void trace_memo_and_plain_agree(void **state)
{
	struct fixture *f = *state;
	struct cond_bits bits = policy_bits(&f->set);
	struct err err = ERR_INIT;
	const struct path *path = path_load(f->lib, "nestedv2-l0-enter", &err);
	const struct price *memo = three_ways(f, path), *off;

	/* one that ends with a write in flight: waiting for it is a step of its own */
	three_ways(f, parse(f, "\"work 3\", \"mtspr SPRG0\"", &err));
	/* two states of one path have a price each */
	path = parse(f, "\"isync\", {\"when\": \"guest.pmu\", \"ops\": [\"work 96\"]}", &err);
	off = three_ways(f, path);
	policy_set(&f->set, "guest.pmu", "on", &err);
	/* 96 instructions at the 0.96 a cycle of models/power9.json */
	assert_int_equal(three_ways(f, path)->cycles, off->cycles + 100);
	/* bits the path doesn't ask for share the memo */
	path = path_load(f->lib, "nestedv2-l0-enter", &err);
	cond_put(&bits, (unsigned)cond_find(f->policies->atoms, "guest.dtl"), true);
	assert_ptr_equal(price_path(f->pricer, path, &bits), memo);
}

/*
 * Nine conditions are 512 states, more than the memo has buckets: they share some,
 * and each has its own price. Condition i adds 96 instructions 2^i times, at the
 * 0.96 a cycle of models/power9.json: 100 times the state's number.
 */
static void every_state_has_its_price(void **state)
{
	static const char *const names[] = {
		"guest.pmu", "guest.ebb", "guest.tm", "guest.vpa", "guest.dtl",
		"guest.uamor", "guest.pspb", "guest.nested_capable", "guest.runlatch_off",
	};
	const unsigned n = sizeof(names) / sizeof(names[0]);
	struct fixture *f = *state;
	struct cond_bits bits = { 0 };
	struct err err = ERR_INIT;
	struct text ops = { 0 };
	const struct path *path;
	uint64_t none;

	text_add(&ops, "\"isync\"");
	for (unsigned i = 0; i < n; i++)
		text_add(&ops, ", {\"when\": \"%s\", \"ops\": [\"work %u\"]}", names[i], 96u << i);
	path = parse(f, ops.s, &err);
	text_free(&ops);
	if (!path)
		fail_msg("%s", err.text);
	none = price_path(f->pricer, path, &bits)->cycles;
	for (unsigned twice = 0; twice < 2; twice++) {
		for (unsigned mask = 0; mask < 1u << n; mask++) {
			for (unsigned i = 0; i < n; i++)
				cond_put(&bits, (unsigned)cond_find(f->policies->atoms, names[i]),
					 mask >> i & 1);
			assert_int_equal(price_path(f->pricer, path, &bits)->cycles,
					 none + 100 * mask);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(conditions_choose_ops, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_have_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(cycles_are_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(shipped_paths, setup, teardown),
		cmocka_unit_test_setup_teardown(parts_sum_to_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(trace_memo_and_plain_agree, setup, teardown),
		cmocka_unit_test_setup_teardown(every_state_has_its_price, setup, teardown),
	};

	return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
