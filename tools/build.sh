# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of tools/: build_quietly DIR [MESON OPTION...]
# Shows the log only when something fails.
build_quietly() {
	dir=$1
	shift
	mkdir -p "$dir"
	log=$dir/build.log
	if { [ -f "$dir/build.ninja" ] || meson setup "$dir" "$@"; } >"$log" 2>&1 &&
		ninja -C "$dir" >>"$log" 2>&1; then
		return 0
	fi
	tail -n 60 "$log" >&2
	echo "build of $dir failed: $log" >&2
	return 1
}
