# SPDX-License-Identifier: Apache-2.0
"""The processors that guests may have, by Debian's names: this machine's own kind, and arm64, which is emulated."""
from dataclasses import dataclass

from .say import UsageError


@dataclass(frozen=True)
class Architecture:
    name: str
    machine: str  # as uname -m says it
    qemu: str
    package: str  # that brings QEMU's program
    board: str
    processor: str  # the one that is emulated
    console: str  # the serial port

    @property
    def native(self):
        """True where the guest can run the machine's own programs."""
        return self is AMD64


# Without the fast string instructions, which emulation takes byte by byte: the kernel clears and copies pages with them.
AMD64 = Architecture('amd64', 'x86_64', 'qemu-system-x86_64', 'qemu-system-x86', 'q35', 'max,-erms,-fsrm', 'ttyS0')
# A server's processor with single-instruction atomics (LSE), and without what is slow under emulation: pointer
# authentication and scalable vectors.
ARM64 = Architecture('arm64', 'aarch64', 'qemu-system-aarch64', 'qemu-system-arm', 'virt,gic-version=3', 'neoverse-n1', 'ttyAMA0')
ALL = {each.name: each for each in (AMD64, ARM64)}


def named(name):
    if name not in ALL:
        raise UsageError(f"unknown architecture '{name}', not one of {' '.join(ALL)}")
    return ALL[name]
