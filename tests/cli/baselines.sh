#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Gate hvsim's own scenarios. tests/baselines/NAME.json is the baseline of scenarios/NAME.json;
# `tests/cli/baselines.sh --update` makes them anew (with HVSIM and HVSIM_DATA set, or a build/).
cd "$(dirname "$0")/../.." || exit 1
HVSIM=${HVSIM:-build/hvsim}
: "${HVSIM_DATA:=$PWD}"
if [ "${1:-}" = --update ]; then
	set -e
	for s in scenarios/*.json; do
		$HVSIM gate "$s" --baseline "tests/baselines/${s##*/}" --update
	done
	exit 0
fi
. "tests/cli/tap.sh"
for s in scenarios/*.json; do
	b=tests/baselines/${s##*/}
	[ -f "$b" ] || continue
	check "${s##*/} predicts what it did" status 0 "$HVSIM" gate "$s" --baseline "$b"
done
done_testing
