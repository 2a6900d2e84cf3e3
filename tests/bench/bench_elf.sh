# SPDX-License-Identifier: GPL-2.0-or-later
# Listing a kernel, beside objdump -d on the same file in the same run. Sourced by tools/bench,
# which sets $build and $tmp. The kernel is $BENCH_KERNEL, or the newest that tools/fetch-kernels
# has fetched.
kernels=${HVSIM_KERNELS:-${XDG_CACHE_HOME:-$HOME/.cache}/hvsim/kernels}
kernel=${BENCH_KERNEL:-$(ls -v "$kernels"/*/vmlinux 2>/dev/null | tail -n 1)}

# Bytes of its sections of code.
code_of() {
	readelf -SW "$1" | awk '
	function hex(s,   i, v) {
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	sub(/^ *\[ *[0-9]+\] /, "") && $7 ~ /X/ { n += hex($5) }
	END { print n + 0 }'
}

elf_row() {
	name=$1
	shift
	"$build/tests/bench/whole" -o /dev/null "$@" >"$tmp/took" || return 0
	read -r seconds kib <"$tmp/took"
	[ -n "${ours:-}" ] || ours=$seconds
	awk -v name="$name" -v t="$seconds" -v kib="$kib" -v code="$code" -v ours="$ours" 'BEGIN {
		printf "%-30s %8.3f %12.1f %9d %12.2f\n", name, t, code / 4 / t / 1e6, kib, t / ours }'
}

if [ -z "$kernel" ]; then
	echo "no kernel to list (tools/fetch-kernels gets some, BENCH_KERNEL names one): left out"
	return 0
fi
code=$(code_of "$kernel")
ours=
echo "Listing $kernel: $(($(wc -c <"$kernel") / 1000000)) MB, $((code / 4)) instructions"
echo "                                seconds  M instr./s  peak KiB  time / ours"
elf_row "hvsim elf" "$build/hvsim" elf "$kernel"
for objdump in powerpc64le-linux-gnu-objdump llvm-objdump objdump; do
	if command -v $objdump >/dev/null &&
		$objdump -f "$kernel" 2>/dev/null | grep -q 'powerpc\|ppc'; then
		elf_row "$objdump -d" $objdump -d "$kernel"
		return 0
	fi
done
echo "objdump for powerpc (package binutils-powerpc64le-linux-gnu) is missing: left out"
