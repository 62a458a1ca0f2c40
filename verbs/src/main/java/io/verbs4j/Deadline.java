// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.time.Duration;

/// Computes ends of waits, in terms of `System.nanoTime()`. They are numbers, so that waiting allocates nothing.
final class Deadline {
    /// The end of a wait with the timeout 0. The waiting thread need not read the clock.
    static final long NOW = Long.MIN_VALUE;

    private static final Duration MAX_TIMEOUT = Duration.ofDays(36_500);

    private Deadline() {}

    /// Returns the end of a wait that begins now.
    ///
    /// @param timeout shortened to a hundred years, so that the sum does not overflow
    static long after(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative");
        }
        long nanos = (timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : timeout).toNanos();
        return nanos == 0 ? NOW : System.nanoTime() + nanos;
    }

    /// Returns the remaining nanoseconds; at most 0 when the deadline has passed.
    static long left(long deadline) {
        return deadline == NOW ? 0 : deadline - System.nanoTime();
    }
}
