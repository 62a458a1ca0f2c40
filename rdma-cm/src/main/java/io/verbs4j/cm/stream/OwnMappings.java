// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.types.Access;
import org.jspecify.annotations.Nullable;

/// Memory of this end that the peer may write to, by number: as many pieces as the peer has room for. The caller has the writers' lock.
final class OwnMappings implements AutoCloseable {
    private final ProtectionDomain domain;
    private final @Nullable MemoryRegion[] regions;

    OwnMappings(ProtectionDomain domain, int most) {
        this.domain = domain;
        this.regions = new MemoryRegion[most];
    }

    /// Returns a number that no open region has.
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
        MemoryRegion region = domain.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
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
