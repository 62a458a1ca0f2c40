# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tools/lab doctor: what is here, what is missing, and how to get it.

help_doctor() {
    cat <<HELP
Usage: tools/lab doctor

Looks at this machine without changing it. Exit code 0: the lab can run here; 1: something is missing.
HELP
}

# finding STATE WHAT DETAIL: one line of the report; any state "MISSING" makes the verdict.
DOCTOR_MISSING=0
finding() {
    printf '%-8s %-18s %s\n' "$1" "$2" "$3"
    [[ $1 != MISSING ]] || DOCTOR_MISSING=1
}

command_doctor() {
    case ${1:-} in
        '') ;;
        -h | --help)
            help_doctor
            exit 0
            ;;
        *) die_usage "doctor: unknown argument '$1'" ;;
    esac
    local -a missing=()
    doctor_machine
    doctor_programs
    doctor_java
    doctor_kernels
    if ((${#missing[@]} > 0)); then
        printf '\nInstall what is missing (as root, every subcommand does it by itself):\n'
        printf '    sudo apt-get install --no-install-recommends %s\n' "${missing[*]}"
    fi
    ((DOCTOR_MISSING == 0)) || exit 1
    printf '\nThe lab can run here: tools/lab run -- rdma link\n'
}

doctor_machine() {
    local name
    # shellcheck disable=SC1091
    name=$(. /etc/os-release 2>/dev/null && printf '%s' "${PRETTY_NAME:-}")
    finding ok machine "${name:-unknown distribution}, $(uname -m), $(nproc) CPUs, $(
        awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo
    ) MiB of memory available"
    [[ $(uname -m) == x86_64 ]] || finding MISSING processor 'the lab boots x86-64 kernels only'
    choose_accelerator
    finding ok accelerator "$ACCELERATOR: $ACCELERATOR_REASON"
}

doctor_programs() {
    local pair program where
    for pair in "${CORE_PROGRAMS[@]}" "${PEER_PROGRAMS[@]}" "${BUILD_PROGRAMS[@]}"; do
        program=${pair%%:*}
        where=$(command -v "$program") || where=
        if [[ $program == busybox && -n $where ]] && ! static_busybox; then
            finding MISSING "$program" "$where is not a static one (package ${pair#*:})"
        elif [[ $program == qemu-system-x86_64 && -n $where ]]; then
            finding ok "$program" "$where, $("$where" --version | sed -n 's/^QEMU emulator version \([^ ]*\).*/\1/p')"
        elif [[ -n $where ]] || have_program "$program"; then
            finding ok "$program" "${where:-in the folder of udev}"
        else
            finding MISSING "$program" "package ${pair#*:}"
        fi
    done
    mapfile -t missing < <(missing_packages "${CORE_PROGRAMS[@]}" "${BUILD_PROGRAMS[@]}"; missing_peer_packages)
    local package
    for package in "${PEER_PACKAGES[@]}"; do
        [[ " ${missing[*]} " != *" $package "* ]] || finding MISSING "$package" "package $package"
    done
}

doctor_java() {
    if find_jdk; then
        finding ok 'JDK 25' "$JDK_HOME ($(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$JDK_HOME/release"))"
    else
        finding MISSING 'JDK 25' 'needed to build and to run Java in the guest:'
        explain_missing_jdk 2>&1 | sed 's/^/         /'
    fi
}

doctor_kernels() {
    local name folder newest
    for name in "${FETCHED_KERNELS[@]}"; do
        newest=
        while IFS= read -r folder; do
            [[ -z $newest ]] || finding 'ok' "kernel $name" "${newest##*/} is cached, too (older: not used)"
            newest=$folder
        done < <(cached_kernels "$name")
        if [[ -n $newest ]]; then
            finding ok "kernel $name" "${newest##*/} in $newest"
        elif can_fetch; then
            finding '-' "kernel $name" "not cached; fetched when it is first used, or by: tools/lab fetch $name"
        else
            finding '-' "kernel $name" 'not cached, and cannot be fetched: there is no apt-get here'
        fi
    done
    local problem
    if problem=$(resolve_kernel host 2>&1); then
        finding ok 'kernel host' "$(uname -r) can be booted with --kernel host"
    else
        finding '-' 'kernel host' "${problem#lab: error: }"
    fi
}
