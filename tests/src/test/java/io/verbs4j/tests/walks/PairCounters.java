// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.HardwareCounters;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// Reads what the two devices of a walk count, from one walk to the next.
final class PairCounters {
    /// Two ticks of the slowest clock that a kernel has.
    private static final Duration TICKS = Duration.ofMillis(20);

    private final DevicePair pair;
    private Map<String, Long> former = Map.of();
    private long fresh;

    PairCounters(DevicePair pair) {
        this.pair = pair;
        sinceLastTime();
    }

    /// Returns how much was counted since this was asked last, by name, `left` or `right` before it.
    Map<String, Long> sinceLastTime() {
        // The kernel shows the same figures until their lifespan is over, which it counts in ticks of its clock.
        while (!former.isEmpty() && fresh - System.nanoTime() > 0) {
            LockSupport.parkNanos(fresh - System.nanoTime());
        }
        var now = new TreeMap<String, Long>();
        Duration lifespan = Duration.ZERO;
        for (Side side : Side.values()) {
            HardwareCounters read = pair.host().hardwareCounters(pair.device(side).name(), 1);
            read.values().forEach((name, value) -> now.put(side.text() + " " + name, value));
            lifespan = read.lifespan();
        }
        if (!lifespan.isZero()) {
            fresh = System.nanoTime() + lifespan.plus(TICKS).toNanos();
        }
        var counted = new TreeMap<String, Long>();
        now.forEach((name, value) -> counted.put(name, value - former.getOrDefault(name, 0L)));
        former = now;
        return counted;
    }

    /// Returns what had been counted when this was made or asked last.
    Map<String, Long> total() {
        return former;
    }
}
