# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab fetch: fills the cache.

help_fetch() {
    cat <<HELP
Usage: tools/lab fetch [--refresh] [KERNEL]…

Fetches the kernels ${FETCHED_KERNELS[*]}, or those named, into the cache unless they are there. A cached kernel stays
until you delete it: --refresh looks for a newer one of the same series, which is used from then on.
HELP
}

command_fetch() {
    local refresh='' name
    local -a names=()
    while (($# > 0)); do
        case $1 in
            -h | --help)
                help_fetch
                exit 0
                ;;
            --refresh) refresh=1 ;;
            -q | --quiet) LAB_QUIET=1 ;;
            -*) die_usage "fetch: unknown option '$1'" ;;
            *)
                is_fetched_kernel "$1" || die_usage "fetch: unknown kernel '$1', not one of ${FETCHED_KERNELS[*]}"
                names+=("$1")
                ;;
        esac
        shift
    done
    ((${#names[@]} > 0)) || names=("${FETCHED_KERNELS[@]}")
    ensure_packages
    for name in "${names[@]}"; do
        if [[ -n $refresh || -z $(cached_kernels "$name") ]]; then fetch_kernel "$name" "$refresh"; fi
        resolve_kernel "$name"
        prepare_boot_image
        printf '%-5s %s\n' "$name" "$KERNEL_RELEASE"
    done
}
