// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Computes deadlines, which are values of `System.nanoTime()`. A deadline is a number, so waiting allocates no object.
public final class Deadline {
    /// The deadline of a wait with the timeout 0. The waiting thread need not read the clock.
    public static final long NOW = Long.MIN_VALUE;

    /// The deadline of a wait without a limit, about 150 years away. The waiting thread need not read the clock.
    public static final long NEVER = System.nanoTime() + Long.MAX_VALUE / 2;

    /// A wait with this timeout, or a longer one, has no limit.
    public static final long FOREVER_NANOS = TimeUnit.DAYS.toNanos(365);

    private Deadline() {}

    /// Returns the deadline of a wait that begins now.
    ///
    /// @param timeout not negative; a year or more means no limit
    public static long after(Duration timeout) {
        requireNotNegative(timeout);
        return within(timeout);
    }

    /// Checks a timeout.
    public static void requireNotNegative(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative");
        }
    }

    /// Returns the deadline of a wait that begins now.
    ///
    /// @param timeout negative means 0, and a year or more means no limit
    public static long within(Duration timeout) {
        return within(TimeUnit.NANOSECONDS.convert(timeout));
    }

    /// Returns the deadline of a wait that begins now.
    ///
    /// @param nanos the timeout; negative means 0, and a year or more means no limit
    public static long within(long nanos) {
        return nanos <= 0 ? NOW : nanos < FOREVER_NANOS ? System.nanoTime() + nanos : NEVER;
    }

    /// Returns the nanoseconds until the deadline, at least 0; [#FOREVER_NANOS] for [#NEVER].
    public static long left(long deadline) {
        return deadline == NOW ? 0 : deadline == NEVER ? FOREVER_NANOS : Math.max(0, deadline - System.nanoTime());
    }
}
