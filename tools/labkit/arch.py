# SPDX-License-Identifier: Apache-2.0
"""The architectures of guests, by Debian's names: this machine's own, and arm64, which is emulated."""
from dataclasses import dataclass

from .say import UsageError


@dataclass(frozen=True)
class Architecture:
    name: str
    machine: str  # as in uname -m
    qemu: str
    package: str  # contains QEMU's program
    board: str
    processor: str  # the emulated one
    console: str  # the serial port

    @property
    def native(self):
        """True if the guest can run the machine's own programs."""
        return self is AMD64


# Without the fast string instructions, because emulation executes them byte by byte, and the kernel uses them for pages.
AMD64 = Architecture('amd64', 'x86_64', 'qemu-system-x86_64', 'qemu-system-x86', 'q35', 'max,-erms,-fsrm', 'ttyS0')
# A server's processor with atomic instructions (LSE), but without features that are slow under emulation: pointer authentication
# and scalable vectors.
ARM64 = Architecture('arm64', 'aarch64', 'qemu-system-aarch64', 'qemu-system-arm', 'virt,gic-version=3', 'neoverse-n1', 'ttyAMA0')
ALL = {each.name: each for each in (AMD64, ARM64)}


def named(name):
    if name not in ALL:
        raise UsageError(f"unknown architecture '{name}', not one of {' '.join(ALL)}")
    return ALL[name]
