/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HVSIM_CLI_GNUPLOT_H
#define HVSIM_CLI_GNUPLOT_H

#include "base/err.h"
#include "base/text.h"

/*
 * Run gnuplot on a script and append what it writes to its standard output.
 * gnuplot missing, or complaining, is an error that says so. Its settings files
 * are not read.
 */
int cmd_gnuplot(const struct text *script, struct text *out, struct err *err);

#endif
