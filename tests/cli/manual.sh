#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Manual pages are those of the commands as they are; completion gives what hvsim has.
. "$(dirname "$0")/tap.sh"

check "a page for every command, current (else: tools/man-pages build/hvsim)" tools/man-pages "$HVSIM" --check
if command -v mandoc >/dev/null; then
	check "mandoc has nothing to warn of" sh -c "mandoc -Tlint -Wwarning docs/man/*.1 >$tmp/lint; ! [ -s $tmp/lint ]"
else
	skip "mandoc has nothing to warn of" "mandoc is not installed"
fi
check "--help fits a screen" sh -c "for c in \$($HVSIM help | sed -n '/^Commands:/,/^\$/s/^  \([a-z]*\) .*/\1/p'); do
	n=\$($HVSIM \$c --help | wc -l); [ \$n -le 48 ] || { echo \$c: \$n lines; exit 1; }; done"
mkdir "$tmp/bin"
ln -s "$HVSIM" "$tmp/bin/hvsim"
PATH=$tmp/bin:$PATH
# complete WORD...: what bash offers for the last word.
complete() {
	bash -c '. tools/completions/hvsim.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hvsim; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$@"
}
check "bash: commands" sh -c "[ \"\$(bash -c '. tools/completions/hvsim.bash; COMP_WORDS=(hvsim tim); COMP_CWORD=1; _hvsim; echo \${COMPREPLY[@]}')\" = timeline ]"
complete hvsim run nestedv2-dec-c >"$tmp/scenarios"
check "bash: scenarios" grep -qx nestedv2-dec-cancel "$tmp/scenarios"
complete hvsim trace in >"$tmp/verbs"
check "bash: verbs" grep -qx info "$tmp/verbs"
complete hvsim trace info --st >"$tmp/options"
check "bash: options of a verb" grep -qx -- --strict "$tmp/options"
complete hvsim plot --kind = swe >"$tmp/kinds"
check "bash: values" grep -qx sweep "$tmp/kinds"
complete hvsim run --set nestedv2.dec_c >"$tmp/policies"
check "bash: policies" grep -qx nestedv2.dec_cancel= "$tmp/policies"
if command -v zsh >/dev/null; then
	check "zsh: the script parses" zsh -n tools/completions/_hvsim
	check "zsh: what it lists" zsh -fc ". =(sed '\$d' tools/completions/_hvsim); _hvsim_described help | grep -q '^run:run the variants' && _hvsim_list models | grep -qx power9 && _hvsim_options plot | grep -qx -- --kind="
else
	skip "zsh: the script parses, and what it lists" "zsh is not installed"
fi
done_testing
