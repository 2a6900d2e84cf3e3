// SPDX-License-Identifier: GPL-2.0-or-later
/* hvsim elf: what a kernel's entry/exit code does, from the kernel itself. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cmd.h"
#include "elf/kernel.h"
#include "elf/match.h"
#include "report/elf_list.h"

#define ELF_FUNCTIONS_MAX 64

struct args {
	const char *file[2];
	unsigned nfile;
	const char *function[ELF_FUNCTIONS_MAX];
	unsigned nfunction;
	const char *out;
	enum rep_format format;
	struct err err;
};

static const struct argp_option options[] = {
	{ "function", 'f', "NAME", 0,
	  "Show the ops of this function in order; repeatable; shell patterns; suffixes such "
	  "as .isra.0 may be left out", 0 },
	{ "format", 'F', "FORMAT", 0, "table (default), markdown, csv or json", 0 },
	{ "output", 'o', "FILE", 0, "Write to FILE, whole or not at all", 0 },
	{ 0 },
};

static void set_format(struct args *a, const char *arg)
{
	int format = rep_format_find(arg);

	if (format < 0)
		err_set(&a->err, "no format '%s': table, markdown, csv or json", arg);
	else
		a->format = (enum rep_format)format;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *a = state->input;

	switch (key) {
	case 'f':
		if (a->nfunction == ELF_FUNCTIONS_MAX)
			err_set(&a->err, "more than %u functions: use a pattern", ELF_FUNCTIONS_MAX);
		else
			a->function[a->nfunction++] = arg;
		return 0;
	case 'F':
		set_format(a, arg);
		return 0;
	case 'o':
		a->out = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->nfile == 1)
			err_set(&a->err, "one kernel at most: '%s' is a second", arg);
		else
			a->file[a->nfile++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->nfile)
			err_set(&a->err, "no kernel given: hvsim elf FILE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options, parse, "KERNEL",
	"List what the functions of a ppc64 kernel do to SPRs, timebase, MSR, barriers, SLB, "
	"TLB and atomics.\v"
	"KERNEL is vmlinux, a .ko or a .o, plain or compressed (gzip, xz, Zstandard), or a folder "
	"that holds vmlinux and the KVM modules.",
	NULL, NULL, NULL,
};

static int show(const struct args *a, struct mem *mem, const struct kelf_kernel *k,
		struct text *out, struct err *err)
{
	struct scn_result r = { .mem = mem };
	const struct spr_table *sprs;
	struct kelf_pick *pick = NULL;
	size_t n = 0, cap = 0;
	int rc = 0;

	if (!a->nfunction) {
		rep_table(out, rep_elf_functions(&r, k, a->format), a->format);
		return 0;
	}
	sprs = spr_load(mem, err);
	if (!sprs)
		return -1;
	for (unsigned i = 0; i < a->nfunction && !rc; i++)
		rc = kelf_pick(k, a->function[i], &pick, &n, &cap, err);
	if (!rc)
		rep_table(out, rep_elf_ops(&r, pick, n, sprs), a->format);
	free(pick);
	return rc;
}

static int put(const struct args *a, const struct text *out, struct err *err)
{
	if (a->out)
		return file_write(a->out, out->s, out->len, err);
	return file_put(stdout, "standard output", out->s, out->len, err);
}

int cmd_elf(int argc, char **argv)
{
	struct args a = { .err = ERR_INIT };
	struct mem *mem = mem_new();
	struct kelf_kernel k = { 0 };
	struct text out = { 0 };

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &a))
		err_set(&a.err, "cannot read the arguments");
	if (!a.err.set && !kelf_kernel_open(&k, mem, a.file[0], &a.err) &&
	    !show(&a, mem, &k, &out, &a.err) && !put(&a, &out, &a.err) && kelf_kernel_outside(&k))
		err_at(&a.err, a.file[0], 0,
		       "%zu symbols lie in no section and were left out: the file is damaged",
		       kelf_kernel_outside(&k));
	text_free(&out);
	kelf_kernel_done(&k);
	mem_free(mem);
	return a.err.set ? cmd_fail(&a.err) : EXIT_GOOD;
}
