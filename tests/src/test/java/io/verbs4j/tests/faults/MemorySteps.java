// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.VerbsObject;
import io.verbs4j.types.Access;
import io.verbs4j.types.Feature;
import java.util.ArrayList;
import java.util.List;

/// Changes a region's access rights and domain, and prefetches the pages of another. Skips operations that the device
/// does not announce.
final class MemorySteps {
    private static final int LENGTH = 8192;

    private MemorySteps() {}

    static List<VerbsObject> take(Context context, @SuppressWarnings("unused") int gidIndex) {
        ProtectionDomain first = context.allocateProtectionDomain();
        ProtectionDomain second = context.allocateProtectionDomain();
        var regions = new ArrayList<VerbsObject>();
        MemoryRegion region = first.allocate(LENGTH, Access.LOCAL_WRITE);
        regions.add(region);
        if (context.supports(Feature.REREGISTER_MEMORY)) {
            region.changeAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            region.moveTo(second);
            assertThat(region.access()).contains(Access.REMOTE_WRITE);
        }
        if (context.supports(Feature.ON_DEMAND_PAGING)) {
            MemoryRegion onDemand = first.allocate(LENGTH, Access.LOCAL_WRITE, Access.ON_DEMAND);
            regions.add(onDemand);
            onDemand.prefetch(0, LENGTH, true);
        }
        regions.add(first);
        regions.add(second);
        return regions;
    }
}
