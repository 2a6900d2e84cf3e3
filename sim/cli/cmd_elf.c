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
#include "report/elf_list.h"

#define FUNCTIONS_MAX 64
#define GATES_MAX 32

enum { OPT_FORMAT = 256, OPT_FAIL_IF, OPT_CPU };

struct args {
	const char *file[2];
	unsigned nfile;
	const char *function[FUNCTIONS_MAX];
	unsigned nfunction;
	struct kelf_gate gate[GATES_MAX];
	unsigned ngate;
	const char *out, *cpu;
	enum rep_format format;
	struct err err;
};

static const struct argp_option options[] = {
	{ "function", 'f', "NAME", 0,
	  "Only this function, and show its ops in order; repeatable; a shell pattern; suffixes "
	  "such as .isra.0 may be left out", 0 },
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

static void check(struct args *a)
{
	if (!a->nfile)
		err_set(&a->err, "no kernel given: hvsim elf KERNEL, or hvsim elf OLD NEW");
	if (a->ngate && a->nfile < 2)
		err_set(&a->err, "--fail-if compares: it needs two kernels, OLD and NEW");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 'f':
		add_function(a, arg);
		return 0;
	case OPT_FORMAT:
		set_format(a, arg);
		return 0;
	case OPT_FAIL_IF:
		add_gate(a, arg);
		return 0;
	case OPT_CPU:
		a->cpu = arg;
		return 0;
	case 'o':
		a->out = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->nfile == 2)
			err_set(&a->err, "two kernels at most: '%s' is a third", arg);
		else
			a->file[a->nfile++] = arg;
		return 0;
	case ARGP_KEY_END:
		check(a);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
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
	bool gated; /* a gate failed */
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

static int compare(struct job *j, struct err *err)
{
	const struct spr_table *sprs = spr_load(j->mem, err);
	struct cpu_model *model;
	struct pricer *pricer;
	struct kelf_diff diff;

	model = cpu_model_load(j->mem, j->a->cpu ? j->a->cpu : "power9", err);
	if (!sprs || !model)
		return -1;
	if ((j->a->nfunction ? pick_named(j, err) : pick_all(j, err)) < 0)
		return -1;
	pricer = price_new(model);
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
	struct text out = { 0 };
	int rc;

	for (unsigned s = 0; s < j->a->nfile; s++)
		if (kelf_kernel_open(&j->kernel[s], j->mem, j->a->file[s], err) < 0)
			return -1;
	j->result.mem = j->mem;
	rc = j->a->nfile == 2 ? compare(j, err) : list(j, err);
	if (!rc) {
		rep_tables(&out, &j->result, j->a->format);
		rc = put(j->a, &out, err);
	}
	text_free(&out);
	for (unsigned s = 0; !rc && s < j->a->nfile; s++)
		if (kelf_kernel_outside(&j->kernel[s]))
			rc = err_at(err, j->a->file[s], 0, "%zu symbols lie in no section and were left "
				    "out: the file is damaged", kelf_kernel_outside(&j->kernel[s]));
	return rc;
}

int cmd_elf(int argc, char **argv)
{
	struct args a = { .err = ERR_INIT };
	struct job job = { .a = &a, .mem = mem_new() };

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &a))
		err_set(&a.err, "cannot read the arguments");
	if (!a.err.set)
		run(&job, &a.err);
	for (unsigned s = 0; s < 2; s++) {
		free(job.pick[s]);
		kelf_kernel_done(&job.kernel[s]);
	}
	mem_free(job.mem);
	if (a.err.set)
		return cmd_fail(&a.err);
	return job.gated ? EXIT_GATE : EXIT_GOOD;
}
