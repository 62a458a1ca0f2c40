# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab pyverbs: rdma-core's own Python suite beside our tests of the same scenarios, in one guest.

help_pyverbs() {
    cat <<HELP
Usage: tools/lab pyverbs [OPTION]…

Runs rdma-core's Python suite, as far as it is about what rxe has, and our tests of the same scenarios (classes Pyverbs*IT)
in one guest, and shows where outcomes differ, and why if that is known. The suite comes from Debian's source package of the
version that is installed here, and stays in the cache.

  --kernel K[,K]…      kernels to run on; may be repeated (default: $DEFAULT_KERNEL)
  --suite FOLDER       the folder tests/ of a source tree of rdma-core, instead of Debian's
  --update             write docs/pyverbs-scenarios.md (default kernels then: ${FETCHED_KERNELS[*]})
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Exit code 1: outcomes differ, and nothing explains it.
HELP
}

command_pyverbs() {
    local -a kernels
    local suite='' update=''
    GUEST_TIMEOUT=1800
    while (($# > 0)); do
        kernels_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_pyverbs
                exit 0
                ;;
            --suite) suite=$(option_value "$1" "$@") && shift ;;
            --update) update=1 ;;
            --no-devices | --without-rdma-core) die_usage "pyverbs needs the devices and rdma-core" ;;
            *)
                guest_option "$@"
                ((TAKEN > 0)) || die_usage "pyverbs: unknown argument '$1'"
                shift "$TAKEN"
                continue
                ;;
        esac
        shift
    done
    kernels=("${KERNELS[@]}")
    if ((${#kernels[@]} == 0)); then
        if [[ -n $update ]]; then kernels=("${FETCHED_KERNELS[@]}"); else kernels=("$DEFAULT_KERNEL"); fi
    fi
    local kernel
    for kernel in "${kernels[@]}"; do check_kernel_name "$kernel"; done
    ensure_packages_and_jdk
    if [[ -z $suite ]]; then
        fetch_pyverbs_suite
        suite=$PYVERBS_SUITE
    fi
    [[ -r $suite/args_parser.py ]] || die "no Python suite of rdma-core in $suite"
    suite=$(cd -- "$suite" && pwd -P)
    ensure_built || exit 1

    local -a results=()
    for kernel in "${kernels[@]}"; do
        GUEST_KERNEL=$kernel
        run_guest "$LAB_HOME/lab.d/guest-pyverbs" "$suite" >&2
        # Exit code 1: a test of ours failed, which the comparison tells better.
        ((GUEST_CODE <= 1)) || die "the guest ended with exit code $GUEST_CODE; see $(short_path "$RESULTS")"
        [[ -s $RESULTS/pyverbs.tsv && -s $RESULTS/scenarios.tsv ]] ||
            die "the guest left no outcomes in $(short_path "$RESULTS")"
        results+=("$kernel=$RESULTS")
    done
    "$JDK_HOME/bin/java" -cp "$REPOSITORY/tests/target/dist/lib/*" io.verbs4j.tests.pyverbs.ScenarioTable \
        ${update:+--output "$REPOSITORY/docs/pyverbs-scenarios.md"} "${results[@]}"
}

# fetch_pyverbs_suite: sets PYVERBS_SUITE to the tests of the rdma-core that python3-pyverbs was made from.
PYVERBS_SUITE=
fetch_pyverbs_suite() {
    local version upstream folder suite
    version=$(dpkg-query -W -f '${Version}' python3-pyverbs 2>/dev/null) ||
        die "python3-pyverbs is not installed from a Debian package: name the suite of its version with --suite"
    upstream=${version%-*}
    folder=$LAB_CACHE/pyverbs/$upstream
    PYVERBS_SUITE=$folder/tests
    [[ ! -d $PYVERBS_SUITE ]] || return 0
    progress "fetching rdma-core's Python suite of version $upstream"
    rm -rf -- "$folder.incoming"
    mkdir -p -- "$folder.incoming"
    # shellcheck disable=SC1091
    suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
    APT_OPTIONS=(-o APT::Sandbox::User=root)
    ((EUID == 0)) || APT_OPTIONS=()
    use_private_apt "$suite" deb-src
    (cd -- "$folder.incoming" &&
        apt-get "${APT_OPTIONS[@]}" -qq source --download-only "rdma-core=$version" >apt.log 2>&1) || {
        tail -n 5 "$folder.incoming/apt.log" >&2
        die "cannot download the source of rdma-core $version. With network, this brings it from where it is made:
    git clone --depth 1 --branch v$upstream https://github.com/linux-rdma/rdma-core FOLDER
    tools/lab pyverbs --suite FOLDER/tests"
    }
    tar -xf "$folder.incoming"/rdma-core_*.orig.tar.* -C "$folder.incoming" --strip-components=1 \
        --wildcards --no-wildcards-match-slash '*/tests'
    rm -f -- "$folder.incoming"/rdma-core_* "$folder.incoming/apt.log"
    mv -T -- "$folder.incoming" "$folder"
}
