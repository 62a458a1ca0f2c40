// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.time.Duration;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// The counters of a driver on a port since the device was made (sysfs `ports/PORT/hw_counters`,
/// Documentation/ABI/stable/sysfs-class-infiniband). Each driver has counters of its own; rxe counts packets sent and
/// received, retries, and requests that came doubly or out of order (`rxe_counter_descs`, rxe_hw_counters.c).
///
/// @param lifespan for how long the kernel may hand out the same values before it asks the driver again
/// @param values by name, in order of names; unsigned numbers of 64 bits
public record HardwareCounters(Duration lifespan, SortedMap<String, Long> values) {
    /// Counters with a copy of `values`.
    public HardwareCounters {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /// A counter; empty if the driver has none of that name.
    public OptionalLong value(String name) {
        Long value = values.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
