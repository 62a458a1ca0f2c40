// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.abi.device.DeviceFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Allocates zeroed memory. The kernel provides the pages of a large allocation only when they are used or registered.
/// `Arena.allocate` writes to each page, and each of these writes enters the kernel. Registering memory gets all pages
/// in one system call.
final class ZeroPages {
    /// Allocations below this size use the C library's heap, because a mapping consists of whole pages.
    private static final long LARGE = 1 << 16;

    private ZeroPages() {}

    /// Allocates page-aligned memory. Closing the arena frees it.
    ///
    /// @param bytes at least 1
    @SuppressWarnings("restricted")
    static MemorySegment allocate(long bytes, Arena arena) {
        if (bytes < LARGE) {
            return arena.allocate(bytes, DeviceFile.PAGE_BYTES);
        }
        long address = Syscalls.mmap(
                0,
                bytes,
                LinuxConstants.PROT_READ | LinuxConstants.PROT_WRITE,
                LinuxConstants.MAP_PRIVATE | LinuxConstants.MAP_ANONYMOUS,
                -1,
                0);
        if (address < 0) {
            throw new OutOfMemoryError("cannot map " + bytes + " bytes of memory: errno " + -address);
        }
        return MemorySegment.ofAddress(address)
                .reinterpret(bytes, arena, pages -> Syscalls.munmap(pages.address(), bytes));
    }
}
