# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab test: all tests, on this machine and on real rxe in a guest per kernel.

help_test() {
    cat <<HELP
Usage: tools/lab test [OPTION]…

Builds the project and runs the tests that need no device (classes *Test) on this machine, then the device tests
(classes *IT) on each kernel, one after the other: most in a guest with two rxe devices on a wire, a few in one that has
neither devices nor rdma-core.

  --kernel K[,K]…      kernels to test on; may be repeated (default: ${FETCHED_KERNELS[*]})
  --tests PATTERN      only classes whose name contains PATTERN (* stands for anything), or CLASS#METHOD
  --walks N            random walks to take (docs/walks.md), instead of a few
  --seed S             seed of the first walk; alone, that one walk
  --no-host            leave out the tests that need no device
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  --without-rdma-core  hide rdma-core from the guest
  -q, --quiet          no progress lines

Exit code 0: all passed. The last line says: N passed, N failed, N skipped.
HELP
}

command_test() {
    local -a kernels
    local pattern='' host=1 WALKS='' WALK_SEED=''
    GUEST_TIMEOUT=1800
    while (($# > 0)); do
        kernels_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_test
                exit 0
                ;;
            --tests)
                pattern=$(option_value "$1" "$@")
                shift 2
                continue
                ;;
            --tests=*) pattern=${1#*=} ;;
            --walks | --seed)
                [[ $(option_value "$1" "$@") =~ ^-?[0-9]+$ ]] || die_usage "test: $1 takes a number"
                if [[ $1 == --walks ]]; then WALKS=$2; else WALK_SEED=$2; fi
                shift 2
                continue
                ;;
            --no-host) host= ;;
            --no-devices) die_usage "test needs the devices that --no-devices leaves out" ;;
            *)
                guest_option "$@"
                ((TAKEN > 0)) || die_usage "test: unknown argument '$1'"
                shift "$TAKEN"
                continue
                ;;
        esac
        shift
    done
    kernels=("${KERNELS[@]}")
    ((${#kernels[@]} > 0)) || kernels=("${FETCHED_KERNELS[@]}")
    [[ $pattern =~ ^[A-Za-z0-9_.*#\$]*$ ]] || die_usage "test: --tests takes part of a class name, or CLASS#METHOD, not '$pattern'"

    local kernel
    for kernel in "${kernels[@]}"; do check_kernel_name "$kernel"; done
    ensure_packages_and_jdk
    # What cannot be fetched had better be known before an hour of tests.
    for kernel in "${kernels[@]}"; do resolve_kernel "$kernel"; done

    if [[ -n $host ]]; then test_host "$pattern"; else ensure_built || exit 1; fi
    for kernel in "${kernels[@]}"; do test_kernel "$kernel" "$pattern"; done
    print_summary "$pattern"
}

# What the parts came to, for the summary.
SUMMARY_ROWS=() SUMMARY_FAILED=()
SUMMARY_PASSED=0 SUMMARY_FAILURES=0 SUMMARY_SKIPPED=0

# test_host PATTERN
test_host() {
    local -a arguments=(verify)
    if [[ -n $1 ]]; then
        # Naming tests overrides what Surefire leaves out by itself: the device tests have no device here.
        local class=${1%%#*} method=
        [[ $1 != *'#'* ]] || method="#*${1#*#}*"
        arguments+=("-Dtest=*$class*$method,!*IT,!*IT\$*" -Dsurefire.failIfNoSpecifiedTests=false)
    fi
    # Reports of earlier runs must not be counted.
    rm -rf -- "$REPOSITORY"/*/target/surefire-reports
    # A failed test does not end the build: the other modules are still tested, and the jars are made for the guests.
    run_maven "$REPOSITORY/target/host-tests.log" -Dmaven.test.failure.ignore=true "${arguments[@]}" || exit 1
    add_part host "$1" 0 "$REPOSITORY"/*/target/surefire-reports/TEST-*.xml
}

# test_kernel KERNEL PATTERN
test_kernel() {
    GUEST_KERNEL=$1
    printf '\n== device tests on %s ==\n' "$1"
    guest_of_tests "$1" usual "$2"
    printf '\n== tests on %s without devices and rdma-core ==\n' "$1"
    local hidden=$GUEST_HIDE_RDMA_CORE
    GUEST_DEVICES= GUEST_HIDE_RDMA_CORE=1
    guest_of_tests "$1, bare" bare "$2"
    GUEST_DEVICES=1 GUEST_HIDE_RDMA_CORE=$hidden
}

# guest_of_tests NAME usual|bare PATTERN
guest_of_tests() {
    run_guest "$LAB_HOME/lab.d/guest-tests" "$2" "$3" "$WALKS" "$WALK_SEED"
    case $GUEST_ENDED in INT | TERM | HUP) exit "$GUEST_CODE" ;; esac
    add_part "$1" "$3" "$GUEST_CODE" "$RESULTS"/junit/TEST-*.xml
}

# add_part NAME PATTERN CODE REPORT…: reads the reports of one part.
add_part() {
    local name=$1 pattern=$2 code=$3 passed=0 failed=0 skipped=0 seconds=0 word rest
    shift 3
    local -a reports=()
    for word in "$@"; do [[ ! -s $word ]] || reports+=("$word"); done
    if ((${#reports[@]} > 0)); then
        while read -r word rest; do
            case $word in
                COUNTS) read -r passed failed skipped seconds <<<"$rest" ;;
                FAILED) SUMMARY_FAILED+=("$name: $rest") ;;
            esac
        done < <(awk -f "$LAB_HOME/lab.d/junit-summary.awk" -- "${reports[@]}")
    fi
    # A part that broke off has failed, whatever its reports say; so has one that tested nothing, unless it was told to.
    if ((${#reports[@]} == 0 && code != 0)); then
        failed=1
        SUMMARY_FAILED+=("$name: no report (exit code $code)")
    elif ((passed + failed + skipped == 0)) && [[ -z $pattern ]]; then
        failed=1
        SUMMARY_FAILED+=("$name: no test was run")
    elif ((code != 0 && failed == 0)); then
        failed=1
        SUMMARY_FAILED+=("$name: the guest ended with exit code $code, though no test failed")
    fi
    SUMMARY_ROWS+=("$(printf '%-12s %7d %7d %8d %9s' "$name" "$passed" "$failed" "$skipped" "$seconds")")
    SUMMARY_PASSED=$((SUMMARY_PASSED + passed))
    SUMMARY_FAILURES=$((SUMMARY_FAILURES + failed))
    SUMMARY_SKIPPED=$((SUMMARY_SKIPPED + skipped))
}

# print_summary PATTERN: the table, the failed tests, and the sum as the last line; exits with the verdict.
print_summary() {
    printf '\n%-12s %7s %7s %8s %9s\n' part passed failed skipped seconds
    printf '%s\n' "${SUMMARY_ROWS[@]}"
    if ((SUMMARY_PASSED + SUMMARY_FAILURES == 0)); then
        SUMMARY_FAILURES=1
        SUMMARY_FAILED+=("no test was run${1:+: nothing matches $1}")
    fi
    if ((${#SUMMARY_FAILED[@]} > 0)); then
        printf '\nfailed:\n'
        printf '  %s\n' "${SUMMARY_FAILED[@]}"
    fi
    printf '\n%d passed, %d failed, %d skipped\n' "$SUMMARY_PASSED" "$SUMMARY_FAILURES" "$SUMMARY_SKIPPED"
    ((SUMMARY_FAILURES == 0)) || exit 1
}
