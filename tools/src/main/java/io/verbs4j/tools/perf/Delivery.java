// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.ToolException;

/// Received messages of one end. Unreliable transports may lose messages.
///
/// @param size size of a message in bytes
/// @param received number of received messages
/// @param expected number of sent messages
record Delivery(int size, long received, long expected) {
    boolean isWhole() {
        return received == expected;
    }

    /// Returns the warning that accompanies a result after a loss.
    String loss() {
        return received + " of " + expected
                + " messages received, the others are lost; the result contains only received messages";
    }

    /// Checks that no message was lost. After a loss, the queue pairs cannot be used for another measurement, because
    /// the receives of the lost messages are still posted.
    ///
    /// @throws ToolException if messages were lost
    void requireWhole() {
        if (!isWhole()) {
            throw new ToolException(
                    received + " of " + expected + " messages of " + size
                            + " bytes received; the receives of the lost messages prevent the next measurement",
                    "measure one size at a time with -s, without --warm-up, or use RC");
        }
    }
}
