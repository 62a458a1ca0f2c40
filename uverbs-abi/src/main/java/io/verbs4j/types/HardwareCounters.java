// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.time.Duration;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// A driver's counters of a port, counted since the creation of the device (sysfs `ports/PORT/hw_counters`,
/// Documentation/ABI/stable/sysfs-class-infiniband). Each driver has its own counters. For example, rxe counts sent and
/// received packets, retries, and duplicate or out-of-order requests (`rxe_counter_descs`, rxe_hw_counters.c).
///
/// @param lifespan the time for which the kernel may return cached values
/// @param values the counters, sorted by name; unsigned 64-bit numbers
public record HardwareCounters(Duration lifespan, SortedMap<String, Long> values) {
    /// Copies `values`.
    public HardwareCounters {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /// Returns a counter; empty if the driver has no counter with that name.
    public OptionalLong value(String name) {
        Long value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
