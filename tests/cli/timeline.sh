#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hvsim timeline: the JSON is parsed back and held against the trace event format and against
# what `hvsim run` counts for the same scenario.
. "$(dirname "$0")/tap.sh"
s=scenarios/nestedv2-dec-cancel.json
set="--set duration_ms=30"
parse="python3 tests/cli/timeline.py"

counts_agree() {
	want=$("$HVSIM" run $s $set --format csv | grep "^metrics,kvm_hv:kvm_guest_exit,$1," | cut -d, -f4)
	read -r exits arrows dropped <"$tmp/$1.sum"
	echo "$want exits by run; $exits exits, $arrows arrows, $dropped dropped"
	[ "$want" = "$exits" ] && [ "$arrows" -gt 10 ] && [ "$dropped" -eq 0 ]
}

for v in keep cancel; do
	"$HVSIM" timeline $s $set --variant $v --to 30 -o "$tmp/$v.json"
	check "$v: slices nest, arrows pair, levels add up" sh -c "$parse $tmp/$v.json 0 30 >$tmp/$v.sum"
	check "$v: as many exits as hvsim run counts" counts_agree $v
done
check "a window alone" sh -c "$HVSIM timeline $s $set --from 3 --to 4.5 >$tmp/w.json && $parse $tmp/w.json 3 4.5"
check "what is over the limit is counted" sh -c "$HVSIM timeline $s $set --limit 50 >$tmp/l.json &&
	python3 -c \"import json; assert json.load(open('$tmp/l.json'))['otherData']['dropped'] > 50\""
check "an x86 scenario" sh -c "$HVSIM timeline scenarios/x86-halt-poll.json --to 2 >$tmp/x.json && $parse $tmp/x.json 0 2"
check "text: a line a vCPU, 60 columns wide" sh -c "$HVSIM timeline $s $set --text --width 60 >$tmp/text &&
	[ \$(grep -c '^vCPU ' $tmp/text) -eq 8 ] && ! grep '^vCPU .\{56\}' $tmp/text"
check "a scenario without vCPUs is refused" refuses "nothing to watch" "$HVSIM" timeline scenarios/p9-series.json
check "a window after the end is refused" refuses "after the end of the run" "$HVSIM" timeline $s $set --from 40 --to 50
check "an empty window is refused" refuses "--to must be later" "$HVSIM" timeline $s --from 4 --to 4
check "two variants are refused" refuses "one variant" "$HVSIM" timeline $s --variant keep --variant cancel
check "an unknown variant is refused" refuses "no variant" "$HVSIM" timeline $s --variant kep
done_testing
