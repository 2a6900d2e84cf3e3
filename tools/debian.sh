# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of tools/ that take packages from Debian's mirror without installing them. apt
# gets a state of its own in a folder, and this machine's package architectures stay as they are.
# The sourcing script has a function fail TEXT [STATUS], which prints and exits.
kernels=${HVSIM_KERNELS:-${XDG_CACHE_HOME:-$HOME/.cache}/hvsim/kernels}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The mirror this machine uses for Debian itself, or the one all machines can use.
debian_mirror() {
	sed -n 's/^URIs: *\([^ ]*debian\.org\/debian\)\/* *$/\1/p; s/^deb \(\[[^]]*\] \)*\([^ ]*\/debian\)\/* .*/\2/p' \
		/etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 | grep . ||
		echo http://deb.debian.org/debian
}

# Start a private state in folder $1 for architecture $2 of suite $3. False when the mirror lacks it.
debian_open() {
	state=$1 architecture=$2
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial" || exit 1
	echo "deb [arch=$2 signed-by=$keyring] $(debian_mirror) $3 main" >"$state/sources.list"
	debian_apt apt-get -o APT::Update::Error-Mode=any update >>"$state/log" 2>&1
}

# Run apt's own client in that state: debian_apt apt-get download PACKAGE
debian_apt() {
	cmd=$1
	shift
	"$cmd" -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
		-o Dir::State::Lists="$state/lists" -o Dir::Cache="$state/cache" \
		-o Dir::Etc::SourceList="$state/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::State::Status=/dev/null -o Acquire::Languages=none -o Acquire::Retries=2 \
		-o Acquire::http::Timeout=20 -o APT::Sandbox::User= "$@"
}

debian_needs() {
	for tool in apt-get apt-cache dpkg-deb tar; do
		command -v $tool >/dev/null || fail "needs $tool (a Debian machine)"
	done
	[ -e $keyring ] || fail "needs $keyring (package debian-archive-keyring)"
}
