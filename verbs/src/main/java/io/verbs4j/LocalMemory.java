// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.util.Objects;

/// A part of a memory region, for a work request of ours. Checked against the region when it is made and when it is posted.
///
/// @param region the region
/// @param offset first byte in the region
/// @param length bytes; 0 is allowed
public record LocalMemory(MemoryRegion region, long offset, long length) {
    /// Checks the bounds.
    ///
    /// @throws IndexOutOfBoundsException if the part leaves the region
    public LocalMemory {
        Objects.checkFromIndexSize(offset, length, region.length());
    }

    /// A part of this part.
    ///
    /// @throws IndexOutOfBoundsException if it leaves this part
    public LocalMemory slice(long at, long bytes) {
        Objects.checkFromIndexSize(at, bytes, length);
        return new LocalMemory(region, offset + at, bytes);
    }
}
