# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab test: all tests, on this machine and on real rxe in a guest per kernel.

help_test() {
    cat <<HELP
Usage: tools/lab test [OPTION]…

Builds the project and runs the tests that need no device (classes *Test) on this machine and then the brief form of
tools/stress, then the device tests (classes *IT) on each kernel: most in a guest with two rxe devices on a wire, a few
in one that has neither devices nor rdma-core. Where there are processors for several guests, kernels are tested side by
side.

  --kernel K[,K]…      kernels to test on; may be repeated (default: ${FETCHED_KERNELS[*]})
  --tests PATTERN      only classes whose name contains PATTERN (* stands for anything), or CLASS#METHOD
  --walks N            random walks to take (docs/walks.md), instead of a few
  --seed S             seed of the first walk; alone, that one walk
  --long MINUTES       the long form: random walks for so long on each kernel, beside everything else, a hundred
                       thousand messages over a wire that loses packets, and each error at each system call; before
                       that, on this machine, all of tools/mutations, and tools/stress --long for a quarter of that time
  --jobs N             guests at a time (default: as many as there are pairs of processors)
  --no-host            leave out what needs no device
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  --without-rdma-core  hide rdma-core from the guest
  -q, --quiet          no progress lines

Exit code 0: all passed. The last line says: N passed, N failed, N skipped.
HELP
}

# shellcheck source-path=SCRIPTDIR source=test-classes.sh
source "$LAB_HOME/lab.d/test-classes.sh"

