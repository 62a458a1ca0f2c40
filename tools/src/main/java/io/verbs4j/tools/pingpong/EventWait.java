// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.tools.common.ToolException;
import java.time.Duration;

/// Waits for completions by events, until none has arrived for a timeout.
///
/// Reads the clock only once per timeout, not for each wait: where reading the clock is a system call, it takes a
/// considerable part of a message's time. Therefore, a wait may last up to twice the timeout.
public final class EventWait {
    private final long timeoutNanos;
    private long deadline;

    /// @param timeout the timeout, which begins with the first wait
    public EventWait(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
        this.deadline = System.nanoTime();
    }

    /// Waits for completions, and handles them.
    ///
    /// @param max maximum number of completions
    /// @return false after the timeout
    public boolean await(CompletionQueue queue, int max, CompletionHandler handler) {
        try {
            if (queue.awaitUntil(max, handler, deadline) > 0) {
                return true;
            }
            deadline = System.nanoTime() + timeoutNanos;
            return queue.awaitUntil(max, handler, deadline) > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted while waiting for completions");
        }
    }
}
