#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hvsim run --format json, diff, gate: exit statuses, files, formats.
. "$(dirname "$0")/tap.sh"
s=scenarios/nestedv2-dec-cancel.json
run="$HVSIM run $s --set duration_ms=200"
$run --format json -o "$tmp/a.json"
$run --format json --set topology.smt=8 -o "$tmp/b.json"

check "a result differs from itself in nothing" sh -c \
	"[ \"\$($HVSIM diff $tmp/a.json $tmp/a.json)\" = '0 inputs and 0 numbers or texts differ.' ]"
check "diff names what was set" sh -c "$HVSIM diff $tmp/a.json $tmp/b.json | grep -q '^--set topology.smt  *absent  *8'"
check "diff has exit status 0 either way" status 0 $HVSIM diff "$tmp/a.json" "$tmp/b.json"
check "diff wants two results" refuses "two results" $HVSIM diff "$tmp/a.json"
check "diff wants results" refuses "hvsim-result/1" $HVSIM diff "$tmp/a.json" $s
check "gate wants a baseline" refuses "--baseline" $HVSIM gate $s
check "a missing baseline is an error" refuses "none.json" $HVSIM gate $s --baseline "$tmp/none.json"

check "--update makes a baseline" status 0 $HVSIM gate "$tmp/a.json" --baseline "$tmp/base.json" --update
check "the same result is within" status 0 $HVSIM gate "$tmp/a.json" --baseline "$tmp/base.json"
check "the scenario run again is within" status 0 \
	$HVSIM gate $s --set duration_ms=200 --baseline "$tmp/base.json"
check "a variant alone is within" status 0 \
	$HVSIM gate $s --set duration_ms=200 --variant keep --baseline "$tmp/base.json"
check "another scenario's baseline is refused" refuses "is of scenarios/nestedv2-dec-cancel.json" \
	$HVSIM gate x86-pv-eoi --baseline "$tmp/base.json"
check "what moved is exit status 1" status 1 $HVSIM gate "$tmp/b.json" --baseline "$tmp/base.json" \
	--junit "$tmp/j.xml" --bench "$tmp/bench.json"
check "JUnit XML is XML with a failure" python3 -c "
import sys, xml.etree.ElementTree as e
s = e.parse('$tmp/j.xml').getroot().find('testsuite')
f = [c for c in s.iter('failure')]
assert len(f) == int(s.get('failures')) > 0 and int(s.get('tests')) == len(list(s.iter('testcase')))
assert 'What moved with it' in f[0].text and '--set topology.smt' in f[0].text"
check "the benchmark list is a list of name, unit, value" python3 -c "
import json
l = json.load(open('$tmp/bench.json'))
assert l and all(set(x) == {'name', 'unit', 'value', 'extra'} for x in l)"
check "TAP plan and lines agree" sh -c "$HVSIM gate $tmp/b.json --baseline $tmp/base.json --tap >$tmp/tap
	[ \$(grep -c '^\(not \)\?ok ' $tmp/tap) -eq \$(sed -n 's/^1\.\.//p' $tmp/tap) ] && grep -q '^not ok ' $tmp/tap"
check "JSON is JSON" sh -c "$HVSIM gate $tmp/b.json --baseline $tmp/base.json --format json | python3 -m json.tool"
cp "$tmp/base.json" "$tmp/old.json"
check "bad options leave the baseline alone" refuses "tolerance 1" sh -c "
	sed -i 's/{\"percent\": 1.0}/{\"row\": \"none\", \"percent\": 1}/' $tmp/base.json
	$HVSIM gate $tmp/b.json --baseline $tmp/base.json --update"
cp "$tmp/old.json" "$tmp/base.json"
check "--update shows what moved" sh -c "$HVSIM gate $tmp/b.json --baseline $tmp/base.json --update | grep MOVED"
check "and then it is within" status 0 $HVSIM gate "$tmp/b.json" --baseline "$tmp/base.json"
check "--update with nothing new changes nothing" sh -c "cp $tmp/base.json $tmp/same.json &&
	$HVSIM gate $tmp/b.json --baseline $tmp/same.json --update >$tmp/out && cmp $tmp/base.json $tmp/same.json"
check "--update keeps tolerances" grep -qF '{"percent": 1.0}' "$tmp/base.json"
check "a full disk is reported" sh -c "$HVSIM gate $tmp/b.json --baseline $tmp/base.json >/dev/full; [ \$? -eq 2 ]"
check "a gate that fails says so though nobody reads it" sh -c "
	{ sleep 0.3; $HVSIM gate $tmp/b.json --baseline $tmp/old.json 2>$tmp/said; echo \$? >$tmp/status; } | true
	[ \$(cat $tmp/status) -eq 1 ] && [ ! -s $tmp/said ]"
check "a cover letter keeps to 72 columns" sh -c "! $run --details --format cover | grep '.\{73\}'"
check "list knows the scenario" sh -c "$HVSIM list scenarios | grep -q '^nestedv2-dec-cancel '"
check "list refuses what it doesn't know" refuses "must be scenarios" $HVSIM list scenario
done_testing
