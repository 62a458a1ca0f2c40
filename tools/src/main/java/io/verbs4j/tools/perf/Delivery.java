// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.ToolException;

/// Counts what arrived of the messages that one end waits for. Unreliable transports lose some.
///
/// @param size bytes of a message
/// @param received how many came
/// @param expected how many were sent
record Delivery(int size, long received, long expected) {
    boolean isWhole() {
        return received == expected;
    }

    /// For the standard error, beside a result.
    String loss() {
        return received + " of " + expected
                + " messages received, the others are lost: the result is that of those received";
    }

    /// After a loss nothing else can be measured with the same queue pairs: the receives of what was lost still wait.
    ///
    /// @throws ToolException if something was lost
    void requireWhole() {
        if (!isWhole()) {
            throw new ToolException(
                    received + " of " + expected + " messages of " + size
                            + " bytes received, and the receives of the lost ones are in the way of the next measurement",
                    "measure one size at a time with -s, without --warm-up, or use RC");
        }
    }
}