command_test() {
    local -a kernels
    local pattern='' host=1 jobs WALKS='' WALK_SEED='' LONG=''
    GUEST_TIMEOUT=1800
    # More would wait for each other: a guest's processor that has none of the machine's keeps a lock, or owes an answer.
    jobs=$(($(nproc) / GUEST_PROCESSORS))
    ((jobs > 0)) || jobs=1
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
            --long)
                LONG=$(option_value "$1" "$@")
                require_number --long "$LONG"
                shift 2
                continue
                ;;
            --jobs)
                jobs=$(option_value "$1" "$@")
                require_number --jobs "$jobs"
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
    # A quarter more for the replays of walks, and as much for everything else as there is without.
    [[ -z $LONG ]] || GUEST_TIMEOUT=$((GUEST_TIMEOUT + LONG * 75 + 600))
    kernels=("${KERNELS[@]}")
    ((${#kernels[@]} > 0)) || kernels=("${FETCHED_KERNELS[@]}")
    [[ $pattern =~ ^[A-Za-z0-9_.*#\$]*$ ]] || die_usage "test: --tests takes part of a class name, or CLASS#METHOD, not '$pattern'"

    local kernel
    for kernel in "${kernels[@]}"; do check_kernel_name "$kernel"; done
    ensure_packages_and_jdk
    # What cannot be fetched had better be known before an hour of tests.
    for kernel in "${kernels[@]}"; do resolve_kernel "$kernel"; done

    if [[ -n $host ]]; then test_host "$pattern"; else ensure_built || exit 1; fi
    make_test_cache
    test_kernels "$jobs" "$pattern" "${kernels[@]}"
    print_summary "$pattern"
}

# What the parts came to, for the summary: a file for each kernel (they are tested by processes of their own) and for the
# host, with lines "ROW name passed failed skipped seconds" and "FAILED test".
summary_file() {
    scratch
    SUMMARY_FILE=$LAB_SCRATCH/summary-$1
}

# test_kernels JOBS PATTERN KERNEL…: each kernel by a process of its own, so many at a time; without company in the
# foreground, as it is.
test_kernels() {
    local jobs=$1 pattern=$2 kernel names number=0
    local -a namers=()
    shift 2
    if (($# == 1)); then
        summary_file 1
        test_kernel "$1" "$pattern"
        return
    fi
    trap 'stop_tests INT 130' INT
    trap 'stop_tests TERM 143' TERM
    trap 'stop_tests HUP 129' HUP
    for kernel in "$@"; do
        while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
        number=$((number + 1))
        summary_file "$number"
        progress "testing on $kernel"
        exec {names}> >(name_lines "$kernel")
        namers+=("$!")
        test_kernel_apart "$kernel" "$pattern" >&"$names" 2>&1 &
        TEST_PIDS+=("$!")
        exec {names}>&-
    done
    wait "${TEST_PIDS[@]}" "${namers[@]}" || true
    trap - INT TERM HUP
    number=0
    for kernel in "$@"; do
        number=$((number + 1))
        summary_file "$number"
        [[ -s $SUMMARY_FILE ]] || printf 'FAILED %s: it was not tested\n' "$kernel" >"$SUMMARY_FILE"
    done
}

# A test that a process of its own runs has a scratch folder of its own, and cleans up for itself only.
test_kernel_apart() {
    LAB_SCRATCH='' TEST_PIDS=()
    trap cleanup EXIT
    test_kernel "$@"
}

# name_lines KERNEL: puts its name (a folder's last part) before each line. The last words of a guest that is ended have to pass, too.
name_lines() {
    trap '' INT TERM HUP
    exec sed -u "s/^/${1##*/}: /"
}

# stop_tests SIGNAL CODE: background processes ignore SIGINT, so SIGTERM it is for all; they end their guests.
TEST_PIDS=()
stop_tests() {
    trap '' INT TERM HUP
    warn "SIG$1: ending the guests"
    kill -TERM "${TEST_PIDS[@]}" 2>/dev/null || true
    wait "${TEST_PIDS[@]}" || true
    exit "$2"
}

# test_host PATTERN
test_host() {
    local -a arguments=(-Pstress verify)
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
    summary_file 0
    add_part host "$1" 0 "$REPOSITORY"/*/target/surefire-reports/TEST-*.xml
    if [[ -n $1 ]]; then return; fi # other tests were asked for
    if [[ -n $LONG ]]; then
        add_tool stress stress --built --long $(((LONG + 3) / 4))
        add_tool mutations mutations
    else
        add_tool stress stress --built --brief
    fi
}

# add_tool NAME TOOL ARGUMENT…: runs one of the other tools, which says what it does as it goes on. Its last line has the
# counts: "N passed, N failed", or "N mutations, N survived".
add_tool() {
    local name=$1 tool=$2 log=$REPOSITORY/target/$1.log code=0 passed=0 failed=0 last
    local -a failures=()
    shift 2
    progress "running tools/$tool $* (log: $(short_path "$log"))"
    clock
    local started=$NOW
    "$REPOSITORY/tools/$tool" "$@" </dev/null 2>&1 | tee -- "$log" || code=$?
    clock
    last=$(tail -n 1 -- "$log")
    if [[ $last =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]}
    elif [[ $last =~ ^([0-9]+)\ mutations,\ ([0-9]+)\ survived$ ]]; then
        failed=${BASH_REMATCH[2]} passed=$((BASH_REMATCH[1] - BASH_REMATCH[2]))
    fi
    if ((code != 0 || failed != 0 || passed == 0)); then
        ((failed > 0)) || failed=1
        failures+=("$name: tools/$tool ended with exit code $code, see $(short_path "$log")")
    fi
    add_row "$name" "$passed" "$failed" 0 "$(((NOW - started) / 1000))" "${failures[@]}"
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
    run_guest "$LAB_HOME/lab.d/guest-tests" "$2" "$3" "$WALKS" "$WALK_SEED" "$LONG"
    case $GUEST_ENDED in INT | TERM | HUP) exit "$GUEST_CODE" ;; esac
    add_part "$1" "$3" "$GUEST_CODE" "$RESULTS"/junit/TEST-*.xml
}

# add_part NAME PATTERN CODE REPORT…: sums up the reports of one part in SUMMARY_FILE.
add_part() {
    local name=$1 pattern=$2 code=$3 passed=0 failed=0 skipped=0 seconds=0 word rest
    shift 3
    local -a reports=() failures=()
    for word in "$@"; do [[ ! -s $word ]] || reports+=("$word"); done
    if ((${#reports[@]} > 0)); then
        while read -r word rest; do
            case $word in
                COUNTS) read -r passed failed skipped seconds <<<"$rest" ;;
                FAILED) failures+=("$name: $rest") ;;
            esac
        done < <(awk -f "$LAB_HOME/lab.d/junit-summary.awk" -- "${reports[@]}")
    fi
    # A part that broke off has failed, whatever its reports say; so has one that tested nothing, unless it was told to.
    if ((${#reports[@]} == 0 && code != 0)); then
        failed=1
        failures+=("$name: no report (exit code $code)")
    elif ((passed + failed + skipped == 0)) && [[ -z $pattern ]]; then
        failed=1
        failures+=("$name: no test was run")
    elif ((code != 0 && failed == 0)); then
        failed=1
        failures+=("$name: the guest ended with exit code $code, though no test failed")
    fi
    add_row "$name" "$passed" "$failed" "$skipped" "$seconds" "${failures[@]}"
}

# add_row NAME PASSED FAILED SKIPPED SECONDS [FAILURE…]: a line of the summary.
add_row() {
    printf 'ROW %s %d %d %d %s\n' "${1// /_}" "${@:2:4}" >>"$SUMMARY_FILE"
    (($# == 5)) || printf 'FAILED %s\n' "${@:6}" >>"$SUMMARY_FILE"
}

# print_summary PATTERN: the table, the failed tests, and the sum as the last line; exits with the verdict.
print_summary() {
    local file word name a b c seconds passed=0 failed=0 skipped=0
    local -a failures=()
    printf '\n%-12s %7s %7s %8s %9s\n' part passed failed skipped seconds
    for file in "$LAB_SCRATCH"/summary-*; do
        while read -r word name; do
            if [[ $word == FAILED ]]; then
                failures+=("$name")
                continue
            fi
            read -r name a b c seconds <<<"$name"
            printf '%-12s %7d %7d %8d %9s\n' "${name//_/ }" "$a" "$b" "$c" "$seconds"
            passed=$((passed + a)) failed=$((failed + b)) skipped=$((skipped + c))
        done <"$file"
    done
    if ((passed + failed == 0)); then
        failed=1
        failures+=("no test was run${1:+: nothing matches $1}")
    fi
    if ((${#failures[@]} > 0)); then
        printf '\nfailed:\n'
        printf '  %s\n' "${failures[@]}"
    fi
    printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    ((${#failures[@]} == 0)) || exit 1
}
