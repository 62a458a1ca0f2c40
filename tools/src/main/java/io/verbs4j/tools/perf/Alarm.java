// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.util.concurrent.TimeUnit;

/// A moment of a timed test, such as its end. Another thread sleeps until then, and the measuring loop reads a field
/// instead of the clock. On some machines, reading the clock takes a system call. For the same reason, perftest uses a
/// signal. Thread-safe.
final class Alarm {
    private static final long SILENT = Long.MIN_VALUE;

    private volatile long rangAt = SILENT;

    private Alarm() {}

    /// Starts an alarm.
    ///
    /// @param nanos the time until it rings, in nanoseconds
    static Alarm in(long nanos) {
        var alarm = new Alarm();
        Thread.ofPlatform().daemon().name("perf-alarm").start(() -> alarm.ring(nanos));
        return alarm;
    }

    private void ring(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        rangAt = System.nanoTime();
    }

    /// Returns whether the alarm has rung.
    boolean hasRung() {
        return rangAt != SILENT;
    }

    /// Returns the nanoseconds from one alarm to another.
    ///
    /// @param otherwise the result if an alarm has not rung
    static long between(Alarm from, Alarm to, long otherwise) {
        return from.hasRung() && to.hasRung() ? to.rangAt - from.rangAt : otherwise;
    }
}
