#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The documents that show commands print what hvsim prints.
#   tests/cli/docs.sh --update     writes what it prints now (HVSIM: the program, else build/hvsim)
cd "$(dirname "$0")/../.." || exit 1
exec python3 tests/cli/docs.py "${HVSIM:-build/hvsim}" "$@" docs/tutorial.md docs/add-a-policy.md docs/replay.md \
	docs/sweeps.md
