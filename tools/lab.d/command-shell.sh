# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab shell: an interactive shell in a guest.

help_shell() {
    cat <<HELP
Usage: tools/lab shell [OPTION]…

Boots a kernel with the two rxe devices and gives a root shell in it, in the current directory. Ctrl-C and Ctrl-Z go to
the guest; leave the shell to power it off. What is written vanishes, except below \$LAB_RESULTS.

$GUEST_OPTIONS_HELP

There is no time limit unless one is given.
HELP
}

command_shell() {
    GUEST_TIMEOUT=0
    while (($# > 0)); do
        guest_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_shell
                exit 0
                ;;
            *) die_usage "shell: unknown argument '$1'" ;;
        esac
    done
    [[ -t 0 && -t 1 ]] || die_usage "shell needs a terminal on stdin and stdout; use run for a script"
    check_kernel_name "$GUEST_KERNEL"
    ensure_packages
    GUEST_INTERACTIVE=1
    # QEMU puts the terminal into raw mode and back; if it is killed, somebody else must put it back.
    TERMINAL_STATE=$(stty -g)
    LAB_CLEANUPS+=(restore_terminal)
    run_guest
    exit "$GUEST_CODE"
}

restore_terminal() {
    stty "$TERMINAL_STATE"
}
