// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Turns the address of a mapping into a segment that unmaps itself.
final class Mapping {
    private record Unmap(long length) implements Consumer<MemorySegment> {
        @Override
        public void accept(MemorySegment mapping) {
            Syscalls.munmap(mapping.address(), length);
        }
    }

    private Mapping() {}

    /// @param address what `mmap` returned
    /// @param length what it was asked for
    /// @param arena its end unmaps the memory; if it has ended already, the memory is unmapped at once
    @SuppressWarnings("restricted")
    static MemorySegment of(long address, long length, Arena arena) {
        try {
            return MemorySegment.ofAddress(address).reinterpret(length, arena, new Unmap(length));
        } catch (RuntimeException e) {
            Syscalls.munmap(address, length);
            throw e;
        }
    }
}
