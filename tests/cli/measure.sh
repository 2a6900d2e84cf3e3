#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tools/measure-host: what bpftrace and perf print becomes a result. The two files are written by
# hand in the tools' formats: no POWER host is at hand to run them on.
. "$(dirname "$0")/tap.sh"
m="tools/measure-host --arch ppc --variant keep"
d=tests/data/measure

$m --from $d/bpftrace.txt -o "$tmp/b.json"
$m --from $d/perf.csv -o "$tmp/p.json"
$HVSIM run nestedv2-dec-cancel --set duration_ms=100 --format json -o "$tmp/predicted.json"
# 20 + 300 + 5 + 1 exits; 2432 is 0x980, 3744 is 0xea0
check "bpftrace: exits add up" grep -q '"name": "kvm_hv:kvm_guest_exit",' "$tmp/b.json"
check "bpftrace: the sum" python3 -c "
import json
t = {x['name']: {r['name']: r['keep'] for r in x['rows']} for x in json.load(open('$tmp/b.json'))['tables']}
assert t['metrics'] == {'kvm_hv:kvm_guest_exit': 326, 'probe:kvmppc_gsb_recv': 42}, t
assert t['exits'] == {'0x0 (H_CEDE)': 300, 'HV_DECREMENTER': 20, 'SYSCALL': 5, 'H_VIRT': 1}, t"
check "perf and bpftrace agree" sh -c "$HVSIM diff $tmp/b.json $tmp/p.json | grep -q '^probe:kvmppc_gsb_send  keep  *absent  *0\$' &&
	! $HVSIM diff $tmp/b.json $tmp/p.json | grep '^kvm_hv'"
check "hvsim diff: predicted beside measured" sh -c "$HVSIM diff $tmp/predicted.json $tmp/b.json | grep -q '^kvm_hv:kvm_guest_exit  keep  *[0-9]*  *326 '"
check "hvsim plot draws it" sh -c "$HVSIM plot --term $tmp/b.json | grep -q '; measured'"
check "the commands, to read before they run as root" sh -c "$m --print 5 | grep -q '^bpftrace -e .tracepoint:kvm_hv:kvm_guest_exit' &&
	$m --print --tool perf 5 | tail -n 1 | grep -q '^perf stat -a -x, -e kvm_hv:kvm_guest_exit,'"
check "nothing counted is an error" sh -c "! $m --from /dev/null"
done_testing
