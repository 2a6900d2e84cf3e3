# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for hvsim. Commands, options and names are asked of hvsim itself.

_hvsim_words() {
	hvsim "$@" 2>/dev/null
}

# Commands of `hvsim help`, or verbs of `hvsim COMMAND --help`.
_hvsim_commands() {
	_hvsim_words "$@" | sed -n '/^Commands:$\|^Verbs:$/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

_hvsim_options() {
	_hvsim_words "$@" --help | sed -n 's/^ .*\(--[a-z-]*=\{0,1\}\).*/\1/p'
}

_hvsim_list() {
	_hvsim_words list "$1" --format csv | sed -n 's/^[a-z]*,\([^,]*\),.*/\1/p' | sort -u
}

_hvsim() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
	local -a command=()
	COMPREPLY=()
	if ((COMP_CWORD > 1)); then
		command=("${COMP_WORDS[1]}")
	fi
	if ((COMP_CWORD > 2)) && [ "${COMP_WORDS[1]}" = trace ]; then
		command+=("${COMP_WORDS[2]}")
	fi
	# --format=json is three words: --format, =, json.
	if [ "$prev" = = ] && ((COMP_CWORD > 2)); then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	elif [ "$cur" = = ]; then
		cur=
	fi
	case $prev in
	--format)
		words="table markdown csv json"
		case ${COMP_WORDS[1]} in
		run) words="$words cover perf-stat" ;;
		plot) words="svg png pdf text" ;;
		esac
		;;
	--kind) words="bars breakdown exits ladder sweep hist" ;;
	--cpu) words=$(_hvsim_list models) ;;
	--set) words=$(_hvsim_list policies | sed 's/$/=/') ;;
	esac
	if [ -z "$words" ] && ((COMP_CWORD == 1)); then
		words="$(_hvsim_commands help) help --version"
	elif [ -z "$words" ]; then
		case $cur in
		-*) words=$(_hvsim_options "${command[@]}") ;;
		*)
			case ${COMP_WORDS[1]} in
			run | grid | sweep | validate | fit | timeline | explain | gate) words=$(_hvsim_list scenarios) ;;
			path) words=$(_hvsim_list paths) ;;
			list) words="scenarios models paths policies metrics" ;;
			trace) ((COMP_CWORD == 2)) && words=$(_hvsim_commands trace --help) ;;
			esac
			;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
	case ${COMPREPLY[0]-} in
	*=) compopt -o nospace 2>/dev/null ;;
	esac
}

complete -o default -o bashdefault -F _hvsim hvsim
