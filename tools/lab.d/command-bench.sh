# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab bench: Java beside C, in one guest.

help_bench() {
    cat <<HELP
Usage: tools/lab bench [OPTION]…

RC ping-pong of 128 bytes over the wire between rxe0 and rxe1, by turns in C (ibv_rc_pingpong) and in Java (the same
loop over the API), in one guest. Prints the time per iteration of each round, the medians, and their ratio; the figures are
left in pingpong.csv. The two Java processes stay from round to round and are warmed up before the first one.

  --rounds N           rounds of each (default: 10)
  --iterations N       iterations of a round (default: 5000)
  --warm-up N          Java's iterations before the first round (default: 100000)
$GUEST_OPTIONS_HELP
HELP
}

command_bench() {
    local rounds=10 iterations=5000 warm_up=100000
    GUEST_TIMEOUT=1800
    while (($# > 0)); do
        guest_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_bench
                exit 0
                ;;
            --rounds) rounds=$(option_value "$1" "$@") && shift ;;
            --iterations) iterations=$(option_value "$1" "$@") && shift ;;
            --warm-up) warm_up=$(option_value "$1" "$@") && shift ;;
            *) die_usage "bench: unknown argument '$1'" ;;
        esac
        shift
    done
    require_number --rounds "$rounds"
    require_number --iterations "$iterations"
    require_number --warm-up "$warm_up"
    check_kernel_name "$GUEST_KERNEL"
    [[ -n $GUEST_DEVICES && -z $GUEST_HIDE_RDMA_CORE ]] || die_usage "bench needs the devices and rdma-core"
    ensure_packages_and_jdk
    ensure_built || exit 1
    run_guest "$LAB_HOME/lab.d/guest-bench" "$rounds" "$iterations" "$warm_up"
    exit "$GUEST_CODE"
}
