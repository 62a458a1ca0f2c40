// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.time.Duration;

/// The end of a wait.
///
/// @param onlyLooks true if the timeout was 0, so that the waiting thread need not read the clock
/// @param nanoTime the time by `System.nanoTime()`; not used if `onlyLooks`
record Deadline(boolean onlyLooks, long nanoTime) {
    private static final Duration MAX_TIMEOUT = Duration.ofDays(36_500);
    private static final Deadline LOOK = new Deadline(true, 0);

    /// Returns the end of a wait that begins now.
    ///
    /// @param timeout shortened to a hundred years, so that the sum does not overflow
    static Deadline after(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative");
        }
        long nanos = (timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : timeout).toNanos();
        return nanos == 0 ? LOOK : new Deadline(false, System.nanoTime() + nanos);
    }

    /// Returns the remaining nanoseconds; at most 0 when it has passed.
    long left() {
        return onlyLooks ? 0 : nanoTime - System.nanoTime();
    }
}
