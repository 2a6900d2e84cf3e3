#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The text that trace-cmd itself makes of a trace.dat. tests/bench/trace_dat.py writes 245 pages (1 MB)
# of 92 events (4,080 bytes hold no more of 44): 22,540, half of them exits, the last of each eight
# HV_DECREMENTER after 9 us and the others ceded after 220 us: 11,270 / 8 gives 1,408 and 9,862.
. "$(dirname "$0")/tap.sh"

has() {
	"$HVSIM" trace info --format csv "$1" >"$tmp/info" && shift &&
		for line; do
			grep -qxF "$line" "$tmp/info" || {
				echo "no line $line"
				return 1
			}
		done
}

what="a trace.dat as trace-cmd reports it"
if command -v trace-cmd >/dev/null && command -v python3 >/dev/null; then
	python3 tests/bench/trace_dat.py 1 "$tmp/trace.dat" >/dev/null 2>&1
	trace-cmd report "$tmp/trace.dat" >"$tmp/text" 2>/dev/null
	check "$what" has "$tmp/text" ",,events,,22540" ",,lost,,0" "0,150,turns,,11270" \
		"0,150,exits_entered,0x0,9862" "0,150,exits_not_entered,HV_DECREMENTER,1408" \
		"0,150,min_ns,guest,220000" "0,150,max_ns,not-entered,9000" "0,150,unknown,,0"
	check "trace.dat itself is refused with what to do" \
		refuses "'trace-cmd report FILE'" "$HVSIM" trace info "$tmp/trace.dat"
else
	skip "$what" "trace-cmd isn't installed"
fi
done_testing
