// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.verbs4j.Context;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A port's counters. A registry queries counters one by one. This class reads all counters together, at most once in
/// each of the kernel's refresh intervals.
final class PortCounters {
    private static final Duration SHORTEST = Duration.ofMillis(10);

    private final Context context;
    private final int port;
    private @Nullable HardwareCounters last; // guarded by this
    private long readAt; // guarded by this

    PortCounters(Context context, int port) {
        this.context = context;
        this.port = port;
    }

    /// Reads the counters now, and returns their names.
    synchronized Set<String> names() {
        return read().values().keySet();
    }

    /// Returns the last known value of a counter.
    synchronized double value(String name) {
        HardwareCounters known = last;
        if (known == null || System.nanoTime() - readAt >= lifespan(known).toNanos()) {
            try {
                known = read();
            } catch (VerbsException | IllegalStateException e) {
                // Closed or removed: the counters no longer change.
            }
        }
        return known == null ? 0 : unsigned(known.value(name).orElse(0));
    }

    private HardwareCounters read() {
        HardwareCounters now = context.hardwareCounters(port);
        last = now;
        readAt = System.nanoTime();
        return now;
    }

    private static Duration lifespan(HardwareCounters counters) {
        Duration lifespan = counters.lifespan();
        return lifespan.compareTo(SHORTEST) < 0 ? SHORTEST : lifespan;
    }

    /// Converts an unsigned number of 64 bits.
    static double unsigned(long value) {
        return value >= 0 ? value : (value >>> 1) * 2.0;
    }
}
