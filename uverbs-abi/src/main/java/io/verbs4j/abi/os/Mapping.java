// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A mapping that keeps its address range until it is unreachable. [#vacate] ends the mapped contents. The range is
/// released when the segment is unreachable.
final class Mapping {
    private Mapping() {}

    /// @param address result of `mmap`
    /// @param length requested length
    @SuppressWarnings("restricted")
    static MemorySegment of(long address, long length) {
        return MemorySegment.ofAddress(address)
                .reinterpret(length, Arena.ofAuto(), range -> Syscalls.munmap(range.address(), length));
    }

    /// Replaces the mapping by zero pages in one step, so that the addresses are always mapped. They take no memory
    /// unless a thread still writes to them. If the kernel refuses the change, the mapping stays until another attempt
    /// succeeds or the segment is unreachable.
    ///
    /// @return 0, or a negated errno
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
