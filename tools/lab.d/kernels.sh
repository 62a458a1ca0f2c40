# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# Which kernel a name stands for. A kernel is a folder with the layout of an unpacked Debian kernel package:
# boot/vmlinuz-RELEASE and lib/modules/RELEASE/.

readonly FETCHED_KERNELS=(6.1 6.12 sid) # the series that the lab fetches, oldest first
readonly DEFAULT_KERNEL=6.12

# The chosen kernel, set by resolve_kernel.
KERNEL_NAME=    # as the guest sees it in LAB_KERNEL: 6.1, 6.12, sid, host, or a folder's base name
KERNEL_RELEASE= # uname -r, e.g. 6.12.117+deb12-amd64
KERNEL_IMAGE=   # the bzImage
KERNEL_MODULES= # lib/modules/RELEASE

is_fetched_kernel() {
    local name
    for name in "${FETCHED_KERNELS[@]}"; do [[ $name != "$1" ]] || return 0; done
    return 1
}

# check_kernel_name NAME: refuses a name that can stand for no kernel, before anything is built or fetched.
check_kernel_name() {
    is_fetched_kernel "$1" || [[ $1 == host || -d $1 ]] ||
        die_usage "unknown kernel '$1': not one of ${FETCHED_KERNELS[*]}, host, and no directory of that name"
}

# cached_kernels NAME: the folders of this series in the cache, oldest first. They are complete: fetching renames
# a folder to its final name as the last step.
cached_kernels() {
    local folder
    for folder in "$LAB_CACHE/kernels/$1"/*/; do
        folder=${folder%/}
        [[ ! -d $folder/lib/modules ]] || printf '%s\n' "$folder"
    done | sort -V
}

# resolve_kernel NAME: sets the KERNEL_ variables, fetching the kernel when the cache has none of this name.
resolve_kernel() {
    local name=$1 folder
    check_kernel_name "$name"
    if [[ $name == host ]]; then
        use_host_kernel
    elif is_fetched_kernel "$name"; then
        folder=$(cached_kernels "$name" | tail -n 1)
        if [[ -z $folder ]]; then
            fetch_kernel "$name"
            folder=$(cached_kernels "$name" | tail -n 1)
        fi
        use_kernel_folder "$name" "$folder"
    else
        folder=$(cd -- "$name" && pwd -P)
        use_kernel_folder "$(basename -- "$folder")" "$folder"
    fi
}

use_kernel_folder() {
    local name=$1 folder=$2
    local -a releases
    mapfile -t releases < <(cd -- "$folder/lib/modules" 2>/dev/null && ls -1)
    ((${#releases[@]} == 1)) ||
        die "$folder: lib/modules must hold exactly one kernel release, found ${#releases[@]}"
    use_kernel "$name" "${releases[0]}" "$folder/boot/vmlinuz-${releases[0]}" "$folder/lib/modules/${releases[0]}"
}

use_host_kernel() {
    local release image
    release=$(uname -r)
    # Debian and most others keep the image in /boot; Fedora and its kin keep one beside the modules too.
    for image in "/boot/vmlinuz-$release" "/lib/modules/$release/vmlinuz" /boot/vmlinuz-linux; do
        [[ ! -e $image ]] || break
    done
    use_kernel host "$release" "$image" "/lib/modules/$release"
}

use_kernel() {
    KERNEL_NAME=${1//[!A-Za-z0-9._+-]/_} KERNEL_RELEASE=$2 KERNEL_IMAGE=$3 KERNEL_MODULES=$4
    [[ -d $KERNEL_MODULES ]] || die "kernel $1 ($KERNEL_RELEASE): no modules in $KERNEL_MODULES"
    [[ -n $(find_module rdma_rxe) ]] ||
        die "kernel $1 ($KERNEL_RELEASE) has no rdma_rxe module in $KERNEL_MODULES; use one of: ${FETCHED_KERNELS[*]}"
    [[ -r $KERNEL_IMAGE ]] || die "kernel $1 ($KERNEL_RELEASE): cannot read its image $KERNEL_IMAGE"
}

# find_module NAME: its file in the chosen kernel, whatever it is compressed with; nothing when there is none.
find_module() {
    # A module's file may be named with dashes where the module's name has underscores.
    find -L "$KERNEL_MODULES/kernel" -name "${1//_/[_-]}.ko*" -print -quit 2>/dev/null
}
