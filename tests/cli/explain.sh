#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hvsim explain: sums of the walk, the page's data, and (HVSIM_TEST_FULL with chromium) the page in
# a browser.
. "$(dirname "$0")/tap.sh"
s=scenarios/nestedv2-dec-cancel.json
ex="$HVSIM explain $s --variant cancel --trap 0x0 --from 5"

check "text names what happens" sh -c "$ex >$tmp/t && grep -q 'the exit is counted: 0x0 (H_CEDE); the vCPU has ceded' $tmp/t &&
	grep -q 'nestedv2-l0-exit' $tmp/t && grep -q '^refetch  ' $tmp/t"
check "text keeps to 100 columns" sh -c "! $ex --ops | grep '.\{101\}'"
check "the same exit twice is the same bytes" sh -c "$ex >$tmp/1 && $ex | cmp - $tmp/1"
check "the page's data add up" sh -c "$ex --html -o $tmp/e.html && python3 tests/cli/explain.py $tmp/e.html"
check "an x86 exit" sh -c "$HVSIM explain scenarios/x86-halt-poll.json | grep -q 'the exit is counted: HLT'"
check "an exit that isn't there: what there is" refuses "0x0 (H_CEDE)" "$HVSIM" explain $s --trap nope
check "a scenario without vCPUs is refused" refuses "nothing to watch" "$HVSIM" explain scenarios/p9-series.json
check "nothing is refused" refuses "explain needs a scenario" "$HVSIM" explain
sed 's/"title": "/&<\/script><script>alert(1)<\/script> \& /' $s >"$tmp/evil.json"
check "text of a scenario can't end the script" sh -c "$HVSIM explain $tmp/evil.json --html >$tmp/evil.html && python3 tests/cli/explain.py $tmp/evil.html"
if [ -n "${HVSIM_TEST_FULL:-}" ] && command -v chromedriver >/dev/null; then
	check "chromium steps through the page by key and button, also at phone width" \
		python3 tests/cli/explain_browser.py "$tmp/e.html"
elif [ -n "${HVSIM_TEST_FULL:-}" ]; then
	skip "chromium steps through the page" "chromium-driver is not installed"
fi
done_testing
