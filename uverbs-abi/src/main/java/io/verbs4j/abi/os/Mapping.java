// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A mapping whose addresses belong to it until nobody can use them any more: what is mapped there ends by [#vacate], the range
/// of addresses when the segment is unreachable.
final class Mapping {
    private Mapping() {}

    /// @param address what `mmap` returned
    /// @param length what it was asked for
    @SuppressWarnings("restricted")
    static MemorySegment of(long address, long length) {
        return MemorySegment.ofAddress(address)
                .reinterpret(length, Arena.ofAuto(), range -> Syscalls.munmap(range.address(), length));
    }

    /// Replaces what is mapped by pages of our own, in one step: at no time is there nothing at these addresses. They take no
    /// memory unless somebody still writes there. Should the kernel have no room even for the change, the mapping stays until
    /// another try succeeds or the segment is unreachable.
    ///
    /// @return 0, or a negated error number
    static int vacate(MemorySegment mapping) {
        long result = Syscalls.mmap(
                mapping.address(),
                mapping.byteSize(),
                LinuxConstants.PROT_READ | LinuxConstants.PROT_WRITE,
                LinuxConstants.MAP_PRIVATE
                        | LinuxConstants.MAP_ANONYMOUS
                        | LinuxConstants.MAP_FIXED
                        | LinuxConstants.MAP_NORESERVE,
                -1,
                0);
        return result < 0 ? (int) result : 0;
    }
}
