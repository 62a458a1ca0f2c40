// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Numbered memory regions of this end that the peer may write to, at most one per entry of the peer's table. The
/// caller holds the writers' lock.
final class OwnMappings implements AutoCloseable {
    private final IntFunction<MemoryRegion> allocator;
    private final @Nullable MemoryRegion[] regions;

    /// @param allocator allocates memory of the given size that the peer may write to
    OwnMappings(IntFunction<MemoryRegion> allocator, int most) {
        this.allocator = allocator;
        this.regions = new MemoryRegion[most];
    }

    /// Returns a number that no open region has. Throws `ENOSPC` if there is none.
    int free() {
        for (int i = 0; i < regions.length; i++) {
            MemoryRegion region = regions[i];
            if (region == null || region.isClosed()) {
                return i;
            }
        }
        throw StreamFailures.noMapping(regions.length);
    }

    MemoryRegion allocate(int index, int bytes) {
        MemoryRegion region = allocator.apply(bytes);
        regions[index] = region;
        return region;
    }

    @Override
    public void close() {
        for (MemoryRegion region : regions) {
            if (region != null) {
                region.close();
            }
        }
    }
}
