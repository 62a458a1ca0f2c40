# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# The programs that the lab needs, and the Debian packages that bring them.

# program:package pairs. CORE boots a guest; PEERS are what tests and people run in it; BUILD makes the jars; FETCH
# unpacks Debian kernels.
readonly CORE_PROGRAMS=(
    qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio modinfo:kmod xz:xz-utils zstd:zstd
    ip:iproute2 rdma:iproute2 flock:util-linux
)
readonly PEER_PROGRAMS=(
    tcpdump:tcpdump strace:strace tc:iproute2 ibv_rc_pingpong:ibverbs-utils ib_send_lat:perftest ucmatose:rdmacm-utils
    rdma_rename:rdma-core
)
# Libraries of those peers that no program's name gives away.
readonly PEER_PACKAGES=(ibverbs-providers python3-pyverbs)
readonly BUILD_PROGRAMS=(mvn:maven)
readonly FETCH_PROGRAMS=(apt-get:apt dpkg-deb:dpkg depmod:kmod)

# Debian keeps system programs in sbin, which an ordinary user's PATH does not name.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

have_program() {
    # rdma-core's helpers are not on the PATH.
    command -v "$1" >/dev/null || [[ -x /usr/lib/udev/$1 || -x /lib/udev/$1 ]]
}

# The distribution's busybox must be the static one: it runs in an initrd that has no libraries.
static_busybox() {
    local path
    path=$(command -v busybox) || return 1
    # A static executable has no PT_INTERP; its path would stand near the file's start.
    ! LC_ALL=C head -c 4096 "$path" | LC_ALL=C grep -aqF 'ld-linux'
}

# missing_packages PAIR…: the packages of those programs that are not here, one per line.
missing_packages() {
    local pair program package
    local -A seen=()
    for pair in "$@"; do
        program=${pair%%:*} package=${pair#*:}
        if [[ $program == busybox ]]; then
            ! static_busybox || continue
        elif have_program "$program"; then
            continue
        fi
        [[ -n ${seen[$package]:-} ]] || printf '%s\n' "$package"
        seen[$package]=1
    done
}

# Peer libraries are asked of dpkg, where there is one; elsewhere they are taken as given.
missing_peer_packages() {
    missing_packages "${PEER_PROGRAMS[@]}"
    command -v dpkg-query >/dev/null || return 0
    local installed package
    installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "${PEER_PACKAGES[@]}" 2>/dev/null)" || true
    for package in "${PEER_PACKAGES[@]}"; do
        [[ $installed == *" $package=installed "* ]] || printf '%s\n' "$package"
    done
}

# install_packages PACKAGE…: installs them as root, or names the line that does.
install_packages() {
    (($# > 0)) || return 0
    if ! command -v apt-get >/dev/null; then
        die "missing here; Debian's packages of it are: $*. Install what brings the same programs on this distribution"
    fi
    if ((EUID != 0)); then
        die "missing packages; run this once, then try again:
    sudo apt-get install --no-install-recommends $*"
    fi
    progress "installing $*"
    scratch
    local log=$LAB_SCRATCH/apt.log
    export DEBIAN_FRONTEND=noninteractive
    # The package lists may be missing (fresh container) or outdated: update only when the first try fails.
    if ! apt-get install -y -qq --no-install-recommends "$@" </dev/null >"$log" 2>&1 &&
        ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } </dev/null >>"$log" 2>&1; then
        tail -n 15 "$log" >&2
        die "apt-get install $* failed (its last lines are above)"
    fi
    hash -r
}

# ensure_packages: what boots a guest. Root gets all the rest in the same go; an ordinary user is asked only for what the
# subcommand cannot do without.
ensure_packages() {
    local -a missing
    mapfile -t missing < <(
        missing_packages "${CORE_PROGRAMS[@]}"
        ((EUID != 0)) || missing_peer_packages
    )
    install_packages "${missing[@]}"
}

# ensure_packages_and_jdk: all that building, and running what was built, takes.
ensure_packages_and_jdk() {
    local -a missing
    local jdk=openjdk-$JDK_VERSION-jdk-headless
    mapfile -t missing < <(
        missing_packages "${CORE_PROGRAMS[@]}"
        [[ -x $REPOSITORY/mvnw ]] || missing_packages "${BUILD_PROGRAMS[@]}"
        missing_peer_packages
        find_jdk || ! apt-cache show "$jdk" >/dev/null 2>&1 || printf '%s\n' "$jdk"
    )
    install_packages "${missing[@]}"
    find_jdk || {
        explain_missing_jdk
        exit "$EXIT_LAB"
    }
}
