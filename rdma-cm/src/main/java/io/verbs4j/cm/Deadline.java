// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.time.Duration;

/// Computes deadlines in terms of `System.nanoTime()`.
final class Deadline {
    private static final long MAX_NANOS = Long.MAX_VALUE / 4;

    private Deadline() {}

    /// Returns the deadline after a timeout from now.
    ///
    /// @param timeout negative means zero
    static long of(Duration timeout) {
        long nanos;
        try {
            nanos = timeout.toNanos();
        } catch (ArithmeticException e) {
            nanos = timeout.isNegative() ? 0 : MAX_NANOS;
        }
        return System.nanoTime() + Math.clamp(nanos, 0, MAX_NANOS);
    }

    /// Returns the nanoseconds until the deadline, at least 0.
    static long remaining(long deadline) {
        return Math.max(0, deadline - System.nanoTime());
    }

    /// Returns the time until the deadline, at least zero.
    static Duration left(long deadline) {
        return Duration.ofNanos(remaining(deadline));
    }
}
