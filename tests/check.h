/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every test file includes: cmocka with what it needs before it. */
#ifndef HVSIM_TESTS_CHECK_H
#define HVSIM_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The error's text contains this. */
#define assert_error_has(err, part)                                                  \
	do {                                                                         \
		if (!(err).set || !strstr((err).text, part))                         \
			fail_msg("error '%s' lacks '%s'", (err).text, part);         \
	} while (0)

#endif
