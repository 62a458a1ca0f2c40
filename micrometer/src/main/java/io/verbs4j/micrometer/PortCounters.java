// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A port's counters. A registry queries counters one by one. This class reads all counters together, at most once in
/// each of the kernel's refresh intervals.
final class PortCounters {
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final Supplier<HardwareCounters> port;
    private final LongSupplier clock;
    private HardwareCounters last = new HardwareCounters(Duration.ZERO, new TreeMap<>()); // guarded by this
    private long readAt; // guarded by this

    /// @param port reads the counters
    /// @param clock `System::nanoTime`
    PortCounters(Supplier<HardwareCounters> port, LongSupplier clock) {
        this.port = port;
        this.clock = clock;
    }

    /// Reads the counters now, and returns their names.
    synchronized Set<String> names() {
        read();
        return last.values().keySet();
    }

    /// Returns the last known value of a counter.
    synchronized double value(String name) {
        Duration age = Duration.ofNanos(clock.getAsLong() - readAt);
        if (age.compareTo(SHORTEST) >= 0 && age.compareTo(last.lifespan()) >= 0) {
            try {
                read();
            } catch (VerbsException | IllegalStateException e) {
                // Closed or removed: the counters no longer change.
            }
        }
        return unsigned(last.value(name).orElse(0));
    }

    private void read() {
        last = port.get();
        readAt = clock.getAsLong();
    }

    /// Converts an unsigned number of 64 bits.
    static double unsigned(long value) {
        return (value >>> 1) * 2.0 + (value & 1);
    }
}
