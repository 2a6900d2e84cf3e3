# SPDX-License-Identifier: GPL-2.0-or-later
# Reading captures, beside wc -l, grep -c, awk and trace-cmd report on the same data in the same
# run; then a replay, loading included. Sourced by tools/bench, which sets $build and $tmp.
# BENCH_MB is the size of the data (400).
mb=${BENCH_MB:-400}

# A capture again and again with later times.
repeat_capture() {
	awk -v bytes="$((mb * 1000000))" '
	!/^#/ {
		i = index($0, ": kvm_")
		match($0, /[0-9]+\.[0-9]+: kvm_/)
		split(substr($0, RSTART, i - RSTART), t, ".")
		us[n] = t[1] * 1000000 + t[2]
		head[n] = substr($0, 1, RSTART - 1)
		tail[n++] = substr($0, i)
	}
	END {
		span = us[n - 1] - us[0] + 100
		for (round = 0; done < bytes; round++)
			for (j = 0; j < n; j++) {
				u = us[j] + round * span
				line = sprintf("%s%d.%06d%s", head[j], u / 1000000, u % 1000000, tail[j])
				done += length(line) + 1
				print line
			}
	}' traces/real/nestedv2-idle-2vcpu.ftrace.txt
}

# A guest that makes an hcall every 500 ns of its own time.
hcalls() {
	awk -v pairs="$((mb * 10000))" 'BEGIN {
		print "hvsim-trace 1\nclock ns\nvcpu 0"
		for (i = 0; i < pairs; i++)
			print "0 compute 500\n0 hcall H_PUT_TERM_CHAR"
		printf "end %d000\n", pairs * 5 }'
}

# row NAME COMMAND...: what it takes to read $data, and how many times as long as hvsim trace info.
row() {
	name=$1
	shift
	"$build/tests/bench/whole" -o "$tmp/out" "$@" >"$tmp/took" || return 0
	read -r seconds kib <"$tmp/took"
	[ -n "${ours:-}" ] || ours=$seconds
	awk -v name="$name" -v t="$seconds" -v kib="$kib" -v lines="$lines" -v size="$size" \
		-v ours="$ours" 'BEGIN {
		printf "%-30s %8.3f %8.0f %11.2f %9d %12.2f\n", name, t, size / t / 1e6,
			lines / t / 1e6, kib, t / ours }'
}

heading() {
	lines=$(wc -l <"$data")
	size=$(wc -c <"$data")
	ours=
	echo "$1: $((size / 1000000)) MB, $lines lines"
	echo "                                seconds     MB/s   M lines/s  peak KiB  time / ours"
}

data=$tmp/capture
repeat_capture >"$data"
heading "A capture, repeated"
row "hvsim trace info" "$build/hvsim" trace info "$data"
row "hvsim trace import" "$build/hvsim" trace import -o "$tmp/native" "$data"
row "wc -l" wc -l "$data"
row "grep -c" grep -c kvm_guest_exit "$data"
row "awk" awk '/kvm_guest_exit/ { n++ } END { print n }' "$data"
rm -f "$tmp/native" "$data"
echo
if command -v trace-cmd >/dev/null && command -v python3 >/dev/null &&
	python3 tests/bench/trace_dat.py "$((mb / 8 + 1))" "$tmp/trace.dat" 2>/dev/null; then
	trace-cmd report "$tmp/trace.dat" >"$data" 2>/dev/null
	heading "The text of a trace.dat ($(($(wc -c <"$tmp/trace.dat") / 1000000)) MB), and making it"
	row "hvsim trace info" "$build/hvsim" trace info "$data"
	row "trace-cmd report" trace-cmd report "$tmp/trace.dat"
	rm -f "$tmp/trace.dat" "$data"
else
	echo "trace-cmd (package trace-cmd) is missing: left out"
fi
echo
data=$tmp/hcalls.hvt
hcalls >"$data"
sed "s#\"trace\": \"[^\"]*\"#\"trace\": \"$data\"#; s/\"qemu-tcg\"/\"power10\"/" \
	scenarios/replay-hcalls.json >"$tmp/replay.json"
"$build/tests/bench/whole" -o "$tmp/out" \
	"$build/hvsim" run --format csv "$tmp/replay.json" >"$tmp/took"
read -r seconds kib <"$tmp/took"
echo "A replay, loading included: $(wc -l <"$data") lines, $(($(wc -c <"$data") / 1000000)) MB"
awk -F, -v t="$seconds" -v kib="$kib" '$1 == "exits" && $2 == "all turns" && $3 == "recorded" {
	printf "%d exits in %.3f s: %.2f million a second, peak %d KiB\n", $4, t, $4 / t / 1e6,
		kib }' "$tmp/out"
