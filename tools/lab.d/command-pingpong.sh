# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab pingpong: the shortest proof that it works.

help_pingpong() {
    cat <<HELP
Usage: tools/lab pingpong [OPTION]… [-- RC-PINGPONG-OPTION…]

Builds what has changed, boots a kernel, runs an RC ping-pong between two Java processes, the server on rxe1 and the
client on rxe0, and shows what both say and the first and last packets that crossed the wire. What follows -- goes
to both sides, for example: -- -s 4096 -n 100 -e

$GUEST_OPTIONS_HELP
HELP
}

command_pingpong() {
    GUEST_TIMEOUT=300
    while (($# > 0)); do
        guest_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_pingpong
                exit 0
                ;;
            --)
                shift
                break
                ;;
            *) die_usage "pingpong: unknown argument '$1' (options for rc-pingpong itself follow --)" ;;
        esac
    done
    check_kernel_name "$GUEST_KERNEL"
    [[ -n $GUEST_DEVICES ]] || die_usage "pingpong needs the devices that --no-devices leaves out"
    ensure_packages_and_jdk
    ensure_built || exit 1
    run_guest "$LAB_HOME/lab.d/guest-pingpong" "$@"
    ((GUEST_CODE == 0)) || exit "$GUEST_CODE"

    local capture=$RESULTS/wire.pcap
    [[ -s $capture ]] || exit 0
    printf '\n== on the wire (veth0, %s) ==\n' "$(short_path "$capture")"
    "$LAB_HOME/verbs" packets "$capture" --limit 12
    progress "done"
}
