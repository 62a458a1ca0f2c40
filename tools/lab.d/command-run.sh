# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tools/lab run: one command in a guest.

help_run() {
    cat <<HELP
Usage: tools/lab run [OPTION]… [--] COMMAND [ARGUMENT]…

Boots a kernel with the two rxe devices rxe0 (10.9.0.1) and rxe1 (10.9.0.2) and runs COMMAND in it as root, in the
current directory, which the guest sees as the machine has it. What the guest writes vanishes with it, except below
\$LAB_RESULTS, a new folder in target/lab/. COMMAND's output comes out as it is; its exit code is the lab's.

$GUEST_OPTIONS_HELP

The default time limit is $GUEST_TIMEOUT s. Exit codes of the lab's own: $EXIT_USAGE wrong options, $EXIT_TIMEOUT time limit, $EXIT_LAB the guest failed.
COMMAND finds LAB_KERNEL, LAB_RESULTS, and JAVA_HOME of a JDK 25 in its environment.
HELP
}

command_run() {
    while (($# > 0)); do
        guest_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_run
                exit 0
                ;;
            --)
                shift
                break
                ;;
            -*) die_usage "run: unknown option '$1'" ;;
            *) break ;;
        esac
    done
    (($# > 0)) || die_usage "run: no command given"
    check_kernel_name "$GUEST_KERNEL"
    ensure_packages
    run_guest "$@"
    exit "$GUEST_CODE"
}
