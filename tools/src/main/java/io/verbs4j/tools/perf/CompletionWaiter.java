// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pingpong.EventWait;
import io.verbs4j.tools.pingpong.PollPause;
import java.time.Duration;

/// Waits for completions: by events, or by polling with pauses that let other threads run.
record CompletionWaiter(CompletionQueue queue, boolean events, EventWait sleep, PollPause pause) {
    /// Timeout for the next completion. C waits indefinitely.
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int AT_A_TIME = 16;

    /// Returns a waiter for ping-pongs.
    static CompletionWaiter ofLatency(CompletionQueue queue, boolean events) {
        return new CompletionWaiter(queue, events, new EventWait(TIMEOUT), PollPause.ofLatency(TIMEOUT));
    }

    /// Returns a waiter for many outstanding messages.
    static CompletionWaiter ofBandwidth(CompletionQueue queue, boolean events) {
        return ofBandwidth(queue, events, TIMEOUT);
    }

    /// Returns a waiter for many outstanding messages.
    ///
    /// @param timeout timeout for the next completion
    static CompletionWaiter ofBandwidth(CompletionQueue queue, boolean events, Duration timeout) {
        return new CompletionWaiter(queue, events, new EventWait(timeout), new PollPause(timeout));
    }

    /// Returns the exception for a timeout.
    ///
    /// @param progress the number of messages before the timeout
    static ToolException silence(String progress) {
        return new ToolException(
                "no completion for " + TIMEOUT.toSeconds() + " s, after " + progress,
                "check that the peer is running, with the same options");
    }

    /// Polls once, and handles the available completions.
    ///
    /// @return false after the timeout
    boolean poll(CompletionHandler handler) {
        if (events) {
            return sleep.await(queue, AT_A_TIME, handler);
        }
        if (queue.poll(AT_A_TIME, handler) > 0) {
            pause.progress();
            return true;
        }
        return pause.pause();
    }
}
