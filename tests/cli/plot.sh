#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hvsim plot: scripts and text against files whose truth tests/data/plot/README tells.
. "$(dirname "$0")/tap.sh"
data=tests/data/plot
kinds="bars breakdown exits ladder sweep hist"

# version-free: the first line names hvsim's version.
script() { "$HVSIM" plot --kind "$1" --keep "$tmp/$1.gp" "$data/result.json" >"$tmp/$1.svg" && sed 1d "$tmp/$1.gp"; }
text() { "$HVSIM" plot --kind "$1" --term "$data/result.json"; }

if [ "${1:-}" = --update ]; then
	for k in $kinds; do
		script "$k" >"$data/$k.gp"
		text "$k" >"$data/$k.txt"
	done
	exit
fi
if ! command -v gnuplot >/dev/null; then
	echo "1..0 # SKIP gnuplot is not installed"
	exit
fi
for k in $kinds; do
	check "$k: the script" sh -c "$HVSIM plot --kind $k --keep $tmp/k.gp $data/result.json >$tmp/k.svg && sed 1d $tmp/k.gp | diff $data/$k.gp -"
	case $(gnuplot --version) in
	*" 5.4 "*) check "$k: as text" sh -c "$HVSIM plot --kind $k --term $data/result.json | diff $data/$k.txt -" ;;
	*) skip "$k: as text" "the text is that of gnuplot 5.4" ;;
	esac
	check "$k: text keeps to 72 columns" sh -c "! $HVSIM plot --kind $k --term $data/result.json | grep '.\{73\}'"
	check "$k: the svg is XML" python3 -c "import xml.etree.ElementTree as e; assert e.parse('$tmp/k.svg').getroot().tag.endswith('svg')"
done
check "a kept script draws the same" sh -c "$HVSIM plot $data/result.json --keep $tmp/s.gp >$tmp/1.svg && gnuplot -d $tmp/s.gp | cmp - $tmp/1.svg"
check "png and pdf by the file's name" sh -c "$HVSIM plot $data/result.json -o $tmp/a.png && $HVSIM plot $data/result.json -o $tmp/a.pdf &&
	head -c 4 $tmp/a.png | grep -q PNG && head -c 4 $tmp/a.pdf | grep -q %PDF"
# The lines x and 10 - 1.0 x .. cross where 10 - x = x: at 5, by hand.
check "a sweep marks break-even" grep -q "break-even 5'" "$data/sweep.gp"
check "every plot says model, seed and version" sh -c "for k in $kinds; do grep -q 'model power9, seed 7, hvsim 0.0.0; predicted, a.b=c' $data/\$k.gp || exit 1; done"
check "double quotes, in which gnuplot runs commands, hold no text" sh -c "! sed 's/\"\\\\n\"//g' $data/*.gp | grep '\"'"
check "a missing gnuplot is a clear error" refuses "gnuplot is not installed" env PATH=/nonexistent "$HVSIM" plot "$data/result.json"
check "a missing table is an error that says what there is" refuses "it has metrics, time, exits" \
	"$HVSIM" plot "$data/result.json" --table nope
check "a sweep needs numbers" refuses "row 'exits' is not" "$HVSIM" plot "$data/result.json" --kind sweep --table metrics
check "kinds are checked" refuses "must be bars" "$HVSIM" plot --kind pie "$data/result.json"
check "nothing to draw is an error" refuses "plot needs a result" "$HVSIM" plot
check "a full disk is reported" sh -c "$HVSIM plot $data/result.json >/dev/full; [ \$? -eq 2 ]"
done_testing
