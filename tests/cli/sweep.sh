#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sweeps as people run them: any number of jobs, any parts in any order, kills and interrupts print what
# one undisturbed run prints; what doesn't belong together is refused.
. "$(dirname "$0")/tap.sh"
HVSIM=$(realpath "$HVSIM")
cd "$tmp" || exit 1
over="--over workload.1.timer_hz=100:1000:100 --over topology.smt=1,2"

sweep() {
	"$HVSIM" sweep nestedv2-dec-cancel --set "duration_ms=${ms:-200}" $over "$@"
}

same() {
	sweep "$@" --format json -o got.json && cmp got.json whole.json
}

# parts NAME N: each part into NAME.1 ... NAME.N, by one, two, three workers.
parts() {
	for i in $(seq "$2"); do
		sweep --shard "$i/$2" --jobs "$((i % 3 + 1))" --points "$1.$i" || return 1
	done
}

merged() {
	"$HVSIM" merge --format json -o got.json "$@" && cmp got.json whole.json
}

sweep --jobs 1 --format json -o whole.json
check "two workers" same --jobs 2
check "seven workers" same --jobs 7
check "three parts are run" parts three 3
check "and merged, in another order" merged three.3 three.1 three.2
check "twenty parts of a point are run" parts twenty 20
check "and merged" merged twenty.?? twenty.?
check "more parts than points" parts many 23
check "of which some are empty" merged many.?? many.?

check "a gap" refuses "7 of 20 points are missing, the first is point 1" \
	"$HVSIM" merge three.1 three.3
check "an overlap" refuses "which is there already" "$HVSIM" merge three.1 three.2 three.2 three.3
check "parts of two ways to cut" refuses "which is there already" \
	"$HVSIM" merge three.1 three.2 twenty.2
sed 's/^version .*/version 0.0.9/' three.2 >old
check "another version" refuses "old:2: was made by hvsim 0.0.9" "$HVSIM" merge three.1 old three.3
sed "s/^inputs .*/inputs 0123456789abcdef/" three.2 >changed
check "other models" refuses "changed:" "$HVSIM" merge three.1 changed three.3
ms=300 sweep --shard 2/3 --points longer >/dev/null
check "another sweep" refuses "is of another sweep" "$HVSIM" merge three.1 longer three.3
check "another part's file" refuses "is shard 2/3, not 1/3" sweep --shard 1/3 --points three.2

# Cut anywhere, in the head or behind it, the file is completed.
completed() {
	for cut in 0 1 14 15 60 200 250 300 500 1000; do
		head -c "$cut" three.2 >cut
		sweep --shard 2/3 --points cut && merged three.1 cut three.3 || {
			echo "cut at $cut"
			return 1
		}
	done
}
check "a file torn anywhere goes on" completed
echo "something else" >other
check "a file of something else is left alone" refuses "is no points file" sweep --points other

# interrupted SIGNAL STATUS WORDS...: a sweep that takes a while ends so, and says so.
ms=20000
interrupted() {
	signal=$1
	want=$2
	text=$3
	shift 3
	# The shell that waits would make a background job ignore SIGINT; this doesn't.
	python3 - "$signal" "$want" "$@" <<'END' 2>err
import os, signal, subprocess, sys, time
number, want, out = getattr(signal, sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
p = subprocess.Popen(out, stdout=subprocess.DEVNULL)
limit = time.time() + 60
while time.time() < limit and p.poll() is None:
    if "--points" not in out or (os.path.exists("i.points") and open("i.points").read().count("\npoint ") >= 2):
        break
    time.sleep(0.01)
time.sleep(0.05)
p.send_signal(number)
sys.exit(p.wait() != want)
END
	got=$?
	cat err
	[ "$got" -eq 0 ] && [ ! -e i.json ] && { [ -z "$text" ] || grep -qF -- "$text" err; }
}
long="$HVSIM sweep nestedv2-dec-cancel --set duration_ms=$ms $over --jobs 2 --format json -o i.json"
if command -v python3 >/dev/null; then
	check "an interrupt saves the points and says how to go on" \
		interrupted SIGINT 2 "are saved in i.points; run the same command to go on" \
		$long --points i.points
	check "without --points it says that nothing is saved" \
		interrupted SIGINT 2 "with --points FILE the same command goes on" $long
	cp i.points before
	check "killed" interrupted SIGKILL -9 "" $long --points i.points
	check "finished points are still there" sh -c \
		'head -c "$(wc -c <before)" i.points | cmp - before'
else
	skip "interrupts" "python3 isn't installed"
fi
done_testing
