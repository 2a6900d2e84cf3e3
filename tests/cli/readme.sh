#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# README shows what tools/demo prints now, names what there is, and fits 100 columns.
#   tests/cli/readme.sh --update     writes what it prints now (HVSIM: the program, else build/hvsim)
: "${HVSIM_DATA:=$(cd "$(dirname "$0")/../.." && pwd)}" "${HVSIM:=$HVSIM_DATA/build/hvsim}"
export HVSIM_DATA
. "$(dirname "$0")/tap.sh"

if [ "${1:-}" = --update ]; then
	"$HVSIM" run scenarios/nestedv2-dec-cancel.json | sed 's/^./    &/' >"$tmp/printed" || exit 2
	awk -v new="$tmp/printed" '
		/^What `tools\/demo` prints:/ { print; print ""; on = 1
			while ((getline line <new) > 0) print line
			print ""; next }
		on && /^[^ ]/ { on = 0 }
		!on' README.md >"$tmp/new" && cat "$tmp/new" >README.md
	exit
fi

# The indented block after "What `tools/demo` prints:", without its indent.
shown() {
	awk '/^What `tools\/demo` prints:/ { on = 1; next }
	     on && /^[^ ]/ { exit }
	     on { sub(/^    /, ""); print }' README.md | sed -e '1d' -e '$d'
}

prints_what_it_shows() {
	shown >"$tmp/shown" && "$HVSIM" run scenarios/nestedv2-dec-cancel.json >"$tmp/printed" &&
		[ -s "$tmp/shown" ] && diff "$tmp/shown" "$tmp/printed"
}

# Every file it names by folder and ending.
names_files_there_are() {
	for f in $(grep -oE '(docs|models|scenarios|traces|tools)/[a-z0-9/._-]+\.(md|json|txt)' README.md |
		sort -u); do
		[ -e "$f" ] || { echo "$f is not there" && return 1; }
	done
}

# Every scenario of its commands.
names_scenarios_there_are() {
	for s in $(sed -nE 's/^    hvsim (run|grid|explain|timeline) ([a-z0-9-]+).*/\2/p' README.md |
		sort -u); do
		[ -e "scenarios/$s.json" ] || { echo "$s is not there" && return 1; }
	done
}

# Rows of tables can't be broken, and what hvsim printed stands as it is.
fits() {
	! awk '/^What `tools\/demo` prints:/ { on = 1; next }
	       on && /^[^ ]/ { on = 0 }
	       !on && !/^\|/ && length > 100 { print FILENAME ":" FNR ": " $0 }' README.md | grep .
}

check "the output it shows" prints_what_it_shows
check "the scenarios it names" names_scenarios_there_are
check "the files it names" names_files_there_are
check "its width" fits
done_testing
