# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab coverage: what of libibverbs there is in Java, from the results of the device tests.

help_coverage() {
    cat <<HELP
Usage: tools/lab coverage [OPTION]…

Writes docs/verbs-coverage.md: each function of libibverbs, what stands for it in Java, the tests that prove it, and what
they found on each kernel (${FETCHED_KERNELS[*]}). Takes the newest results of all device tests (tools/lab test) on each
kernel, and runs the tests where there are none.

  --run                run the device tests on all kernels, whatever results there are
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Exit code 1: a test has failed, or none has tried a function that there is in Java.
HELP
}

command_coverage() {
    local run=''
    GUEST_TIMEOUT=1800
    while (($# > 0)); do
        case $1 in
            -h | --help)
                help_coverage
                exit 0
                ;;
            --run) run=1 ;;
            --kernel | --kernel=* | --no-devices | --without-rdma-core) die_usage "coverage: $1 is not for this command" ;;
            *)
                guest_option "$@"
                ((TAKEN > 0)) || die_usage "coverage: unknown argument '$1'"
                shift "$TAKEN"
                continue
                ;;
        esac
        shift
    done
    ensure_packages_and_jdk
    ensure_built || exit 1
    local -a results=()
    local kernel folder
    for kernel in "${FETCHED_KERNELS[@]}"; do
        folder=
        [[ -n $run ]] || folder=$(newest_full_results "$kernel")
        if [[ -z $folder ]]; then
            GUEST_KERNEL=$kernel
            run_guest "$LAB_HOME/lab.d/guest-tests" usual >&2
            ((GUEST_CODE <= 1)) || die "the guest ended with exit code $GUEST_CODE; see $(short_path "$RESULTS")"
            folder=$RESULTS
        fi
        progress "results of $kernel: $(short_path "$folder")"
        results+=("$kernel=$folder")
    done
    "$JDK_HOME/bin/java" -cp "$REPOSITORY/tests/target/dist/lib/*" io.verbs4j.tests.coverage.CoverageTable \
        "$REPOSITORY/docs/verbs-coverage.md" "${results[@]}"
}

# newest_full_results KERNEL: the folder of the last run of all device tests that came to its end. guest-tests leaves
# a file "release" when it runs all of them.
newest_full_results() {
    local folder newest=
    for folder in "${VERBS4J_LAB_RESULTS:-$REPOSITORY/target/lab}/$1"-[0-9]*/; do
        folder=${folder%/}
        [[ ! -s $folder/release || ! -s $folder/coverage.tsv || ! -s $folder/exit-code || -e $folder/pyverbs.tsv ]] || newest=$folder
    done
    printf '%s' "$newest"
}
