// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.MemorySegment;

/// The process's memory as one segment, for the rings of the data path: an access by address costs what it costs in C, since
/// nothing is left to check. So whoever uses it answers for each address: it must lie in memory that is mapped, and stays
/// mapped while the access lasts (docs/adr/0008-raw-rings.md).
///
/// An address must be taken `& [#ADDRESSES]` in the method that uses it: from this the compiler knows that it is in the bounds
/// and a multiple of 8, and leaves the checks out.
public final class RawMemory {
    /// All memory.
    @SuppressWarnings("restricted") public static final MemorySegment ALL =
            MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /// Bits that an address of user space may have, if it is a multiple of 8; up to 56 of them on all 64-bit machines that
    /// Linux knows.
    public static final long ADDRESSES = (1L << 56) - Long.BYTES;

    private RawMemory() {}
}
