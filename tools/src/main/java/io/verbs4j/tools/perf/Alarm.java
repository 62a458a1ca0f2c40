// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.util.concurrent.TimeUnit;

/// A moment of a timed test, such as its end. Another thread sleeps until then, as perftest lets the kernel send a signal: the
/// loop that measures reads a field instead of the clock, which is a system call on some machines. Thread-safe.
final class Alarm {
    private static final long SILENT = Long.MIN_VALUE;

    private volatile long rangAt = SILENT;

    private Alarm() {}

    /// Starts an alarm.
    ///
    /// @param nanos how long it takes
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

    /// Returns whether the moment has come.
    boolean hasRung() {
        return rangAt != SILENT;
    }

    /// Returns the nanoseconds from one alarm to another.
    ///
    /// @param otherwise if one of them has not rung
    static long between(Alarm from, Alarm to, long otherwise) {
        return from.hasRung() && to.hasRung() ? to.rangAt - from.rangAt : otherwise;
    }
}
