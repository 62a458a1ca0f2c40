// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.MemorySegment;

/// The process's memory as one segment, for the rings of the data path. An access by address costs the same as in C,
/// since nothing is checked. Therefore callers guarantee that each address is in mapped memory, and stays mapped during
/// the access (docs/adr/0008-raw-rings.md).
///
/// Compute an address `& [#ADDRESSES]` in the method that uses it: the compiler then knows that it is in bounds and a
/// multiple of 8, and omits the checks.
public final class RawMemory {
    /// All memory.
    @SuppressWarnings("restricted") public static final MemorySegment ALL =
            MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /// Possible bits of a user-space address that is a multiple of 8; at most 56 on all 64-bit Linux machines.
    public static final long ADDRESSES = (1L << 56) - Long.BYTES;

    private RawMemory() {}
}
