# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts beside it: check NAME COMMAND..., skip NAME WHY, done_testing; a scratch folder $tmp.
set -u
n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$HVSIM_DATA" || exit 1

check() {
	n=$((n + 1))
	name=$1
	shift
	if "$@" >"$tmp/check.log" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		head -n 30 "$tmp/check.log" | sed 's/^/# /'
	fi
}

# skip NAME WHY: a check that can't run here is named, never left out in silence.
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# status N COMMAND...: the command ends with this exit status.
status() {
	want=$1
	shift
	"$@"
	got=$?
	[ "$got" -eq "$want" ] || {
		echo "exit status $got, not $want"
		return 1
	}
}

# refuses TEXT COMMAND...: exit status 2, one line on standard error that holds TEXT.
refuses() {
	text=$1
	shift
	"$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	cat "$tmp/out" "$tmp/err"
	[ "$got" -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q "^hvsim: " "$tmp/err" && grep -qF -- "$text" "$tmp/err"
}

done_testing() {
	echo "1..$n"
}
