// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The meters that a binder has registered, with their registries.
final class BoundMeters {
    private record Bound(MeterRegistry registry, Meter.Id id) {}

    private final Set<Bound> meters = ConcurrentHashMap.newKeySet();

    void add(MeterRegistry registry, Meter meter) {
        meters.add(new Bound(registry, meter.getId()));
    }

    /// Removes all meters from their registries. The next call removes meters that are added during this call.
    void remove() {
        for (Bound bound : List.copyOf(meters)) {
            meters.remove(bound);
            bound.registry.remove(bound.id);
        }
    }
}
