// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The meters that a binder has registered, with their registries.
final class BoundMeters {
    private final Map<Meter.Id, MeterRegistry> meters = new ConcurrentHashMap<>();

    void add(MeterRegistry registry, Meter meter) {
        meters.put(meter.getId(), registry);
    }

    /// Removes all meters from their registries.
    void remove() {
        meters.forEach((id, registry) -> registry.remove(id));
        meters.clear();
    }
}
