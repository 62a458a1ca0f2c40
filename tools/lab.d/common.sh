# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# Messages, clocks and folders that every part of the lab uses.

# Exit codes of the lab itself; everything else is the guest command's own.
readonly EXIT_USAGE=2     # wrong options
readonly EXIT_TIMEOUT=124 # the wall-clock limit ended the guest, as timeout(1) has it
readonly EXIT_LAB=125     # the lab failed, not the command: nothing to boot, guest hung or panicked

LAB_CACHE=${VERBS4J_LAB_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/verbs4j-lab}
LAB_QUIET=${LAB_QUIET:-}

# Milliseconds since the epoch, in the variable NOW: no subshell, because the watching loop asks often.
clock() {
    NOW=${EPOCHREALTIME/[.,]/}
    NOW=$((NOW / 1000))
}
clock
readonly LAB_STARTED=$NOW

# Seconds since the lab was started, in the variable ELAPSED, as "4.2".
elapsed() {
    clock
    local ms=$((NOW - LAB_STARTED))
    printf -v ELAPSED '%d.%d' $((ms / 1000)) $((ms % 1000 / 100))
}

# Progress goes to stderr only: stdout belongs to the guest's command.
progress() {
    [[ -z $LAB_QUIET ]] || return 0
    elapsed
    printf 'lab: [%5ss] %s\n' "$ELAPSED" "$*" >&2
}

warn() {
    printf 'lab: %s\n' "$*" >&2
}

die() {
    printf 'lab: error: %s\n' "$*" >&2
    exit "$EXIT_LAB"
}

die_usage() {
    printf 'lab: error: %s (see tools/lab --help)\n' "$*" >&2
    exit "$EXIT_USAGE"
}

# option_value OPTION "$@": the value that must follow an option.
option_value() {
    (($# >= 3)) || die_usage "$1 needs a value"
    printf '%s' "$3"
}

# require_number OPTION VALUE
require_number() {
    [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || die_usage "$1 needs a positive whole number, not '$2'"
}

# A path as the user would write it: relative to the repository when it lies there.
short_path() {
    printf '%s' "${1#"$REPOSITORY"/}"
}

# Private scratch folder, removed at exit.
LAB_SCRATCH=
scratch() {
    [[ -n $LAB_SCRATCH ]] || LAB_SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/verbs4j-lab.XXXXXX")
}

# Everything that must be undone at exit, whichever way the lab ends; parts append function names.
LAB_CLEANUPS=()
cleanup() {
    local code=$? function
    trap '' INT TERM HUP
    for function in "${LAB_CLEANUPS[@]}"; do "$function" || true; done
    [[ -z $LAB_SCRATCH ]] || rm -rf -- "$LAB_SCRATCH"
    exit "$code"
}
trap cleanup EXIT
