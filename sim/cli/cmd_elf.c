// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim elf: what a kernel's entry/exit code does, from the kernel itself. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "elf/gate.h"
#include "report/elf_diff.h"
#include "report/elf_exec.h"
#include "report/elf_list.h"
#include "report/elf_walk.h"

#define FUNCTIONS_MAX 64
#define GATES_MAX 32
#define SETS_MAX 128
#define LOADS_MAX 16

enum { OPT_FORMAT = 256, OPT_FAIL_IF, OPT_CPU, OPT_WALK, OPT_WALK_FILE, OPT_SET, OPT_PATH,
       OPT_EXECUTED, OPT_ENTRY, OPT_AT, OPT_KIND };

struct args {
	const char *file[2];
	unsigned nfile;
	const char *function[FUNCTIONS_MAX];
	unsigned nfunction;
	struct kelf_gate gate[GATES_MAX];
	unsigned ngate;
	const char *set[SETS_MAX];
	unsigned nset;
	struct kelf_load load[LOADS_MAX];
	unsigned nload;
	const char *walk_file[2];
	unsigned nwalk_file;
	const char *out, *cpu, *walk, *executed, *entry, *kind;
	bool path;
	enum rep_format format;
	struct err err;
};

static const struct argp_option options[] = {
	{ "function", 'f', "NAME", 0,
	  "Only this function, and show its ops in order; repeatable; a shell pattern; suffixes "
	  "such as .isra.0 may be left out",
	  0 },
	{ "walk", OPT_WALK, "ENTRY", 0, "Follow the path from this function to its return", 0 },
	{ "walk-file", OPT_WALK_FILE, "NAME", 0,
	  "Which way branches go: a file, or a name in models/walks; a second one is for NEW", 0 },
	{ "set", OPT_SET, "KEY=VALUE", 0,
	  "Policy or state that conditions of the walk file ask for; repeatable", 0 },
	{ "path", OPT_PATH, NULL, 0, "Print the path as a path file, for hvsim path", 0 },
	{ "executed", OPT_EXECUTED, "LOG", 0,
	  "Paths from a log of QEMU (-d exec,in_asm,nochain); with --entry and --walk-file", 0 },
	{ "entry", OPT_ENTRY, "NAME", 0, "Function at which executed paths start", 0 },
	{ "at", OPT_AT, "FILE=ADDRESS", 0, "Where a module's .text was loaded; repeatable", 0 },
	{ "kind", OPT_KIND, "NAME", 0, "Which executed path to show, by how the guest was left",
	  0 },
	{ "cpu", OPT_CPU, "NAME", 0, "CPU model that prices differences (power9)", 0 },
	{ "fail-if", OPT_FAIL_IF, "CONDITION", 0,
	  "Exit status 1 when NEW has that much more than OLD: 'mftb>0', 'cycles>100'; repeatable",
	  0 },
	{ "format", OPT_FORMAT, "FORMAT", 0, "table, markdown, csv or json", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, replaced at once when all is done", 0 },
	{ 0 },
};

static void set_format(struct args *a, const char *arg)
{
	int format = rep_format_find(arg);

	if (format < 0)
		err_set(&a->err, "--format %s: must be table, markdown, csv or json", arg);
	else
		a->format = (enum rep_format)format;
}

static void add_function(struct args *a, const char *arg)
{
	if (a->nfunction == FUNCTIONS_MAX)
		err_set(&a->err, "more than %u functions: use a pattern", FUNCTIONS_MAX);
	else
		a->function[a->nfunction++] = arg;
}

static void add_gate(struct args *a, const char *arg)
{
	if (a->ngate == GATES_MAX)
		err_set(&a->err, "more than %u conditions", GATES_MAX);
	else if (!kelf_gate_parse(&a->gate[a->ngate], arg, &a->err))
		a->ngate++;
}

/* "kvm-hv.ko=0xc008000001230000" */
static void add_load(struct args *a, const char *arg)
{
	const char *eq = strrchr(arg, '=');
	struct kelf_load *load = &a->load[a->nload];

	if (a->nload == LOADS_MAX)
		err_set(&a->err, "more than %u modules", LOADS_MAX);
	else if (!eq || eq == arg || !text_to_u64(eq + 1, &load->addr))
		err_set(&a->err, "--at %s: must be FILE=ADDRESS", arg);
	else
		load->file = strndup(arg, (size_t)(eq - arg));
	a->nload += load->file != NULL;
}

static void check_executed(struct args *a)
{
	if (!a->executed && (a->entry || a->nload || a->kind))
		err_set(&a->err, "--entry, --at and --kind go with --executed");
	if (a->executed && (!a->entry || !a->nwalk_file))
		err_set(&a->err,
			"--executed needs --entry, and a --walk-file that says where the guest "
			"is entered");
	if (a->executed && (a->walk || a->nfunction || a->nfile == 2))
		err_set(&a->err, "--executed is about one kernel, without -f or --walk");
}

static void check(struct args *a)
{
	check_executed(a);
	if (!a->nfile)
		err_set(&a->err, "no kernel given: hvsim elf KERNEL, or hvsim elf OLD NEW");
	if (!a->walk && !a->executed && (a->nwalk_file || a->nset || a->path))
		err_set(&a->err, "--walk-file, --set and --path go with --walk or --executed");
	if (a->walk && a->nfunction)
		err_set(&a->err, "--walk follows a path: it does not go with -f");
	if (a->nwalk_file == 2 && a->nfile < 2)
		err_set(&a->err, "the second --walk-file is for NEW: it needs two kernels");
	if (a->path && a->nfile == 2)
		err_set(&a->err, "--path is for one kernel");
	if (a->ngate && a->nfile < 2)
		err_set(&a->err, "--fail-if compares: it needs two kernels, OLD and NEW");
}

static void add_set(struct args *a, const char *arg)
{
	if (a->nset == SETS_MAX)
		err_set(&a->err, "more than %u settings", SETS_MAX);
	else
		a->set[a->nset++] = arg;
}

static void add_walk_file(struct args *a, const char *arg)
{
	if (a->nwalk_file == 2)
		err_set(&a->err, "two walk files at most, one for each kernel");
	else
		a->walk_file[a->nwalk_file++] = arg;
}

static void add_file(struct args *a, const char *arg)
{
	if (a->nfile == 2)
		err_set(&a->err, "two kernels at most: '%s' is a third", arg);
	else
		a->file[a->nfile++] = arg;
}

/* Options whose argument is kept as it is; NULL for all others. */
static const char **text_option(struct args *a, int key)
{
	switch (key) {
	case OPT_WALK:
		return &a->walk;
	case OPT_EXECUTED:
		return &a->executed;
	case OPT_ENTRY:
		return &a->entry;
	case OPT_KIND:
		return &a->kind;
	case OPT_CPU:
		return &a->cpu;
	case 'o':
		return &a->out;
	default:
		return NULL;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;
	const char **text = text_option(a, key);

	if (text)
		*text = arg;
	else if (key == 'f')
		add_function(a, arg);
	else if (key == OPT_FORMAT)
		set_format(a, arg);
	else if (key == OPT_FAIL_IF)
		add_gate(a, arg);
	else if (key == OPT_SET)
		add_set(a, arg);
	else if (key == OPT_WALK_FILE)
		add_walk_file(a, arg);
	else if (key == OPT_AT)
		add_load(a, arg);
	else if (key == OPT_PATH)
		a->path = true;
	else if (key == ARGP_KEY_ARG)
		add_file(a, arg);
	else if (key == ARGP_KEY_END)
		check(a);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp argp = {
	options, parse, "KERNEL\nOLD NEW",
	"List what the functions of a ppc64 kernel do to SPRs, timebase, MSR, barriers, SLB, "
	"TLB and atomics; or what NEW does more or less than OLD, and what that costs.\v"
	"A kernel is vmlinux, a .ko or a .o, plain or compressed (gzip, xz, Zstandard), or a "
	"folder that holds vmlinux and the KVM modules. Costs are predicted for code that runs "
	"straight through, each instruction once.",
	NULL, NULL, NULL,
};

/* What one invocation works on. */
struct job {
	const struct args *a;
	struct mem *mem;
	struct kelf_kernel kernel[2];
	struct kelf_pick *pick[2];
	size_t npick[2], cap[2];
	struct scn_result result;
	struct text out; /* what is printed as it is, without tables */
	bool gated;      /* a gate failed */
};

/* Pick by -f. A function need not be in both kernels, but in one. */
static int pick_named(struct job *j, struct err *err)
{
	for (unsigned i = 0; i < j->a->nfunction; i++) {
		struct err missing = ERR_INIT;
		bool found = false;

		for (unsigned s = 0; s < j->a->nfile; s++)
			found |= !kelf_pick(&j->kernel[s], j->a->function[i], &j->pick[s],
					    &j->npick[s], &j->cap[s], &missing);
		if (!found)
			return err_set(err, "%s", missing.text);
	}
	return 0;
}

static int pick_all(struct job *j, struct err *err)
{
	for (unsigned s = 0; s < j->a->nfile; s++)
		if (kelf_pick(&j->kernel[s], "*", &j->pick[s], &j->npick[s], &j->cap[s], err) < 0)
			return -1;
	return 0;
}

static void run_gates(struct job *j, const struct kelf_side side[2])
{
	for (unsigned i = 0; i < j->a->ngate; i++) {
		int64_t v;

		if (!kelf_gate_fails(&j->a->gate[i], side, &v))
			continue;
		fprintf(stderr, "hvsim: %s: the condition '%s' holds: %+lld\n", j->a->file[1],
			j->a->gate[i].text, (long long)v);
		j->gated = true;
	}
}

static struct pricer *new_pricer(struct job *j, struct err *err)
{
	struct cpu_model *model = cpu_model_load(j->mem, j->a->cpu ? j->a->cpu : "power9", err);

	return model ? price_new(model) : NULL;
}

static int set_policies(struct job *j, struct policy_set *set, struct err *err)
{
	const struct policy_table *table = policy_load(j->mem, err);

	if (!table)
		return -1;
	policy_defaults(table, set);
	for (unsigned i = 0; i < j->a->nset; i++) {
		char *key = mem_strdup(j->mem, j->a->set[i]);
		char *eq = strchr(key, '=');

		if (!eq)
			return err_set(err, "--set %s: must be KEY=VALUE", key);
		*eq = '\0';
		if (policy_set(set, key, eq + 1, err) < 0)
			return -1;
	}
	return 0;
}

/* Walk one kernel; show it when it is the only one. */
static int walk_one(struct job *j, unsigned s, const struct policy_set *set,
		    const struct spr_table *sprs, const struct pricer *pricer,
		    struct kelf_side *side, struct err *err)
{
	const struct args *a = j->a;
	struct kelf_walkfile file;
	struct kelf_walk walk;
	const char *name = a->walk_file[s && a->nwalk_file == 2];
	int rc = kelf_walkfile_load(&file, j->mem, name, set, err);

	if (rc < 0)
		return rc;
	rc = kelf_walk(&walk, j->mem, &j->kernel[s], &file, a->walk, sprs, err);
	if (!rc)
		kelf_side_seq(side, &walk.seq, pricer);
	if (!rc && a->path)
		rep_elf_path(&j->out, &walk.seq, a->walk, walk.ended, a->file[s]);
	else if (!rc && a->nfile == 1)
		rep_elf_walk(&j->result, &walk, &file, side, a->format);
	else if (!rc)
		rep_elf_walk_notes(&j->result, &walk, &file, s ? "new" : "old", a->format);
	kelf_walk_done(&walk);
	return rc;
}

static int walk(struct job *j, struct err *err)
{
	const struct spr_table *sprs = spr_load(j->mem, err);
	struct pricer *pricer = sprs ? new_pricer(j, err) : NULL;
	struct kelf_diff diff = { 0 };
	struct policy_set set;
	int rc = pricer ? set_policies(j, &set, err) : -1;

	for (unsigned s = 0; !rc && s < j->a->nfile; s++)
		rc = walk_one(j, s, &set, sprs, pricer, &diff.sum[s], err);
	price_free(pricer);
	if (rc || j->a->nfile == 1)
		return rc;
	rep_elf_diff(&j->result, &diff);
	run_gates(j, diff.sum);
	return 0;
}

/* The shape to show: the first of the kind asked for, or of all. */
static const struct kelf_shape *shape_of(const struct job *j, const struct kelf_exec *x,
					 struct err *err)
{
	for (size_t i = 0; i < x->n; i++)
		if (!j->a->kind || !strcmp(x->shape[i].kind, j->a->kind))
			return &x->shape[i];
	err_at(err, j->a->executed, 0, "no window ends in '%s': without --kind all are listed",
	       j->a->kind);
	return NULL;
}

static int executed(struct job *j, struct err *err)
{
	const struct args *a = j->a;
	const struct spr_table *sprs = spr_load(j->mem, err);
	const struct kelf_shape *show;
	struct kelf_walkfile file;
	struct policy_set set;
	struct kelf_exec x;
	int rc;

	if (!sprs || set_policies(j, &set, err) < 0 ||
	    kelf_walkfile_load(&file, j->mem, a->walk_file[0], &set, err) < 0)
		return -1;
	rc = kelf_exec_read(&x, j->mem, a->executed, &j->kernel[0], a->load, a->nload, a->entry,
			    &file, sprs, err);
	show = rc ? NULL : shape_of(j, &x, err);
	if (show && a->path)
		rep_elf_path(&j->out, &show->seq, a->entry, show->kind, a->executed);
	else if (show)
		rep_elf_exec(&j->result, &x, show);
	kelf_exec_done(&x);
	return show ? 0 : -1;
}

static int compare(struct job *j, struct err *err)
{
	const struct spr_table *sprs = spr_load(j->mem, err);
	struct pricer *pricer;
	struct kelf_diff diff;

	if (!sprs || (j->a->nfunction ? pick_named(j, err) : pick_all(j, err)) < 0)
		return -1;
	pricer = new_pricer(j, err);
	if (!pricer)
		return -1;
	kelf_diff_make(&diff, j->mem, (const struct kelf_pick *const *)j->pick, j->npick, sprs,
		       pricer);
	price_free(pricer);
	rep_elf_diff(&j->result, &diff);
	run_gates(j, diff.sum);
	return 0;
}

static int list(struct job *j, struct err *err)
{
	const struct spr_table *sprs;

	if (!j->a->nfunction) {
		rep_elf_functions(&j->result, &j->kernel[0], j->a->format);
		return 0;
	}
	sprs = spr_load(j->mem, err);
	if (!sprs || pick_named(j, err) < 0)
		return -1;
	rep_elf_ops(&j->result, j->pick[0], j->npick[0], sprs);
	return 0;
}

static int put(const struct args *a, const struct text *out, struct err *err)
{
	if (a->out)
		return file_write(a->out, out->s, out->len, err);
	return file_put(stdout, "standard output", out->s, out->len, err);
}

static int run(struct job *j, struct err *err)
{
	int rc;

	for (unsigned s = 0; s < j->a->nfile; s++)
		if (kelf_kernel_open(&j->kernel[s], j->mem, j->a->file[s], err) < 0)
			return -1;
	j->result.mem = j->mem;
	rc = j->a->executed	? executed(j, err)
	     : j->a->walk	? walk(j, err)
	     : j->a->nfile == 2 ? compare(j, err)
				: list(j, err);
	if (!rc) {
		if (!j->a->path)
			rep_tables(&j->out, &j->result, j->a->format);
		rc = put(j->a, &j->out, err);
	}
	text_free(&j->out);
	for (unsigned s = 0; !rc && s < j->a->nfile; s++)
		if (kelf_kernel_outside(&j->kernel[s]))
			rc = err_at(err, j->a->file[s], 0,
				    "%zu symbols lie in no section and were left "
				    "out: the file is damaged",
				    kelf_kernel_outside(&j->kernel[s]));
	return rc;
}

int cmd_elf(int argc, char **argv)
{
	struct args a = { .err = ERR_INIT };
	struct job job = { .a = &a, .mem = mem_new() };

	if (cmd_parse(&argp, argc, argv, &a, &a.err) == 0 && !a.err.set)
		run(&job, &a.err);
	for (unsigned s = 0; s < 2; s++) {
		free(job.pick[s]);
		kelf_kernel_done(&job.kernel[s]);
	}
	for (unsigned i = 0; i < a.nload; i++)
		free((char *)a.load[i].file);
	mem_free(job.mem);
	if (a.err.set)
		return cmd_fail(&a.err);
	return job.gated ? EXIT_GATE : EXIT_GOOD;
}
