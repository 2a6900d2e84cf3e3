// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "cli/cmd.h"

const struct cmd cmd_table[] = {
	{ "run", "run the variants of a scenario beside the published figures", cmd_run },
	{ "path", "price an entry or exit path op by op", cmd_path },
	{ 0 },
};

int cmd_fail(const struct err *err)
{
	fprintf(stderr, "hvsim: %s\n", err->text);
	return EXIT_USAGE;
}
