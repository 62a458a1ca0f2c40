# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What QEMU boots: the kernel, unpacked, and a small initrd made for it. Both are kept in the cache.

# Everything the guest needs is loaded from the initrd in one go: loading a module through the 9p share costs far more.
readonly INITRD_MODULES=(
    # The root file system: the machine's own over 9p, below an overlay.
    virtio_pci 9pnet_virtio 9p overlay
    # The command's output.
    virtio_console
    # RDMA, and the wire between the two devices.
    rdma_rxe ib_uverbs rdma_ucm veth dummy sch_netem af_packet
    # rxe asks the crypto API for crc32 when a device is made; without these the kernel starts modprobe for it.
    crc32_pclmul crc32_generic
)

# module_closure NAME…: the files of these modules of the chosen kernel, each after what it depends on. A name without a
# file is built in. The answer comes from the modules themselves: a folder the user names may have no modules.dep.
module_closure() {
    local -A visited=()
    local name
    for name in "$@"; do visit_module "$name"; done
}

visit_module() {
    local name=${1//-/_} file needs dependency
    [[ -z ${visited[$name]:-} ]] || return 0
    visited[$name]=1
    file=$(find_module "$name")
    [[ -n $file ]] || return 0
    needs=$(modinfo -F depends "$file")
    for dependency in ${needs//,/ }; do visit_module "$dependency"; done
    printf '%s\n' "$file"
}

# prepare_boot_image: sets INITRD and UNPACKED_KERNEL for the chosen kernel, making them when they are missing or older
# than what they are made of.
INITRD='' UNPACKED_KERNEL=''
prepare_boot_image() {
    local key
    # The image's time stamp tells a folder's kernel from another of the same release that was built later.
    key=$({
        printf '%s\n' "$KERNEL_MODULES" "$(stat -L -c '%Y %s' "$KERNEL_IMAGE")"
        cat -- "$LAB_HOME/lab.d/guest-init" "$LAB_HOME/lab.d/boot-image.sh"
    } | cksum | tr -c '0-9\n' -)
    INITRD=$LAB_CACHE/boot/$KERNEL_RELEASE-$key.cpio
    UNPACKED_KERNEL=$LAB_CACHE/boot/$KERNEL_RELEASE-$key.vmlinux
    [[ ! -s $INITRD ]] || return 0
    progress "preparing $KERNEL_RELEASE for booting"
    mkdir -p -- "$LAB_CACHE/boot"
    # Those of other versions of the lab are of no use any more.
    find "$LAB_CACHE/boot" -maxdepth 1 -name "$KERNEL_RELEASE-*" -mmin +1440 -delete
    unpack_kernel "$UNPACKED_KERNEL.$$"
    mv -- "$UNPACKED_KERNEL.$$" "$UNPACKED_KERNEL"
    make_initrd "$INITRD.$$"
    mv -- "$INITRD.$$" "$INITRD"
}

# unpack_kernel FILE: writes the ELF image that is inside the bzImage. An emulated CPU takes a second to unpack zstd and
# up to three for xz; QEMU starts the ELF image at once, at the PVH entry point, which is what the kernel's
# CONFIG_PVH is for. The file is left empty when the image is packed in a way we do not know: the bzImage is booted then.
unpack_kernel() {
    local setup_sectors payload_offset payload_length magic
    # The header fields are those of the kernel's Documentation/arch/x86/boot.rst.
    setup_sectors=$(od -An -tu1 -j $((0x1f1)) -N 1 -- "$KERNEL_IMAGE")
    payload_offset=$(od -An -tu4 -j $((0x248)) -N 4 -- "$KERNEL_IMAGE")
    payload_length=$(od -An -tu4 -j $((0x24c)) -N 4 -- "$KERNEL_IMAGE")
    local start=$(((setup_sectors + 1) * 512 + payload_offset))
    magic=$(od -An -tx1 -j "$start" -N 4 -- "$KERNEL_IMAGE")
    local -a unpack
    case $magic in
        ' fd 37 7a 58') unpack=(xz -dc) ;;
        ' 28 b5 2f fd') unpack=(zstd -dcq) ;;
        ' 1f 8b '*) unpack=(gzip -dc) ;;
        *)
            : >"$1"
            return 0
            ;;
    esac
    # Behind the payload the kernel's build leaves its unpacked size: four bytes that are not the packer's.
    dd if="$KERNEL_IMAGE" iflag=skip_bytes,count_bytes skip="$start" count=$((payload_length - 4)) bs=1M status=none |
        "${unpack[@]}" >"$1" 2>/dev/null || : >"$1"
}

# make_initrd FILE
make_initrd() {
    scratch
    local tree=$LAB_SCRATCH/initrd file module
    mkdir -p -- "$tree"/{bin,dev,proc,sys,modules,root,overlay,results}
    cp -- "$(command -v busybox)" "$tree/bin/busybox"
    cp -- "$LAB_HOME/lab.d/guest-init" "$tree/init"
    while IFS= read -r file; do
        module=${file##*/}
        module=${module%%.ko*}.ko
        case $file in
            *.ko) cp -- "$file" "$tree/modules/$module" ;;
            *.xz) xz -dc -- "$file" >"$tree/modules/$module" ;;
            *.zst) zstd -dcq -- "$file" >"$tree/modules/$module" ;;
            *.gz) gzip -dc -- "$file" >"$tree/modules/$module" ;;
            *) die "do not know how $file is compressed" ;;
        esac
        printf '%s\n' "$module" >>"$tree/modules/order"
    done < <(module_closure "${INITRD_MODULES[@]}")
    # Not compressed: QEMU hands it over in memory, and an emulated CPU would only lose time with inflating it.
    (cd -- "$tree" && find . | cpio -o -H newc --quiet) >"$1"
    rm -rf -- "$tree"
}
