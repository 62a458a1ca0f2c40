# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Fetches Debian kernel packages into the cache. Nothing is installed: a package is downloaded and unpacked.

can_fetch() {
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null
}

# fetch_kernel NAME: the newest kernel of the series NAME. Two labs at once wait for each other.
fetch_kernel() {
    local name=$1
    [[ $(uname -m) == x86_64 ]] || die "the lab boots x86-64 kernels; this machine is $(uname -m)"
    can_fetch || die "kernel $name is a Debian package, and there is no apt-get here; use --kernel host or --kernel DIR"
    local -a missing
    mapfile -t missing < <(missing_packages "${FETCH_PROGRAMS[@]}")
    install_packages "${missing[@]}"

    mkdir -p -- "$LAB_CACHE/kernels/$name"
    local lock
    exec {lock}>"$LAB_CACHE/lock"
    if ! flock -n "$lock"; then
        progress "waiting for another lab that is fetching"
        flock "$lock"
        # It may have fetched what we want in the meantime.
        if [[ -z ${2:-} && -n $(cached_kernels "$name") ]]; then
            exec {lock}>&-
            return 0
        fi
    fi
    # What an interrupted fetch has left; nobody else can be using it, as we hold the lock.
    rm -rf -- "$LAB_CACHE"/kernels/*/.incoming*
    progress "fetching kernel $name: looking up its package"
    fetch_newest "$name"
    exec {lock}>&-
}

# fetch_newest NAME: finds the newest package by its name pattern and unpacks it. Old versions leave the archive, so
# that no name written down here would last.
fetch_newest() {
    local name=$1 release
    APT_OPTIONS=(-o APT::Sandbox::User=root)
    ((EUID == 0)) || APT_OPTIONS=()
    case $name in
        # The version in the package name differs in form: 6.1.0-56-amd64, 6.12.117+deb12-amd64, 7.2.13+deb14-amd64.
        6.1) find_package '6\.1\.[0-9]' bookworm ;;
        6.12) find_package '6\.12\.[0-9]' trixie ;;
        sid) find_package '[0-9]' sid ;;
    esac
    [[ -n ${FOUND_PACKAGE:-} ]] ||
        die "no package of kernel $name found (looked in this machine's package lists and in Debian's $FOUND_SUITE)"
    release=${FOUND_PACKAGE#linux-*-}
    if [[ -d $LAB_CACHE/kernels/$name/$release ]]; then
        progress "kernel $name: $release is the newest and already here"
        return 0
    fi

    local incoming=$LAB_CACHE/kernels/$name/.incoming
    mkdir -p -- "$incoming/tree"
    local -a packages=("$FOUND_PACKAGE")
    # Newer packaging splits the image from its modules.
    [[ $FOUND_PACKAGE != linux-binary-* ]] || packages+=("linux-modules-$release")
    local package deb
    for package in "${packages[@]}"; do
        progress "fetching $package"
        (cd -- "$incoming" && apt-get "${APT_OPTIONS[@]}" -qq download "$package" >apt.log 2>&1) || {
            tail -n 5 "$incoming/apt.log" >&2
            die "cannot download $package"
        }
        for deb in "$incoming"/*.deb; do
            dpkg-deb -x "$deb" "$incoming/tree"
            rm -- "$deb"
        done
    done
    arrange_tree "$incoming/tree" "$release"
    mv -T -- "$incoming/tree" "$LAB_CACHE/kernels/$name/$release"
    rm -rf -- "$incoming"
    progress "kernel $name is $release"
}

# Brings every packaging to one layout, and makes modules.dep, which packages leave to their postinst.
arrange_tree() {
    local tree=$1 release=$2
    if [[ ! -d $tree/lib/modules && -d $tree/usr/lib/modules ]]; then
        mkdir -p -- "$tree/lib"
        ln -s ../usr/lib/modules "$tree/lib/modules"
    fi
    if [[ ! -e $tree/boot/vmlinuz-$release ]]; then
        mkdir -p -- "$tree/boot"
        cp -- "$tree/lib/modules/$release/vmlinuz" "$tree/boot/vmlinuz-$release"
    fi
    rm -rf -- "${tree:?}/usr/share"
    # A failure here would mean a broken package; warnings about missing modules.order are of no interest.
    depmod -b "$tree" "$release" 2>/dev/null || die "depmod cannot read the modules of $release"
}

# find_package VERSION SUITE: sets FOUND_PACKAGE to the newest package of a kernel VERSION…-amd64 that apt knows, looking
# in the machine's own package lists first, then in private ones for Debian's SUITE, which need no root.
FOUND_PACKAGE='' FOUND_SUITE=''
find_package() {
    FOUND_SUITE=$2
    if [[ $FOUND_SUITE != sid ]]; then
        FOUND_PACKAGE=$(newest_package "$1")
        [[ -z $FOUND_PACKAGE ]] || return 0
    fi
    use_private_apt "$FOUND_SUITE"
    FOUND_PACKAGE=$(newest_package "$1")
}

newest_package() {
    local kind found
    # Newer packaging has the image in linux-binary-* and its modules in linux-modules-*; linux-image-* only depends on
    # them there, and holds everything in older packaging.
    for kind in linux-binary linux-image; do
        # Only the generic image will do: the cloud one is built without InfiniBand, rt is another beast, dbg has no image.
        found=$(apt-cache "${APT_OPTIONS[@]}" search --names-only "^$kind-$1[^ ]*-amd64\$" 2>/dev/null |
            awk '$1 !~ /-(rt|cloud|dbg)-|-dbg$|unsigned/ {print $1}' | sort -V | tail -n 1)
        if [[ -n $found ]]; then
            printf '%s' "$found"
            return 0
        fi
    done
}

# use_private_apt SUITE [KIND]: points APT_OPTIONS at an apt configuration of our own in the cache: one source of binary
# packages (deb, the default) or source packages (deb-src), own lists.
use_private_apt() {
    local suite=$1 kind=${2:-deb} folder=$LAB_CACHE/apt/$1${2:+-$2} uri keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    uri=$(archive_uri)
    [[ -n $uri ]] || die "this machine's apt configuration names no archive, so there is nowhere to look for Debian's $suite"
    [[ -r $keyring ]] || install_packages debian-archive-keyring
    mkdir -p -- "$folder/lists/partial" "$folder/cache/archives/partial"
    printf '%s [arch=amd64 signed-by=%s] %s %s main\n' "$kind" "$keyring" "$uri" "$suite" >"$folder/sources.list"
    APT_OPTIONS+=(-o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache"
        # Only the package index is wanted, not translations and file lists.
        -o Acquire::Languages=none -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false)
    progress "reading the package index of $suite"
    apt-get "${APT_OPTIONS[@]}" -qq update >"$folder/update.log" 2>&1 || {
        tail -n 5 "$folder/update.log" >&2
        die "cannot read the package index of $suite"
    }
}

# The archive this machine installs from: any suite of Debian lies there beside the machine's own.
archive_uri() {
    local codename
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
    # Release files are left out, because a fresh container has none. These are apt's variables, not the shell's.
    # shellcheck disable=SC2016
    apt-get indextargets --no-release-info --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        # Other people's archives may be among them, and the security archive has no other suites.
        awk -v own="$codename" '
            /-security/ { next }
            { rank = ($1 ~ /\/debian\/?$/ ? 2 : 0) + ($2 == own ? 1 : 0) }
            best == "" || rank > top { best = $1; top = rank }
            END { if (best != "") print best }'
}
