# SPDX-License-Identifier: Apache-2.0
"""The boot image for QEMU: the unpacked kernel, and a small initrd. Both are kept in the cache."""
import contextlib
import os
import re
import struct
import subprocess
import threading
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from . import cpio, places, programs, userland
from .say import LabError, progress

# The initrd contains everything that the guest needs, because loading a module through the 9p share takes much longer.
MODULES = (
    # The root file system: the machine's own over 9p, below an overlay.
    'virtio_pci', '9pnet_virtio', '9p', 'overlay',
    # The command's output.
    'virtio_console',
    # RDMA, and the wire between the two devices.
    'rdma_rxe', 'ib_uverbs', 'rdma_ucm', 'veth', 'dummy', 'sch_netem', 'af_packet',
    # rxe requests crc32 from the crypto API when a device is created. Without these modules the kernel starts modprobe.
    'crc32_pclmul', 'crc32_generic',
)
# Modules that a module requests from the crypto API without depending on them (siw: crc32c).
MODULES_FOR_EXTRA = ('crc32c_generic', 'crc32c_intel')
# For a cable to another machine.
MODULES_FOR_NETWORK = ('virtio_net',)
UNUSED = 14 * 24 * 3600  # seconds without use, after which an image is removed
UNPACKERS = {b'\xfd7zX': ['xz', '-dc'], b'\x28\xb5\x2f\xfd': ['zstd', '-dcq'], b'\x1f\x8b': ['gzip', '-dc']}
SUFFIXES = {'.ko': None, '.xz': ['xz', '-dc'], '.zst': ['zstd', '-dcq'], '.gz': ['gzip', '-dc']}


@dataclass(frozen=True)
class BootImage:
    initrd: Path
    unpacked: Path  # empty if the packing is unknown; then the bzImage is booted


def module_closure(kernel, names, extra=()):
    """Returns the files of some modules, each after its dependencies. A name without a file is built in.

    The dependencies are read from the modules, because a folder given by the user may lack modules.dep. `extra` are files of
    modules that are not among the kernel's own.
    """
    ordered, visited = [], set()

    def visit(file):
        for needed in programs.output('modinfo', '-F', 'depends', str(file)).strip().split(','):
            if needed:
                visit_name(needed)
        ordered.append(file)

    def visit_name(name):
        name = name.replace('-', '_')
        if name not in visited:
            visited.add(name)
            file = kernel.find_module(name)
            if file:
                visit(file)

    for name in names:
        visit_name(name)
    for file in extra:
        visit(file)
    return ordered


def prepare(kernel, extra_modules=(), network=False):
    """Returns the boot image of a kernel. Creates it if it is missing or older than its parts."""
    status = kernel.image.stat()
    # The image's time stamp distinguishes a folder's kernel from another of the same release that was built later.
    names = MODULES + (MODULES_FOR_EXTRA if extra_modules else ()) + (MODULES_FOR_NETWORK if network else ())
    parts = [str(kernel.modules), kernel.arch.name, *names, f'{int(status.st_mtime)} {status.st_size}',
             (places.GUEST_FILES / 'guest-init').read_text(), Path(__file__).read_text(),
             *(f'{file} {file.stat().st_mtime_ns}' for file in extra_modules)]
    key = f'{zlib.crc32(chr(0).join(parts).encode()):08x}'
    folder = places.cache() / 'boot'
    image = BootImage(folder / f'{kernel.release}-{key}.cpio', folder / f'{kernel.release}-{key}.vmlinux')
    files = image.initrd, image.unpacked
    if all(file.exists() for file in files) and image.initrd.stat().st_size > 0:
        with contextlib.suppress(OSError):  # a user who may not touch an image cannot remove it, either
            for file in files:
                os.utime(file)
        return image
    progress(f'preparing {kernel.release} for booting')
    folder.mkdir(parents=True, exist_ok=True)
    # Other labs and other versions of the lab have images of their own.
    for old in folder.glob(f'{kernel.release}-*'):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - old.stat().st_mtime > UNUSED:
                old.unlink()
    # Images for arm64 are not packed.
    for path, make in ((image.unpacked, lambda file: unpack_kernel(kernel.image, file) if kernel.arch.native else file.touch()),
                       (image.initrd, lambda file: _make_initrd(kernel, names, extra_modules, file))):
        new = path.with_name(f'{path.name}.{threading.get_native_id()}')
        make(new)
        new.rename(path)
    return image


def unpack_kernel(image, target):
    """Writes the ELF image inside a bzImage, or nothing if the packing is unknown.

    An emulated CPU takes a second to unpack zstd and up to three for xz. QEMU starts the ELF image immediately, at the PVH
    entry point (CONFIG_PVH of the kernel).
    """
    packed, unpack = find_payload(image.read_bytes())
    data = b''
    if unpack:
        done = subprocess.run(unpack, input=packed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        data = done.stdout if done.returncode == 0 else b''
    target.write_bytes(data)


def find_payload(image):
    """Returns the packed kernel inside a bzImage and the command that unpacks it (None: unknown)."""
    # The header fields are those of the kernel's Documentation/arch/x86/boot.rst.
    if len(image) < 0x250:
        return b'', None
    setup_sectors = image[0x1f1]
    offset, length = struct.unpack_from('<II', image, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    # After the payload, the kernel's build appends its unpacked size: four bytes that do not belong to the packed data.
    packed = image[start:start + max(length - 4, 0)]
    return packed, next((command for magic, command in UNPACKERS.items() if packed.startswith(magic)), None)


def _make_initrd(kernel, modules, extra_modules, target):
    with open(target, 'wb') as file:
        archive = cpio.Writer(file)
        for folder in ('bin', 'dev', 'proc', 'sys', 'modules', 'root', 'overlay', 'results'):
            archive.folder(folder)
        busybox = programs.find('busybox') if kernel.arch.native else userland.root(kernel.arch) / 'usr' / 'bin' / 'busybox'
        archive.file('bin/busybox', Path(busybox).read_bytes(), executable=True)
        archive.file('console', f'/dev/{kernel.arch.console}\n'.encode())
        archive.file('init', (places.GUEST_FILES / 'guest-init').read_bytes(), executable=True)
        names = []
        for module in module_closure(kernel, modules, extra_modules):
            name = re.sub(r'\.ko.*', '.ko', module.name)
            names.append(name)
            archive.file(f'modules/{name}', read_module(module))
        archive.file('modules/order', ''.join(f'{name}\n' for name in names).encode())
        # Not compressed, because QEMU passes it in memory, and an emulated CPU would need time to unpack it.
        archive.end()


def read_module(path):
    if path.suffix not in SUFFIXES:
        raise LabError(f'unknown compression of {path}')
    unpack = SUFFIXES[path.suffix]
    if not unpack:
        return path.read_bytes()
    return subprocess.run([*unpack, '--', path], stdout=subprocess.PIPE, check=True).stdout
