#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The nestedv2 scenarios against what is known of them.
cd "$HVSIM_DATA" && exec python3 tests/cli/dec.py "$HVSIM"
