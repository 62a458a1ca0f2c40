// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Ranges;
import io.verbs4j.types.ScatterGatherList;
import java.util.List;
import java.util.Objects;

/// A part of a memory region, for this end's work requests. The constructor checks the bounds, and posting checks that
/// the region is usable.
///
/// @param region the region
/// @param offset first byte in the region
/// @param length bytes; 0 is allowed
public record LocalMemory(MemoryRegion region, long offset, long length) {
    /// Checks the bounds.
    ///
    /// @throws IndexOutOfBoundsException if the part exceeds the region
    public LocalMemory {
        Objects.checkFromIndexSize(offset, length, region.length());
    }

    /// Returns a part of this memory.
    ///
    /// @throws IndexOutOfBoundsException if the result exceeds this memory
    public LocalMemory slice(long at, long bytes) {
        Objects.checkFromIndexSize(at, bytes, length);
        return new LocalMemory(region, offset + at, bytes);
    }

    /// Adds the part to a list. Posting the list does not check its buffers again.
    ///
    /// @return the list
    /// @throws IllegalStateException if the region is closed, or its memory was freed
    public ScatterGatherList addTo(ScatterGatherList list) {
        long address = region.addressFor(region.protectionDomain(), offset, length);
        return list.add(address, (int) Ranges.check("length", length, 0, Integer.MAX_VALUE), region.localKey());
    }

    /// Returns the parts as scatter/gather elements, for a work request of `user`.
    static ScatterGatherList list(List<LocalMemory> parts, ProtectionDomain user) {
        var list = new ScatterGatherList();
        for (LocalMemory part : parts) {
            long address = part.region.addressFor(user, part.offset, part.length);
            list.add(address, (int) Ranges.check("length", part.length, 0, Integer.MAX_VALUE), part.region.localKey());
        }
        return list;
    }
}
