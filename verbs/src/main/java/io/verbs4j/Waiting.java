// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.time.Duration;

/// Time limits of waits.
final class Waiting {
    private Waiting() {}

    /// A duration as nanoseconds; anything longer than a hundred years counts as that, so that deadlines do not overflow.
    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative");
        }
        Duration longest = Duration.ofDays(36_500);
        return (timeout.compareTo(longest) > 0 ? longest : timeout).toNanos();
    }
}
